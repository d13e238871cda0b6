package scenario

import (
	"slices"

	"github.com/firedrill/firedrill/simulator"
)

// Never is the tick of what has not happened.
const Never simulator.Tick = -1

// Truth is what really goes on in a run: hidden from people under drill.
type Truth struct {
	Events    []Planned // the scenario's events in file order, with what the seed has chosen
	Steps     []Planned // the scripted operator's, where it acts
	Incidents []IncidentTruth
}

// IncidentTruth is an incident as it goes in one run.
//
// An incident that ends when its service has recovered ends at the first
// minute, one minute or more after its start, that begins a stretch of
// RecoveryMinutes healthy ones and comes after an unhealthy one: what has not
// hurt yet is not over. One that never hurts stays open.
type IncidentTruth struct {
	Incident
	Start simulator.Tick // known from the beginning
	Harm  simulator.Tick // first unhealthy minute since Start; Never where there was none yet
	End   simulator.Tick // Never while it is open
}

// Truth returns the truth so far.
func (r *Run) Truth() Truth {
	t := Truth{Events: slices.Clone(r.events), Steps: slices.Clone(r.steps), Incidents: make([]IncidentTruth, len(r.incidents))}
	for i, in := range r.incidents {
		t.Incidents[i] = in.IncidentTruth
	}
	return t
}

// incident follows one incident.
type incident struct {
	IncidentTruth
	service      int
	ends         simulator.Tick // when it ends by plan; Never where it waits for a recovery
	healthySince simulator.Tick // Never while the service is unhealthy
}

// follow brings the incidents up to the second that was simulated at now.
func (r *Run) follow(now simulator.Tick, news []simulator.Event) []simulator.Event {
	for i := range r.incidents {
		in := &r.incidents[i]
		if now < in.Start || in.End != Never {
			continue
		}
		if now == in.Start {
			news = append(news, in.event(now, "incident_started"))
		}
		if now%simulator.Minute == 0 {
			in.observe(now, r.engine.Services()[in.service].Model.Healthy())
		}
		if now == in.ends {
			in.End = now
		}
		if in.End != Never {
			news = append(news, in.event(now, "incident_ended",
				simulator.Field{Name: "start_tick", Value: int(in.Start)}, simulator.Field{Name: "end_tick", Value: int(in.End)}))
		}
	}
	return news
}

// observe takes in whether the minute that begins at now is healthy.
func (in *incident) observe(now simulator.Tick, healthy bool) {
	switch {
	case !healthy:
		in.healthySince = Never
		if in.Harm == Never {
			in.Harm = now
		}
	case in.Harm == Never || now < in.Start+simulator.Minute:
	case in.healthySince == Never:
		in.healthySince = now
	}
	if in.Ends.Recovered && in.healthySince != Never && now-in.healthySince >= (RecoveryMinutes-1)*simulator.Minute {
		in.End = in.healthySince
	}
}

func (in *incident) event(now simulator.Tick, kind string, more ...simulator.Field) simulator.Event {
	fields := []simulator.Field{{Name: "id", Value: in.ID}, {Name: "kind", Value: string(in.Kind)}, {Name: "title", Value: in.Title}}
	return simulator.Event{At: now, Service: in.Service, Kind: kind, Truth: true, Fields: append(fields, more...)}
}

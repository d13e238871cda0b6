package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/units"

	"github.com/firedrill/firedrill/exporter/metric"
)

// simulator makes the dashboard of firedrill itself: whether it keeps its pace,
// and what it costs.
func (m maker) simulator() *builder {
	return m.board(uidPrefix+"simulator", "Simulator",
		"firedrill itself: its clock, whether it keeps its pace, what scrapes cost, and how its process is doing.").
		WithVariable(m.chooseWindow()).
		Annotation(m.pauses()).
		WithPanel(m.simulatedTime()).
		WithPanel(m.speedNow()).
		WithPanel(m.lagNow()).
		WithPanel(m.paused()).
		WithPanel(m.scenario()).
		WithPanel(m.build()).
		WithRow(dashboard.NewRowBuilder("Clock")).
		WithPanel(m.speed()).
		WithPanel(m.lag()).
		WithRow(dashboard.NewRowBuilder("Scrapes")).
		WithPanel(m.targets()).
		WithPanel(m.scrapeDuration()).
		WithPanel(m.scrapeSamples()).
		WithRow(dashboard.NewRowBuilder("Process")).
		WithPanel(m.processor()).
		WithPanel(m.memory()).
		WithPanel(m.goroutines()).
		WithPanel(m.gcPauses())
}

func (m maker) simulatedTime() cog.Builder[dashboard.Panel] {
	return m.fact("Simulated time", "What time it is in the simulation, in UTC. It is the time that scenarios and runbooks speak of.", "dateTimeAsIso").
		WithTarget(m.present("time", "1000 * "+metric.SimulatedTimestamp.Name))
}

// pace is how many simulated seconds pass in a second of Prometheus' clock.
func pace() string { return rate(metric.SimulatedSeconds.Name) }

func (m maker) speedNow() cog.Builder[dashboard.Panel] {
	return m.figure("Speed", "Simulated seconds that pass in a second of Prometheus' clock. In the Prometheus that lives on simulated time it is 1 at any speed.", "suffix:×").
		Decimals(1).
		WithTarget(m.query("speed", pace()))
}

func (m maker) lagNow() cog.Builder[dashboard.Panel] {
	return m.figure("Lag", "Simulated seconds that the simulation is behind the speed asked for. Worry when it grows: the machine is too slow for this speed, and drills take longer than they should.", units.Seconds).
		Decimals(0).
		Thresholds(limits(step{color: good}, step{60, warning}, step{600, bad})).
		WithTarget(m.query("lag", metric.Lag.Name))
}

func (m maker) paused() cog.Builder[dashboard.Panel] {
	return m.fact("State", "Whether simulated time passes. While it stands still, rates are of nothing and have gaps.", units.NoUnit).
		Mappings([]dashboard.ValueMapping{say(word{"0", "running", good}, word{"1", "paused", notice})}).
		WithTarget(m.present("paused", metric.Paused.Name))
}

func (m maker) scenario() cog.Builder[dashboard.Panel] {
	return m.fact("Scenario", "The scenario that runs, and the seed of its randomness: with both, and the commands, the run can be repeated to the byte.", units.NoUnit).
		TextMode(common.BigValueTextModeName).
		WithTarget(m.present(braces(metric.Scenario)+", seed "+braces(metric.Seed), metric.ScenarioInfo.Name))
}

func (m maker) build() cog.Builder[dashboard.Panel] {
	return m.fact("Build", "The version of firedrill that runs, and the Go that built it. Runs repeat to the byte on the same version.", units.NoUnit).
		TextMode(common.BigValueTextModeName).
		WithTarget(m.present(braces(metric.Version)+", "+braces(metric.GoVersion), metric.BuildInfo.Name))
}

func (m maker) speed() cog.Builder[dashboard.Panel] {
	return m.lines("Speed asked for and reached", "Simulated seconds a second that are asked for, and those that pass on Prometheus' clock. On a wall clock they are the same unless the simulation is paused or behind; on simulated time the second is 1.", "suffix:×").
		WithTarget(m.query("asked for", metric.SpeedRatio.Name)).
		WithTarget(m.query("reached", pace()))
}

func (m maker) lag() cog.Builder[dashboard.Panel] {
	return threshold(m.lines("Lag over time", "Simulated seconds that the simulation is behind the speed asked for. Small and level is fine: steps are made in batches. Worry when it grows.", units.Seconds), below(60)...).
		WithTarget(m.query("lag", metric.Lag.Name))
}

// own selects the series about scrapes of firedrill's targets, however they are
// found.
func own(name string) string {
	return "(" + selector(name, unequal(metric.Service, "")) + " or " + selector(name, equal(metric.Job, metric.SimulatorJob)) + ")"
}

func (m maker) targets() cog.Builder[dashboard.Panel] {
	return m.lines("Targets", "Targets of firedrill that answer scrapes, and those that do not. A killed pod stays listed for a while and does not answer. Worry when all are down: the simulator itself is gone.", units.Short).
		Span(third).
		WithTarget(m.query("up", sum(own(metric.Up)))).
		WithTarget(m.query("down", "count("+own(metric.Up)+") - "+sum(own(metric.Up))))
}

func (m maker) scrapeDuration() cog.Builder[dashboard.Panel] {
	return m.lines("Time of a scrape", "How long the slowest scrape of each job took, on the clock of the machine. Worry when it nears the scrape interval. The Prometheus in firedrill measures nothing and says 10 ms.", units.Seconds).
		Span(third).
		WithTarget(m.query(braces(metric.Job), most(own(metric.ScrapeDuration), metric.Job)))
}

func (m maker) scrapeSamples() cog.Builder[dashboard.Panel] {
	return m.lines("Samples of a round of scrapes", "Samples that scraping every target once gives, by job. It grows with the fleet. Worry when it grows without: a label takes too many values.", units.Short).
		Span(third).
		WithTarget(m.query(braces(metric.Job), sum(own(metric.ScrapeSamples), metric.Job)))
}

// process selects a series about our own process.
func process(name string, matchers ...string) string {
	return selector(name, append([]string{equal(metric.Job, metric.SimulatorJob)}, matchers...)...)
}

func (m maker) processor() cog.Builder[dashboard.Panel] {
	return m.lines("Processor", "Processors that firedrill keeps busy, in seconds a second of the machine. Worry when it nears the number that there are: the simulation will lag.", units.Short).
		Span(quarter).
		WithTarget(m.query("busy", rate(process(metric.ProcessCPU))))
}

func (m maker) memory() cog.Builder[dashboard.Panel] {
	return m.lines("Memory", "Memory of the process, and of its heap. The Prometheus in firedrill keeps its samples there. Worry when it grows for hours without end.", units.BytesIEC).
		Span(quarter).
		WithTarget(m.query("resident", process(metric.ResidentMemory))).
		WithTarget(m.query("heap in use", process(metric.HeapInUse)))
}

func (m maker) goroutines() cog.Builder[dashboard.Panel] {
	return m.lines("Goroutines and files", "Goroutines and open files of the process. Both follow the number of open connections. Worry when they grow without end.", units.Short).
		Span(quarter).
		WithTarget(m.query("goroutines", process(metric.Goroutines))).
		WithTarget(m.query("open files", process(metric.OpenFiles)))
}

func (m maker) gcPauses() cog.Builder[dashboard.Panel] {
	return m.lines("Garbage collection", "Pauses of the garbage collector: half of the recent ones were shorter than the first, all than the second. Worry about tenths of a second.", units.Seconds).
		Span(quarter).
		WithTarget(m.query("half", process(metric.GCPause, equal(metric.Quantile, "0.5")))).
		WithTarget(m.query("longest", most(process(metric.GCPause))))
}

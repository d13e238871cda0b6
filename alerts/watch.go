package alerts

import (
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
)

// watchGroup makes the alerts on the monitoring itself.
func (m maker) watchGroup() group {
	return group{name: "monitoring", rules: []rule{m.watchdog(), m.targetDown(), m.speedMismatch()}}
}

// watchdog makes the alert that always fires: whoever stops hearing of it knows
// that alerts do not arrive.
func (m maker) watchdog() rule {
	const name = "Watchdog"
	return rule{
		alert:  name,
		expr:   "vector(1)",
		labels: []pair{None.label()},
		annotations: m.annotate(name, "", "Alerts are evaluated and delivered",
			"This alert always fires. Where it does not arrive, no other will."),
	}
}

// targetDown makes the alert for a target that fails its scrapes. Discovery
// lists a killed pod for five simulated minutes: the alert has to fire before.
func (m maker) targetDown() rule {
	const name = "TargetDown"
	return rule{
		alert:  name,
		expr:   metric.Up + " == 0",
		hold:   span{canonical: 3 * time.Minute},
		labels: []pair{Warning.label()},
		annotations: m.annotate(name, "", labelOf(metric.Instance)+" does not answer",
			"Scrapes of "+labelOf(metric.Instance)+" (job "+labelOf(metric.Job)+") have failed for 3m."),
	}
}

// speedTolerance is how far the speed of simulated time may be from the one
// that the rules are made for.
const speedTolerance = 0.2

// speedWindow is the window over which the speed is measured, on the clock of
// Prometheus: long enough for a rate, and for the whole seconds in which the
// simulation counts to be an error of a twentieth.
func (m maker) speedWindow() time.Duration {
	return max(scrapesNeeded*m.ScrapeInterval, m.clock(20*time.Second))
}

// speedMismatch makes the alert for rules that are made for another speed than
// simulated time has. It has to be right where the scale is wrong, so its spans
// follow from the scrapes. It waits for a whole window, in which a pause or a
// new run leaves the rate.
func (m maker) speedMismatch() rule {
	const name = "FiredrillSpeedMismatch"
	window := metric.Span(m.speedWindow())
	speed := "rate(" + metric.SimulatedSeconds.Name + "[" + window + "])"
	made := number(m.Speed)
	return rule{
		comment: "These spans follow from the scrape interval of " + metric.Span(m.ScrapeInterval) + ", not from the speed.",
		alert:   name,
		expr: speed + " > 0\nand\nabs(" + speed + " / " + made + " - 1) > " + number(speedTolerance) +
			"\nunless\nmax_over_time(" + metric.Paused.Name + "[" + window + "]) > 0",
		hold:   span{wall: m.speedWindow()},
		labels: []pair{Warning.label()},
		annotations: m.annotate(name, "", "The alert rules are made for another speed than that of the simulation",
			value+" simulated seconds pass in a second, and the rules are made for "+made+". Every window and every waiting time of the other alerts is wrong by the same factor."),
	}
}

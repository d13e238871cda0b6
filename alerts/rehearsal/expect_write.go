package rehearsal

import (
	"fmt"
	"strings"

	"github.com/firedrill/firedrill/simulator"
)

// WriteExpectations returns a file of expectations that the reports meet: for
// each alert and each incident that it noticed in every seed, how soon it fired
// and ended at the latest; and that what pages and did not fire in a scenario
// never does. Times are rounded up to minutes.
func WriteExpectations(reports []*Report) []byte {
	var b strings.Builder
	b.WriteString(keyExpectations + ":\n")
	for _, r := range reports {
		for _, rule := range r.Rules {
			if rule.Silent && rule.Pages {
				fmt.Fprintf(&b, "  - {%s, %s: true}\n", named(rule, r), keyNever)
			}
			for i, s := range rule.Sights {
				if s.Firing.Seeds == len(r.Seeds) {
					fmt.Fprintf(&b, "  - {%s, %s: %s%s}\n", named(rule, r), keyIncident, r.Incidents[i].ID, bounds(s, len(r.Seeds)))
				}
			}
		}
	}
	return []byte(b.String())
}

// named writes which alert in which scenario is meant: by its name, and by the
// labels that its rule sets.
func named(rule RuleReport, r *Report) string {
	text := keyAlert + ": " + rule.Name
	if matchers := static(rule); matchers != "" {
		text += fmt.Sprintf(", %s: '%s'", keyMatchers, matchers)
	}
	return text + fmt.Sprintf(", %s: %s", keyScenario, r.Scenario.Name)
}

// bounds writes what a sight kept within.
func bounds(s SightReport, seeds int) string {
	text := fmt.Sprintf(", %s: %s", keyFires, minutesUp(s.Firing.Max))
	if s.Reset.Seeds == seeds {
		text += fmt.Sprintf(", %s: %s", keyResolves, minutesUp(s.Reset.Max))
	}
	return text
}

// minutesUp writes seconds as the next whole minute.
func minutesUp(seconds float64) string { return span(simulator.Tick(seconds).NextMinute()) }

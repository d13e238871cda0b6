package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/firedrill/firedrill/alerts/rehearsal"
)

// markdown writes a verdict as a page for a pull request.
func (v verdict) markdown(w *bufio.Writer) error {
	for i, r := range v.reports {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "## %s: %s\n\n%s.\n", r.Scenario.Name, escaped(r.Scenario.Title), v.setting(r))
		for j, in := range r.Incidents {
			markdownIncident(w, r, j, in)
		}
		fmt.Fprintf(w, "\nOutside incidents, %s: %s, %s; %d of %s never fired.\n",
			brief(float64(r.Exposure)), falsePages(r), monthly(r), silent(r), several(len(r.Rules), "alert"))
		for _, rule := range r.Rules {
			if rule.False > 0 {
				fmt.Fprintf(w, "- %s fired %s\n", titled(rule), several(rule.False, "time"))
			}
		}
		if met, all, unmet := v.expected(r); all > 0 {
			fmt.Fprintf(w, "\n%d of %s met.\n", met, several(all, "expectation"))
			for _, f := range unmet {
				fmt.Fprintf(w, "- not met: %s: %s\n", escaped(where(f)), escaped(metOrNot(f)))
			}
		}
	}
	return nil
}

func markdownIncident(w *bufio.Writer, r *rehearsal.Report, i int, in rehearsal.IncidentReport) {
	fmt.Fprintf(w, "\n### %s: %s (%s of %s)\n\n", in.ID, escaped(in.Title), in.Kind, in.Service)
	markdownRow(w, "alert", heads())
	markdownRow(w, "---", strings.Fields(strings.Repeat("---: ", len(heads()))))
	markdownRow(w, "*whatever pages*", cells(in.SightReport))
	for _, rule := range sighted(r, i) {
		markdownRow(w, titled(rule), cells(rule.Sights[i]))
	}
	if all := firsts(r, in); len(all) > 0 {
		fmt.Fprintf(w, "\nFirst to page: %s.\n", escaped(strings.Join(all, ", ")))
	}
}

// titled is the name of a rule, bold where it pages.
func titled(rule rehearsal.RuleReport) string {
	if rule.Pages {
		return "**" + escaped(rule.Title) + "**"
	}
	return escaped(rule.Title)
}

func markdownRow(w *bufio.Writer, name string, cells []string) {
	fmt.Fprintf(w, "| %s | %s |\n", name, strings.Join(cells, " | "))
}

// escaped takes the meaning from what markdown would read into a text.
func escaped(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`").Replace(text)
}

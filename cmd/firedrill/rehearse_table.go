package main

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/firedrill/firedrill/alerts/rehearsal"
)

// verdictWidths are the widths of the cells of a row; its name has the rest.
var verdictWidths = [...]int{6, 5, 7, 7, 7, 7, 7, 6}

const verdictName = 28

// table writes a verdict for people, at most tableWidth columns wide.
func (v verdict) table(w *bufio.Writer) error {
	for i, r := range v.reports {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, short(r.Scenario.Name+": "+r.Scenario.Title, tableWidth))
		fmt.Fprintln(w, short(v.setting(r), tableWidth))
		for j, in := range r.Incidents {
			tableIncident(w, r, j, in)
		}
		tableOutside(w, r)
		v.tableExpected(w, r)
	}
	_, err := fmt.Fprintln(w, "\n* pages; after: from the incident's start, reset: from its end")
	return err
}

func tableIncident(w *bufio.Writer, r *rehearsal.Report, i int, in rehearsal.IncidentReport) {
	fmt.Fprintf(w, "\n%s\n", short(fmt.Sprintf("%s: %s (%s of %s)", in.ID, in.Title, in.Kind, in.Service), tableWidth))
	tableRow(w, "", heads())
	tableRow(w, "whatever pages", cells(in.SightReport))
	for _, rule := range sighted(r, i) {
		tableRow(w, marked(rule), cells(rule.Sights[i]))
	}
	if all := firsts(r, in); len(all) > 0 {
		fmt.Fprintf(w, "first to page: %s\n", wrapped(all))
	}
}

// tableOutside writes what fired outside incidents.
func tableOutside(w *bufio.Writer, r *rehearsal.Report) {
	fmt.Fprintf(w, "\noutside incidents, %s: %s, %s\n", brief(float64(r.Exposure)), falsePages(r), monthly(r))
	for _, rule := range r.Rules {
		if rule.False > 0 {
			fmt.Fprintf(w, "%s  fired %s\n", padded(marked(rule)), several(rule.False, "time"))
		}
	}
	fmt.Fprintf(w, "%d of %s never fired\n", silent(r), several(len(r.Rules), "alert"))
}

// tableExpected writes which expectations in a scenario are met and which not.
func (v verdict) tableExpected(w *bufio.Writer, r *rehearsal.Report) {
	met, all, unmet := v.expected(r)
	if all == 0 {
		return
	}
	fmt.Fprintf(w, "%d of %s met\n", met, several(all, "expectation"))
	for _, f := range unmet {
		fmt.Fprintln(w, short(fmt.Sprintf("  met in %d of %s: %s", f.Met, several(f.Seeds, "seed"), where(f)), tableWidth))
		if f.Why != "" {
			fmt.Fprintln(w, short("    "+f.Why, tableWidth))
		}
	}
}

// marked is the name of a rule behind a mark where it pages.
func marked(rule rehearsal.RuleReport) string {
	if rule.Pages {
		return "* " + rule.Title
	}
	return "  " + rule.Title
}

func tableRow(w *bufio.Writer, name string, cells []string) {
	fmt.Fprint(w, padded(name))
	for i, cell := range cells {
		fmt.Fprintf(w, "%*s", verdictWidths[i], cell)
	}
	fmt.Fprintln(w)
}

// padded brings a name to the width of its column.
func padded(name string) string {
	name = short(name, verdictName)
	return name + strings.Repeat(" ", verdictName-utf8.RuneCountInString(name))
}

// short cuts a text off where it is too long.
func short(text string, width int) string {
	if runes := []rune(text); len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return text
}

// wrapped joins texts with commas, over as many lines as it takes.
func wrapped(all []string) string {
	const indent = "               " // as long as what stands in front of it
	var b strings.Builder
	used := len(indent)
	for i, text := range all {
		if i > 0 {
			b.WriteString(", ")
			used += 2
		}
		if n := utf8.RuneCountInString(text); i > 0 && used+n > tableWidth-1 {
			b.WriteString("\n" + indent)
			used = len(indent)
		}
		b.WriteString(text)
		used += utf8.RuneCountInString(text)
	}
	return strings.ReplaceAll(b.String(), ", \n", ",\n")
}

package metric

import "strings"

// Markdown returns the tables of all metrics for the documents.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Metrics\n\nEvery metric that firedrill exposes, by the kind of its target, with its labels where one page holds all targets; " +
		"`firedrill generate metrics` makes this file.\n\n")
	writeTable(&b, "Every service", Services())
	b.WriteByte('\n')
	writeTable(&b, "Web service", Web())
	b.WriteByte('\n')
	writeTable(&b, "Rollout service", Rollouts())
	b.WriteByte('\n')
	writeTable(&b, "CDN", CDN())
	b.WriteByte('\n')
	writeTable(&b, "Simulator", Simulator())
	return b.String()
}

func writeTable(b *strings.Builder, title string, descs []Desc) {
	b.WriteString("## " + title + "\n\n| Name | Type | Unit | Labels | Meaning |\n|---|---|---|---|---|\n")
	for _, d := range descs {
		cells := []string{"`" + d.Name + "`", d.Type.String(), d.Unit, codes(d.Labels), escapeCell(d.Help)}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
}

// codes returns the names as inline code, separated by commas.
func codes(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "`" + strings.Join(names, "`, `") + "`"
}

func escapeCell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

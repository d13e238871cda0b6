package exporter

import (
	"fmt"
	"html"
	"net/http"
	"strings"

	"github.com/firedrill/firedrill/exporter/series"
)

// index answers with a page for people: what there is to scrape.
func index(f *series.Frame, _ *http.Request) (answer, error) {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<title>firedrill: metrics</title>\n<h1>firedrill: metrics</h1>\n<ul>\n" +
		"<li><a href=\"/metrics\">/metrics</a>: everything in one page\n" +
		"<li><a href=\"/sd\">/sd</a>: Prometheus HTTP discovery of the targets below\n</ul>\n<h2>Targets</h2>\n<ul>\n")
	for t := range f.Targets() {
		if s := t.Status(); s.Listed {
			fmt.Fprintf(&b, "<li><a href=\"%s\">%s</a>: %s\n", html.EscapeString(TargetPath(t.Labels())), html.EscapeString(t.Labels().Instance), upOrDown(s))
		}
	}
	b.WriteString("</ul>\n</html>\n")
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'")
		send(w, r, "text/html; charset=utf-8", []byte(b.String()))
	}, nil
}

func upOrDown(s series.Status) string {
	if s.Up() {
		return "up"
	}
	return "down"
}

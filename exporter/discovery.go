package exporter

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
)

const simulatorPath = "/simulator/metrics"

// TargetPath returns the path of a target's page.
func TargetPath(l series.Labels) string {
	switch {
	case l.Pod != "":
		return "/targets/" + url.PathEscape(l.Service) + "/" + url.PathEscape(l.Pod) + "/metrics"
	case l.Service != "":
		return "/targets/" + url.PathEscape(l.Service) + "/metrics"
	}
	return simulatorPath
}

// group is a target as Prometheus HTTP discovery has it.
type group struct {
	Targets []string          `json:"targets"`
	Labels  map[string]string `json:"labels"`
}

// discovery answers with the listed targets. They are all found at the address
// under which the client found the list.
func discovery(f *series.Frame, r *http.Request) (answer, error) {
	groups := []group{}
	for t := range f.Targets() {
		if t.Status().Listed {
			groups = append(groups, newGroup(t.Labels(), r))
		}
	}
	body, err := json.Marshal(groups)
	if err != nil {
		return nil, fmt.Errorf("write the targets as JSON: %w", err)
	}
	return func(w http.ResponseWriter, r *http.Request) { send(w, r, "application/json", body) }, nil
}

func newGroup(l series.Labels, r *http.Request) group {
	g := group{Targets: []string{r.Host}, Labels: map[string]string{metric.ScrapePath: TargetPath(l)}}
	if r.TLS != nil {
		g.Labels[metric.ScrapeScheme] = "https"
	}
	for _, label := range l.Sorted() {
		g.Labels[label.Name] = label.Value
	}
	return g
}

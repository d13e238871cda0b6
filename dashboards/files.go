package dashboards

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
)

// File is a dashboard as Grafana reads it.
type File struct {
	Name string // with .json
	Data []byte
}

// uidPrefix begins the uid of every dashboard.
const uidPrefix = "firedrill-"

// maker makes dashboards for a Prometheus.
type maker struct{ Options }

// All returns the dashboards, in the order in which people need them.
func All(o Options) ([]File, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	m := maker{o}
	var files []File
	for _, b := range []*builder{m.oncall(), m.service(), m.slo(), m.simulator()} {
		f, err := encode(b)
		if err != nil {
			return nil, fmt.Errorf("make a dashboard: %w", err)
		}
		files = append(files, f)
	}
	return files, nil
}

// encode writes a dashboard as JSON, its panels and queries numbered in order,
// into a file that has its name from the uid.
func encode(b *builder) (File, error) {
	d, err := b.Build()
	if err != nil {
		return File{}, err
	}
	for i, p := range d.Panels {
		id := uint32(i + 1)
		if p.RowPanel != nil {
			p.RowPanel.Id = id
			continue
		}
		p.Panel.Id = &id
		for at, target := range p.Panel.Targets {
			query := target.(prometheus.Dataquery)
			refID := string(rune('A' + at))
			query.RefId = &refID
			p.Panel.Targets[at] = query
		}
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d); err != nil {
		return File{}, err
	}
	return File{Name: strings.TrimPrefix(*d.Uid, uidPrefix) + ".json", Data: text.Bytes()}, nil
}

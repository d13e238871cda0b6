package dashboards

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
)

// File is a dashboard as Grafana reads it.
type File struct {
	Name string // with .json
	Data []byte
}

// maker makes dashboards for a Prometheus.
type maker struct{ Options }

// All returns the dashboards, in the order in which people need them.
func All(o Options) ([]File, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	m := maker{o}
	var files []File
	for _, d := range []struct {
		name  string
		board *builder
	}{
		{"service", m.service()},
	} {
		data, err := encode(d.board)
		if err != nil {
			return nil, fmt.Errorf("make the dashboard %s: %w", d.name, err)
		}
		files = append(files, File{Name: d.name + ".json", Data: data})
	}
	return files, nil
}

// encode writes a dashboard as JSON, its panels and queries numbered in order.
func encode(board *builder) ([]byte, error) {
	d, err := board.Build()
	if err != nil {
		return nil, err
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
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

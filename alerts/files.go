package alerts

import (
	"fmt"
	"strings"
)

// File is a generated file.
type File struct {
	Path string // with slashes, from the folder that all are in
	Data []byte
}

// Rules returns the rule files that firedrill ships.
func Rules(o Options) ([]File, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	m := maker{o}
	var slos []group
	for _, s := range Web() {
		slos = append(slos, m.sloGroup(s))
	}
	return files([]source{
		{ruleFolder + "slos.yml", func() ([]byte, error) {
			return m.ruleFile(m.header("Service level objectives of the web service", prometheusServer), slos...)
		}},
		{ruleFolder + "causes.yml", func() ([]byte, error) {
			return m.ruleFile(m.header("Warnings that name causes", prometheusServer), m.causesGroup())
		}},
		{ruleFolder + "monitoring.yml", func() ([]byte, error) {
			return m.ruleFile(m.header("Alerts on the monitoring itself", prometheusServer), m.watchGroup())
		}},
	})
}

// Stack returns the rule files, the configurations of the servers that evaluate
// and deliver them, and the flags that these have to be started with.
func Stack(o Options) ([]File, error) {
	rules, err := Rules(o)
	if err != nil {
		return nil, err
	}
	m := maker{o}
	servers, err := files([]source{
		{"prometheus.yml", m.prometheus},
		{"prometheus.flags", func() ([]byte, error) { return m.flagFile(prometheusServer) }},
		{"alertmanager.yml", m.alertmanager},
		{"alertmanager.flags", func() ([]byte, error) { return m.flagFile(alertmanagerServer) }},
	})
	return append(rules, servers...), err
}

// ForSLOs returns the rule file of SLOs that Validate accepts and no two of
// which have both service and name in common. origin names where they are from.
func ForSLOs(o Options, origin string, slos []SLO) ([]byte, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	m := maker{o}
	var groups []group
	for _, s := range slos {
		groups = append(groups, m.sloGroup(s))
	}
	return m.ruleFile(m.header("Service level objectives of "+origin, prometheusServer), groups...)
}

// source makes a file.
type source struct {
	path string
	make func() ([]byte, error)
}

func files(sources []source) ([]File, error) {
	var out []File
	for _, s := range sources {
		data, err := s.make()
		if err != nil {
			return nil, fmt.Errorf("make %s: %w", s.path, err)
		}
		out = append(out, File{s.path, data})
	}
	return out, nil
}

// header is the comment at the top of a file: what it is, for which clock, and
// how the server that reads it has to be started.
func (m maker) header(title, server string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. Made by firedrill generate rules; do not edit.\n\n", title)
	if m.Speed == 1 {
		b.WriteString("For a Prometheus on the same clock as what it watches: the one in firedrill at\n" +
			"any speed, or any other at speed 1.\n")
		return b.String()
	}
	fmt.Fprintf(&b, "For a Prometheus on the wall clock while firedrill runs at speed %s. Names, labels\n"+
		"and comments say simulated time; the spans themselves are divided by %[1]s. Start\n"+
		"%s with these flags, or it is too slow for the rules:\n", number(m.Speed), server)
	for _, f := range m.Flags() {
		if f.Server == server {
			fmt.Fprintf(&b, "  %s\n", f)
		}
	}
	return b.String()
}

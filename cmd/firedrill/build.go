package main

import (
	"runtime"
	"runtime/debug"

	"github.com/firedrill/firedrill/exporter"
)

// build describes the build for the metrics.
func build() exporter.Build {
	b := exporter.Build{GoVersion: runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Version = info.Main.Version
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				b.Revision = setting.Value
			}
		}
	}
	return b
}

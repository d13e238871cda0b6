package cdn

import (
	"runtime"
	"testing"

	"github.com/firedrill/firedrill/simulator/schema"
)

// BenchmarkPeak is a simulated second of the large topology at its peak of
// 1.5 Tbit/s, by what steers it.
func BenchmarkPeak(b *testing.B) {
	for _, algorithm := range []string{"piecewise", "damped", "pid"} {
		b.Run(algorithm, func(b *testing.B) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			e, s := newEngine(b, 1, nil, schema.Args{"topology": "large", "demand": 1500, "algorithm": algorithm})
			run(e, 1200)
			b.ReportAllocs()
			for b.Loop() {
				e.Step()
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "simulated-s/s")
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB")
			b.ReportMetric(float64(s.row.Sessions), "sessions")
		})
	}
}

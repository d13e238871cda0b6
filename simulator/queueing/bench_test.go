package queueing

import "testing"

var (
	sink     float64
	solution Solution
	busy     = Station{Servers: 160, ArrivalRate: 2035, Service: 0.0785, Patience: 2}
	calm     = Station{Servers: 160, ArrivalRate: 1125, Service: 0.0742, Patience: 2}
)

func BenchmarkErlangB(b *testing.B) {
	for _, c := range []struct {
		name    string
		servers int
		load    float64
	}{{"160", 160, 83.5}, {"160 overloaded", 160, 400}, {"640", 640, 633}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink = ErlangB(c.servers, c.load)
			}
		})
	}
}

func BenchmarkTextbook(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		solution = Textbook(busy)
	}
}

func BenchmarkExact(b *testing.B) {
	for _, c := range []struct {
		name    string
		station Station
	}{{"calm", calm}, {"busy", busy}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				solution = Exact(c.station)
			}
		})
	}
}

func BenchmarkTail(b *testing.B) {
	w := Exact(busy).Wait
	b.ReportAllocs()
	for b.Loop() {
		sink = w.Tail(0.25, 10)
	}
}

func BenchmarkMeanTime(b *testing.B) {
	w := Exact(busy).Wait
	b.ReportAllocs()
	for b.Loop() {
		sink = w.MeanTime(10)
	}
}

func BenchmarkTextbookP99(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		sink = busy.TextbookP99()
	}
}

func BenchmarkExactP99(b *testing.B) {
	s := Exact(busy)
	b.ReportAllocs()
	for b.Loop() {
		sink = ExactP99(s.Wait, s.Failed, 1/busy.Service, busy.Servers, busy.Patience)
	}
}

func BenchmarkAnsweredRate(b *testing.B) {
	for _, c := range []struct {
		name    string
		offered float64
	}{{"nothing fails", 1125}, {"overloaded", 2500}} {
		b.Run(c.name, func(b *testing.B) {
			calls := 0
			failed := database(160, c.offered, &calls)
			start := AnsweredRate(c.offered, 0, failed) * 0.98
			b.ReportAllocs()
			for b.Loop() {
				sink = AnsweredRate(c.offered, start, failed)
			}
		})
	}
}

func TestAllocatesNothing(t *testing.T) {
	calls := 0
	allocations := testing.AllocsPerRun(100, func() {
		solution = Textbook(busy)
		solution = Exact(busy)
		sink = solution.Wait.Tail(0.25, 10) + solution.Wait.MeanTime(10) + busy.TextbookP99()
		sink = ExactP99(solution.Wait, solution.Failed, 10, busy.Servers, busy.Patience)
		sink = AnsweredRate(2500, 2000, database(160, 2500, &calls))
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}

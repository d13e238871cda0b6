package queueing

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"
)

// A reference is a row of the vectors, which were computed apart from this
// package.
type reference struct {
	Servers            int                `json:"servers"`
	ArrivalRate        float64            `json:"arrival_rate"`
	Service            float64            `json:"service_seconds"`
	Patience           float64            `json:"patience_seconds"`
	OfferedLoad        float64            `json:"offered_load"`
	ErlangB            *float64           `json:"erlang_b"`
	ErlangC            float64            `json:"erlang_c"`
	Failed             float64            `json:"failed_share"`
	WaitProbability    float64            `json:"wait_probability"`
	P99                float64            `json:"p99_seconds"`
	PodRate            float64            `json:"pod_rate"`
	MeanTime           float64            `json:"mean_seconds"`
	AnsweredSlowerThan map[string]float64 `json:"answered_slower_than"`
}

// station returns the row's station; rows without a patience mean 2 s.
func (r reference) station() Station {
	patience := r.Patience
	if patience == 0 {
		patience = 2
	}
	return Station{Servers: r.Servers, ArrivalRate: r.ArrivalRate, Service: r.Service, Patience: patience}
}

func references(t *testing.T, file string) []reference {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []reference
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) == 0 {
		t.Fatalf("%s is empty", file)
	}
	return rows
}

// agree compares to a relative 1e-9; what is below 1e-200 counts as 0.
func agree(t *testing.T, s Station, what string, got, want float64) {
	t.Helper()
	if math.Abs(got) < 1e-200 && math.Abs(want) < 1e-200 {
		return
	}
	if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
		t.Errorf("%+v: %s is %v, want %v", s, what, got, want)
	}
}

func agreeTail(t *testing.T, s Station, w Wait, mu float64, want map[string]float64) {
	t.Helper()
	if len(want) == 0 {
		t.Fatalf("%+v: no tail to compare with", s)
	}
	for bound, ratio := range want {
		seconds, err := strconv.ParseFloat(bound, 64)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, s, "tail at "+bound, w.Tail(seconds, mu), ratio)
	}
}

func TestErlangReference(t *testing.T) {
	for _, row := range references(t, "queue.json") {
		s := row.station()
		agree(t, s, "offered load", s.load(), row.OfferedLoad)
		if row.ErlangB != nil {
			agree(t, s, "Erlang B", ErlangB(s.Servers, s.load()), *row.ErlangB)
		}
		agree(t, s, "Erlang C", ErlangC(s.Servers, s.load()), row.ErlangC)
	}
}

// TestErlangPublished holds values that a sum of factorials cannot reach or is
// exact for: c = 10, a = 8 and c = 200, a = 190, and the closed forms of one and
// two servers.
func TestErlangPublished(t *testing.T) {
	for _, c := range []struct {
		servers    int
		load, want float64
	}{
		{10, 8, 0.4091801508}, {200, 190, 0.3652638566}, {1, 0.3, 0.3}, {2, 1, 1.0 / 3},
	} {
		if got := ErlangC(c.servers, c.load); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("ErlangC(%d, %v) = %.12f, want %.12f", c.servers, c.load, got, c.want)
		}
	}
	if got, want := ErlangB(2, 1), 1.0/5; math.Abs(got-want) > 1e-15 {
		t.Errorf("ErlangB(2, 1) = %v, want %v", got, want)
	}
}

func TestTextbookReference(t *testing.T) {
	for _, row := range references(t, "queue.json") {
		s := row.station()
		solution := Textbook(s)
		agree(t, s, "failed", solution.Failed, row.Failed)
		agree(t, s, "wait probability", solution.WaitProbability, row.ErlangC)
		agree(t, s, "p99", s.TextbookP99(), row.P99)
		agreeTail(t, s, solution.Wait, 1/s.Service, row.AnsweredSlowerThan)
	}
}

func TestExactReference(t *testing.T) {
	for _, row := range references(t, "queue-exact.json") {
		s := row.station()
		solution := Exact(s)
		agree(t, s, "failed", solution.Failed, row.Failed)
		agreeTail(t, s, solution.Wait, 1/s.Service, row.AnsweredSlowerThan)
	}
}

func TestExactP99Reference(t *testing.T) {
	for _, row := range references(t, "percentile.json") {
		s := row.station()
		solution := Exact(s)
		agree(t, s, "wait probability", solution.WaitProbability, row.WaitProbability)
		agree(t, s, "p99", ExactP99(solution.Wait, solution.Failed, 1/s.Service, s.Servers, s.Patience), row.P99)
		if math.Abs(solution.Failed-row.Failed) > 1e-9*row.Failed+1e-15 {
			t.Errorf("%+v: failed is %v, want %v", s, solution.Failed, row.Failed)
		}
	}
}

// TestExactWideReference compares with the formulas in 60-digit arithmetic, from
// nearly idle to four times overloaded, with pods of another speed than the
// station's.
func TestExactWideReference(t *testing.T) {
	for _, row := range references(t, "wide.json") {
		s, mu := row.station(), row.PodRate
		solution := Exact(s)
		w := solution.Wait
		agree(t, s, "failed", solution.Failed, row.Failed)
		agree(t, s, "wait probability", solution.WaitProbability, row.WaitProbability)
		agree(t, s, "mean time", w.MeanTime(mu), row.MeanTime)
		agree(t, s, "p99", ExactP99(w, solution.Failed, mu, s.Servers, s.Patience), row.P99)
		agreeTail(t, s, w, mu, row.AnsweredSlowerThan)
	}
}

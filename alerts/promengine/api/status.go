package api

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
)

type configText struct {
	YAML string `json:"yaml"`
}

// config answers with the configuration.
func (r *request) config() result { return result{data: configText{r.state.Config}} }

// flags answers with the flags.
func (r *request) flags() result {
	if r.state.Flags == nil {
		return result{data: map[string]string{}}
	}
	return result{data: r.state.Flags}
}

// buildInfo answers which program this is.
func (r *request) buildInfo() result { return result{data: r.state.Build} }

type runtimeInfo struct {
	StartTime           time.Time `json:"startTime"`
	Directory           string    `json:"CWD"`
	Hostname            string    `json:"hostname"`
	ServerTime          time.Time `json:"serverTime"`
	ReloadConfigSuccess bool      `json:"reloadConfigSuccess"`
	LastConfigTime      time.Time `json:"lastConfigTime"`
	CorruptionCount     int64     `json:"corruptionCount"`
	Goroutines          int       `json:"goroutineCount"`
	GOMAXPROCS          int       `json:"GOMAXPROCS"`
	GOMEMLIMIT          int64     `json:"GOMEMLIMIT"`
	GOGC                string    `json:"GOGC"`
	GODEBUG             string    `json:"GODEBUG"`
	StorageRetention    string    `json:"storageRetention"`
}

// runtimeInfo answers how the program runs. A configuration that is not
// understood is refused at the start, so that the one at hand was.
func (r *request) runtimeInfo() result {
	from := r.state.Runtime
	return result{data: runtimeInfo{
		StartTime: r.shift.out(from.Start), Directory: from.Directory, Hostname: from.Hostname,
		ServerTime: r.shift.out(r.state.Now), ReloadConfigSuccess: true, LastConfigTime: r.shift.out(from.ConfigTime),
		Goroutines: runtime.NumGoroutine(), GOMAXPROCS: runtime.GOMAXPROCS(0), GOMEMLIMIT: debug.SetMemoryLimit(-1),
		GOGC: os.Getenv("GOGC"), GODEBUG: os.Getenv("GODEBUG"), StorageRetention: model.Duration(from.Retention).String(),
	}}
}

// count is how many there are of something.
type count struct {
	Name  string `json:"name"`
	Value uint64 `json:"value"`
}

type storeStatus struct {
	Head struct {
		Series     int   `json:"numSeries"`
		LabelPairs int   `json:"numLabelPairs"`
		Chunks     int   `json:"chunkCount"`
		MinTime    int64 `json:"minTime"`
		MaxTime    int64 `json:"maxTime"`
	} `json:"headStats"`
	ByMetric    []count `json:"seriesCountByMetricName"`
	ValueCounts []count `json:"labelValueCountByLabelName"`
	Memory      []count `json:"memoryInBytesByLabelName"`
	ByPair      []count `json:"seriesCountByLabelValuePair"`
}

const (
	defaultCounts = 10
	maxCounts     = 10000
)

// storeStatus answers what the store holds.
func (r *request) storeStatus() result {
	limit := defaultCounts
	if text := r.FormValue("limit"); text != "" {
		var err error
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 {
			return failed(badData, errors.New("limit must be a positive number"))
		}
		if limit > maxCounts {
			return failed(badData, fmt.Errorf("limit must not exceed %d", maxCounts))
		}
	}
	var s storeStatus
	size := r.state.Store.Size()
	s.Head.Series, s.Head.Chunks, s.Head.MinTime, s.Head.MaxTime = size.Series, size.Blocks, size.First, size.Last
	if size.Samples > 0 {
		s.Head.MinTime, s.Head.MaxTime = r.shift.outMillis(size.First), r.shift.outMillis(size.Last)
	}
	values, memory := map[string]uint64{}, map[string]uint64{}
	for pair, series := range r.state.Store.Pairs() {
		n := uint64(series)
		s.Head.LabelPairs++
		values[pair.Name]++
		memory[pair.Name] += labels.SizeOfLabels(pair.Name, pair.Value, n)
		s.ByPair = append(s.ByPair, count{pair.Name + "=" + pair.Value, n})
		if pair.Name == model.MetricNameLabel {
			s.ByMetric = append(s.ByMetric, count{pair.Value, n})
		}
	}
	s.ValueCounts, s.Memory = counts(values), counts(memory)
	for _, list := range []*[]count{&s.ByMetric, &s.ValueCounts, &s.Memory, &s.ByPair} {
		*list = greatest(*list, limit)
	}
	return result{data: s}
}

func counts(from map[string]uint64) []count {
	all := make([]count, 0, len(from))
	for name, n := range from {
		all = append(all, count{name, n})
	}
	return all
}

// greatest returns the greatest counts, in order.
func greatest(list []count, limit int) []count {
	slices.SortFunc(list, func(a, b count) int { return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Name, b.Name)) })
	return append([]count{}, list[:min(limit, len(list))]...)
}

package metric

import "slices"

// Desc describes a metric: what all its series have in common.
type Desc struct {
	Name   string
	Help   string // one full sentence
	Type   Type
	Unit   string   // what one of it is; "" where there is no such thing
	Labels []string // of its series where one page holds all targets
	Extra  bool     // no shipped rule or dashboard reads it
}

// Type is the type of a metric.
type Type uint8

// The types.
const (
	Counter   Type = iota
	Gauge          // any value
	Flag           // a gauge that is 1 for yes and 0 for no
	Info           // a gauge that is always 1; its labels tell
	Histogram      // classic and native
)

// String returns the type as the exposition formats name it.
func (t Type) String() string {
	switch t {
	case Counter:
		return "counter"
	case Histogram:
		return "histogram"
	}
	return "gauge"
}

// Suffixes of the series of a classic histogram.
const (
	bucketSuffix = "_bucket"
	countSuffix  = "_count"
	sumSuffix    = "_sum"
)

// Bucket returns the name of the bucket series of a classic histogram.
func (d *Desc) Bucket() string { return d.Name + bucketSuffix }

// Count returns the name of the series that counts the observations of a
// classic histogram.
func (d *Desc) Count() string { return d.Name + countSuffix }

// Sum returns the name of the series that adds up the observations of a
// classic histogram.
func (d *Desc) Sum() string { return d.Name + sumSuffix }

// OwnLabels returns the labels that tell the series of one target apart: all
// but those that say which target it is.
func (d *Desc) OwnLabels() []string {
	return slices.DeleteFunc(slices.Clone(d.Labels), func(name string) bool { return name == Service || name == Pod })
}

// All returns every metric in the order of the documents.
func All() []Desc { return slices.Concat(Services(), Web(), Rollouts(), CDN(), Simulator()) }

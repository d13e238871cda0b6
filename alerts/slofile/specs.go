package slofile

import (
	"math"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/simulator/schema"
)

// keySLOs is the one key of a file: the list of SLOs.
const keySLOs = "slos"

// Keys of an SLO.
const (
	keyName      = "name"
	keyService   = "service"
	keyObjective = "objective"
	keyPeriod    = "period"
	keyErrors    = "errors"
	keyGood      = "good"
	keyTotal     = "total"
	keyHistogram = "histogram"
	keyThreshold = "threshold"
	keyNative    = "native"
	keyMinimum   = "min_requests"
	keyDrop      = "traffic_drop_ratio"
	keyAlert     = "alert"
	keyRunbook   = "runbook"
)

// Specs returns the keys of an SLO.
func Specs() schema.Specs {
	const day = 86400
	return schema.Specs{
		{Name: keyName, Kind: schema.Text, Required: true, Help: "what is promised; value of the label slo"},
		{Name: keyService, Kind: schema.Text, Required: true, Help: "who promises it; value of the label service"},
		{Name: keyObjective, Kind: schema.Ratio, Max: 1, Required: true, Help: "share of good requests: 0.999 for 99.9 %"},
		{Name: keyPeriod, Kind: schema.Duration, Min: day, Max: 366 * day, Default: schema.OfSeconds(alerts.DefaultPeriod.Seconds()), Help: "over which it is promised"},
		{Name: keyErrors, Kind: schema.Text, Help: "selector of the counters of bad requests; or good ones:"},
		{Name: keyGood, Kind: schema.Text, Help: "selector of the counters of good requests"},
		{Name: keyTotal, Kind: schema.Text, Help: "selector of the counters of all requests"},
		{Name: keyHistogram, Kind: schema.Text, Help: "in place of counters, selector of a histogram, its name without _bucket"},
		{Name: keyThreshold, Kind: schema.Number, Max: math.Inf(1), Above: true, Default: schema.OfNumber(0), Help: "in the histogram's unit; good requests are not above it"},
		{Name: keyNative, Kind: schema.Bool, Default: schema.OfBool(false), Help: "the histogram is a native one; else the threshold is the le of a bucket"},
		{Name: keyMinimum, Kind: schema.Number, Max: math.Inf(1), Default: schema.OfNumber(0), Help: "requests that a long window must hold for its alert to fire"},
		{Name: keyDrop, Kind: schema.Ratio, Max: 1, Default: schema.OfNumber(0), Help: "page where traffic is below this share of its mean over 6 hours; 0: never"},
		{Name: keyAlert, Kind: schema.Text, Default: schema.OfText(alerts.DefaultAlert), Help: "name of the burn-rate alerts"},
		{Name: keyRunbook, Kind: schema.Text, Help: "URL of their runbook"},
	}
}

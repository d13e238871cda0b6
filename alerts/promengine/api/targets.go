package api

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/alerts/promengine"
)

type poolList struct {
	Pools []string `json:"scrapePools"`
}

// scrapePools answers with the names of the scrape configurations.
func (r *request) scrapePools() result {
	return result{data: poolList{[]string{r.state.Scrape.Pool}}}
}

type targetList struct {
	Active        []target       `json:"activeTargets"`
	Dropped       []target       `json:"droppedTargets"`
	DroppedCounts map[string]int `json:"droppedTargetCounts"`
}

// target is a target that is scraped. A scrape takes no time on the clock of the
// samples.
type target struct {
	Discovered     labels.Labels `json:"discoveredLabels"`
	Labels         labels.Labels `json:"labels"`
	Pool           string        `json:"scrapePool"`
	ScrapeURL      string        `json:"scrapeUrl"`
	GlobalURL      string        `json:"globalUrl"`
	LastError      string        `json:"lastError"`
	LastScrape     time.Time     `json:"lastScrape"`
	LastDuration   float64       `json:"lastScrapeDuration"`
	Health         string        `json:"health"`
	ScrapeInterval string        `json:"scrapeInterval"`
	ScrapeTimeout  string        `json:"scrapeTimeout"`
}

// targets answers with the targets that are scraped. No target is dropped.
func (r *request) targets() result {
	pool, state := r.URL.Query().Get("scrapePool"), strings.ToLower(r.URL.Query().Get("state"))
	wanted := func(kind string) bool { return state == "" || state == "any" || state == kind }
	all := targetList{Active: []target{}, Dropped: []target{}}
	if wanted("active") && (pool == "" || pool == r.state.Scrape.Pool) {
		for _, one := range r.scraped() {
			all.Active = append(all.Active, r.target(one))
		}
	}
	if wanted("dropped") {
		all.DroppedCounts = map[string]int{r.state.Scrape.Pool: 0}
	}
	return result{data: all}
}

// scraped returns the targets of the last scrape.
func (r *request) scraped() []promengine.TargetStatus {
	if r.state.Scrape.Targets == nil {
		return nil
	}
	return r.state.Scrape.Targets()
}

// notAnswering is what Prometheus says of a page that a killed pod has.
const notAnswering = "server returned HTTP status 503 Service Unavailable"

func (r *request) target(from promengine.TargetStatus) target {
	s := r.state.Scrape
	page := s.page(from)
	shown := target{
		Discovered: s.discovered(from, page), Labels: targetLabels(from), Pool: s.Pool, ScrapeURL: page.String(), GlobalURL: page.String(),
		Health: "up", LastScrape: r.shift.out(from.LastScrape), ScrapeInterval: span(s.Interval), ScrapeTimeout: span(s.timeout()),
	}
	if !from.Answers {
		shown.Health, shown.LastError = "down", notAnswering
	}
	return shown
}

func span(d time.Duration) string { return model.Duration(d).String() }

func (s Scrape) timeout() time.Duration { return cmp.Or(s.Timeout, s.Interval) }

// page returns where a target's page is.
func (s Scrape) page(of promengine.TargetStatus) *url.URL {
	if s.URL != nil {
		if page, err := url.Parse(s.URL(of.Labels)); err == nil {
			return page
		}
	}
	return &url.URL{Scheme: "http", Host: of.Labels.Instance, Path: "/metrics"}
}

func targetLabels(of promengine.TargetStatus) labels.Labels {
	b := labels.NewScratchBuilder(len(of.Labels.Sorted()))
	for _, l := range of.Labels.Sorted() {
		b.Add(l.Name, l.Value)
	}
	return b.Labels()
}

// discovered returns the labels of a target as discovery and the configuration
// give them.
func (s Scrape) discovered(of promengine.TargetStatus, page *url.URL) labels.Labels {
	b := labels.NewBuilder(targetLabels(of))
	b.Set(model.AddressLabel, page.Host)
	b.Set(model.SchemeLabel, page.Scheme)
	b.Set(model.MetricsPathLabel, page.EscapedPath())
	b.Set(model.ScrapeIntervalLabel, span(s.Interval))
	b.Set(model.ScrapeTimeoutLabel, span(s.timeout()))
	return b.Labels()
}

type managerList struct {
	Active  []any `json:"activeAlertmanagers"`
	Dropped []any `json:"droppedAlertmanagers"`
}

// alertmanagers answers that there are none: alerts go to the pager in the same
// process.
func (r *request) alertmanagers() result {
	return result{data: managerList{Active: []any{}, Dropped: []any{}}}
}

// description is what is known of a metric.
type description struct {
	Type string `json:"type"`
	Help string `json:"help"`
	Unit string `json:"unit"`
}

// count returns a number of a request; less than 0 is none.
func (r *request) count(name string) (int, error) {
	text := r.FormValue(name)
	if text == "" {
		return -1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%s must be a number", name)
	}
	return n, nil
}

// metadata answers with what is known of metrics. All targets say the same of a
// metric, so that there is never more than one description.
func (r *request) metadata() result {
	limit, err := r.count("limit")
	if err != nil {
		return failed(badData, err)
	}
	if _, err := r.count("limit_per_metric"); err != nil {
		return failed(badData, err)
	}
	name := r.FormValue("metric")
	all := map[string][]description{}
	for _, target := range r.scraped() {
		for _, m := range target.Metrics {
			if _, known := all[m.Name]; known || name != "" && m.Name != name {
				continue
			}
			if limit >= 0 && len(all) >= limit {
				return result{data: all}
			}
			all[m.Name] = []description{{m.Type.String(), m.Help, m.Unit}}
		}
	}
	return result{data: all}
}

// targetDescription is what is known of a metric of a target.
type targetDescription struct {
	Target labels.Labels `json:"target"`
	Metric string        `json:"metric,omitempty"`
	description
}

// targetMetadata answers with what targets say of their metrics.
func (r *request) targetMetadata() result {
	limit, err := r.count("limit")
	if err != nil {
		return failed(badData, err)
	}
	var wanted []*labels.Matcher
	if text := r.FormValue("match_target"); text != "" {
		if wanted, err = r.api.parser.ParseMetricSelector(text); err != nil {
			return invalid("match_target", err)
		}
	}
	name := r.FormValue("metric")
	all := []targetDescription{}
	for _, target := range r.scraped() {
		if limit >= 0 && len(all) >= limit {
			break
		}
		l := targetLabels(target)
		if !matches(l, wanted) {
			continue
		}
		for _, m := range target.Metrics {
			one := targetDescription{l, m.Name, description{m.Type.String(), m.Help, m.Unit}}
			if name == m.Name {
				one.Metric = ""
			} else if name != "" {
				continue
			}
			all = append(all, one)
		}
	}
	return result{data: all}
}

package api

import (
	"io"
	"net/http"
	"slices"
	"strings"
)

// handler is one of the two flavours of an API.
type handler struct {
	api     *API
	shifted bool
}

// request is a request with what it is answered from.
type request struct {
	*http.Request
	api   *API
	state State
	shift shift
	label string // in the path
}

// endpoint is how a path is answered.
type endpoint struct {
	answer func(*request) result
	post   bool // besides GET
}

const (
	prefix = "/api/v1/"

	labelPath   = "label/"
	valuesPath  = "/values"
	labelValues = labelPath + ":name" + valuesPath
)

// endpoints are the paths below the prefix.
func endpoints() map[string]endpoint {
	return map[string]endpoint{
		"query":              {(*request).query, true},
		"query_range":        {(*request).queryRange, true},
		"query_exemplars":    {(*request).queryExemplars, true},
		"format_query":       {(*request).formatQuery, true},
		"parse_query":        {(*request).parseQuery, true},
		"series":             {(*request).series, true},
		"labels":             {(*request).labelNames, true},
		labelValues:          {(*request).labelValues, false},
		"metadata":           {(*request).metadata, false},
		"rules":              {(*request).rules, false},
		"alerts":             {(*request).alerts, false},
		"scrape_pools":       {(*request).scrapePools, false},
		"targets":            {(*request).targets, false},
		"targets/metadata":   {(*request).targetMetadata, false},
		"alertmanagers":      {(*request).alertmanagers, false},
		"status/config":      {(*request).config, false},
		"status/flags":       {(*request).flags, false},
		"status/buildinfo":   {(*request).buildInfo, false},
		"status/runtimeinfo": {(*request).runtimeInfo, false},
		"status/tsdb":        {(*request).storeStatus, false},
	}
}

// ServeHTTP answers a request.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, isAPI := strings.CutPrefix(r.URL.Path, prefix)
	if !isAPI {
		servePage(w, r)
		return
	}
	path, label := cutLabel(path)
	found, known := endpoints()[path]
	switch {
	case r.Method == http.MethodOptions:
		w.WriteHeader(http.StatusNoContent)
	case !known:
		http.NotFound(w, r)
	case !found.allows(r.Method):
		w.Header().Set("Allow", strings.Join(slices.Sorted(slices.Values(append(found.methods(), http.MethodOptions))), ", "))
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
	default:
		h.serve(w, r, found, label)
	}
}

func (h *handler) serve(w http.ResponseWriter, r *http.Request, found endpoint, label string) {
	state, err := h.api.options.Source(r.Context())
	if err != nil {
		respond(w, r, failed(unavailable, err))
		return
	}
	one := &request{Request: r, api: h.api, state: state, label: label}
	if h.shifted {
		one.shift = newShift(state)
	}
	answer := found.answer(one)
	if answer.close != nil {
		defer answer.close()
	}
	respond(w, r, answer)
}

// cutLabel returns the path with a placeholder for the label in it, and the
// label.
func cutLabel(path string) (string, string) {
	rest, isLabel := strings.CutPrefix(path, labelPath)
	name, isValues := strings.CutSuffix(rest, valuesPath)
	if !isLabel || !isValues || strings.Contains(name, "/") {
		return path, ""
	}
	return labelValues, name
}

func (e endpoint) methods() []string {
	if e.post {
		return []string{http.MethodGet, http.MethodPost}
	}
	return []string{http.MethodGet}
}

func (e endpoint) allows(method string) bool { return slices.Contains(e.methods(), method) }

// pages are what is there besides the API.
var pages = map[string]string{
	"/-/healthy": "Prometheus Server is Healthy.\n",
	"/-/ready":   "Prometheus Server is Ready.\n",
	"/": "This is the HTTP API of a Prometheus that runs inside of firedrill.\n\n" +
		"promtool query instant http://HOST:PORT/PREFIX up\n\n" +
		"or a Grafana data source of type Prometheus with this URL. Try api/v1/query?query=up, api/v1/alerts, api/v1/rules, api/v1/targets.\n",
}

func servePage(w http.ResponseWriter, r *http.Request) {
	text, known := pages[r.URL.Path]
	switch {
	case !known:
		http.NotFound(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
	default:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		// Whoever asked is gone where this has an error.
		_, _ = io.WriteString(w, text)
	}
}

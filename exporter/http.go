package exporter

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"github.com/firedrill/firedrill/exporter/series"
)

// page is what one scrape shows: a whole frame, or one target of it.
type page interface {
	AppendText(dst []byte) []byte
	Gather() []*dto.MetricFamily
}

var (
	_ page = (*series.Frame)(nil)
	_ page = series.Target{}
)

// Reasons not to show a target.
var (
	errUnknown = errors.New("no such target")
	errPodDown = errors.New("pod is down")
	errSilent  = errors.New("target does not answer scrapes")
)

// statusOf returns the HTTP status of an error and what the client is told.
func statusOf(err error) (int, string) {
	switch {
	case errors.Is(err, errUnknown):
		return http.StatusNotFound, err.Error()
	case errors.Is(err, errPodDown), errors.Is(err, errSilent):
		return http.StatusServiceUnavailable, err.Error()
	}
	return http.StatusInternalServerError, "the metrics cannot be shown"
}

// routes says which handler serves what. A pattern of GET is one of HEAD too;
// all other methods are refused.
func (e *Exporter) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", e.framed(e.inspect, index))
	mux.Handle("GET /sd", e.framed(e.inspect, discovery))
	mux.Handle("GET /metrics", e.framed(e.source, e.all))
	mux.Handle("GET /targets/{owner}/{name}/metrics", e.framed(e.source, e.pod))
	mux.Handle("GET /targets/{owner}/metrics", e.framed(e.source, e.shared))
	mux.Handle("GET "+simulatorPath, e.framed(e.source, e.simulator))
	return mux
}

// ServeHTTP implements http.Handler.
func (e *Exporter) ServeHTTP(w http.ResponseWriter, r *http.Request) { e.mux.ServeHTTP(w, r) }

// answer is what a handler has made of a frame; it does not need the frame any
// more.
type answer func(w http.ResponseWriter, r *http.Request)

// framed serves what render makes of the newest frame of the source. The frame is released
// before anything is written, so that a slow client does not hold it.
func (e *Exporter) framed(source Source, render func(*series.Frame, *http.Request) (answer, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		frame, err := e.frame(r.Context(), source)
		if err != nil {
			e.log.ErrorContext(r.Context(), "no state of the simulation", "error", err)
			http.Error(w, "no state of the simulation", http.StatusServiceUnavailable)
			return
		}
		answer, err := render(frame, r)
		frame.Release()
		if err != nil {
			status, text := statusOf(err)
			if status == http.StatusInternalServerError {
				e.log.ErrorContext(r.Context(), text, "path", r.URL.Path, "error", err)
			}
			http.Error(w, text, status)
			return
		}
		answer(w, r)
	})
}

func (e *Exporter) all(f *series.Frame, r *http.Request) (answer, error) { return e.scrape(f, r, true) }

func (e *Exporter) pod(f *series.Frame, r *http.Request) (answer, error) {
	return e.target(f, r, podLabels(r.PathValue("owner"), r.PathValue("name")), false)
}

func (e *Exporter) shared(f *series.Frame, r *http.Request) (answer, error) {
	return e.target(f, r, sharedLabels(r.PathValue("owner")), false)
}

func (e *Exporter) simulator(f *series.Frame, r *http.Request) (answer, error) {
	return e.target(f, r, simulatorLabels(), true)
}

// target answers the scrape of one target.
func (e *Exporter) target(f *series.Frame, r *http.Request, labels series.Labels, own bool) (answer, error) {
	target, known := f.Find(labels)
	switch {
	case !known:
		return nil, errUnknown
	case target.Status().Answers:
		return e.scrape(target, r, own)
	case target.Status().Ended > 0:
		return nil, errPodDown
	}
	return nil, errSilent
}

// scrape answers with a page, in the format that the client likes best; own
// says whether the metrics of our own process follow.
func (e *Exporter) scrape(p page, r *http.Request, own bool) (answer, error) {
	format := expfmt.NegotiateAccept(r.Header, expfmt.DefaultOpenMetricsAcceptedFormats()...)
	var process []*dto.MetricFamily
	if own {
		var err error
		if process, err = e.gatherProcess(); err != nil {
			return nil, err
		}
	}
	if format.FormatType() == expfmt.TypeTextPlain && !r.URL.Query().Has("name[]") {
		return e.text(p, process, format)
	}
	families := append(p.Gather(), process...)
	gathered := prometheus.GathererFunc(func() ([]*dto.MetricFamily, error) { return families, nil })
	return promhttp.HandlerFor(gathered, promhttp.HandlerOpts{EnableOpenMetrics: true, DisableCompression: true}).ServeHTTP, nil
}

// gatherProcess returns the metrics of our own process. A name that is one of
// the simulation's too would make the page invalid.
func (e *Exporter) gatherProcess() ([]*dto.MetricFamily, error) {
	families, err := e.process.Gather()
	if err != nil {
		return nil, fmt.Errorf("gather the metrics of the process: %w", err)
	}
	for _, family := range families {
		if e.taken[family.GetName()] {
			return nil, fmt.Errorf("gather the metrics of the process: %q is a metric of the simulation", family.GetName())
		}
	}
	return families, nil
}

// text answers in the text format.
func (e *Exporter) text(p page, process []*dto.MetricFamily, format expfmt.Format) (answer, error) {
	buffer, ok := e.buffers.Get().(*bytes.Buffer)
	if !ok {
		buffer = new(bytes.Buffer)
	}
	buffer.Reset()
	buffer.Write(p.AppendText(buffer.AvailableBuffer()))
	encoder := expfmt.NewEncoder(buffer, format)
	for _, family := range process {
		if err := encoder.Encode(family); err != nil {
			return nil, fmt.Errorf("write the metrics of the process as text: %w", err)
		}
	}
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept")
		send(w, r, string(format), buffer.Bytes())
		e.buffers.Put(buffer)
	}, nil
}

// send writes a whole body, or only its headers where the client wants no more.
func send(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		// An error means that the client has gone: nobody is left to tell.
		_, _ = w.Write(body)
	}
}

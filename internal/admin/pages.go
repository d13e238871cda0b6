package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Pages lists what the pager has at one moment.
type Pages struct {
	Instant
	Run       int    `json:"run" doc:"number of the run that the pages are of"`
	Pages     []Page `json:"pages" nullable:"false" doc:"in the order in which they were opened"`
	Forgotten int    `json:"forgotten" doc:"resolved ones of this run that have made way for others"`
}

// Page is a page, or a ticket or a notice, where its severity says so.
type Page struct {
	ID           int             `json:"id" doc:"from 1 in every run" example:"1"`
	Severity     alerts.Severity `json:"severity" enum:"page,ticket,warning" doc:"a warning is a notice for whoever is looking"`
	State        pager.State     `json:"state" enum:"triggered,acknowledged,resolved"`
	Service      string          `json:"service" doc:"that it is about; empty where the alerts do not say" example:"shop"`
	SLO          string          `json:"slo" doc:"objective that it is about; empty where the alerts do not say" example:"availability"`
	Title        string          `json:"title" doc:"what is wrong: the summary of the alert that opened it"`
	RunbookURL   string          `json:"runbook_url,omitempty" doc:"what to do"`
	Silenced     bool            `json:"silenced" doc:"a page silences it as long as that one's alerts fire"`
	Opened       Instant         `json:"opened"`
	Acknowledged *PageAct        `json:"acknowledged" doc:"null where nobody has acknowledged it"`
	Resolved     *PageEnd        `json:"resolved" doc:"null while it is open"`
	Alerts       []PageAlert     `json:"alerts" nullable:"false" doc:"in the order in which they joined"`
	MoreAlerts   int             `json:"more_alerts" doc:"that fire and for which there was no room"`
	History      []PageEntry     `json:"history" nullable:"false" doc:"oldest first"`
	HistoryGap   int             `json:"history_gap" doc:"entries that are left out after the first"`
}

// Instant is a moment on both clocks.
type Instant struct {
	Moment
	Wall time.Time `json:"wall" doc:"wall time"`
}

// PageAct is what somebody did to a page.
type PageAct struct {
	Instant
	Actor       string  `json:"actor" doc:"who; empty where it was not said" example:"ann"`
	Note        string  `json:"note,omitempty"`
	Seconds     float64 `json:"after_seconds" doc:"simulated seconds after the page was opened"`
	WallSeconds float64 `json:"after_wall_seconds" doc:"real seconds after the page was opened"`
}

// PageEnd is how a page has ended.
type PageEnd struct {
	PageAct
	By string `json:"by" enum:"alerts,operator" doc:"its alerts have all ended, or somebody has resolved it"`
}

// PageAlert is an alert of a page.
type PageAlert struct {
	Name         string         `json:"name" example:"AvailabilityBudgetBurn"`
	Status       pager.Status   `json:"status" enum:"firing,resolved"`
	Labels       pager.Labels   `json:"labels"`
	Annotations  pager.Labels   `json:"annotations"`
	Since        Instant        `json:"since" doc:"when it began to fire; the simulated time of an Alertmanager's alert is that of its arrival"`
	Ended        *Instant       `json:"ended" doc:"null while it fires"`
	Value        Number         `json:"value" doc:"of its expression when it fired; null where it is not known"`
	Fingerprint  string         `json:"fingerprint" doc:"as Alertmanager has it" example:"3b2f1c0de4a59687"`
	GeneratorURL string         `json:"generator_url,omitempty"`
	Origins      []pager.Origin `json:"origins" nullable:"false" enum:"firedrill,alertmanager" doc:"who says that it fires"`
}

// PageEntry is something that happened to a page.
type PageEntry struct {
	Instant
	Event   string `json:"event" enum:"page_opened,page_acknowledged,page_resolved,alert_joined,alert_resolved"`
	Actor   string `json:"actor,omitempty"`
	Note    string `json:"note,omitempty"`
	Alert   string `json:"alert,omitempty" doc:"name of the alert"`
	Summary string `json:"summary,omitempty" doc:"of the alert"`
}

// PagePath is the input of an operation on one page.
type PagePath struct {
	ID string `path:"id" doc:"id of the page" example:"1"`
}

type actOnPageInput struct {
	PagePath
	Body *actOnPageBody
}

// actOnPageBody is who does something to a page, and why.
type actOnPageBody struct{ body }

// Schema documents the body.
func (*actOnPageBody) Schema(huma.Registry) *huma.Schema { return schemaOf(actOnPageSpecs()) }

const maxNote = 500

func actOnPageSpecs() schema.Specs {
	return append(actorSpecs(), schema.Spec{Name: "note", Kind: schema.Text, Help: fmt.Sprintf("why, for the records; at most %d letters", maxNote)})
}

// pagesQuery is the query of a list of pages.
type pagesQuery struct {
	State    string `query:"state" enum:"open,triggered,acknowledged,resolved" doc:"only those in this state; open are those that are not resolved"`
	Severity string `query:"severity" enum:"page,ticket,warning" doc:"only those of this severity"`
	given    url.Values
}

// Resolve keeps the query as it was given.
func (q *pagesQuery) Resolve(hc huma.Context) []error {
	at := hc.URL()
	q.given = at.Query()
	return nil
}

// openState asks for the pages that are not resolved.
const openState = "open"

func (s *Server) registerPages() {
	register(s, huma.Operation{
		OperationID: "list-pages", Method: http.MethodGet, Path: Base + "/pages", Tags: []string{"pager"},
		Summary: "List the pages, tickets and notices", SkipValidateParams: true,
	}, s.listPages)
	register(s, huma.Operation{
		OperationID: "get-page", Method: http.MethodGet, Path: Base + "/pages/{id}", Tags: []string{"pager"},
		Summary: "Show one page",
	}, s.getPage)
	register(s, huma.Operation{
		OperationID: "acknowledge-page", Method: http.MethodPost, Path: Base + "/pages/{id}/ack", Tags: []string{"pager"},
		Summary:     "Say that somebody takes care of a page",
		Description: "The first who does counts; who follows is recorded in the history. Refused with 409 where the page is resolved.",
	}, s.acknowledgePage)
	register(s, huma.Operation{
		OperationID: "resolve-page", Method: http.MethodPost, Path: Base + "/pages/{id}/resolve", Tags: []string{"pager"},
		Summary: "End a page by hand",
		Description: "A page resolves by itself when its alerts have ended. Where they go on, the next notification of them opens another " +
			"page. Refused with 409 where the page is resolved.",
	}, s.resolvePage)
}

func (s *Server) listPages(ctx context.Context, q *pagesQuery) (*reply[Pages], error) {
	want, err := q.filter(s.config.Pager.Policy())
	if err != nil {
		return nil, err
	}
	var out Pages
	var found []pager.Page
	var start time.Time
	err = s.config.Driver.Inspect(ctx, func(v view) {
		found, start = s.config.Pager.Pages(want), v.Status.Start
		out = Pages{Instant: instant(nowOf(v.Run), start), Run: s.config.Pager.Run(), Forgotten: s.config.Pager.Stats().Forgotten}
	})
	if err != nil {
		return nil, err
	}
	out.Pages = make([]Page, len(found))
	for i, p := range found {
		out.Pages[i] = pageOf(p, start)
	}
	return &reply[Pages]{out}, nil
}

// filter reads the query.
func (q *pagesQuery) filter(policy alerts.Policy) (pager.Filter, error) {
	states := []string{openState}
	for _, state := range pager.States() {
		states = append(states, string(state))
	}
	var severities []string
	for _, severity := range policy.Severities {
		severities = append(severities, string(severity))
	}
	args := schema.Args{}
	for name, given := range q.given {
		args[name] = strings.Join(given, ",")
	}
	values, problems := schema.Specs{
		{Name: "state", Kind: schema.Enum, Options: states}, {Name: "severity", Kind: schema.Enum, Options: severities},
	}.Parse("parameter of this list", args)
	want := pager.Filter{Severity: alerts.Severity(values.Get("severity").Text()), State: pager.State(values.Get("state").Text())}
	if want.State == openState {
		want.State, want.Open = "", true
	}
	return want, problems.Err()
}

func (s *Server) getPage(ctx context.Context, in *PagePath) (*reply[Page], error) {
	var found pager.Page
	var start time.Time
	var refusal error
	err := s.config.Driver.Inspect(ctx, func(v view) {
		start = v.Status.Start
		found, refusal = s.config.Pager.Page(in.number())
	})
	if err := errors.Join(err, in.refused(refusal)); err != nil {
		return nil, err
	}
	return &reply[Page]{pageOf(found, start)}, nil
}

func (s *Server) acknowledgePage(ctx context.Context, in *actOnPageInput) (*reply[Page], error) {
	return s.actOnPage(ctx, in, s.config.Pager.Acknowledge)
}

func (s *Server) resolvePage(ctx context.Context, in *actOnPageInput) (*reply[Page], error) {
	return s.actOnPage(ctx, in, s.config.Pager.Resolve)
}

// actOnPage does something to a page at the tick that is due now.
func (s *Server) actOnPage(ctx context.Context, in *actOnPageInput, do func(int, pager.Act) (pager.Page, []simulator.Event, error)) (*reply[Page], error) {
	act, err := readActOnPage(in.Body)
	if err != nil {
		return nil, err
	}
	var found pager.Page
	var start time.Time
	var refusal error
	err = s.config.Driver.Change(ctx, func(run *scenario.Run) (happened []simulator.Event) {
		act.At, start = nowOf(run), run.Start()
		found, happened, refusal = do(in.number(), act)
		return happened
	})
	if err := errors.Join(err, in.refused(refusal)); err != nil {
		return nil, err
	}
	return &reply[Page]{pageOf(found, start)}, nil
}

func readActOnPage(b *actOnPageBody) (pager.Act, error) {
	if b == nil {
		b = new(actOnPageBody)
	}
	fields, _, err := b.object("")
	if err != nil {
		return pager.Act{}, err
	}
	values, problems := actOnPageSpecs().Parse(field, fields)
	act := pager.Act{Actor: values.Get("actor").Text(), Note: values.Get("note").Text()}
	problems = append(problems, tooLong("actor", act.Actor, maxActor)...)
	problems = append(problems, tooLong("note", act.Note, maxNote)...)
	return act, problems.Err()
}

// tooLong refuses a text of too many letters.
func tooLong(field, text string, most int) schema.Problems {
	if utf8.RuneCountInString(text) <= most {
		return nil
	}
	return schema.Problems{{Field: field, Value: text, Message: "is too long", Allowed: fmt.Sprintf("at most %d letters", most)}}
}

// number returns the id, 0, which no page has, where it is no number.
func (p PagePath) number() int {
	n, err := strconv.Atoi(p.ID)
	if err != nil {
		return 0
	}
	return n
}

// refused words what the pager refuses.
func (p PagePath) refused(err error) error {
	var unknown pager.UnknownError
	if !errors.As(err, &unknown) {
		return err
	}
	out := schema.Problem{Field: "id", Value: p.ID, Message: "is no page of this run", Allowed: "there is none yet"}
	var known []string
	for _, id := range unknown.Known {
		known = append(known, strconv.Itoa(id))
	}
	if len(known) > 0 {
		out.Allowed = strings.Join(known, ", ")
	}
	return missing(out)
}

// nowOf returns the moment at which a run is.
func nowOf(run *scenario.Run) pager.Moment {
	return pager.Moment{Simulated: run.Now().After(run.Start()), Wall: time.Now().UTC()}
}

func instant(m pager.Moment, start time.Time) Instant {
	return Instant{moment(simulator.Tick(m.Simulated.Sub(start)/time.Second), start), m.Wall}
}

func pageOf(p pager.Page, start time.Time) Page {
	out := Page{
		ID: p.ID, Severity: p.Severity, State: p.State, Service: p.Service(), SLO: p.SLO(), Title: p.Title, RunbookURL: p.Runbook,
		Silenced: p.Silenced, Opened: instant(p.Opened, start), MoreAlerts: p.More, HistoryGap: p.HistoryGap,
		Alerts: make([]PageAlert, len(p.Alerts)), History: make([]PageEntry, len(p.History)),
	}
	if a := p.Acknowledgement; a != nil {
		act := pageActOf(*a, p.Opened, start)
		out.Acknowledged = &act
	}
	if r := p.Resolution; r != nil {
		out.Resolved = &PageEnd{PageAct: pageActOf(r.Act, p.Opened, start), By: "operator"}
		if r.ByAlerts {
			out.Resolved.By = "alerts"
		}
	}
	for i, a := range p.Alerts {
		out.Alerts[i] = pageAlertOf(a, start)
	}
	for i, e := range p.History {
		out.History[i] = PageEntry{Instant: instant(e.At, start), Event: e.Kind, Actor: e.Actor, Note: e.Note, Alert: e.Alert, Summary: e.Summary}
	}
	return out
}

func pageActOf(a pager.Act, opened pager.Moment, start time.Time) PageAct {
	return PageAct{
		Instant: instant(a.At, start), Actor: a.Actor, Note: a.Note,
		Seconds: a.At.Simulated.Sub(opened.Simulated).Seconds(), WallSeconds: a.At.Wall.Sub(opened.Wall).Round(time.Millisecond).Seconds(),
	}
}

func pageAlertOf(a pager.Member, start time.Time) PageAlert {
	out := PageAlert{
		Name: a.Name(), Status: a.Status, Labels: a.Labels, Annotations: a.Annotations, Since: instant(a.Starts, start),
		Value: Number(a.Value), Fingerprint: a.Fingerprint(), GeneratorURL: a.GeneratorURL, Origins: a.Origins,
	}
	if out.Annotations == nil {
		out.Annotations = pager.Labels{}
	}
	if out.Origins == nil {
		out.Origins = []pager.Origin{}
	}
	if a.Status == pager.Resolved {
		ended := instant(a.Ends, start)
		out.Ended = &ended
	}
	return out
}

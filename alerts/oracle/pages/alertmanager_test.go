package pages_test

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/alertmanager/alert"
	"github.com/prometheus/alertmanager/config"
	"github.com/prometheus/alertmanager/dispatch"
	"github.com/prometheus/alertmanager/eventrecorder"
	"github.com/prometheus/alertmanager/inhibit"
	"github.com/prometheus/alertmanager/marker"
	"github.com/prometheus/alertmanager/nflog"
	"github.com/prometheus/alertmanager/nflog/nflogpb"
	"github.com/prometheus/alertmanager/notify"
	"github.com/prometheus/alertmanager/provider/mem"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/model"

	"github.com/firedrill/firedrill/internal/pager"
)

// alertmanager is an Alertmanager with a configuration, without its network. It
// lives in a bubble.
type alertmanager struct {
	alerts *mem.Alerts
	sent   chan sent
}

// startAlertmanager starts one with the shipped configuration; it stops with the
// test.
func startAlertmanager(t *testing.T) *alertmanager {
	t.Helper()
	text, err := os.ReadFile("../../gen/speed-1/alertmanager.yml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(string(text))
	if err != nil {
		t.Fatal(err)
	}
	logger, recorder := slog.New(slog.DiscardHandler), eventrecorder.NopRecorder()
	ctx, cancel := context.WithCancel(t.Context())
	provider, err := mem.NewAlerts(ctx, 30*time.Minute, 0, nil, logger, recorder, prometheus.NewRegistry(), nil)
	if err != nil {
		t.Fatal(err)
	}
	log, err := nflog.New(nflog.Options{Retention: 120 * time.Hour, Logger: logger, Metrics: prometheus.NewRegistry()})
	if err != nil {
		t.Fatal(err)
	}
	inhibitor := inhibit.NewInhibitor(provider, c.InhibitRules, logger, recorder)
	go inhibitor.Run()
	inhibitor.WaitForLoading()
	am := &alertmanager{alerts: provider, sent: make(chan sent, 100_000)}
	stage := notify.RoutingStage{"nobody": notify.MultiStage{}, "pager": am.pipeline(inhibitor, log)}
	dispatcher := dispatch.NewDispatcher(provider, dispatch.NewRoute(c.Route, nil), stage, marker.NewGroupMarker(), nil, 30*time.Second, nil, logger, recorder, nil, nil)
	go dispatcher.Run(time.Now())
	dispatcher.WaitForLoading()
	t.Cleanup(func() {
		dispatcher.Stop()
		inhibitor.Stop()
		provider.Close()
		cancel()
	})
	return am
}

// resolvedToo is a receiver that wants to hear of ends.
type resolvedToo struct{}

func (resolvedToo) SendResolved() bool { return true }

// pipeline is what Alertmanager does with the alerts of a group before they are
// sent, and in place of sending them writes down what is sent. An alert that has
// ended is not silenced, as internal/pager has it.
func (am *alertmanager) pipeline(inhibitor *inhibit.Inhibitor, log *nflog.Log) notify.Stage {
	receiver := &nflogpb.Receiver{GroupName: "pager", Integration: "webhook"}
	mute := notify.StageFunc(func(ctx context.Context, _ *slog.Logger, alerts ...*alert.Alert) (context.Context, []*alert.Alert, error) {
		return ctx, slices.DeleteFunc(slices.Clone(alerts), func(a *alert.Alert) bool { return !a.Resolved() && inhibitor.Mutes(ctx, a.Labels) }), nil
	})
	send := notify.StageFunc(func(ctx context.Context, _ *slog.Logger, alerts ...*alert.Alert) (context.Context, []*alert.Alert, error) {
		key, _ := notify.GroupKey(ctx)
		s := sent{at: time.Now(), group: key}
		for _, a := range alerts {
			status := pager.Firing
			if a.Resolved() {
				status = pager.Resolved
			}
			s.alerts = append(s.alerts, a.Labels.String()+" "+string(status))
		}
		am.sent <- s.sorted()
		return ctx, alerts, nil
	})
	return notify.MultiStage{mute, notify.NewDedupStage(resolvedToo{}, log, receiver), send, notify.NewSetNotifiesStage(log, receiver)}
}

// put tells it of a change of an alert, as a Prometheus does.
func (am *alertmanager) put(t *testing.T, a pager.Alert) {
	t.Helper()
	labels := model.LabelSet{}
	for name, value := range a.Labels {
		labels[model.LabelName(name)] = model.LabelValue(value)
	}
	ends := a.Ends.Simulated
	if a.Status == pager.Firing {
		ends = time.Now().Add(1000 * time.Hour)
	}
	err := am.alerts.Put(t.Context(), &alert.Alert{
		Alert: model.Alert{Labels: labels, StartsAt: a.Starts.Simulated, EndsAt: ends}, UpdatedAt: time.Now(),
	})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
}

// all returns what has been sent so far.
func (am *alertmanager) all() (all []sent) {
	synctest.Wait()
	for {
		select {
		case s := <-am.sent:
			all = append(all, s)
		default:
			return all
		}
	}
}

// fingerprint returns the name that Alertmanager gives an alert.
func fingerprint(l pager.Labels) string {
	set := model.LabelSet{}
	for name, value := range l {
		set[model.LabelName(name)] = model.LabelValue(value)
	}
	return set.Fingerprint().String()
}

package admin

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/internal/pager/webhook"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// alertmanagerPath is where an Alertmanager sends its notifications.
const alertmanagerPath = Base + "/alertmanager"

// Delivery says what became of an Alertmanager's notification.
type Delivery struct {
	Run      int   `json:"run" doc:"number of the run that it concerns"`
	Pages    []int `json:"pages" nullable:"false" doc:"ids of the pages that its alerts are in"`
	Ignored  int   `json:"ignored" doc:"alerts whose severity reaches nobody"`
	Outdated int   `json:"outdated" doc:"alerts that have fired since before the run began, which are not its own"`
}

type notificationInput struct{ Body notificationBody }

// notificationBody is a notification of an Alertmanager.
type notificationBody struct{ body }

// Schema documents the body.
func (*notificationBody) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(typeOf[webhook.Message](), true, "")
}

func (s *Server) registerAlertmanager() {
	register(s, huma.Operation{
		OperationID: "notify", Method: http.MethodPost, Path: alertmanagerPath, Tags: []string{"pager"},
		Summary: "Take a notification of an Alertmanager",
		Description: "What Alertmanager sends to a webhook, version 4. Each alert comes into the page of its severity and its labels " +
			"service and slo. Members that are not described here are skipped.",
	}, s.takeNotification)
}

func (s *Server) takeNotification(ctx context.Context, in *notificationInput) (*reply[Delivery], error) {
	n, err := webhook.Parse(in.Body.raw)
	var syntax webhook.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, problem(malformed, "the body is no notification: "+syntax.Error())
	case err != nil:
		return nil, err
	}
	var out Delivery
	var refusal error
	err = s.config.Driver.Change(ctx, func(run *scenario.Run) (happened []simulator.Event) {
		n.At = nowOf(run)
		var receipt pager.Receipt
		receipt, happened, refusal = s.config.Pager.Notify(n)
		out = Delivery{Run: s.config.Pager.Run(), Pages: receipt.Pages, Ignored: receipt.Ignored, Outdated: receipt.Outdated}
		return happened
	})
	if err := errors.Join(err, refusal); err != nil {
		return nil, err
	}
	if out.Pages == nil {
		out.Pages = []int{}
	}
	return &reply[Delivery]{out}, nil
}

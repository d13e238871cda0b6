package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/firedrill/firedrill/internal/driver"
)

const (
	streamType    = "text/event-stream"
	streamQueue   = 1000            // events that wait for one client at most
	writePatience = 5 * time.Second // for a client that does not read
)

// Missed says that a client was too slow.
type Missed struct {
	Count int `json:"count" doc:"events that were dropped at this place"`
}

// HappenedEvent documents an event of the stream, which simulator.Event writes.
type HappenedEvent struct {
	Tick    int64     `json:"tick"`
	Time    time.Time `json:"time" doc:"simulated time"`
	Service string    `json:"service,omitempty"`
	Event   string    `json:"event" doc:"what happened; its details are further members" example:"pods_ordered"`
	_       struct{}  `additionalProperties:"true"`
}

type stream struct{ Body func(huma.Context) }

func (s *Server) registerEvents() {
	schemas := s.api.OpenAPI().Components.Schemas
	register(s, huma.Operation{
		OperationID: "stream-events", Method: http.MethodGet, Path: Base + "/events", Tags: []string{"drill"},
		Summary: "Follow what happens, as server-sent events",
		Description: "A message without a name is an event of the simulation (HappenedEvent); its id counts those of " +
			"this stream. page_opened, alert_joined, alert_resolved, page_acknowledged and page_resolved tell of the pager. `clock` (Clock) comes at the beginning, with every new run, and as a sign of life. " +
			"`missed` (Missed) tells a slow client how many events it lost. What tells of the truth is left out until the drill " +
			"has ended, unless the program was started with --reveal.",
		Responses: map[string]*huma.Response{"200": {Description: "a stream without an end", Content: map[string]*huma.MediaType{
			streamType: {Schema: &huma.Schema{OneOf: []*huma.Schema{
				schemas.Schema(typeOf[HappenedEvent](), true, ""), schemas.Schema(typeOf[Clock](), true, ""), schemas.Schema(typeOf[Missed](), true, ""),
			}}},
		}}},
	}, s.streamEvents)
}

func (s *Server) streamEvents(ctx context.Context, _ *nothing) (*stream, error) {
	if _, err := s.config.Driver.Status(ctx); err != nil {
		return nil, err
	}
	return &stream{Body: func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		out := &streamWriter{w: w, control: http.NewResponseController(w)}
		subscription := s.config.Driver.Subscribe(streamQueue)
		defer subscription.Close()
		// An error here is the client's leaving or the program's end.
		_ = s.follow(r.Context(), subscription, out)
	}}, nil
}

// follow writes the events of a subscription until something ends.
func (s *Server) follow(ctx context.Context, subscription *driver.Subscription, out *streamWriter) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.closing, cancel)()
	out.open()
	run, err := s.writeClock(ctx, out)
	for err == nil {
		var events []driver.Event
		var missed int
		events, missed, err = s.next(ctx, subscription)
		if err == nil && (len(events) == 0 || events[0].Run != run) {
			run, err = s.writeClock(ctx, out)
		}
		if err == nil && missed > 0 {
			err = out.json("missed", Missed{missed})
		}
		for i := 0; i < len(events) && err == nil; i++ {
			err = s.writeEvent(ctx, out, events[i])
		}
	}
	return err
}

// next waits for events; none are a sign that the client needs one of life.
func (s *Server) next(ctx context.Context, subscription *driver.Subscription) ([]driver.Event, int, error) {
	waiting, cancel := context.WithTimeout(ctx, s.config.Heartbeat)
	defer cancel()
	events, missed, err := subscription.Next(waiting)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, 0, nil
	}
	return events, missed, err
}

func (s *Server) writeClock(ctx context.Context, out *streamWriter) (run int, err error) {
	status, err := s.config.Driver.Status(ctx)
	if err != nil {
		return 0, err
	}
	return status.Run, out.json("clock", clockOf(status))
}

// writeEvent writes an event unless it tells of a truth that is still hidden.
func (s *Server) writeEvent(ctx context.Context, out *streamWriter, event driver.Event) error {
	if event.Truth {
		told := false
		if err := s.config.Driver.Inspect(ctx, func(v view) { told = s.tells(v) }); err != nil || !told {
			return err
		}
	}
	// The id counts what this client sees: a gap would tell that something
	// hidden has happened, and when.
	out.events++
	return out.message(fmt.Sprintf("id: %d\ndata: %s\n\n", out.events, event.AppendJSON(nil, event.Start)))
}

// streamWriter writes server-sent events. Each message has its own time limit;
// between messages there is none.
type streamWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	events  int // written so far
}

func (o *streamWriter) open() {
	o.w.Header().Set("Content-Type", streamType)
	o.w.WriteHeader(http.StatusOK)
}

func (o *streamWriter) json(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write event %s: %w", name, err)
	}
	return o.message(fmt.Sprintf("event: %s\ndata: %s\n\n", name, data))
}

func (o *streamWriter) message(text string) error {
	if err := o.control.SetWriteDeadline(time.Now().Add(writePatience)); err != nil {
		return err
	}
	if _, err := o.w.Write([]byte(text)); err != nil {
		return err
	}
	if err := o.control.Flush(); err != nil {
		return err
	}
	return o.control.SetWriteDeadline(time.Time{})
}

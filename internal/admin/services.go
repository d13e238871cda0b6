package admin

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Services lists the services at one moment.
type Services struct {
	Moment
	Services []Service `json:"services" nullable:"false" doc:"in the order of the scenario"`
}

// Service is a simulated service.
type Service struct {
	Name     string `json:"name" example:"shop"`
	Kind     string `json:"kind" doc:"kind of model" example:"web"`
	Settings Object `json:"settings" doc:"the levers of the operator as they stand"`
	Minute   Object `json:"minute" doc:"the minute that was last evaluated, without what only the truth knows until that may be told; ratios are 0..1, units are in the names"`
}

// ServiceState is one service at one moment.
type ServiceState struct {
	Moment
	Service
}

// ServicePath is the input of an operation on one service.
type ServicePath struct {
	Service string `path:"service" doc:"name of the service" example:"shop"`
}

func (s *Server) registerServices() {
	register(s, huma.Operation{
		OperationID: "list-services", Method: http.MethodGet, Path: Base + "/services", Tags: []string{"services"},
		Summary: "List the services with their settings and their state",
	}, s.listServices)
	register(s, huma.Operation{
		OperationID: "get-service", Method: http.MethodGet, Path: Base + "/services/{service}", Tags: []string{"services"},
		Summary: "Show one service",
	}, s.getService)
}

func (s *Server) listServices(ctx context.Context, _ *nothing) (*reply[Services], error) {
	snapshot, kinds, told, err := s.look(ctx)
	if err != nil {
		return nil, err
	}
	out := Services{Moment: moment(snapshot.Tick, snapshot.Start), Services: make([]Service, len(snapshot.Services))}
	for i, service := range snapshot.Services {
		out.Services[i] = serviceOf(service, kinds[i].Kind, told)
	}
	return &reply[Services]{out}, nil
}

func (s *Server) getService(ctx context.Context, in *ServicePath) (*reply[ServiceState], error) {
	snapshot, kinds, told, err := s.look(ctx)
	if err != nil {
		return nil, err
	}
	i, err := find(kinds, in.Service)
	if err != nil {
		return nil, err
	}
	return &reply[ServiceState]{ServiceState{
		Moment: moment(snapshot.Tick, snapshot.Start), Service: serviceOf(snapshot.Services[i], kinds[i].Kind, told),
	}}, nil
}

// view is the run as its owner sees it.
type view = driver.View[*scenario.Run]

// look returns a snapshot, the services that it shows, and whether the truth of
// the run may be told.
func (s *Server) look(ctx context.Context) (snapshot *simulator.Snapshot, services []simulator.Service, told bool, err error) {
	err = s.config.Driver.Inspect(ctx, func(v view) { snapshot, services, told = v.Snapshot(), v.Run.Services(), s.tells(v) })
	return snapshot, services, told, err
}

// services returns the services of the run.
func (s *Server) services(ctx context.Context) (services []simulator.Service, err error) {
	err = s.config.Driver.Inspect(ctx, func(v view) { services = v.Run.Services() })
	return services, err
}

// find returns the index of the service with that name.
func find(services []simulator.Service, name string) (int, error) {
	names := make([]string, len(services))
	for i, service := range services {
		if service.Name == name {
			return i, nil
		}
		names[i] = service.Name
	}
	return 0, missing(schema.Unknown("service", "service", name, names))
}

func serviceOf(snapshot simulator.ServiceSnapshot, kind *simulator.Kind, told bool) Service {
	out := Service{Name: snapshot.Name, Kind: snapshot.Kind, Settings: Object{}, Minute: Object{}}
	for _, setting := range snapshot.Settings {
		out.Settings = append(out.Settings, Named{setting.Name, setting.Value.Raw()})
	}
	for i, column := range kind.Columns {
		if told || !column.Truth {
			out.Minute = append(out.Minute, Named{column.Key, snapshot.Row[i]})
		}
	}
	return out
}

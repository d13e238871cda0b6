package metric

// The simulator itself.
var (
	SimulatedSeconds = Desc{Name: "firedrill_simulated_seconds_total", Type: Counter, Unit: "seconds",
		Help: "Seconds that have been simulated; a rate over it gives rates per simulated second at any speed."}
	SimulatedTimestamp = Desc{Name: "firedrill_simulated_timestamp_seconds", Type: Gauge, Unit: "seconds",
		Help: "Simulated time since the epoch."}
	SpeedRatio = Desc{Name: "firedrill_speed_ratio", Type: Gauge, Unit: "ratio",
		Help: "Simulated seconds a second that are asked for."}
	Paused = Desc{Name: "firedrill_paused", Type: Flag,
		Help: "1 while simulated time stands still, else 0."}
	Lag = Desc{Name: "firedrill_lag_seconds", Type: Gauge, Unit: "seconds",
		Help: "Simulated seconds that the simulation is behind the speed asked for."}
	ScenarioInfo = Desc{Name: "firedrill_scenario_info", Type: Info, Labels: []string{Scenario, Seed},
		Help: "The scenario that runs and the seed of its randomness."}
	BuildInfo = Desc{Name: "firedrill_build_info", Type: Info, Labels: []string{Version, Revision, GoVersion},
		Help: "The build of firedrill and the version of Go that made it."}
)

// Simulator returns the metrics about the simulator.
func Simulator() []Desc {
	return []Desc{SimulatedSeconds, SimulatedTimestamp, SpeedRatio, Paused, Lag, ScenarioInfo, BuildInfo}
}

package cdn

// decisionSeconds is how often the balancer decides.
const decisionSeconds = 10

// Signals are what the balancer asks of a link until its next decision.
type Signals struct {
	Slowdown float64 // share of the new sessions that the link refuses, 0..1
	Drop     float64 // share of the movable running sessions that leave within 10 s, 0..1
}

// Balancer decides on one link. It is a value without state: what it has to
// remember of a link comes in and goes out.
type Balancer interface {
	// Decide returns the signals of a link whose measured load is the newest
	// value in m, and what to remember; target is the load that is aimed at.
	Decide(m Memory, target float64) (Signals, Memory)
}

var (
	_ Balancer = Piecewise{}
	_ Balancer = Damped{}
	_ Balancer = PID{}
)

// remembered is how many measured values an oscillation spans: 150 s.
const remembered = 15

// Memory is what is remembered of a link between decisions.
type Memory struct {
	loads    [remembered]float64 // measured at the last decisions, the newest at next−1
	next     int
	integral float64 // of a PID, part of u
	error    float64 // of a PID at its last decision
	begun    bool    // a PID has decided before
}

// NewMemory returns the memory of a link that has always had this load.
func NewMemory(load float64) Memory {
	m := Memory{}
	for i := range m.loads {
		m.loads[i] = load
	}
	return m
}

// Measured returns the memory with one more value.
func (m Memory) Measured(load float64) Memory {
	m.loads[m.next] = load
	m.next = (m.next + 1) % remembered
	return m
}

// Load returns the newest value.
func (m *Memory) Load() float64 { return m.loads[(m.next+remembered-1)%remembered] }

// Oscillation returns max − min of the remembered values.
func (m *Memory) Oscillation() float64 {
	low, high := m.loads[0], m.loads[0]
	for _, x := range m.loads[1:] {
		low, high = min(low, x), max(high, x)
	}
	return high - low
}

// restart forgets what a PID has summed up.
func (m *Memory) restart() { m.integral, m.error, m.begun = 0, 0, false }

// Piecewise refuses and drops by the load alone. Running sessions have priority
// over new ones where Drop begins only at the load at which Slowdown is 1.
type Piecewise struct{ Slowdown, Drop Curve }

// Decide implements Balancer.
func (b Piecewise) Decide(m Memory, _ float64) (Signals, Memory) {
	return Signals{b.Slowdown.At(m.Load()), b.Drop.At(m.Load())}, m
}

// Damped is Piecewise with a slowdown that is raised where the load swings and
// lowered where it is very calm.
type Damped struct{ Piecewise }

// Dampers returns what an oscillation adds to the slowdown and what it takes
// away; one of them is always 0.
//
//	extra:  0 at 0.05, 0.3 at 0.20, 0.8 at 0.50
//	reduce: 0.15 at 0, 0 at 0.03
//
// Test: TestDampersNeverWorkAgainstEachOther.
func Dampers(oscillation float64) (extra, reduce float64) {
	return Curve{{0.05, 0}, {0.20, 0.3}, {0.50, 0.8}}.At(oscillation), Curve{{0, 0.15}, {0.03, 0}}.At(oscillation)
}

// Decide implements Balancer.
//
//	slowdown = clamp(slowdown(ℓ) + extra − reduce, 0, 1)
func (b Damped) Decide(m Memory, target float64) (Signals, Memory) {
	s, m := b.Piecewise.Decide(m, target)
	extra, reduce := Dampers(m.Oscillation())
	s.Slowdown = clamp(s.Slowdown+extra-reduce, 0, 1)
	return s, m
}

// PID is a controller of the load.
type PID struct {
	KP float64 // of the error
	KI float64 // of its integral, per second
	KD float64 // of its change, seconds
}

// maxU is the largest output: at 1 all new sessions are refused, at 2 a fifth
// of the running ones leave besides.
const maxU = 2

// Decide implements Balancer.
//
//	u = kp·e + ∫ki·e dt + kd·de/dt, e = ℓ − target, clamped to [0, 2]
//	slowdown = min(1, u), drop = 0.2·max(0, u − 1)
//
// The integral moves only where the unclamped u is inside [0, 2] or e points
// inward, so that it does not wind up. Test: TestPID.
func (b PID) Decide(m Memory, target float64) (Signals, Memory) {
	e := m.Load() - target
	change := 0.0
	if m.begun {
		change = (e - m.error) / decisionSeconds
	}
	rest := float64(b.KP*e) + float64(b.KD*change)
	if u := rest + m.integral; (u >= 0 || e > 0) && (u <= maxU || e < 0) {
		m.integral += float64(b.KI * e * decisionSeconds)
	}
	m.error, m.begun = e, true
	u := clamp(rest+m.integral, 0, maxU)
	return Signals{min(1, u), float64(0.2 * max(0, u-1))}, m
}

func clamp(x, low, high float64) float64 { return min(max(x, low), high) }

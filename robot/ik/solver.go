package ik

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// Method is how a search makes its steps.
type Method uint8

const (
	// LevenbergMarquardt damps by the remaining error: fast near the target and robust far from it and at singularities
	// (Sugihara 2011, "Solvability-unconcerned inverse kinematics by the Levenberg–Marquardt method"). A step that does not
	// lessen the error is taken back and damped more.
	LevenbergMarquardt Method = iota
	// DampedLeastSquares damps near singularities, by the manipulability (Nakamura and Hanafusa 1986).
	DampedLeastSquares
	// PseudoInverse makes plain Newton steps; what freedom remains leads towards Solver.Rest (Liégeois 1977), as with damped least squares.
	PseudoInverse
	// Transpose follows the gradient (Wolovich and Elliott 1984): simple, never singular, slow.
	Transpose
)

// String returns the method's name.
func (m Method) String() string {
	return [...]string{"Levenberg–Marquardt", "damped least squares", "pseudo-inverse", "transpose"}[m]
}

// Solver is the iterative inverse kinematics of a model. It is a workspace: one goroutine uses it at a time. After
// NewSolver it allocates nothing, except when the tasks are more than ever before.
//
// Joints stay within their limits: a joint that a step would take beyond is held at its limit, and the others make up for
// it (Flacco, De Luca and Khatib 2012, saturation in the null space). Quaternions and continuous joints have none.
type Solver struct {
	Method     Method
	Linear     float64   // done when the position is within this (m)
	Angular    float64   // and the orientation within this (rad)
	Iterations int       // at most so many in one attempt
	Attempts   int       // the first one begins at the seed, the others at random
	Seed       uint64    // of those
	Rest       []float64 // posture to keep to where freedom remains, of the methods in the middle and of Velocity; nil: none

	model          *multibody.Model
	data           *multibody.Data
	lower, upper   []float64 // of the velocity coordinates' positions; infinite where there are none
	links          int
	joints         []multibody.ModelJoint
	children       []int    // links that the joints carry
	place          []int    // position of each velocity coordinate, -1 within a quaternion
	names          []string // joint of each velocity coordinate
	turns          []bool   // whether a full turn changes nothing
	step           stepper
	random         *rand.PCG
	rng            *rand.Rand
	try, next      []float64
	best           []float64
	bestCost       float64
	nearest        attempt
	stuck          int // attempts that ended where they could not go on
	agree          int // of those, the ones that ended as near as the best
	count          int
	failure        Failure
	fastest        []float64 // greatest speed of each velocity coordinate
	low, high      []float64 // bounds of Velocity
	unlimitedLower []float64
	unlimitedUpper []float64
}

// attempt is how one search from one start ended.
type attempt struct {
	cost            float64
	linear, angular float64
	solved, stuck   bool
	pressed         int // a joint held at its limit, -1: none
}

// Defaults of a Solver.
const (
	defaultTolerance  = 1e-7
	defaultIterations = 100
	defaultAttempts   = 60
	transposeFactor   = 30  // the transpose may iterate so many times longer
	patient           = 10  // so many attempts, the last ones, are not given up when they become slow: they tell why
	probation         = 5   // the others must, within so many iterations,
	progress          = 0.3 // lessen what is left to this part
)

// NewSolver returns a solver for the model, with the default method and tolerances of 0.1 µm and 0.1 µrad.
func NewSolver(m *multibody.Model) *Solver {
	s := &Solver{
		Linear: defaultTolerance, Angular: defaultTolerance, Iterations: defaultIterations, Attempts: defaultAttempts, Seed: 1,
		model: m, data: multibody.NewData(m), random: rand.NewPCG(0, 0),
		place: make([]int, m.NV()), names: make([]string, m.NV()), turns: make([]bool, m.NV()),
		try: make([]float64, m.NQ()), next: make([]float64, m.NQ()), best: make([]float64, m.NQ()),
	}
	s.rng, s.links, s.joints = rand.New(s.random), len(m.Links()), m.Joints()
	lower, upper := make([]float64, m.NQ()), make([]float64, m.NQ())
	m.PositionLimits(lower, upper)
	for i := range m.NV() {
		s.place[i] = -1
		s.unlimitedLower, s.unlimitedUpper = append(s.unlimitedLower, math.Inf(-1)), append(s.unlimitedUpper, math.Inf(1))
	}
	s.lower, s.upper = append(s.lower, s.unlimitedLower...), append(s.upper, s.unlimitedUpper...)
	for _, j := range s.joints {
		child, _ := m.Link(j.Child) // the model has checked its names
		s.children = append(s.children, child)
		if j.Mimic != nil {
			continue
		}
		for k := range j.Type.NV() {
			s.names[j.V+k] = j.Name
			if j.Type.NQ() == j.Type.NV() {
				s.place[j.V+k] = j.Q + k
				s.lower[j.V+k], s.upper[j.V+k] = lower[j.Q+k], upper[j.Q+k]
			}
		}
		s.turns[j.V] = j.Type == multibody.Revolute || j.Type == multibody.Continuous
	}
	s.fastest, s.low, s.high = make([]float64, m.NV()), make([]float64, m.NV()), make([]float64, m.NV())
	m.VelocityLimits(s.fastest)
	s.step.init(s)
	return s
}

// Solve searches a configuration in which all tasks of the lowest priority number are done, and those of higher numbers as
// far as that leaves freedom, beginning at q0. It writes it to q, which may be q0: the solution, or with a [*Failure] the
// nearest configuration found. The failure is the solver's and valid until the next call. A q0 outside of the limits is
// first brought into them. NaN and infinite numbers give [ErrNotFinite]; q then stays as it is.
func (s *Solver) Solve(q0 []float64, tasks []Task, q []float64) error {
	s.want("q0", len(q0))
	s.want("q", len(q))
	for _, x := range q0 {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return ErrNotFinite
		}
	}
	for i := range tasks {
		if err := tasks[i].check(s.links); err != nil {
			return err
		}
	}
	s.step.arrange(tasks)
	s.bestCost, s.count, s.stuck, s.agree = math.Inf(1), 0, 0, 0
	s.random.Seed(s.Seed, 0)
	copy(s.try, q0)
	for n := range max(s.Attempts, 1) {
		if n > 0 {
			s.model.Random(s.rng, s.try)
		}
		if s.attempt(tasks, n >= s.Attempts-patient) {
			copy(q, s.best)
			return nil
		}
	}
	copy(s.try, s.best)
	if s.Attempts > patient && s.attempt(tasks, true) {
		copy(q, s.best)
		return nil
	}
	err := s.verdict(tasks)
	copy(q, s.best)
	return err
}

func (s *Solver) want(what string, n int) {
	if n != s.model.NQ() {
		panic(fmt.Sprintf("ik: Solve: %s has %d elements, want %d", what, n, s.model.NQ()))
	}
}

// attempt searches from s.try and reports whether that solved the tasks.
func (s *Solver) attempt(tasks []Task, patient bool) bool {
	a := s.search(tasks, s.try, patient)
	s.note(a)
	return a.solved
}

// note keeps the best attempt.
func (s *Solver) note(a attempt) {
	const same = 0.01
	if a.stuck {
		s.stuck++
	}
	switch {
	case a.cost < s.bestCost*(1-same) || a.solved:
		s.agree = 0
		fallthrough
	case a.cost < s.bestCost:
		copy(s.best, s.try)
		s.bestCost, s.nearest = a.cost, a
	}
	if a.stuck && a.cost <= s.bestCost*(1+same) {
		s.agree++
	}
}

// search improves q until the tasks are done or nothing helps any more; without patience also until it becomes slow.
func (s *Solver) search(tasks []Task, q []float64, patient bool) attempt {
	s.confine(q)
	limit := s.Iterations
	if s.Method == Transpose {
		limit *= transposeFactor
	}
	t := &s.step
	t.damping = 1
	a := attempt{pressed: -1}
	a.cost = t.evaluate(s, tasks, q)
	patient = patient || s.Method == Transpose || len(t.levels) > 1
	before := math.Inf(1)
	for n := range limit {
		if !patient && n%probation == 0 {
			if a.cost > progress*before {
				break
			}
			before = a.cost
		}
		s.count++
		if a.linear, a.angular = t.residual(tasks, 0); a.linear <= s.Linear && a.angular <= s.Angular {
			if linear, angular := t.residual(tasks, 1); linear <= s.Linear && angular <= s.Angular {
				a.solved = true
				return a
			}
		}
		t.equations(tasks, t.left)
		dq := t.compute(s, s.Method, q, s.lower, s.upper)
		size := s.shorten(dq)
		s.model.Integrate(q, dq, s.next)
		s.confine(s.next)
		cost := t.evaluate(s, tasks, s.next)
		if size < 1e-12 || s.Method == LevenbergMarquardt && len(t.levels) == 1 && cost >= a.cost && t.damping > 1e9 {
			a.stuck = true
			break
		}
		if s.Method == LevenbergMarquardt && len(t.levels) == 1 {
			if cost >= a.cost { // take the step back
				t.damping *= 8
				t.evaluate(s, tasks, q)
				continue
			}
			t.damping = math.Max(t.damping/4, 1e-6)
		}
		a.stuck = a.cost-cost < 1e-9*a.cost
		a.cost = cost
		a.pressed = t.pressed
		copy(q, s.next)
		if a.stuck && size < 1e-6 {
			break
		}
	}
	if len(t.levels) > 1 {
		s.finish(tasks, q)
	}
	a.linear, a.angular = t.residual(tasks, 0)
	a.solved = a.linear <= s.Linear && a.angular <= s.Angular
	return a
}

// finish brings the first level to its tolerance after a search in which the others, which cannot be done wholly, pulled
// at it to the end.
func (s *Solver) finish(tasks []Task, q []float64) {
	const steps = 5
	t := &s.step
	all := t.levels
	t.levels = all[:1]
	for range steps {
		t.equations(tasks, t.left)
		dq := t.compute(s, PseudoInverse, q, s.lower, s.upper)
		s.shorten(dq)
		s.model.Integrate(q, dq, q)
		s.confine(q)
		t.evaluate(s, tasks, q)
	}
	t.levels = all
}

// shorten keeps a step from turning any joint by more than it can be trusted, and returns the size of what remains.
func (s *Solver) shorten(dq []float64) float64 {
	const trusted = 0.7
	size := 0.0
	for _, x := range dq {
		size = math.Max(size, math.Abs(x))
	}
	if size > trusted {
		for i := range dq {
			dq[i] *= trusted / size
		}
		return trusted
	}
	return size
}

// confine brings the coordinates into their limits: where full turns do not matter by those, else to the nearest bound.
func (s *Solver) confine(q []float64) {
	for i, k := range s.place {
		if k < 0 || q[k] >= s.lower[i] && q[k] <= s.upper[i] {
			continue
		}
		if s.turns[i] {
			if turned := q[k] - 2*math.Pi*math.Round((q[k]-(s.lower[i]+s.upper[i])/2)/(2*math.Pi)); turned >= s.lower[i] && turned <= s.upper[i] && math.Abs(turned-q[k]) > 3 {
				q[k] = turned
				continue
			}
		}
		q[k] = math.Min(math.Max(q[k], s.lower[i]), s.upper[i])
	}
}

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
	Method     Method    // LevenbergMarquardt where nothing is set
	Linear     float64   // done when the position is within this (m)
	Angular    float64   // and the orientation within this (rad)
	Iterations int       // maximum number in one attempt
	Attempts   int       // the first one begins at the seed, the others at random
	Seed       uint64    // of those
	Rest       []float64 // posture to keep to where freedom remains, of DampedLeastSquares and PseudoInverse; nil: none

	model          *multibody.Model
	data           *multibody.Data
	lower, upper   []float64 // of the velocity coordinates' positions; infinite if there are none
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
	transposeFactor   = 30  // the transpose may iterate longer by this factor
	patient           = 10  // number of attempts, the last ones, that continue when they become slow: they yield the reason of a failure
	probation         = 5   // the others must, within this number of iterations,
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
// first brought into them. NaN and infinite numbers give [ErrNotFinite]; q then stays as it is. q0 and q have length NQ.
func (s *Solver) Solve(q0 []float64, tasks []Task, q []float64) error {
	s.want("Solve", "q0", len(q0))
	s.want("Solve", "q", len(q))
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

func (s *Solver) want(function, what string, n int) {
	if n != s.model.NQ() {
		panic(fmt.Sprintf("ik: %s: %s has %d elements, want %d", function, what, n, s.model.NQ()))
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

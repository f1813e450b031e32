package robots

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/multibody/batch"
)

const (
	calls            = 2000 // of an algorithm, in a batch
	states           = 64   // random states, in turn; all together in a call of robot/multibody/batch
	laneCalls        = 500  // of robot/multibody/batch, in a batch
	seed      uint64 = 7
)

// least returns the least mean duration of a call, in ns.
func least(batches, calls int, call func(i int)) float64 {
	shortest := time.Duration(0)
	for b := range batches {
		begin := time.Now()
		for i := range calls {
			call(i)
		}
		if d := time.Since(begin); b == 0 || d < shortest {
			shortest = d
		}
	}
	return float64(shortest.Nanoseconds()) / float64(calls)
}

// TimeModel returns the ns of each algorithm of robot/multibody, the least of a number of batches.
func (r Robot) TimeModel(batches int) (map[string]float64, error) {
	m, err := r.Model()
	if err != nil {
		return nil, err
	}
	tool, err := m.Link(r.Tool)
	if err != nil {
		return nil, err
	}
	d, n := multibody.NewData(m), m.NV()
	random := rand.New(rand.NewPCG(seed, 0))
	type state struct{ q, v, a, tau []float64 }
	var all [states]state
	for i := range all {
		x := &all[i]
		x.q, x.v, x.a, x.tau = make([]float64, m.NQ()), make([]float64, n), make([]float64, n), make([]float64, n)
		m.Random(random, x.q)
		for k := range n {
			x.v[k], x.a[k], x.tau[k] = random.NormFloat64(), random.NormFloat64(), random.NormFloat64()
		}
	}
	out, J := make([]float64, n), make([]float64, 6*n)
	A, B, C := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	t := map[string]float64{}
	for name, call := range map[string]func(x *state){
		"fk":               func(x *state) { multibody.FK(d, x.q) },
		"jacobian":         func(x *state) { multibody.Jacobian(d, x.q, tool, multibody.Mixed, J) },
		"rnea":             func(x *state) { multibody.RNEA(d, x.q, x.v, x.a, out) },
		"aba":              func(x *state) { multibody.ABA(d, x.q, x.v, x.tau, out) },
		"crba":             func(x *state) { multibody.CRBA(d, x.q, A) },
		"rnea_derivatives": func(x *state) { multibody.RNEADerivatives(d, x.q, x.v, x.a, A, B, C) },
		"aba_derivatives":  func(x *state) { multibody.ABADerivatives(d, x.q, x.v, x.tau, out, A, B, C) },
	} {
		t[name] = least(batches, calls, func(i int) { call(&all[i%states]) })
	}
	return t, nil
}

// TimeBatch returns the ns of each algorithm of robot/multibody/batch, for each state.
func (r Robot) TimeBatch(batches int) (map[string]float64, error) {
	m, err := r.Model()
	if err != nil {
		return nil, err
	}
	b := batch.New(m)
	random := rand.New(rand.NewPCG(seed, 0))
	q, one := make([]float64, m.NQ()*states), make([]float64, m.NQ())
	for state := range states {
		m.Random(random, one)
		for k, x := range one {
			q[k*states+state] = x
		}
	}
	x := make([][]float64, 3)
	for i := range x {
		for range m.NV() * states {
			x[i] = append(x[i], random.NormFloat64())
		}
	}
	var links []int
	for _, j := range m.Joints() {
		link, err := m.Link(j.Child)
		if err != nil {
			return nil, err
		}
		links = append(links, link)
	}
	poses := make([]float64, 12*len(links)*states)
	t := map[string]float64{}
	for name, call := range map[string]func(int){
		"fk":   func(int) { b.FK(q, links, poses) },
		"rnea": func(int) { b.RNEA(q, x[0], x[1], x[2]) },
		"aba":  func(int) { b.ABA(q, x[0], x[1], x[2]) },
	} {
		t[name] = least(batches, laneCalls, call) / states
	}
	return t, nil
}

// TimeInverse solves inverse kinematics from random configurations for the poses of others. It returns how many were "solved", and
// the ns of one, the median, as "inverse".
func (r Robot) TimeInverse(poses int) (map[string]float64, error) {
	m, err := r.Model()
	if err != nil {
		return nil, err
	}
	tool, err := m.Link(r.Tool)
	if err != nil {
		return nil, err
	}
	d, s, random := multibody.NewData(m), ik.NewSolver(m), rand.New(rand.NewPCG(seed, 0))
	q := make([]float64, m.NQ())
	solved, took := 0, make([]time.Duration, poses)
	for i := range took {
		m.Random(random, q)
		multibody.FK(d, q)
		goal := d.Pose(tool)
		m.Random(random, q)
		begin := time.Now()
		if s.Solve(q, []ik.Task{ik.Reach(tool, goal)}, q) == nil {
			solved++
		}
		took[i] = time.Since(begin)
	}
	slices.Sort(took)
	return map[string]float64{"solved": float64(solved), "inverse": float64(took[poses/2].Nanoseconds())}, nil
}

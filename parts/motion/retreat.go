package motion

import (
	"slices"

	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// retreat judges configurations of a robot that has balls within margin: each ball that is nearer to a body than margin must be no nearer to it
// than at the configuration before, and nothing may touch.
type retreat struct {
	engine   *exact.Engine // with balls as large as they are
	balls    []string      // names of their bodies
	within   float64       // distance between a ball and the robot that is enough, m
	near     []scene.Contact
	next     []scene.Contact
	touching bool // where the retreat began
}

// slack is by how much a ball may come nearer from one configuration to the next, m: what distances are not exact by.
const slack = 1e-6

func newRetreat(s *scene.Scene, balls []string, within float64) (*retreat, error) {
	r := &retreat{engine: exact.New(s), balls: balls, within: within}
	var err error
	for range 2 { // the engine keeps all memory that it needs
		if r.near, err = r.engine.Near(make([]float64, s.NQ()), farthest, r.near[:0]); err != nil {
			return nil, err
		}
	}
	r.next = make([]scene.Contact, 0, cap(r.near))
	return r, nil
}

// begin takes the configuration q of the scene as the one before.
func (r *retreat) begin(q []float64) error {
	var err error
	r.near, err = r.engine.Near(q, r.within, r.near[:0])
	r.touching = slices.ContainsFunc(r.near, touches)
	return err
}

func touches(c scene.Contact) bool { return c.Distance <= 0 }

// allows reports whether the robot may move on to q, and if so takes it as the configuration before.
func (r *retreat) allows(q []float64) (bool, error) {
	var err error
	if r.next, err = r.engine.Near(q, r.within, r.next[:0]); err != nil || r.touching {
		return false, err
	}
	for i := range r.next {
		if c := &r.next[i]; touches(*c) || c.Distance < r.before(c.Pair)-slack {
			return false, nil
		}
	}
	r.near, r.next = r.next, r.near
	return true, nil
}

// before returns the distance that a pair had to have: for a ball what it was, and none for others.
func (r *retreat) before(p scene.Pair) float64 {
	if !slices.Contains(r.balls, p.A) && !slices.Contains(r.balls, p.B) {
		return 0
	}
	for i := range r.near {
		if r.near[i].Pair == p {
			return r.near[i].Distance
		}
	}
	return r.within
}

package scene

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Why [FindAllowed] allows a pair; the words are those of SRDF files.
const (
	Adjacent = "Adjacent" // one joint joins the links, and they touch or overlap in some sample
	Always   = "Always"   // they touch or overlap in all samples
	Never    = "Never"    // they touch in no sample
)

// AllowedPair is a pair of bodies that need no check.
type AllowedPair struct {
	Pair
	Reason string // Adjacent, Always or Never
}

// FindAllowed samples configurations of the engine's scene within the limits of the joints and returns the checked pairs of links that need no
// check, sorted. It is a guess: a pair that touches in a tiny part of the configurations may be listed as Never. With more samples the guess is
// better; 10,000 are usual. The same seed returns the same pairs.
func FindAllowed(e Engine, samples int, seed uint64) ([]AllowedPair, error) {
	s := e.Scene()
	if samples < 1 {
		return nil, fmt.Errorf("find pairs of links that may touch: %d samples, want at least 1", samples)
	}
	hits := map[Pair]int{}
	r := rand.New(rand.NewPCG(seed, 0))
	q := make([]float64, s.nq)
	var list []Pair
	for range samples {
		rest := q
		for i := range s.models {
			n := s.models[i].Model.NQ()
			s.models[i].Model.Random(r, rest[:n])
			rest = rest[n:]
		}
		var err error
		if list, err = e.Touching(q, list[:0]); err != nil {
			return nil, err
		}
		for _, p := range list {
			hits[p.ordered()]++
		}
	}
	var found []AllowedPair
	for i := range s.bodies {
		for j := range i {
			a, b := &s.bodies[j], &s.bodies[i]
			if a.Object || b.Object || !s.Checked(i, j) {
				continue
			}
			p := Pair{a.Name, b.Name}.ordered()
			switch n := hits[p]; {
			case n == 0:
				found = append(found, AllowedPair{p, Never})
			case n == samples:
				found = append(found, AllowedPair{p, Always})
			case s.adjacent(a, b):
				found = append(found, AllowedPair{p, Adjacent})
			}
		}
	}
	slices.SortFunc(found, func(x, y AllowedPair) int {
		return slices.Compare([]string{x.A, x.B}, []string{y.A, y.B})
	})
	return found, nil
}

// adjacent reports whether one joint of a model joins two links.
func (s *Scene) adjacent(a, b *Body) bool {
	if a.Model != b.Model {
		return false
	}
	m := s.models[a.Model].Model
	bodyA, _ := m.LinkFrame(a.Link)
	bodyB, _ := m.LinkFrame(b.Link)
	for _, j := range m.Joints() {
		child, err := m.Link(j.Child)
		if err != nil {
			continue
		}
		parent, err := m.Link(j.Parent)
		if err != nil {
			continue
		}
		c, _ := m.LinkFrame(child)
		p, _ := m.LinkFrame(parent)
		if p == bodyA && c == bodyB || p == bodyB && c == bodyA {
			return true
		}
	}
	return false
}

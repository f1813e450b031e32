package motion

import (
	"math"
	"math/rand/v2"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// exits finds ways by which a robot leaves balls that are nearer to it than margin: straight ones, on which a [retreat] allows each configuration.
type exits struct {
	verifier *planning.Verifier // with margin
	retreat  *retreat
	prover   *proof.Prover // without it
	joints   *space.Joints
	source   *rand.PCG
	random   *rand.Rand // from it

	way, best, point []float64
	q                []float64
}

// How exits are searched.
const (
	exitWays   = 200         // directions that are tried
	exitStep   = step / 4    // between configurations, rad or m as the norm over all joints
	exitLength = math.Pi / 2 // of the longest way
)

func newExits(v *planning.Verifier, w *world, k int, within float64) (*exits, error) {
	r, err := newRetreat(w.bare[k], w.balls, within)
	if err != nil {
		return nil, err
	}
	prover, err := proof.NewProver(w.bare[k], w.joints, 1e-3)
	source := rand.NewPCG(0, 0)
	return &exits{
		verifier: v, retreat: r, prover: prover, joints: w.joints, source: source, random: rand.New(source),
		way: make([]float64, w.dim), best: make([]float64, w.dim), point: make([]float64, w.dim), q: make([]float64, len(w.q)),
	}, err
}

// find returns the nearest configuration to start, of those on ways in random directions, from which plans may begin, valid until the next call; nil if it finds none.
func (e *exits) find(start []float64) ([]float64, error) {
	e.joints.Configuration(start, e.q)
	if err := e.retreat.begin(e.q); err != nil || e.retreat.touching {
		return nil, err
	}
	e.source.Seed(1, 1)
	least := exitLength
	found := false
	for range exitWays {
		size := 0.0
		for i := range e.way {
			e.way[i] = e.random.NormFloat64()
			size += e.way[i] * e.way[i]
		}
		length, err := e.follow(start, 1/math.Sqrt(size), least)
		if err != nil {
			return nil, err
		}
		if length >= least {
			continue
		}
		if verdict, err := e.prover.Edge(start, e.point); err != nil {
			return nil, err
		} else if verdict.Free {
			least, found = length, true
			copy(e.best, e.point)
		}
	}
	if !found {
		return nil, nil
	}
	return e.best, nil
}

// follow goes from start along the way times scale, and stops at the first configuration that is free, as is the one before: a point of the way, whose length it
// returns, or most if there is none nearer.
func (e *exits) follow(start []float64, scale, most float64) (length float64, err error) {
	e.joints.Configuration(start, e.q)
	if err := e.retreat.begin(e.q); err != nil {
		return most, err
	}
	before := false
	for length = exitStep; length < most; length += exitStep {
		for i, d := range e.way {
			e.point[i] = start[i] + length*scale*d
		}
		e.joints.Configuration(e.point, e.q)
		if allowed, err := e.retreat.allows(e.q); !allowed || err != nil || e.joints.Outside(e.point) >= 0 {
			return most, err
		}
		free := e.verifier.Free(e.point)
		if free && before {
			return length, nil
		}
		before = free
	}
	return most, nil
}

package plans

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// Limits of distances.
const (
	nearestPairs = 5    // of a reply
	firstReach   = 0.05 // m within which pairs are looked for first; doubled until there are enough
	lastReach    = 100  // m beyond which none is looked for
)

// DistancesRequest asks how far bodies are apart.
type DistancesRequest struct {
	System  string    `json:"system"`
	Robot   string    `json:"robot"`
	Objects []Object  `json:"objects"`
	Q       []float64 `json:"q"`              // positions of all joints, rad or m
	Pair    []string  `json:"pair,omitempty"` // two links or obstacles; empty: the nearest pairs among those that are checked for collisions
}

// DistancesReply holds pairs of bodies, the nearest first.
type DistancesReply struct {
	Pairs []Contact `json:"pairs"` // at most 5; with a pair in the request that one, whether it is checked for collisions or not
}

// Distances measures by the exact engine how far two bodies are apart, or which are nearest. It fails for a body without collision geometry.
func (p *Plans) Distances(ctx context.Context, q DistancesRequest) (*DistancesReply, error) {
	reply, err := p.distances(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("measure distances: %w", err)
	}
	return reply, nil
}

func (p *Plans) distances(ctx context.Context, q DistancesRequest) (*DistancesReply, error) {
	w, joints, err := p.worldOf(ctx, q.System, q.Robot, q.Q)
	if err != nil {
		return nil, err
	}
	switch {
	case len(q.Objects) > mostObjects:
		return nil, fmt.Errorf("%d obstacles: want at most %d", len(q.Objects), mostObjects)
	case len(q.Pair) != 0 && (len(q.Pair) != 2 || q.Pair[0] == q.Pair[1]):
		return nil, fmt.Errorf("the pair is %q: want two different bodies", q.Pair)
	}
	s, err := sceneWith(w.Scene, q.Objects)
	if err != nil {
		return nil, err
	}
	turn, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	defer turn.end()
	engine, full := exact.New(s), make([]float64, s.NQ())
	joints.Configuration(q.Q, full)
	if len(q.Pair) == 0 {
		return nearestOf(ctx, engine, full, turn)
	}
	bodies, err := s.Find(q.Pair...)
	if err != nil {
		return nil, err
	}
	c, err := engine.Between(full, bodies[:1], bodies[1:])
	if err == nil && math.IsInf(c.Distance, 0) {
		err = errors.New("a body of the pair has no collision geometry")
	}
	if err != nil {
		return nil, err
	}
	return &DistancesReply{contacts([]scene.Contact{c})}, nil
}

// nearestOf returns the nearest pairs at a configuration.
func nearestOf(ctx context.Context, engine *exact.Engine, full []float64, turn *turn) (*DistancesReply, error) {
	var list []scene.Contact
	for reach := firstReach; len(list) < nearestPairs && reach < lastReach; reach *= 2 {
		turn.pass()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if list, err = engine.Near(full, reach, list[:0]); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(list, func(a, b scene.Contact) int { return cmp.Compare(a.Distance, b.Distance) })
	return &DistancesReply{contacts(list[:min(nearestPairs, len(list))])}, nil
}

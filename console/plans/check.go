package plans

import (
	"context"
	"fmt"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// CheckRequest asks whether a motion is free, such as one that a block would make of a plan.
type CheckRequest struct {
	System  string      `json:"system"`
	Robot   string      `json:"robot"`
	Objects []Object    `json:"objects"`
	Q       [][]float64 `json:"q"` // joint positions, rad or m, with straight ways between them
}

// CheckReply holds the verdict on a motion.
type CheckReply struct {
	Why *Reason `json:"why"` // nil: it is free
}

// Check decides by the exact engine whether a motion is free, at points the resolution apart.
func (p *Plans) Check(ctx context.Context, q CheckRequest) (*CheckReply, error) {
	if len(q.Q) == 0 || len(q.Q) > checkedPoints || len(q.Objects) > mostObjects {
		return nil, fmt.Errorf("check a motion: %d points among %d obstacles: want 1 to %d points and at most %d obstacles", len(q.Q), len(q.Objects), checkedPoints, mostObjects)
	}
	w, joints, err := p.worldOf(ctx, q.System, q.Robot, q.Q...)
	if err != nil {
		return nil, fmt.Errorf("check a motion: %w", err)
	}
	for i := 1; i < len(q.Q); i++ {
		if joints.Distance(q.Q[i-1], q.Q[i]) > longestWay {
			return nil, fmt.Errorf("check a motion: the way to point %d of %d is longer than %g rad or m", i+1, len(q.Q), longestWay)
		}
	}
	s, err := sceneWith(w.Scene, q.Objects)
	if err != nil {
		return nil, err
	}
	turn, err := p.take(ctx)
	if err != nil {
		return nil, fmt.Errorf("check a motion: %w", err)
	}
	defer turn.end()
	engine := exact.New(s)
	verifier, err := planning.NewVerifier(engine, joints, w.Resolution)
	if err != nil {
		return nil, err
	}
	full := make([]float64, s.NQ())
	for i, point := range q.Q {
		turn.pass()
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("check a motion: %w", err)
		}
		if i > 0 && verifier.Edge(q.Q[i-1], point) || i == 0 && verifier.Free(point) {
			continue
		}
		joints.Configuration(point, full)
		list, err := engine.Contacts(full, nil)
		if err != nil {
			return nil, err
		}
		return &CheckReply{&Reason{Kind: "contact", Text: fmt.Sprintf("check a motion: it is in collision at or before point %d of %d", i+1, len(q.Q)), Contacts: contacts(list)}}, nil
	}
	return &CheckReply{}, nil
}

package plans

import (
	"context"
	"fmt"

	"github.com/sinew-robotics/sinew/robot/program"
)

// mostTimed is how many points of a path are timed: as many as a block takes.
const mostTimed = 512

// PathRequest asks how a block would run a path.
type PathRequest struct {
	Entry
	Start  []float64   `json:"start"`  // positions of all joints at which it begins, rad or m
	Points [][]float64 `json:"points"` // that it passes, in the same form
}

// Time describes the motion that the block which runs paths of a robot makes of a path: its times, its speeds, and which limits bind, as of a program of one move.
// A path that the block would refuse is no error: see [ProgramReply].
func (p *Plans) Time(ctx context.Context, q PathRequest) (*ProgramReply, error) {
	fail := func(err error) (*ProgramReply, error) { return nil, fmt.Errorf("time a path: %w", err) }
	if len(q.Points) == 0 || len(q.Points) > mostTimed {
		return fail(fmt.Errorf("it has %d points: wants 1 to %d", len(q.Points), mostTimed))
	}
	w, _, err := p.worldOf(ctx, q.System, q.Robot, append([][]float64{q.Start}, q.Points...)...)
	if err != nil {
		return fail(err)
	}
	arm, err := p.robots.PathArm(ctx, q.System, q.Robot)
	if err != nil {
		return fail(err)
	}
	turn, err := p.take(ctx)
	if err != nil {
		return fail(err)
	}
	defer turn.end()
	c, err := newCompilation(w, arm, nil, &ProgramRequest{Entry: q.Entry, Start: q.Start})
	if err != nil {
		return fail(err)
	}
	var points []float64
	for _, all := range q.Points {
		for _, i := range c.order {
			points = append(points, all[i])
		}
	}
	c.program = program.Through(c.robot.Model, c.start, points)
	r := newReply("")
	if c.motion, err = program.Compile(c.program, c.robot, c.start); err != nil {
		c.failed(r, err)
		return r, nil
	}
	c.describe(r)
	return r, nil
}

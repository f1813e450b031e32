package servo

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// PoseSequence is a [Generator] that moves from pose to pose automatically, and from the last one to the first again.
//
//	       ┌──────────────┐
//	moveTo │ PoseSequence ├─► position, velocity, acceleration
//	       └──────────────┘
//
// It begins at the last pose. With running false it rests after it has reached the next pose, and executes moveTo; with running
// true it continues the sequence.
type PoseSequence struct {
	Generator

	Poses   block.Const[[]float64] `unit:"{Coordinate}" doc:"positions of all axes in the first pose, then in the second, and so on"`
	Times   block.Const[[]float64] `unit:"s" min:"1e-6" doc:"duration of the move to each of the poses"`
	Running block.Param[bool]      `default:"true" doc:"continue with the next pose"`

	next int
}

var errNoPose = errors.New("poses is empty: wants at least one pose")

// Setup checks the poses.
func (g *PoseSequence) Setup(s *block.Setup) error {
	n, poses, times := g.N.Value(), g.Poses.Value(), g.Times.Value()
	switch {
	case len(poses) == 0:
		return errNoPose
	case len(poses) != n*len(times):
		return fmt.Errorf("poses has length %d and times %d: wants %d positions for each time", len(poses), len(times), n)
	}
	if err := g.Generator.Setup(s); err != nil {
		return err
	}
	copy(g.target, poses[len(poses)-n:])
	for i := range times { // each is checked
		if _, err := g.moveTo(g.move(i)); err != nil {
			return fmt.Errorf("pose %d: %w", i+1, err)
		}
	}
	copy(g.target, poses[len(poses)-n:])
	g.duration = 0
	return nil
}

// move returns the move to pose i, from 0.
func (g *PoseSequence) move(i int) Move {
	n := g.N.Value()
	return Move{Positions: g.Poses.Value()[i*n : (i+1)*n], Duration: g.Times.Value()[i]}
}

// Step begins the next move where one has ended, and writes the planned motion.
func (g *PoseSequence) Step(t clock.Tick) error {
	if g.since >= g.duration && g.Running.Value() {
		if _, err := g.moveTo(g.move(g.next)); err != nil {
			return err
		}
		g.next = (g.next + 1) % len(g.Times.Value())
	}
	return g.Generator.Step(t)
}

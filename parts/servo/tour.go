package servo

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Tour is a [Generator] that goes by itself from pose to pose, and from the last one to the first again.
//
//	       ┌──────┐
//	moveTo │ Tour ├─► position, velocity, acceleration
//	       └──────┘
//
// It begins at the last pose. While it is switched off it rests when it has reached the next pose, and goes where
// moveTo says; switched on again it goes on with the tour.
type Tour struct {
	Generator

	Poses   block.Const[[]float64] `unit:"rad" doc:"positions of all axes in the first pose, in the second, and so on"`
	Times   block.Const[[]float64] `unit:"s" doc:"time of the way to each of the poses"`
	Touring block.Param[bool]      `default:"true" doc:"go on with the tour"`

	next int
}

var errNoPose = errors.New("poses is empty: wants at least one pose")

// Setup checks the poses.
func (g *Tour) Setup(s *block.Setup) error {
	n, poses, times := g.N.Value(), g.Poses.Value(), g.Times.Value()
	switch {
	case len(poses) == 0:
		return errNoPose
	case len(poses) != n*len(times):
		return fmt.Errorf("poses has %d elements and times %d: wants %d positions for each time", len(poses), len(times), n)
	}
	if err := g.Generator.Setup(s); err != nil {
		return err
	}
	copy(g.target, poses[len(poses)-n:])
	for i := range times { // says what is wrong with one
		if _, err := g.moveTo(g.move(i)); err != nil {
			return fmt.Errorf("pose %d: %w", i+1, err)
		}
	}
	copy(g.target, poses[len(poses)-n:])
	g.duration = 0
	return nil
}

// move returns the way to pose i, from 0.
func (g *Tour) move(i int) Move {
	n := g.N.Value()
	return Move{Positions: g.Poses.Value()[i*n : (i+1)*n], Duration: g.Times.Value()[i]}
}

// Step goes on.
func (g *Tour) Step(t clock.Tick) error {
	if g.since >= g.duration && g.Touring.Value() {
		if _, err := g.moveTo(g.move(g.next)); err != nil {
			return err
		}
		g.next = (g.next + 1) % len(g.Times.Value())
	}
	return g.Generator.Step(t)
}

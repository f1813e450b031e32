package servo

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
)

// mostPoints is how many points a path of operations has.
const mostPoints = 512

// PathPoint is a point of a path.
type PathPoint struct {
	Number    int64     `doc:"of the point, from 1, which begins a new path; at most 512"`
	Positions []float64 `doc:"of all joints, in the order of the model"`
}

// Errors of operations with paths.
var (
	errPoint  = errors.New("addPoint: a position is beyond the limits of its joint, or not a number")
	errFull   = errors.New("addPoint: the path has 512 points already: leave out points that lie on the way between others")
	errOrder  = errors.New("addPoint: points come in their order, and 1 begins a new path: another one sends points at the same time, or the block was started again")
	errNoPath = errors.New("runPath: the path has no point: add one by addPoint")
)

func (p *Program) addPoint(q PathPoint) (block.None, error) {
	switch next := int64(len(p.points)/len(p.rest)) + 1; {
	case q.Number == 1:
		p.points = p.points[:0]
	case q.Number != next:
		return block.None{}, errOrder
	case q.Number > mostPoints:
		return block.None{}, errFull
	}
	for i, x := range q.Positions {
		if !(x >= p.axes.lower[i] && x <= p.axes.upper[i]) || math.IsInf(x, 0) {
			return block.None{}, errPoint
		}
	}
	p.points = append(p.points, q.Positions...)
	return block.None{}, nil
}

// runPath asks for the compilation of a movePath from where the joints are through the points, which are forgotten.
func (p *Program) runPath(block.None) (block.None, error) {
	switch {
	case !p.begin():
		return block.None{}, errProgramUnbegun
	case len(p.points) == 0:
		return block.None{}, errNoPath
	case p.player != nil && !p.player.Resting():
		return block.None{}, errProgramMoves
	case p.state == stateCompiling || p.desk.status.Load() != deskFree:
		return block.None{}, errCompiling
	}
	d := &p.desk
	d.points = append(d.points[:0], p.points...)
	p.points = p.points[:0]
	p.hold()
	p.request(-1)
	return block.None{}, nil
}

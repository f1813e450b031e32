package spheres

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/scene/spheres/internal/record"
)

// CollideAlong reports whether bodies of a checked pair touch or overlap on a line of configurations; see [scene.LineEngine].
func (e *Engine) CollideAlong(from, step []float64, points, of int) (hit bool, err error) {
	if n := len(e.at); len(from) != n || len(step) != n {
		panic(fmt.Sprintf("scene: a line has configurations of %d and %d coordinates, want %d", len(from), len(step), n))
	}
	if e.block == nil || !e.block.aim(from, step) {
		return e.collideOneByOne(from, step, points, of)
	}
	// The part that is farthest from the start comes first: a way from a free point is more often blocked there.
	unit := float32(1 / float64(of))
	lanes := e.block.lanes
	for j := range 2 {
		for part := parts(points, lanes) - 1; part >= 0; part-- {
			first, last, blocks := split(points, part, lanes)
			if j >= blocks {
				continue
			}
			e.block.spread = record.Spread{First: float32(first + 1 + j), Stride: float32(blocks), Last: float32(last), Unit: unit}
			if e.block.hits(e) {
				return true, nil
			}
		}
	}
	return false, nil
}

// parts returns into how many parts a line with a number of points is divided. A part is two blocks that interleave, so that its points are near each other,
// as few obstacles are then near them, but not neighbors; the last part may be one block.
func parts(points, lanes int) int { return (points + 2*lanes - 1) / (2 * lanes) }

// split returns the points of a part, those after first up to last, and the number of its blocks. All parts together have no more blocks than hold the points.
func split(points, part, lanes int) (first, last, blocks int) {
	all := (points + lanes - 1) / lanes
	first, last = points*2*part/all, points*min(2*part+2, all)/all
	return first, last, (last - first + lanes - 1) / lanes
}

// collideOneByOne checks the points in the order of van der Corput, coarse before fine, because neighbors tend to agree.
func (e *Engine) collideOneByOne(from, step []float64, points, of int) (hit bool, err error) {
	stride := 1
	for 2*stride <= points {
		stride *= 2
	}
	for ; stride >= 1; stride /= 2 {
		for k := stride; k <= points; k += 2 * stride {
			t := float64(k) / float64(of)
			for i := range e.at {
				e.at[i] = from[i] + t*step[i]
			}
			if _, hit, err = e.Collide(e.at); hit || err != nil {
				return hit, err
			}
		}
	}
	return false, nil
}

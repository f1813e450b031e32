package timed

import (
	"math"
	"math/rand/v2"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// quickener moves the points between the ends of a path so that the motion along it takes less time: one at a time, at random and by ever less, and again the
// same way where that was quicker. The duration is estimated ([trajectory.Estimator]), so only moves that make it quicker are checked for contacts: some thirty of 2000.
type quickener struct {
	estimate   *trajectory.Estimator
	joints     *space.Joints
	verifier   *planning.Verifier
	limits     []trajectory.Limits
	source     *rand.PCG
	random     *rand.Rand // from it
	step, last []float64  // of a point, and where it was
	a, b       []float64  // ends of a chord
}

// How far an axis is moved at most: its way at its greatest speed in this share of the duration.
const (
	firstMove = 0.1
	lastMove  = 0.005
)

// quicker is by how much a move must shorten the duration, as a share of it.
const quicker = 1e-3

// chord is where the chord across a corner is checked, as the share of either edge. The rounded motion runs between it and the corner.
const chord = 0.4

func newQuickener(j *space.Joints, v *planning.Verifier, limits []trajectory.Limits) *quickener {
	n, source := len(limits), rand.NewPCG(0, 0)
	return &quickener{
		estimate: trajectory.NewEstimator(limits), joints: j, verifier: v, limits: limits, source: source, random: rand.New(source),
		step: make([]float64, n), last: make([]float64, n), a: make([]float64, n), b: make([]float64, n),
	}
}

// quicken moves the points of a path, a value for each axis one after the other, a number of times.
func (x *quickener) quicken(points []float64, moves int, seed uint64) {
	n := len(x.limits)
	between := len(points)/n - 2
	if between < 1 {
		return
	}
	x.source.Seed(seed, 0)
	duration := x.estimate.Duration(points)
	share, less := firstMove, math.Pow(lastMove/firstMove, 1/float64(moves))
	again, k := false, 0
	for move := range moves {
		if !again {
			k = 1 + move%between
			x.draw(2 * share * duration)
		}
		at := points[k*n : (k+1)*n]
		copy(x.last, at)
		for i, d := range x.step {
			at[i] += d
		}
		d := x.estimate.Duration(points)
		if again = d < duration*(1-quicker) && x.free(points[(k-1)*n:(k+2)*n]); again {
			duration = d
		} else {
			copy(at, x.last)
		}
		share *= less
	}
}

// draw draws a step of up to half the way at the greatest speed in a time.
func (x *quickener) draw(time float64) {
	for i := range x.step {
		x.step[i] = (x.random.Float64() - 0.5) * time * x.limits[i].Velocity
	}
}

// free reports whether the second of three points is free, and the ways from it to the others, and across the corner.
func (x *quickener) free(points []float64) bool {
	n := len(x.limits)
	from, at, to := points[:n], points[n:2*n], points[2*n:]
	for i, circle := range x.joints.Circle {
		if circle && max(math.Abs(at[i]-from[i]), math.Abs(to[i]-at[i])) > math.Pi {
			return false // the verifier examines the shorter way
		}
	}
	if x.joints.Outside(at) >= 0 || !x.verifier.Edge(from, at) || !x.verifier.Edge(at, to) {
		return false
	}
	for i, p := range at {
		x.a[i], x.b[i] = p+chord*(from[i]-p), p+chord*(to[i]-p)
	}
	return x.verifier.Edge(x.a, x.b)
}

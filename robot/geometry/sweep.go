package geometry

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// ErrTolerance refuses a tolerance of a sweep that is not positive.
var ErrTolerance = errors.New("geometry: sweep a pair of shapes: the tolerance is not a positive length; want for example 1e-4 m")

// sweepSteps bounds the advances of a sweep.
const sweepSteps = 1000

// Motion is a movement of a frame in the time from 0 to 1: its origin goes straight from one pose to the other, and it turns at a constant rate
// about one axis, by the shorter way.
type Motion struct{ From, To spatial.Pose }

// At returns the pose at time t.
func (m *Motion) At(t float64) spatial.Pose {
	return spatial.Pose{R: m.From.R.Mul(spatial.Exp(m.turn().Scale(t))), P: m.From.P.Lerp(m.To.P, t)}
}

// turn returns the rotation vector of the whole motion in the moving frame, rad.
func (m *Motion) turn() spatial.Vec3 { return m.From.R.T().Mul(m.To.R).Log() }

// Sweep returns the first time, from 0 to 1, at which two moving shapes come within tolerance (m, > 0), and their contact then; hit is false
// if they do not. It advances as far as no contact is possible: the distance along the normal n of two convex shapes shrinks at most by
//
//	n·(vA - vB) + |ωA| rA + |ωB| rB
//
// per unit of time, where r is the reach of a shape (conservative advancement, Mirtich 1996; Tang, Kim and Manocha 2009), and that of others by
// |vA - vB| + …, since other parts than the nearest may meet. No motion passes through a thin shape. A motion that grazes for more than 1000 steps counts as a hit. A plane must not turn: [ErrUnbounded].
func (q *Query) Sweep(a *Shape, ma *Motion, b *Shape, mb *Motion, tolerance float64) (at float64, c Contact, hit bool, err error) {
	if !(tolerance > 0 && tolerance <= Limit) {
		return 0, c, false, ErrTolerance
	}
	for _, p := range [4]*spatial.Pose{&ma.From, &ma.To, &mb.From, &mb.To} {
		if !valid(p) {
			return 0, c, false, ErrPose
		}
	}
	turnA, turnB := ma.turn(), mb.turn()
	rate := 0.0
	for _, x := range [2]struct{ turn, reach float64 }{{turnA.Norm(), a.Reach()}, {turnB.Norm(), b.Reach()}} {
		if math.IsInf(x.reach, 1) {
			if x.turn > 1e-12 {
				return 0, c, false, ErrUnbounded
			}
			continue
		}
		rate += x.turn * x.reach
	}
	v := ma.To.P.Sub(ma.From.P).Sub(mb.To.P.Sub(mb.From.P))
	convex := a.kind <= Plane && b.kind <= Plane // later kinds are not
	q.swept = WarmStart{}
	pa, pb := ma.From, mb.From
	for range sweepSteps {
		if c, err = q.Distance(a, &pa, b, &pb, &q.swept); err != nil {
			return 0, c, false, err
		}
		if c.Distance <= tolerance {
			return at, c, true, nil
		}
		closing := v.Norm() + rate
		if convex {
			closing = c.Normal.Dot(v) + rate
		}
		if closing <= 0 {
			return 1, c, false, nil // it never shrinks
		}
		// half the tolerance remains, so that each advance is long enough
		if at += (c.Distance - tolerance/2) / closing; at > 1 {
			return 1, c, false, nil
		}
		pa = spatial.Pose{R: ma.From.R.Mul(spatial.Exp(turnA.Scale(at))), P: ma.From.P.Lerp(ma.To.P, at)}
		pb = spatial.Pose{R: mb.From.R.Mul(spatial.Exp(turnB.Scale(at))), P: mb.From.P.Lerp(mb.To.P, at)}
	}
	return at, c, true, nil
}

package ik

import (
	"errors"
	"fmt"
)

// Reason is why inverse kinematics found no solution.
type Reason uint8

const (
	OutOfReach Reason = iota // no configuration of the robot, whatever its limits, brings the tool there
	JointLimit               // a configuration exists, but a joint would leave its limits
	Singular                 // the search is stuck where the tool cannot move towards the target
	Iterations               // the search ended before it came near enough, and might yet
)

// String returns the reason in words.
func (r Reason) String() string {
	return [...]string{"out of reach", "joint limit", "singular", "iteration limit"}[r]
}

// Failure is the error of inverse kinematics that found no solution. The configuration that comes nearest is what the
// solver left in its result.
type Failure struct {
	Reason Reason
	// Joint is the one that would have to leave its limits, of JointLimit.
	Joint string
	// By is how much is missing: of OutOfReach the distance (m) by which the target lies too far, 0 where it is not known;
	// of JointLimit how far beyond its limit the joint would be (rad or m).
	By float64
	// Linear and Angular are what is left between tool and target at the nearest configuration (m, rad).
	Linear, Angular float64
	// Iterations is how many were made in all.
	Iterations int
}

// Error describes the reason, and how near the search came.
func (f *Failure) Error() string {
	var why string
	switch {
	case f.Reason == OutOfReach && f.By > 0:
		why = fmt.Sprintf("the target is out of reach by %.3g m", f.By)
	case f.Reason == OutOfReach:
		why = "the target is out of reach"
	case f.Reason == JointLimit:
		why = fmt.Sprintf("joint %q would have to go %.3g beyond its limit", f.Joint, f.By)
	case f.Reason == Singular:
		why = "stuck in a singular configuration: start elsewhere, or allow more attempts"
	default:
		why = fmt.Sprintf("no solution after %d iterations: allow more, or start nearer", f.Iterations)
	}
	if f.Linear == 0 && f.Angular == 0 {
		return "ik: " + why
	}
	return fmt.Sprintf("ik: %s; the nearest configuration misses it by %.3g m and %.3g rad", why, f.Linear, f.Angular)
}

// ErrNotFinite is returned for a target or a seed with NaN or infinite numbers.
var ErrNotFinite = errors.New("ik: the target or the seed is not finite")

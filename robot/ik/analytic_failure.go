package ik

import "math"

// fail explains why there is no solution: limit is that of the solution nearest to being within, excess the distance
// to the reach if there is none.
func (a *Analytic) fail(limit over, excess float64) error {
	switch {
	case math.IsInf(limit.amount, 1) && math.IsInf(excess, 1): // shoulder and wrist in one point
		a.failed = Failure{Reason: Singular}
	case math.IsInf(limit.amount, 1):
		a.failed = Failure{Reason: OutOfReach, By: excess}
	default:
		a.failed = Failure{Reason: JointLimit, Joint: a.chain.axes[limit.joint].name, By: limit.amount}
	}
	return &a.failed
}

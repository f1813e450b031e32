package control

// Complementary joins a rate that drifts (a gyroscope) and an angle that is noisy or slow (an inclinometer, a compass) into one angle:
// the rate decides about what is faster than the time constant T, the angle about what is slower.
//
//	y[k] = a (y[k-1] + h ω[k]) + (1-a) θ[k],   a = T/(T + h)
//
// Differences of angles are wrapped, so that the angle may pass ±π; h is the time since the sample before. The first angle becomes the
// output at once. Make one with NewComplementary.
//
// W. T. Higgins, A comparison of complementary and Kalman filtering, IEEE Transactions on Aerospace and Electronic Systems 11, 1975.
type Complementary struct {
	t       float64
	y       float64
	started bool
}

// NewComplementary returns a filter with the time constant T in s. It panics unless T is positive and finite.
func NewComplementary(t float64) Complementary {
	mustBePositive("Complementary", "time constant", t)
	return Complementary{t: t}
}

// Step returns the angle in (-π, π] after the rate ω (rad/s) and the measured angle θ (rad), h seconds after the previous step. If the
// angle is not finite the rate alone counts, and if the rate or h is not finite, or h negative, the angle stays; Step returns false then.
func (f *Complementary) Step(rate, angle, h float64) (y float64, ok bool) {
	switch {
	case !finite(rate) || !finite(h) || h < 0:
		return f.y, false
	case !f.started && !finite(angle):
		return f.y, false
	case !f.started:
		f.y, f.started = WrapAngle(angle), true
		return f.y, true
	}
	f.y = WrapAngle(f.y + h*rate)
	if !finite(angle) {
		return f.y, false
	}
	f.y = WrapAngle(f.y + h/(f.t+h)*WrapAngle(angle-f.y))
	return f.y, true
}

// Time changes the time constant to T in s from the next step on. It panics unless T is positive and finite.
func (f *Complementary) Time(t float64) {
	mustBePositive("Complementary", "time constant", t)
	f.t = t
}

// Reset forgets the past: the next angle becomes the output.
func (f *Complementary) Reset() { f.y, f.started = 0, false }

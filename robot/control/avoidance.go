package control

import "math"

// Avoidance moves a redundant robot away from obstacles without disturbing a task: the joint velocities that avoid are projected into the null space
// of the task's Jacobian J, so the task has priority.
//
//	v = J⁺ w + N ((1 - a) (vd + k (qd - q)) + Σ hᵢᵀ (hᵢ hᵢᵀ + μ²)⁻¹ s a(dᵢ)),   N = I - J⁺ J,   hᵢ = gᵢ N
//
// w is the velocity of the task, dᵢ the distance of a pair of bodies and gᵢ = ∂dᵢ/∂q its gradient. The activation a falls smoothly from 1 at
// the distance Near to 0 at the distance Far, so a pair that becomes or ceases to be the nearest one changes nothing suddenly, and s a(dᵢ) is
// bounded at any depth. Without obstacles the joints return to the desired motion qd, vd, which a = max a(dᵢ) |hᵢ|/|gᵢ| suspends.
//
// A. A. Maciejewski, C. A. Klein, "Obstacle Avoidance for Kinematically Redundant Manipulators in Dynamically Varying Environments", International
// Journal of Robotics Research 4(3), 1985: the task, and away from the obstacle in its null space. O. Khatib, "Real-Time Obstacle
// Avoidance for Manipulators and Mobile Robots", International Journal of Robotics Research 5(1), 1986: the repulsion that begins at a distance. J⁺ is damped near
// singularities, for each singular value apart: A. A. Maciejewski, C. A. Klein, "Numerical Filtering for the Operation of Robotic Manipulators through Kinematically
// Singular Configurations", Journal of Robotic Systems 5(6), 1988.
//
// Limits of velocity, of acceleration and, by braking in time, of position hold. As far as they allow, only the avoiding motion is reduced; a task that needs more
// is followed more slowly. In each cycle call Begin, Repel for each pair that is nearer than Far, and Step. Make one with NewAvoidance.
type Avoidance struct {
	Near   float64 // distance at and below which a pair is driven apart at Speed, m
	Far    float64 // distance from which on a pair is left alone, m; greater than Near
	Speed  float64 // s, of a distance that grows, m/s; not negative
	Return float64 // k, how fast the joints return to the desired positions, 1/s; not negative

	MaxVelocity     []float64 // of each joint, rad/s or m/s, positive
	MaxAcceleration []float64 // of each joint, rad/s² or m/s², positive
	Lower, Upper    []float64 // limits of position of each joint, rad or m; may be infinite

	n, m     int
	rows     []float64 // the task's Jacobian, turned until its rows are orthogonal: σ v of each singular value
	task     []float64 // the task's velocity, turned with it
	turns    []turn
	away     []float64 // sum of the avoiding velocities
	active   float64   // greatest activation
	suspend  float64   // greatest activation times freedom
	freedom  float64
	h        []float64
	wanted   []float64
	holding  []float64 // J⁺ w + N v of the last step
	joints   []joint
	position []float64
	velocity []float64
	rate     []float64
}

// turn is a rotation of two rows.
type turn struct {
	p, q int
	c, s float64
}

// joint bounds the velocity of a joint in one step.
type joint struct{ lower, upper float64 }

const (
	smallSigma    = 0.05 // singular value below which J⁺ is damped
	mostDamping   = 0.05 // λ at a singularity
	nullDamping   = 1e-3 // below this singular value a direction is free
	awayDamping   = 0.1  // μ, m: joints that hardly change a distance do not race
	sweeps        = 20   // of rotations, at most; three or four are enough
	orthogonal    = 1e-14
	leastGradient = 1e-6 // m/rad
)

// NewAvoidance returns a law for n joints and a task of m rows, at rest at 0, without limits, with no speed. It panics unless both are positive.
func NewAvoidance(n, m int) *Avoidance {
	if n <= 0 || m <= 0 {
		panic("control: Avoidance: expected at least one joint and one row of the task")
	}
	v := func() []float64 { return make([]float64, n) }
	a := &Avoidance{
		Far: 1, MaxVelocity: v(), MaxAcceleration: v(), Lower: v(), Upper: v(),
		n: n, m: m, rows: make([]float64, n*m), task: make([]float64, m), turns: make([]turn, 0, sweeps*m*m/2),
		away: v(), h: v(), wanted: v(), holding: v(), joints: make([]joint, n), position: v(), velocity: v(), rate: v(),
	}
	for i := range n {
		a.MaxVelocity[i], a.MaxAcceleration[i] = math.Inf(1), math.Inf(1)
		a.Lower[i], a.Upper[i] = math.Inf(-1), math.Inf(1)
	}
	return a
}

// Reset puts the joints at rest at the positions q (rad, or m). q has a value for each of the n joints.
func (a *Avoidance) Reset(q []float64) {
	copy(a.position, q)
	clear(a.velocity)
	clear(a.rate)
}

// Position returns where the joints are, rad or m: the memory of the law, valid until the next step.
func (a *Avoidance) Position() []float64 { return a.position }

// Velocity returns the velocities of the joints, rad/s or m/s: the memory of the law, valid until the next step.
func (a *Avoidance) Velocity() []float64 { return a.velocity }

// Acceleration returns the accelerations of the joints in the last step, rad/s² or m/s²: the memory of the law, valid until the next step.
func (a *Avoidance) Acceleration() []float64 { return a.rate }

// Freedom returns which share of the nearest pair's gradient the task leaves free, from 0 to 1: 0 if only the task's own joints could avoid it, 1 if the
// task is indifferent to it or nothing is near.
func (a *Avoidance) Freedom() float64 { return a.freedom }

// Begin begins a cycle with the task's Jacobian, m × n row by row, at the law's position. It returns false, and the cycle must not go on, if an element is not finite.
func (a *Avoidance) Begin(jacobian []float64) bool {
	if len(jacobian) != a.n*a.m || !allFinite(jacobian) {
		return false
	}
	copy(a.rows, jacobian)
	a.orthogonalize()
	clear(a.away)
	a.active, a.suspend, a.freedom = 0, 0, 1
	return true
}

// orthogonalize turns the rows of the Jacobian until they are orthogonal: the singular value decomposition by the one-sided
// method of Jacobi (G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed. 2013, section 8.6.3).
func (a *Avoidance) orthogonalize() {
	a.turns = a.turns[:0]
	for range sweeps {
		done := true
		for p := range a.m {
			for q := p + 1; q < a.m; q++ {
				x, y := a.row(p), a.row(q)
				xx, yy, xy := dot(x, x), dot(y, y), dot(x, y)
				if math.Abs(xy) <= orthogonal*math.Sqrt(xx*yy) || xy == 0 {
					continue
				}
				done = false
				zeta := (yy - xx) / (2 * xy)
				t := 1 / (math.Abs(zeta) + math.Sqrt(1+zeta*zeta))
				if zeta < 0 {
					t = -t
				}
				c := 1 / math.Sqrt(1+t*t)
				turn := turn{p, q, c, c * t}
				for i := range x {
					x[i], y[i] = turn.c*x[i]-turn.s*y[i], turn.s*x[i]+turn.c*y[i]
				}
				a.turns = append(a.turns, turn)
			}
		}
		if done {
			return
		}
	}
}

func (a *Avoidance) row(k int) []float64 { return a.rows[k*a.n : (k+1)*a.n] }

// project sets out = N x. out may be x.
func (a *Avoidance) project(out, x []float64) {
	copy(out, x)
	for k := range a.m {
		r := a.row(k)
		share := dot(r, out) / (dot(r, r) + nullDamping*nullDamping)
		for i := range out {
			out[i] -= share * r[i]
		}
	}
}

// Activation returns a(d) for a distance in m: 1 up to Near, 0 from Far on, and between them the cubic with level ends.
func (a *Avoidance) Activation(distance float64) float64 {
	x := (a.Far - distance) / (a.Far - a.Near)
	switch {
	case !(x > 0):
		return 0
	case x >= 1:
		return 1
	}
	return x * x * (3 - 2*x)
}

// Repel drives a pair of bodies apart whose distance (m, negative: a depth) has this gradient with respect to the joints (m/rad, or 1). It ignores numbers that are
// not finite, and a pair whose distance no joint changes.
func (a *Avoidance) Repel(distance float64, gradient []float64) {
	active, gg := a.Activation(distance), dot(gradient, gradient)
	if active == 0 || !finite(distance) || !finite(gg) || gg < leastGradient*leastGradient {
		return
	}
	a.project(a.h, gradient)
	hh := dot(a.h, a.h)
	freedom := math.Sqrt(min(hh/gg, 1))
	if active > a.active {
		a.active, a.freedom = active, freedom
	}
	a.suspend = max(a.suspend, active*freedom)
	gain := a.Speed * active / (hh + awayDamping*awayDamping)
	for i := range a.away {
		a.away[i] += gain * a.h[i]
	}
}

// Step moves the joints on by dt (s, positive) with the velocity of the task (m values), towards the desired positions with the desired velocities (n values
// each). share is the part of the chosen motion that the limits allow, normally 1; below 1 the task is followed more slowly. ok is false, and nothing changes, if a number is not finite or too
// large to compute with.
func (a *Avoidance) Step(dt float64, task, desired, desiredVelocity []float64) (share float64, ok bool) {
	if !(dt > 0) || !finite(dt) || !allFinite(task) || !allFinite(desired) || !allFinite(desiredVelocity) {
		return 0, false
	}
	a.bound()
	for i, j := range a.joints {
		z := (1-a.suspend)*(desiredVelocity[i]+a.Return*(desired[i]-a.position[i])) + a.away[i]
		a.wanted[i] = min(max(z, j.lower), j.upper)
	}
	a.project(a.wanted, a.wanted)
	a.project(a.holding, a.velocity)
	copy(a.task, task)
	for _, t := range a.turns {
		a.task[t.p], a.task[t.q] = t.c*a.task[t.p]-t.s*a.task[t.q], t.s*a.task[t.p]+t.c*a.task[t.q]
	}
	for k, w := range a.task {
		r := a.row(k)
		gain := w / (dot(r, r) + damping(math.Sqrt(dot(r, r))))
		for i := range r {
			a.holding[i] += gain * r[i]
			a.wanted[i] += gain * r[i]
		}
	}
	if !allFinite(a.holding) || !allFinite(a.wanted) {
		return 0, false
	}
	a.choose(dt)
	return a.move(dt), true
}

// damping returns λ² for a singular value.
func damping(sigma float64) float64 {
	if sigma >= smallSigma {
		return 0
	}
	x := 1 - sigma*sigma/(smallSigma*smallSigma)
	return mostDamping * mostDamping * x * x
}

// bound computes the velocities with which each joint can still stop at its limits, with half of its acceleration.
func (a *Avoidance) bound() {
	for i, q := range a.position {
		a.joints[i] = joint{
			lower: -min(a.MaxVelocity[i], stopping(a.MaxAcceleration[i], q-a.Lower[i])),
			upper: min(a.MaxVelocity[i], stopping(a.MaxAcceleration[i], a.Upper[i]-q)),
		}
	}
}

// stopping returns the velocity from which half of an acceleration stops within a way.
func stopping(acceleration, way float64) float64 {
	if way <= 0 {
		return 0
	}
	return math.Sqrt(acceleration * way)
}

// choose blends the velocities that hold what the null space does with those wanted, as far as all limits allow: the task is the same in both.
func (a *Avoidance) choose(dt float64) {
	low, high := 0.0, 1.0
	for i, j := range a.joints {
		change := a.MaxAcceleration[i] * dt
		lower, upper := max(j.lower, a.velocity[i]-change), min(j.upper, a.velocity[i]+change)
		from, way := a.holding[i], a.wanted[i]-a.holding[i]
		switch {
		case way > 0:
			low, high = max(low, (lower-from)/way), min(high, (upper-from)/way)
		case way < 0:
			low, high = max(low, (upper-from)/way), min(high, (lower-from)/way)
		}
	}
	s := high
	if low > high { // not with the whole task
		s = min(max(high, 0), 1)
	}
	for i := range a.wanted {
		a.wanted[i] = a.holding[i] + s*(a.wanted[i]-a.holding[i])
	}
}

// move enforces the limits on the chosen velocities, and integrates.
func (a *Avoidance) move(dt float64) (share float64) {
	const slack = 1e-9 // rounding is no violation
	share = 1.0
	for i, j := range a.joints {
		switch v := a.wanted[i]; {
		case v > j.upper+slack:
			share = min(share, j.upper/v)
		case v < j.lower-slack:
			share = min(share, j.lower/v)
		}
	}
	blend := 1.0
	for i, v := range a.wanted {
		a.wanted[i] = share * v
		if d := math.Abs(a.wanted[i] - a.velocity[i]); d > a.MaxAcceleration[i]*dt+slack {
			blend = min(blend, a.MaxAcceleration[i]*dt/d)
		}
	}
	for i, v := range a.wanted {
		d := blend * (v - a.velocity[i])
		a.position[i] += dt * (a.velocity[i] + d/2)
		a.velocity[i] += d
		a.rate[i] = d / dt
	}
	return share * blend
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

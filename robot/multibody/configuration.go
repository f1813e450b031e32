package multibody

import (
	"math"
	"math/rand/v2"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// The configuration space is a product over joints: the real line, the circle (continuous joints), SO(3) (spherical)
// and SE(3) (floating). Its operations use velocities v in the coordinates of the model, so that
// Integrate(q0, Difference(q0, q1)) is q1.

// Integrate writes to out the configuration that q reaches when it moves with v for unit time. out may be q.
// q and out have length NQ, v NV.
func (m *Model) Integrate(q, v, out []float64) {
	want("Integrate", "q", len(q), m.nq)
	want("Integrate", "v", len(v), m.nv)
	want("Integrate", "out", len(out), m.nq)
	for i := range m.joints {
		j := &m.joints[i]
		if j.Mimic != nil {
			continue
		}
		switch j.Type {
		case Spherical:
			putQuat(out[j.Q:], quatAt(q[j.Q:]).Mul(spatial.ExpQuat(vecAt(v[j.V:]))))
		case Floating:
			p := quatAt(q[j.Q+3:])
			lin, ang := vecAt(v[j.V:]), vecAt(v[j.V+3:])
			step := spatial.LeftJacobian(ang).MulVec(lin)
			putVec(out[j.Q:], vecAt(q[j.Q:]).Add(p.Rotate(step)))
			putQuat(out[j.Q+3:], p.Mul(spatial.ExpQuat(ang)))
		default:
			for k := range j.Type.NQ() {
				out[j.Q+k] = q[j.Q+k] + v[j.V+k]
			}
		}
	}
}

// Difference writes to v (length NV) the velocity that takes q0 to q1 (length NQ) in unit time, the short way round on circles and rotations.
func (m *Model) Difference(q0, q1, v []float64) {
	want("Difference", "q0", len(q0), m.nq)
	want("Difference", "q1", len(q1), m.nq)
	want("Difference", "v", len(v), m.nv)
	for i := range m.joints {
		j := &m.joints[i]
		if j.Mimic != nil {
			continue
		}
		switch j.Type {
		case Continuous:
			v[j.V] = math.Remainder(q1[j.Q]-q0[j.Q], 2*math.Pi)
		case Spherical:
			putVec(v[j.V:], quatAt(q0[j.Q:]).Conj().Mul(quatAt(q1[j.Q:])).Log())
		case Floating:
			p := quatAt(q0[j.Q+3:])
			ang := p.Conj().Mul(quatAt(q1[j.Q+3:])).Log()
			lin := p.Conj().Rotate(vecAt(q1[j.Q:]).Sub(vecAt(q0[j.Q:])))
			putVec(v[j.V:], spatial.LeftJacobianInverse(ang).MulVec(lin))
			putVec(v[j.V+3:], ang)
		default:
			for k := range j.Type.NQ() {
				v[j.V+k] = q1[j.Q+k] - q0[j.Q+k]
			}
		}
	}
}

// Interpolate writes to out the configuration at t on the way from q0 (t = 0) to q1 (t = 1) with constant velocity; with t
// outside [0, 1] it continues beyond them. q0, q1 and out have length NQ, and out may be q0; v is scratch of length NV.
func (m *Model) Interpolate(q0, q1 []float64, t float64, v, out []float64) {
	m.Difference(q0, q1, v)
	for i := range v {
		v[i] *= t
	}
	m.Integrate(q0, v, out)
}

// Distance returns the Euclidean norm of Difference(q0, q1). It mixes radians and metres: a planner that cares brings its
// own weights. q0 and q1 have length NQ; v is scratch of length NV.
func (m *Model) Distance(q0, q1, v []float64) float64 {
	m.Difference(q0, q1, v)
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}

// Random writes a random configuration to out: coordinates uniform between their limits, or, where those are infinite,
// in [-π, π) rad and [-1, 1) m about zero; rotations uniform (Shoemake 1992). out has length NQ.
func (m *Model) Random(r *rand.Rand, out []float64) {
	want("Random", "out", len(out), m.nq)
	for i := range m.joints {
		j := &m.joints[i]
		if j.Mimic != nil {
			continue
		}
		switch j.Type {
		case Spherical:
			putQuat(out[j.Q:], randomRotation(r))
		case Floating:
			for k := range 3 {
				out[j.Q+k] = 2*r.Float64() - 1
			}
			putQuat(out[j.Q+3:], randomRotation(r))
		default:
			for k := range j.Type.NQ() {
				low, high := j.bounds(k)
				out[j.Q+k] = low + r.Float64()*(high-low)
			}
		}
	}
}

// bounds returns the finite range from which Random draws coordinate k.
func (j *ModelJoint) bounds(k int) (low, high float64) {
	reach := math.Pi
	if j.Type == Prismatic || j.Type == Cylindrical && k == 1 || j.Type == Planar && k < 2 {
		reach = 1
	}
	low, high = -reach, reach
	if l := j.Limits; l != nil && j.Type != Continuous {
		switch lower, upper := !math.IsInf(l.Lower, 0), !math.IsInf(l.Upper, 0); {
		case lower && upper:
			low, high = l.Lower, l.Upper
		case lower:
			low, high = l.Lower, l.Lower+2*reach
		case upper:
			low, high = l.Upper-2*reach, l.Upper
		}
	}
	return low, high
}

func randomRotation(r *rand.Rand) spatial.Quat {
	u := r.Float64()
	s1, c1 := math.Sincos(2 * math.Pi * r.Float64())
	s2, c2 := math.Sincos(2 * math.Pi * r.Float64())
	a, b := math.Sqrt(1-u), math.Sqrt(u)
	return spatial.Quat{X: a * s1, Y: a * c1, Z: b * s2, W: b * c2}
}

// quatAt reads a quaternion, brought to unit length.
func quatAt(q []float64) spatial.Quat {
	return spatial.Quat{X: q[0], Y: q[1], Z: q[2], W: q[3]}.Unit()
}

func putQuat(q []float64, p spatial.Quat) {
	p = p.Unit()
	q[0], q[1], q[2], q[3] = p.X, p.Y, p.Z, p.W
}

func vecAt(q []float64) spatial.Vec3     { return spatial.Vec3{X: q[0], Y: q[1], Z: q[2]} }
func putVec(q []float64, v spatial.Vec3) { q[0], q[1], q[2] = v.X, v.Y, v.Z }

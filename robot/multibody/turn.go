package multibody

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// turn chooses how each internal frame is turned about its z axis and fills the constants of the bodies.
func (c *compiler) turn() {
	m := c.model
	n := len(m.body)
	euler := make([]zxz, n)
	delta := make([]float64, n) // frame i is turned by delta[i] about its z
	taken := make([]bool, n)
	taken[0] = true // the world does not turn
	for i := 1; i < n; i++ {
		b := &m.body[i]
		euler[i] = eulerZXZ(c.frames[i].R)
		if b.kind >= spherical {
			taken[i] = true // coordinates refer to these axes
			continue
		}
		if p := b.parent; !taken[p] && euler[i].beta != 0 {
			delta[p], taken[p] = euler[i].beta, true
		}
	}
	for i := 1; i < n; i++ {
		b := &m.body[i]
		place := c.frames[i]
		back := spatial.Identity()
		if delta[b.parent] != 0 {
			back = spatial.RotZ(-delta[b.parent])
		}
		b.p = back.MulVec(place.P)
		r := back.Mul(place.R)
		if b.kind >= spherical {
			b.r = r
		} else {
			e := &euler[i]
			beta := e.beta - delta[b.parent]
			b.turned = beta != 0
			b.sb, b.cb = math.Sincos(beta)
			b.ca, b.sa = e.ca, e.sa
			b.gamma = e.gamma + delta[i]
			b.z = spatial.Vec3{X: b.sb * b.sa, Y: -b.cb * b.sa, Z: b.ca}
		}
		own := spatial.Pose{R: spatial.Identity()}
		if delta[i] != 0 {
			own.R = spatial.RotZ(-delta[i])
		}
		b.setInertia(own.Inertia(c.inertia[i]))
	}
	for i := range m.links {
		l := &m.links[i]
		if d := delta[l.body]; d != 0 {
			l.place = spatial.Rotation(spatial.RotZ(-d)).Mul(l.place)
		}
	}
}

// zxz is a rotation Rz(beta) Rx(α) Rz(gamma).
type zxz struct {
	beta, gamma float64
	ca, sa      float64
}

// eulerZXZ decomposes r. beta is chosen in (-π/2, π/2], zero where it is free; gamma follows from the beta chosen, so
// that the product is r to rounding even where beta alone is badly determined.
func eulerZXZ(r spatial.Mat3) zxz {
	var e zxz
	if math.Hypot(r[0][2], r[1][2]) > epsilon {
		e.beta = math.Atan2(r[0][2], -r[1][2])
		if math.Abs(r[0][2]) <= epsilon {
			e.beta = 0
		} else if e.beta > math.Pi/2 {
			e.beta -= math.Pi
		} else if e.beta <= -math.Pi/2 {
			e.beta += math.Pi
		}
	}
	sb, cb := math.Sincos(e.beta)
	// first row and third column of Rz(-β) r = Rx(α) Rz(γ)
	x := cb*r[0][0] + sb*r[1][0]
	y := cb*r[0][1] + sb*r[1][1]
	e.gamma = math.Atan2(-y, x)
	if math.Abs(y) <= epsilon && x > 0 {
		e.gamma = 0
	}
	e.ca, e.sa = unit(r[2][2], sb*r[0][2]-cb*r[1][2])
	return e
}

// epsilon is the spacing of numbers at 1: an entry of a rotation below it is rounding noise of entries that are ±1.
const epsilon = 0x1p-52

// unit scales (c, s) to length one; an entry below epsilon becomes zero.
func unit(c, s float64) (float64, float64) {
	if math.Abs(c) <= epsilon {
		return 0, math.Copysign(1, s)
	}
	if math.Abs(s) <= epsilon {
		return math.Copysign(1, c), 0
	}
	n := math.Hypot(c, s)
	return c / n, s / n
}

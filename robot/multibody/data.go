package multibody

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Data is the workspace of the algorithms for one [Model]: all memory they need. One goroutine uses it at a time.
// No algorithm allocates.
type Data struct {
	model *Model
	node  []node           // by body; node[0] is the world
	frame []frame          // by body, of the last FK
	vel   []spatial.Motion // by body, origin in world axes, of the last FKVelocity
	acc   []spatial.Motion // by body, classical, in world axes, of the last FKAcceleration
	chain []frame          // scratch of Jacobian: frames along one path
	art   []articulated    // by body, ABA
	comp  []composite      // by body, CRBA
	full  coordinates      // of models with mimic joints
	sub   []subtree        // by body, momentum

	col          []column         // by velocity coordinate of the tree: derivatives
	swept        []swept          // by body: derivatives
	twist, surge []spatial.Motion // by body: velocity, acceleration less gravity; derivatives

	angle, sin, cos []float64 // by turning body, rounded up to fours
	zero, vector    []float64 // nv
	jac             []float64 // 6×nv
	square          []float64 // nv×nv
	dq, dv          []float64 // nv×nv
}

// NewData allocates the workspace for m.
func NewData(m *Model) *Data {
	n := len(m.body)
	d := &Data{
		model: m,
		node:  make([]node, n),
		frame: make([]frame, n),
		vel:   make([]spatial.Motion, n),
		acc:   make([]spatial.Motion, n),
		chain: make([]frame, n),
		art:   make([]articulated, n),
		comp:  make([]composite, n),
		full:  newCoordinates(m),
		sub:   make([]subtree, n),

		col:   make([]column, m.treeNV()),
		swept: make([]swept, n),
		twist: make([]spatial.Motion, n), surge: make([]spatial.Motion, n),

		angle: make([]float64, n+3), sin: make([]float64, n+3), cos: make([]float64, n+3),
		zero: make([]float64, m.nv), vector: make([]float64, m.nv),
		jac: make([]float64, 6*m.nv), square: make([]float64, m.nv*m.nv),
		dq: make([]float64, m.nv*m.nv), dv: make([]float64, m.nv*m.nv),
	}
	for i := range m.body {
		b, l := &m.body[i], &d.node[i]
		l.ca, l.sa = b.ca, b.sa
		l.s, l.c = sincos(b.gamma) // constant for prismatic bodies
	}
	d.frame[0].setIdentity()
	d.chain[0].setIdentity()
	d.setGravity(m.gravity)
	return d
}

// Model returns the model that d works for.
func (d *Data) Model() *Model { return d.model }

// want panics unless a vector has the length n.
func want(function, name string, got, n int) {
	if got != n {
		badLength(function, name, got, n)
	}
}

//go:noinline
func badLength(function, name string, got, n int) {
	panic(fmt.Sprintf("multibody.%s: %s has length %d, want %d", function, name, got, n))
}

// node is the state of a body in the recursions that run in body frames.
type node struct {
	s, c, ca, sa float64    // sin and cos of γ+q; cos α and sin α of the body
	px, py, pz   float64    // origin in the parent's frame
	wx, wy, wz   float64    // angular velocity
	lx, ly, lz   float64    // angular acceleration
	ax, ay, az   float64    // acceleration of the origin, classical, less gravity
	o            [9]float64 // Ω = [ω̇]× + [ω]×[ω]×: a point r fixed in the body accelerates with a + Ω r
	fx, fy, fz   float64    // force
	nx, ny, nz   float64    // moment about the origin
	e            [9]float64 // parent ← body rotation, of spherical and floating only
}

// down takes a vector from the frame of the parent (already turned by β) to that of the body.
func (l *node) down(x, y, z float64) (float64, float64, float64) {
	t := l.ca*y + l.sa*z
	return l.c*x + l.s*t, l.c*t - l.s*x, l.ca*z - l.sa*y
}

// up is the inverse of down.
func (l *node) up(x, y, z float64) (float64, float64, float64) {
	t := l.s*x + l.c*y
	return l.c*x - l.s*y, l.ca*t - l.sa*z, l.sa*t + l.ca*z
}

// in turns a vector by -β, out by β: between the parent's frame and the one that down starts from.
func (b *body) in(x, y float64) (float64, float64)  { return b.cb*x + b.sb*y, b.cb*y - b.sb*x }
func (b *body) out(x, y float64) (float64, float64) { return b.cb*x - b.sb*y, b.sb*x + b.cb*y }

// setAngles computes sine and cosine of the angle of each of these bodies, four at a time.
func (d *Data) setAngles(q []float64, turning []int32) {
	m := d.model
	n := (len(turning) + 3) &^ 3
	x, sin, cos := d.angle[:n], d.sin[:n], d.cos[:n]
	wild := false
	for k, i := range turning {
		b := &m.body[i]
		a := q[b.iq] + b.gamma
		if !(a < 1e5 && a > -1e5) {
			wild = true
		}
		x[k] = a
	}
	sincosAll(x, sin, cos)
	for k, i := range turning {
		l := &d.node[i]
		l.s, l.c = sin[k], cos[k]
		if wild {
			l.s, l.c = sincos(x[k])
		}
	}
}

// rotation returns the rotation matrix of the quaternion q (x, y, z, w), of any length but zero.
func rotation(q []float64) spatial.Mat3 {
	_ = q[3]
	return spatial.Quat{X: q[0], Y: q[1], Z: q[2], W: q[3]}.Mat3()
}

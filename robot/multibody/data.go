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

	sin, cos     []float64 // of the turning bodies, run by run
	zero, vector []float64 // nv
	jac          []float64 // 6×nv
	square       []float64 // nv×nv
	dq, dv       []float64 // nv×nv
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

		sin: make([]float64, 4*n), cos: make([]float64, 4*n),
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

// up inverts down.
func (l *node) up(x, y, z float64) (float64, float64, float64) {
	t := l.s*x + l.c*y
	return l.c*x - l.s*y, l.ca*t - l.sa*z, l.sa*t + l.ca*z
}

// downQuarter and upQuarter are down and up where cos α = 0.
func (l *node) downQuarter(x, y, z float64) (float64, float64, float64) {
	t := l.sa * z
	return l.c*x + l.s*t, l.c*t - l.s*x, -l.sa * y
}

func (l *node) upQuarter(x, y, z float64) (float64, float64, float64) {
	return l.c*x - l.s*y, -l.sa * z, l.sa * (l.s*x + l.c*y)
}

// in turns a vector by -β, out by β: between the parent's frame and the one that down starts from.
func (b *body) in(x, y float64) (float64, float64)  { return b.cb*x + b.sb*y, b.cb*y - b.sb*x }
func (b *body) out(x, y float64) (float64, float64) { return b.cb*x - b.sb*y, b.sb*x + b.cb*y }

// angles is the turning bodies of a set, with the coordinates that their angles are: in runs, because those that lie together
// are read as vectors.
type angles struct {
	bodies []int32
	at     []int32 // where in Data.sin and Data.cos the body's are
	runs   []angleRun
}

// angleRun is coordinates q[first…first+len(shift)-1], whose sines are at sin[at…].
type angleRun struct {
	first, at int
	shift     []float64 // γ of each, 0 of what does not turn
}

// maxGap is how many other coordinates may lie between two of a run: their sines are computed for nothing.
const maxGap = 2

// newAngles arranges the bodies of a list that turn.
func newAngles(body []body, list []int32) (a angles) {
	for _, i := range list {
		b := &body[i]
		if !b.turns() {
			continue
		}
		last := len(a.runs) - 1
		if last < 0 || int(b.iq) < a.runs[last].first+len(a.runs[last].shift) || int(b.iq) > a.runs[last].first+len(a.runs[last].shift)+maxGap {
			at := 0
			if last >= 0 {
				at = a.runs[last].at + (len(a.runs[last].shift)+3)&^3
			}
			a.runs = append(a.runs, angleRun{first: int(b.iq), at: at})
			last++
		}
		r := &a.runs[last]
		for len(r.shift) < int(b.iq)-r.first {
			r.shift = append(r.shift, 0)
		}
		r.shift = append(r.shift, b.gamma)
		a.bodies, a.at = append(a.bodies, i), append(a.at, int32(r.at+len(r.shift)-1))
	}
	return a
}

// setAngles computes sine and cosine of the angle of each of these bodies, four at a time.
func (d *Data) setAngles(q []float64, a *angles) {
	for i := range a.runs {
		r := &a.runs[i]
		sincosAll(q[r.first:r.first+len(r.shift)], r.shift, d.sin[r.at:], d.cos[r.at:])
	}
	node, sin := d.node, d.sin
	cos, at := d.cos[:len(sin)], a.at[:len(a.bodies)]
	for k, i := range a.bodies {
		l, j := &node[i], at[k]
		l.s, l.c = sin[j], cos[j]
	}
}

// rotation returns the rotation matrix of the quaternion q (x, y, z, w), of any length but zero.
func rotation(q []float64) spatial.Mat3 {
	_ = q[3]
	return spatial.Quat{X: q[0], Y: q[1], Z: q[2], W: q[3]}.Mat3()
}

package multibody

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Loop closes a kinematic loop: a frame fixed to link A and one fixed to link B stay together.
type Loop struct {
	LinkA, LinkB   string       // names of links
	PlaceA, PlaceB spatial.Pose // of the frames in their links; the zero value means the link's own frame
	Point          bool         // only the origins stay together, as by a ball joint; otherwise also the axes
}

// Loops is a set of loop closures of one model with the workspace to solve them. One goroutine uses it at a time.
// Closures may be redundant, as in planar mechanisms.
type Loops struct {
	// Damping makes errors of closed loops decay critically damped with this rate, 1/s (Baumgarte 1972). Zero lets them drift.
	Damping float64

	model  *Model
	loop   []closure
	rows   int
	order  elimination // of inner
	jac, x []float64   // rows×nv: J and J M⁻¹
	link   []float64   // 6×nv
	inner  []float64   // rows×rows: J M⁻¹ Jᵀ or J Jᵀ
	gap    []float64   // rows: what is left open
	rate   []float64   // rows: J̇ v
	force  []float64   // rows
	target []float64   // rows
	step   []float64   // nv
}

type closure struct {
	a, b   int // links
	pa, pb spatial.Pose
	rows   int
}

// NewLoops prepares loop closures of m. It fails on unknown links.
func NewLoops(m *Model, loops ...Loop) (*Loops, error) {
	l := &Loops{model: m}
	var errs []error
	for i := range loops {
		p := &loops[i]
		a, errA := m.Link(p.LinkA)
		b, errB := m.Link(p.LinkB)
		if err := errors.Join(errA, errB); err != nil {
			errs = append(errs, fmt.Errorf("loop %d: %w", i, err))
		}
		c := closure{a: a, b: b, pa: orIdentity(p.PlaceA), pb: orIdentity(p.PlaceB), rows: 6}
		if p.Point {
			c.rows = 3
		}
		l.loop = append(l.loop, c)
		l.rows += c.rows
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	n, k := m.nv, l.rows
	l.jac, l.x, l.link = make([]float64, k*n), make([]float64, k*n), make([]float64, 6*n)
	l.inner, l.order = make([]float64, k*k), dense(k)
	l.gap, l.rate, l.force, l.target = make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k)
	l.step = make([]float64, n)
	return l, nil
}

func orIdentity(p spatial.Pose) spatial.Pose {
	if p.R == (spatial.Mat3{}) {
		p.R = spatial.Identity()
	}
	return p
}

// Rows returns how many equations the closures are: 3 for a point, 6 for a frame.
func (l *Loops) Rows() int { return l.rows }

// evaluate computes gap and Jacobian of all closures, in world axes: of the origins and, to first order, of the axes.
func (l *Loops) evaluate(d *Data, q []float64) {
	row := 0
	clear(l.jac)
	for i := range l.loop {
		c := &l.loop[i]
		xa := Jacobian(d, q, c.a, Mixed, l.link)
		l.addRows(row, c.rows, -1, xa.R.MulVec(c.pa.P))
		xb := Jacobian(d, q, c.b, Mixed, l.link)
		l.addRows(row, c.rows, 1, xb.R.MulVec(c.pb.P))
		xa, xb = xa.Mul(c.pa), xb.Mul(c.pb)
		putVec(l.gap[row:], xb.P.Sub(xa.P))
		if c.rows == 6 {
			putVec(l.gap[row+3:], xa.R.MulVec(xa.R.T().Mul(xb.R).Log()))
		}
		row += c.rows
	}
}

// addRows adds the Jacobian in l.link, times sign and moved by r from the link's origin, to the rows of a closure.
func (l *Loops) addRows(row, rows int, sign float64, r spatial.Vec3) {
	n := l.model.nv
	J := l.link
	for k := range n {
		w := spatial.Vec3{X: J[3*n+k], Y: J[4*n+k], Z: J[5*n+k]}
		u := w.Cross(r)
		column := [6]float64{J[k] + u.X, J[n+k] + u.Y, J[2*n+k] + u.Z, w.X, w.Y, w.Z}
		for i, x := range column[:rows] {
			l.jac[(row+i)*n+k] += sign * x
		}
	}
}

// rates computes J̇ v: the acceleration of the gaps without joint accelerations.
func (l *Loops) rates(d *Data, q, v []float64) {
	FKAcceleration(d, q, v, d.zero)
	row := 0
	for i := range l.loop {
		c := &l.loop[i]
		la, aa := d.accelerationAt(c.a, c.pa.P)
		lb, ab := d.accelerationAt(c.b, c.pb.P)
		putVec(l.rate[row:], lb.Sub(la))
		if c.rows == 6 {
			putVec(l.rate[row+3:], ab.Sub(aa))
		}
		row += c.rows
	}
}

// accelerationAt returns the classical acceleration of the point p of a link, and its angular acceleration, in world axes.
func (d *Data) accelerationAt(link int, p spatial.Vec3) (lin, ang spatial.Vec3) {
	r := d.Pose(link).R.MulVec(p)
	a, w := d.Acceleration(link, Mixed), d.Velocity(link, Mixed).Angular
	return a.Linear.Add(a.Angular.Cross(r)).Add(w.Cross(w.Cross(r))), a.Angular
}

// solve finds force with inner · force = target, where inner may be singular, by proximal iterations
// (Carpentier, Budhiraja, Mansard 2021): each solves a regularized system that starts from the solution before.
func (l *Loops) solve() {
	k := l.rows
	trace := 0.0
	for i := range k {
		trace += l.inner[i*k+i]
	}
	mu := 1e-8 * trace
	for i := range k {
		l.inner[i*k+i] += mu
	}
	l.order.factorize(l.inner)
	clear(l.force)
	for range 6 {
		for i, f := range l.force {
			l.force[i] = l.target[i] + mu*f
		}
		l.order.solve(l.inner, l.force)
	}
}

// product sets inner to A Bᵀ, both rows×nv.
func (l *Loops) product(A, B []float64) {
	n, k := l.model.nv, l.rows
	for i := range k {
		for j := range k {
			s := 0.0
			for c, x := range A[i*n : (i+1)*n] {
				s += x * B[j*n+c]
			}
			l.inner[i*k+j] = s
		}
	}
}

// dot returns row i of A (rows×nv) times x.
func (l *Loops) dot(A []float64, i int, x []float64) float64 {
	s, n := 0.0, l.model.nv
	for c, y := range A[i*n : (i+1)*n] {
		s += y * x[c]
	}
	return s
}

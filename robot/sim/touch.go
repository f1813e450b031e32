package sim

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// touch is a point of contact in a substep. Its directions are the normal from the first part to the second and two across it.
type touch struct {
	pair    int32
	side    [2]side
	dir     [3]spatial.Vec3
	at      spatial.Vec3
	local   spatial.Vec3 // at in the frame of the part that moves, to find it again in the next substep
	depth   float64
	impulse [3]float64 // on the second part, N s
	taken   bool       // found again

	friction float64
	target   float64 // velocity of separation without an impulse, m/s
	soft     float64 // by which an impulse lowers it, 1/kg
	normal   float64 // velocity that a unit impulse along the normal makes, 1/kg
	across   float64 // the greatest one along the tangent plane
}

// side is how a part takes part in a contact: the rows of its Jacobian and what an impulse along them does to its velocities.
type side struct {
	kind    sideKind
	index   int             // of the mover or robot
	at      int             // of a robot: first of 6 nv numbers in World.rows: Jacobian, then that times M⁻¹, 3 × nv each
	arm     [3]spatial.Vec3 // of a mover: moment of each direction
	turning [3]spatial.Vec3 // what that does to ω
}

type sideKind uint8

const (
	resting sideKind = iota
	free
	linked
)

// meet finds the points of contact in the middle of the substep.
func (w *World) meet(h float64) {
	w.before, w.touches = w.touches, w.before[:0]
	w.rows = w.rows[:0]
	for i := range w.pairs {
		p := &w.pairs[i]
		first, n := p.first, p.n
		p.first, p.n = len(w.touches), 0
		a, b := &w.forms[p.a], &w.forms[p.b]
		if !a.bounds.Overlaps(b.bounds, 0) {
			continue
		}
		points, err := w.query.Contacts(a.shape, &a.pose, b.shape, &b.pose, &p.warm, w.points[:0])
		w.points = points
		if err != nil {
			continue // a part that has left the world's limits touches nothing
		}
		for k := range points {
			w.touch(i, &points[k], h, w.before[first:first+n])
		}
		p.n = len(w.touches) - p.first
	}
}

// touch adds a point of contact of a pair. Its first guess of the impulse is that of the nearest point before.
func (w *World) touch(index int, c *geometry.Contact, h float64, before []touch) {
	p := &w.pairs[index]
	n := c.Normal
	x := tangent(n)
	w.touches = append(w.touches, touch{pair: int32(index), dir: [3]spatial.Vec3{n, x, n.Cross(x)}, at: c.A.Lerp(c.B, 0.5), depth: -c.Distance})
	t := &w.touches[len(w.touches)-1]
	own := w.forms[p.a].part
	if w.fixed(&w.parts[own]) {
		own = w.forms[p.b].part
	}
	t.local = w.parts[own].pose.ApplyInverse(t.at)
	w.side(&t.side[0], w.forms[p.a].part, t)
	w.side(&t.side[1], w.forms[p.b].part, t)

	// k (d - h u) - k τ u = impulse/h for the velocity of separation u at the end
	m := &p.material
	settle := h + m.Relaxation
	t.target, t.soft, t.friction = t.depth/settle, 1/(h*m.Stiffness*settle), m.Friction
	var mobility [3][3]float64
	for s := range t.side {
		w.mobility(&t.side[s], &t.dir, &mobility)
	}
	t.normal = mobility[0][0]
	mean, half := (mobility[1][1]+mobility[2][2])/2, (mobility[1][1]-mobility[2][2])/2
	t.across = mean + math.Hypot(half, mobility[1][2])

	var old *touch
	nearest := math.Inf(1)
	for i := range before {
		if d := before[i].local.Sub(t.local); !before[i].taken && d.Dot(d) < nearest {
			old, nearest = &before[i], d.Dot(d)
		}
	}
	if old == nil {
		return
	}
	old.taken = true
	along := old.dir[1].Scale(old.impulse[1]).Add(old.dir[2].Scale(old.impulse[2]))
	t.impulse = [3]float64{old.impulse[0], along.Dot(t.dir[1]), along.Dot(t.dir[2])}
	for k, x := range t.impulse {
		w.kick(t, k, x)
	}
}

// tangent returns a unit vector across the unit vector n.
func tangent(n spatial.Vec3) spatial.Vec3 {
	if math.Abs(n.X) < 0.6 {
		return spatial.Vec3{Y: -n.Z, Z: n.Y}.Unit()
	}
	return spatial.Vec3{X: -n.Y, Y: n.X}.Unit()
}

// side fills in how a part takes part.
func (w *World) side(s *side, index int, t *touch) {
	p := &w.parts[index]
	if p.robot < 0 {
		m := &w.movers[p.mover]
		if m.pinned {
			return
		}
		s.kind, s.index = free, p.mover
		r := t.at.Sub(m.at)
		for k := range t.dir {
			s.arm[k] = r.Cross(t.dir[k])
			s.turning[k] = m.felt.MulVec(s.arm[k])
		}
		return
	}
	robot := &w.robots[p.robot]
	if w.fixed(p) {
		return
	}
	l := &robot.links[p.link]
	if !l.done {
		multibody.Jacobian(robot.data, robot.q, l.link, multibody.Mixed, l.rows)
		l.done = true
	}
	n := len(robot.v)
	s.kind, s.index, s.at = linked, p.robot, len(w.rows)
	for range 6 * n {
		w.rows = append(w.rows, 0)
	}
	rows := w.rows[s.at:]
	arm := robot.base.ApplyInverse(t.at).Sub(l.at)
	for k := range t.dir {
		d := robot.base.R.TMulVec(t.dir[k])
		moment := arm.Cross(d)
		row, out := rows[k*n:(k+1)*n], rows[(3+k)*n:(4+k)*n]
		j := l.rows
		for i := range row {
			row[i] = d.X*j[i] + d.Y*j[n+i] + d.Z*j[2*n+i] + moment.X*j[3*n+i] + moment.Y*j[4*n+i] + moment.Z*j[5*n+i]
		}
		for i := range out {
			line := robot.midpoint.inverse[i*n : (i+1)*n]
			sum := 0.0
			for c, x := range row {
				sum += line[c] * x
			}
			out[i] = sum
		}
	}
}

// mobility adds J M⁻¹ Jᵀ of a side.
func (w *World) mobility(s *side, dir *[3]spatial.Vec3, out *[3][3]float64) {
	switch s.kind {
	case free:
		for i := range 3 {
			out[i][i] += 1 / w.movers[s.index].mass
			for k := range 3 {
				out[i][k] += s.arm[i].Dot(s.turning[k])
			}
		}
	case linked:
		n := len(w.robots[s.index].v)
		rows := w.rows[s.at : s.at+6*n]
		for i := range 3 {
			for k := range 3 {
				for c := range n {
					out[i][k] += rows[i*n+c] * rows[(3+k)*n+c]
				}
			}
		}
	}
}

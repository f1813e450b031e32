package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// frame is the placement of a body in the world: the axes and the origin of its internal frame.
type frame struct {
	x, y, z, p spatial.Vec3
}

func (f *frame) setIdentity() {
	*f = frame{x: spatial.Vec3{X: 1}, y: spatial.Vec3{Y: 1}, z: spatial.Vec3{Z: 1}}
}

// place sets o to the pose in the world of a frame fixed to the body at l.
func (f *frame) place(l, o *spatial.Pose) {
	r := &l.R
	x := f.turn(spatial.Vec3{X: r[0][0], Y: r[1][0], Z: r[2][0]})
	y := f.turn(spatial.Vec3{X: r[0][1], Y: r[1][1], Z: r[2][1]})
	z := f.turn(spatial.Vec3{X: r[0][2], Y: r[1][2], Z: r[2][2]})
	o.R[0][0], o.R[0][1], o.R[0][2] = x.X, y.X, z.X
	o.R[1][0], o.R[1][1], o.R[1][2] = x.Y, y.Y, z.Y
	o.R[2][0], o.R[2][1], o.R[2][2] = x.Z, y.Z, z.Z
	o.P = f.at(l.P)
}

// at returns the world position of the point r of the body.
func (f *frame) at(r spatial.Vec3) spatial.Vec3 {
	return spatial.Vec3{
		X: f.p.X + f.x.X*r.X + f.y.X*r.Y + f.z.X*r.Z,
		Y: f.p.Y + f.x.Y*r.X + f.y.Y*r.Y + f.z.Y*r.Z,
		Z: f.p.Z + f.x.Z*r.X + f.y.Z*r.Y + f.z.Z*r.Z,
	}
}

// mix returns c a + s b and c b - s a: a and b turned in their plane by the angle with that sine and cosine.
func mix(a, b spatial.Vec3, s, c float64) (spatial.Vec3, spatial.Vec3) {
	return spatial.Vec3{X: c*a.X + s*b.X, Y: c*a.Y + s*b.Y, Z: c*a.Z + s*b.Z},
		spatial.Vec3{X: c*b.X - s*a.X, Y: c*b.Y - s*a.Y, Z: c*b.Z - s*a.Z}
}

// FK computes the placement of every body for the configuration q (forward kinematics).
// [Data.Pose] then returns the pose of any link. q has length NQ: rad, m, and quaternions.
func FK(d *Data, q []float64) {
	want("FK", "q", len(q), d.model.nq)
	d.place(d.fullQ(q))
}

// place computes the frames of all bodies.
func (d *Data) place(q []float64) {
	m := d.model
	d.setAngles(q, &m.turning)
	fs, node := d.frame[:len(m.body)], d.node[:len(m.body)]
	for i := 1; i < len(m.body); i++ {
		b := &m.body[i]
		b.step(&fs[b.parent], &fs[i], &node[i], q)
	}
}

// step computes the frame f of a body from that of its parent, p.
func (b *body) step(p, f *frame, l *node, q []float64) {
	if b.kind >= spherical {
		b.stepQuaternion(p, f, q)
		return
	}
	x, y, z := p.x, p.y, p.z
	o := p.at(b.p)
	if b.turned {
		x, y = mix(x, y, b.sb, b.cb)
	}
	if b.ca == 0 { // a quarter turn, as most joints have
		y, z = z.Scale(b.sa), y.Scale(-b.sa)
	} else {
		y, z = mix(y, z, b.sa, b.ca)
	}
	x, y = mix(x, y, l.s, l.c)
	if b.kind != revolute {
		t := q[b.iq]
		if b.kind == helical {
			t *= b.pitch
		}
		o = spatial.Vec3{X: o.X + t*z.X, Y: o.Y + t*z.Y, Z: o.Z + t*z.Z}
	}
	f.x, f.y, f.z, f.p = x, y, z, o
}

// stepQuaternion does what step does for spherical and floating bodies.
func (b *body) stepQuaternion(p, f *frame, q []float64) {
	at := b.p
	k := b.iq
	if b.kind == floating {
		at = at.Add(b.r.MulVec(spatial.Vec3{X: q[k], Y: q[k+1], Z: q[k+2]}))
		k += 3
	}
	f.p = p.at(at)
	r := b.r.Mul(rotation(q[k : k+4]))
	f.x, f.y, f.z = p.turn(r.Col(0)), p.turn(r.Col(1)), p.turn(r.Col(2))
}

// Pose returns the pose of a link in the world, as of the last [FK] (or FKVelocity, FKAcceleration).
func (d *Data) Pose(link int) (pose spatial.Pose) {
	l := &d.model.links[link]
	d.frame[l.body].place(&l.place, &pose)
	return pose
}

// Point returns the position in the world of the point p of a body, as of the last [FK]. [Model.LinkFrame] returns the body of a link and where the
// link is in the body's frame, in which p is.
func (d *Data) Point(body int, p spatial.Vec3) spatial.Vec3 { return d.frame[body].at(p) }

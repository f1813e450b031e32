package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// The distances below are those of the most frequent pairs, of balls, capsules and boxes, without the frames between. A pose that is
// not finite shows in the distance, because none of their operations loses a NaN.

// farthest is more than any distance between valid poses.
const farthest = 8 * Limit

// spheres is the distance of two balls.
func spheres(ra float64, a *spatial.Vec3, rb float64, b *spatial.Vec3) (Contact, error) {
	x, y, z := b.X-a.X, b.Y-a.Y, b.Z-a.Z
	d := math.Sqrt(x*x + y*y + z*z)
	if !(math.Abs(a.X)+math.Abs(a.Y)+math.Abs(a.Z) <= farthest && d <= farthest) {
		return Contact{}, ErrPose
	}
	if d < 1e-150 {
		x, y, z, d = 1, 0, 0, 0
	} else {
		k := 1 / d
		x, y, z = k*x, k*y, k*z
	}
	return Contact{
		d - ra - rb, spatial.Vec3{X: a.X + ra*x, Y: a.Y + ra*y, Z: a.Z + ra*z}, spatial.Vec3{X: b.X - rb*x, Y: b.Y - rb*y, Z: b.Z - rb*z},
		spatial.Vec3{X: x, Y: y, Z: z},
	}, nil
}

// balls returns the contact of two balls around the points a and b.
func balls(ra, ax, ay, az, rb, bx, by, bz float64) (Contact, error) {
	x, y, z := bx-ax, by-ay, bz-az
	if !(math.Abs(ax)+math.Abs(ay)+math.Abs(az) <= farthest && math.Abs(x)+math.Abs(y)+math.Abs(z) <= farthest) {
		return Contact{}, ErrPose
	}
	d := math.Sqrt(x*x + y*y + z*z)
	if d < 1e-150 {
		x, y, z, d = 1, 0, 0, 0
	} else {
		k := 1 / d
		x, y, z = k*x, k*y, k*z
	}
	return Contact{
		d - ra - rb, spatial.Vec3{X: ax + ra*x, Y: ay + ra*y, Z: az + ra*z}, spatial.Vec3{X: bx - rb*x, Y: by - rb*y, Z: bz - rb*z},
		spatial.Vec3{X: x, Y: y, Z: z},
	}, nil
}

// sphereCapsule is the distance of a ball and a capsule; sign is -1 if the ball is the second shape.
func sphereCapsule(r float64, p *spatial.Vec3, s *Shape, pose *spatial.Pose, sign float64) (Contact, error) {
	c := &pose.P
	ux, uy, uz := pose.R[0][2], pose.R[1][2], pose.R[2][2]
	t := min(max((p.X-c.X)*ux+(p.Y-c.Y)*uy+(p.Z-c.Z)*uz, -s.half.Z), s.half.Z)
	qx, qy, qz := c.X+t*ux, c.Y+t*uy, c.Z+t*uz
	x, y, z := qx-p.X, qy-p.Y, qz-p.Z
	if x*x+y*y+z*z <= 1e-26*s.half.Z*s.half.Z { // the centre lies on the axis: across it is the way out
		return onAxis(r, p, s, pose, sign)
	}
	if sign > 0 {
		return balls(r, p.X, p.Y, p.Z, s.round, qx, qy, qz)
	}
	return balls(s.round, qx, qy, qz, r, p.X, p.Y, p.Z)
}

// onAxis is sphereCapsule for a ball whose centre p lies on the capsule's axis.
func onAxis(r float64, p *spatial.Vec3, s *Shape, pose *spatial.Pose, sign float64) (Contact, error) {
	if !valid(pose) || !p.IsFinite() {
		return Contact{}, ErrPose
	}
	n := perpendicular(pose.R.Col(2)).Scale(sign)
	ra, rb := r, s.round
	if sign < 0 {
		ra, rb = rb, ra
	}
	return Contact{-ra - rb, p.Add(n.Scale(ra)), p.Sub(n.Scale(rb)), n}, nil
}

// sphereBox is the distance of a ball and a box; sign is -1 if the ball is the second shape.
func sphereBox(r float64, p *spatial.Vec3, s *Shape, pose *spatial.Pose, sign float64) (Contact, error) {
	x, y, z := p.X-pose.P.X, p.Y-pose.P.Y, p.Z-pose.P.Z
	m := &pose.R
	// from the box's frame: the point, and the way to the nearest point of the box
	lx, ly, lz := m[0][0]*x+m[1][0]*y+m[2][0]*z, m[0][1]*x+m[1][1]*y+m[2][1]*z, m[0][2]*x+m[1][2]*y+m[2][2]*z
	h := &s.half
	vx, vy, vz := min(max(lx, -h.X), h.X)-lx, min(max(ly, -h.Y), h.Y)-ly, min(max(lz, -h.Z), h.Z)-lz
	d := math.Sqrt(vx*vx + vy*vy + vz*vz)
	if !(d <= farthest && math.Abs(p.X)+math.Abs(p.Y)+math.Abs(p.Z) <= farthest) {
		return Contact{}, ErrPose
	}
	if d < 1e-150 {
		g := pointBox(spatial.Vec3{X: lx, Y: ly, Z: lz}, *h)
		vx, vy, vz, d = g.n.X, g.n.Y, g.n.Z, g.d
	} else {
		k := 1 / d
		vx, vy, vz = k*vx, k*vy, k*vz
	}
	nx, ny, nz := m[0][0]*vx+m[0][1]*vy+m[0][2]*vz, m[1][0]*vx+m[1][1]*vy+m[1][2]*vz, m[2][0]*vx+m[2][1]*vy+m[2][2]*vz
	e := d - s.round
	ball, box := spatial.Vec3{X: p.X + r*nx, Y: p.Y + r*ny, Z: p.Z + r*nz}, spatial.Vec3{X: p.X + e*nx, Y: p.Y + e*ny, Z: p.Z + e*nz}
	if sign > 0 {
		return Contact{e - r, ball, box, spatial.Vec3{X: nx, Y: ny, Z: nz}}, nil
	}
	return Contact{e - r, box, ball, spatial.Vec3{X: -nx, Y: -ny, Z: -nz}}, nil
}

// capsules is the distance of two capsules: that of balls around the nearest points of their axes.
func capsules(a *Shape, poseA *spatial.Pose, b *Shape, poseB *spatial.Pose) (Contact, error) {
	p, q := &poseA.P, &poseB.P
	ux, uy, uz := poseA.R[0][2], poseA.R[1][2], poseA.R[2][2]
	vx, vy, vz := poseB.R[0][2], poseB.R[1][2], poseB.R[2][2]
	wx, wy, wz := p.X-q.X, p.Y-q.Y, p.Z-q.Z
	k := ux*vx + uy*vy + uz*vz
	d, e := ux*wx+uy*wy+uz*wz, vx*wx+vy*wy+vz*wz
	if l := 1 - k*k; l > 1e-4 { // else the axes are so near parallel that digits cancel
		s := min(max((k*e-d)/l, -a.half.Z), a.half.Z)
		t := min(max(k*s+e, -b.half.Z), b.half.Z)
		s = min(max(k*t-d, -a.half.Z), a.half.Z)
		ax, ay, az, bx, by, bz := p.X+s*ux, p.Y+s*uy, p.Z+s*uz, q.X+t*vx, q.Y+t*vy, q.Z+t*vz
		if x, y, z := bx-ax, by-ay, bz-az; x*x+y*y+z*z > 1e-20*(a.half.Z+b.half.Z)*(a.half.Z+b.half.Z) {
			return balls(a.round, ax, ay, az, b.round, bx, by, bz)
		}
	}
	if !valid(poseA) || !valid(poseB) {
		return Contact{}, ErrPose
	}
	u, v := spatial.Vec3{X: ux, Y: uy, Z: uz}.Scale(a.half.Z), spatial.Vec3{X: vx, Y: vy, Z: vz}.Scale(b.half.Z)
	g := rounded(segmentSegment(*p, u, *q, v), a.round, b.round)
	return Contact{g.d, g.a, g.b, g.n}, nil
}

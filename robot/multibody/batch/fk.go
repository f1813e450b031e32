package batch

import "github.com/sinew-robotics/sinew/robot/multibody/batch/internal/record"

// FK computes the poses of links in the world. links are indices as of [multibody.Model.Link]. poses has twelve rows
// a link: the rotation matrix row by row, then the position; so number k of the pose of links[i] in state s of n is
// poses[(12*i+k)*n+s]. q has NQ coordinates of each state.
func (b *Batch) FK(q []float64, links []int, poses []float64) {
	n := states("FK", vector{"q", q, b.model.NQ()}, vector{"poses", poses, 12 * len(links)})
	switch {
	case n == 0:
	case b.steps == nil:
		b.single.fk(q, links, poses, n)
	case n < Lanes:
		pad(b.packed.q, q, n)
		b.frames(b.packed.q, Lanes, 0)
		b.poses(links, poses, n, 0, n)
	default:
		for s := 0; s < n; s += Lanes {
			from := min(s, n-Lanes)
			b.frames(q, n, from)
			b.poses(links, poses, n, from, Lanes)
		}
	}
}

// frames places the bodies of the states s … s+7 of n.
func (b *Batch) frames(q []float64, n, s int) {
	b.setAngles(q, n, s)
	for i := range b.bodies {
		o := &b.bodies[i]
		qi := &q[o.q*n+s]
		if o.class == floating {
			qi = pack(o.floating.q, q, o.q, n, s)
		}
		b.steps.step[o.class](o.constants, o.angle, qi, o.frameOf, o.frame, b.scratch)
	}
}

// poses writes the poses of the links in the count states from s on.
func (b *Batch) poses(links []int, poses []float64, n, s, count int) {
	for i, l := range links {
		o := &b.links[l]
		frame := &b.world.frame[0]
		if o.body >= 0 {
			frame = b.bodies[o.body].frame
		}
		b.steps.place(&o.place[0], frame, &b.pose[0], b.scratch)
		if count == Lanes {
			unpack(poses, b.pose, 12*i, n, s)
			continue
		}
		for k := range record.Frame {
			copy(poses[(12*i+k)*n+s:][:count], b.pose[k*Lanes:])
		}
	}
}

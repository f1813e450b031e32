package generate

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func sincosOf(x float64) (s, c float64) {
	if x == 0 {
		return 0, 1
	}
	return math.Sincos(x)
}

// frame is the placement of a body in the world: its axes as columns, and its origin.
type frame struct {
	axes mat // transposed: axes[0] is the x axis
	at   vec
}

// frames places the bodies that are wanted, and those that carry them.
func (p *program) frames(wanted []bool) []frame {
	f := make([]frame, len(p.bodies))
	f[0] = frame{axes: p.mat(spatial.Identity()), at: p.zeros()}
	for i := 1; i < len(p.bodies); i++ {
		if !wanted[i] {
			continue
		}
		b := &p.bodies[i]
		o := &f[b.Parent]
		f[i].at = p.add(o.at, p.mulVec(transpose(o.axes), p.origin[i]))
		if b.Kind >= multibody.BallMounted {
			f[i].axes = p.mulMat(transpose(p.turned[i]), o.axes)
			continue
		}
		x, y, z := o.axes[0], o.axes[1], o.axes[2]
		x, y = p.mix(x, y, p.Const(b.SinBeta), p.Const(b.CosBeta))
		y, z = p.mix(y, z, p.Const(b.SinAlpha), p.Const(b.CosAlpha))
		x, y = p.mix(x, y, p.sin[i], p.cos[i])
		f[i].axes = mat{x, y, z}
	}
	return f
}

// mix turns two axes in their plane.
func (p *program) mix(a, b vec, s, c value) (vec, vec) {
	return p.add(p.scale(c, a), p.scale(s, b)), p.sub(p.scale(c, b), p.scale(s, a))
}

// link returns the axes and the origin of a link fixed to a body.
func (p *program) link(f *frame, place spatial.Pose) (axes mat, at vec) {
	turn := p.mat(place.R)
	return p.mulMat(transpose(turn), f.axes), p.add(f.at, p.mulVec(transpose(f.axes), p.vec(place.P)))
}

// forwardKinematics stores the pose of the child link of each moving joint, twelve numbers a joint.
func forwardKinematics(m *multibody.Model) *program {
	p := newProgram(m)
	wanted := make([]bool, len(p.bodies))
	for i := range wanted {
		wanted[i] = true
	}
	f := p.frames(wanted)
	for k, j := range m.Joints() {
		link, _ := m.Link(j.Child)
		body, place := m.LinkFrame(link)
		axes, at := p.link(&f[body], place)
		for row := range 3 {
			for col := range 3 {
				p.Store("poses", 12*k+4*row+col, axes[col][row])
			}
			p.Store("poses", 12*k+4*row+3, at[row])
		}
	}
	return p
}

// jacobian stores the Jacobian of the tool, at its origin and in world axes, 6×nv row by row.
func jacobian(m *multibody.Model, tool int) *program {
	p := newProgram(m)
	body, place := m.LinkFrame(tool)
	wanted := make([]bool, len(p.bodies))
	for i := body; i > 0; i = p.bodies[i].Parent {
		wanted[i] = true
	}
	f := p.frames(wanted)
	_, at := p.link(&f[body], place)
	nv := m.NV()
	column := func(v int, linear, angular vec) {
		for r := range 3 {
			p.Store("J", r*nv+v, linear[r])
			p.Store("J", (3+r)*nv+v, angular[r])
		}
	}
	done := make([]bool, nv)
	for i := 1; i < len(p.bodies); i++ {
		if !wanted[i] {
			continue
		}
		b, arm := &p.bodies[i], p.sub(at, f[i].at)
		z := f[i].axes[2]
		switch b.Kind {
		case multibody.Turning:
			column(b.V, p.cross(z, arm), z)
		case multibody.Sliding:
			column(b.V, z, p.zeros())
		case multibody.Screwing:
			column(b.V, p.add(p.cross(z, arm), p.scale(p.Const(b.Pitch), z)), z)
		case multibody.FreelyFloating:
			for k := range 3 {
				axis := f[i].axes[k]
				column(b.V+k, axis, p.zeros())
				column(b.V+3+k, p.cross(axis, arm), axis)
				done[b.V+k], done[b.V+3+k] = true, true
			}
			continue
		}
		done[b.V] = true
	}
	for v := range nv {
		if !done[v] {
			column(v, p.zeros(), p.zeros())
		}
	}
	return p
}

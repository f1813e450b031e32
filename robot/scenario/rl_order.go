package scenario

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// inModelOrder returns values, which are in the order of the file's joints, in that of the model's coordinates, and gives quaternions the length one,
// from which files may differ by rounding.
func (x *rlReader) inModelOrder(joints []multibody.ModelJoint, robot *description.Robot, values []float64, e *document.Element) []float64 {
	of := map[string]multibody.ModelJoint{}
	for _, j := range joints {
		of[j.Name] = j
	}
	q := make([]float64, len(values))
	for i := range robot.Joints {
		j := &robot.Joints[i]
		n := j.Type.NQ()
		to := q[of[j.Name].Q : of[j.Name].Q+n]
		copy(to, values[:n])
		values = values[n:]
		if j.Type != multibody.Floating && j.Type != multibody.Spherical {
			continue
		}
		to = to[n-4:]
		turn := spatial.Quat{X: to[0], Y: to[1], Z: to[2], W: to[3]}
		if l := turn.Norm(); !(math.Abs(l-1) < 1e-3) {
			x.Addf(e.Pos, "the quaternion (x, y, z, w) of joint %q in <%s> has length %g, want 1", j.Name, e.Name, l)
			continue
		}
		turn = turn.Unit()
		to[0], to[1], to[2], to[3] = turn.X, turn.Y, turn.Z, turn.W
	}
	return q
}

// limits sets the limits of all coordinates. Joints of several coordinates have one for each in the file, which the model does not keep.
func (x *rlReader) limits(m *multibody.Model, robot *description.Robot) {
	x.s.Lower, x.s.Upper = make([]float64, m.NQ()), make([]float64, m.NQ())
	m.PositionLimits(x.s.Lower, x.s.Upper)
	for i := range robot.Joints {
		j := &robot.Joints[i]
		at, err := m.Joint(j.Name)
		if err != nil || j.Type.NQ() < 2 {
			continue
		}
		for k, l := range j.Limits {
			x.s.Lower[at.Q+k], x.s.Upper[at.Q+k] = l.Lower, l.Upper
		}
	}
}

package plans

import (
	"fmt"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/program"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Limits of replies about programs.
const (
	programSamples = 600  // at most, of the motion
	programPoints  = 400  // at most; the waypoints of a longer program are left out
	difference     = 1e-3 // s, between the places by which the speed of the tool is measured
)

// points lists the places that a program names.
func (c *compilation) points(r *ProgramReply) {
	rotation := spatial.Identity()
	if pose, link, err := c.tool(c.program, 0); err == nil {
		multibody.FK(c.data, c.start)
		rotation = c.data.Pose(link).Mul(pose).R
	}
	for k := range c.program.Moves {
		m := &c.program.Moves[k]
		x := ProgramPoint{Move: k + 1, Line: m.At.Line, Kind: m.Kind.String()}
		add := func(p spatial.Pose) {
			if len(r.Points) < programPoints {
				x.Pose = c.inScene(p)
				r.Points = append(r.Points, x)
			}
		}
		switch {
		case m.Kind >= program.Dwell:
		case m.Pose != nil:
			p := m.Pose.Pose
			if m.Pose.KeepRotation {
				p.R = rotation
			}
			if m.Kind == program.MoveC {
				x.Via = true
				add(spatial.Pose{R: p.R, P: m.Via})
				x.Via = false
			}
			x.Turns, rotation = !m.Pose.KeepRotation, p.R
			add(p)
		default:
			rotation = c.jointPoints(k, &x, add, rotation)
		}
	}
}

// jointPoints lists the places of a move that states positions of joints, and returns the rotation of the tool at its end.
func (c *compilation) jointPoints(k int, x *ProgramPoint, add func(spatial.Pose), rotation spatial.Mat3) spatial.Mat3 {
	m := &c.program.Moves[k]
	pose, link, err := c.tool(c.program, k)
	if err != nil {
		return rotation
	}
	x.Turns, x.Joints = true, true
	for x.Point = range max(1, len(m.Points)) {
		q := c.targetOf(m, x.Point)
		if x.Fixed = ""; q == nil {
			q, x.Fixed = c.completed(k, x.Point)
		}
		if q == nil {
			continue
		}
		multibody.FK(c.data, q)
		p := c.data.Pose(link).Mul(pose)
		add(p)
		rotation = p.R
	}
	return rotation
}

// completed returns the positions of all joints at a point of a move that states those of some joints by name, as far as the program is compiled, and why the
// point cannot be moved by hand.
func (c *compilation) completed(k, point int) (q []float64, why string) {
	m := &c.program.Moves[k]
	if c.motion == nil {
		return nil, ""
	}
	i := slices.IndexFunc(c.motion.Parts, func(p program.Part) bool { return p.Move == k })
	if i < 0 {
		return nil, ""
	}
	q = slices.Clone(c.motion.Parts[i].Target)
	if m.State != "" {
		return q, fmt.Sprintf("it is the state %q of the SRDF file: give positions or a pose in its place in the text", m.State)
	}
	if m.Kind == program.MoveJ {
		return q, "it names some of the joints, and the others stay: change their numbers in the text"
	}
	c.place(m.Names, m.Points[point], q)
	return q, "its waypoints are those of a file: plan again, or give them as a list"
}

// describe writes times, samples and the use of limits of the motion.
func (c *compilation) describe(r *ProgramReply) {
	m := c.motion
	r.Duration = m.Duration()
	for _, p := range m.Parts {
		v := &c.program.Moves[p.Move]
		r.Moves = append(r.Moves, ProgramMove{p.Move + 1, v.At.Line, v.Kind.String(), p.Start, p.End, p.Length})
	}
	for _, o := range m.Outputs {
		r.Outputs = append(r.Outputs, ProgramOutput(o))
	}
	if s := m.Report; s.Singularity > 0 {
		r.Singularity, r.SingularMove, r.SingularS = s.Singularity, s.SingularMove+1, s.SingularS
	}
	for _, i := range c.order {
		name, _, _ := c.space.all.Limits(i)
		r.Limits = append(r.Limits, ProgramLimit{name, "speed"}, ProgramLimit{name, "acceleration"}, ProgramLimit{name, "jerk"})
	}
	r.Limits = append(r.Limits, ProgramLimit{"", "speed"}, ProgramLimit{"", "acceleration"}, ProgramLimit{"", "turning"})
	n := min(programSamples, max(2, 1+int(math.Ceil(r.Duration*sampleRate))))
	jerk := make([]float64, m.Axes())
	for i := range n {
		time := r.Duration * float64(i) / float64(n-1)
		c.at(time)
		r.Q = append(r.Q, c.widened(c.q)...)
		m.Jerk(time, jerk)
		for k, s := range c.states {
			l := m.Limits[k]
			r.Use = append(r.Use, math.Abs(s.Velocity)/l.Velocity, math.Abs(s.Acceleration)/l.Acceleration, math.Abs(jerk[k])/l.Jerk)
		}
		at, use := c.toolAt(time)
		p := c.inScene(at).P
		r.Hand, r.Use = append(r.Hand, p[:]...), append(r.Use, use[:]...)
	}
}

// carried lists the objects that links carry. An object that the scene lacks is left out: the search for contacts names it.
func (c *compilation) carried(r *ProgramReply, objects []Object) error {
	places := map[string]spatial.Pose{} // of the objects, in the base
	for _, o := range objects {
		pose, err := poseOf(o.P, o.Q)
		if err != nil {
			return fmt.Errorf("place the object %q: %w", o.Name, err)
		}
		places[o.Name] = c.space.base.InvMul(pose)
	}
	for _, x := range c.motion.Carries {
		place, known := places[x.Object]
		if !known {
			continue
		}
		link, err := c.robot.Model.Link(x.Link)
		if err != nil {
			return err
		}
		hand := func(time float64) spatial.Pose {
			c.at(time)
			multibody.FK(c.data, c.q)
			return c.data.Pose(link)
		}
		grip := hand(x.From).InvMul(place)
		left := hand(x.To).Mul(grip)
		places[x.Object] = left
		r.Carried = append(r.Carried, ProgramCarry{x.Object, x.Link, x.From, x.To, robots.NewFrame("", grip), c.inScene(left)})
	}
	return nil
}

// toolAt returns where the tool is at a time, and which part it uses of the limits that a line or an arc sets to its speed, acceleration and turning.
// These are differences over milliseconds.
func (c *compilation) toolAt(time float64) (at spatial.Pose, use [3]float64) {
	k := c.motion.PartAt(time)
	if k < 0 {
		return c.space.base, use
	}
	m := &c.program.Moves[c.motion.Parts[k].Move]
	pose, link, err := c.tool(c.program, c.motion.Parts[k].Move)
	if err != nil {
		return at, use
	}
	place := func(t float64) spatial.Pose {
		c.at(t)
		multibody.FK(c.data, c.q)
		return c.data.Pose(link).Mul(pose)
	}
	at = place(time)
	if m.Kind != program.MoveL && m.Kind != program.MoveC {
		return at, use
	}
	const h = difference
	var x [5]spatial.Pose // h apart
	for i := range x {
		x[i] = place(time + float64(i-2)*h)
	}
	speed := func(i int) float64 { return x[i+1].P.Sub(x[i-1].P).Norm() / (2 * h) }
	use[0] = speed(2) / m.Speed
	use[1] = math.Abs(speed(3)-speed(1)) / (2 * h) / m.Acceleration
	use[2] = x[1].R.T().Mul(x[3].R).Log().Norm() / (2 * h) / m.AngularSpeed
	return at, use
}

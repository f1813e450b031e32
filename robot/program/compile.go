package program

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Robot is the arm that a program is compiled for.
type Robot struct {
	Model *multibody.Model // whose joints have one coordinate each

	// Limits of each coordinate: finite velocity, acceleration and jerk. Positions are limited by the model.
	Limits []trajectory.Limits

	// Semantic has the states that moveJ names; nil: there is no SRDF file.
	Semantic *description.Semantic
}

// maxDuration is the longest motion, s.
const maxDuration = 3600

// leastSingularValue is how near a moveL or moveC may come to a singularity: the least singular value of the Jacobian, with 1 rad of the tool
// counting as 1 m.
const leastSingularValue = 0.01

// joining is how far from the last position a movePath may begin, rad or m.
const joining = 1e-3

// Compile checks a program and returns its motion from start, the positions of all joints. It fails with an [*Error] that names line and move, and
// where along the move the reason is:
//
//   - a target out of reach, or beyond the limits of a joint;
//   - a line or an arc on which a joint would leave its limits, jump to another branch, or on which the arm comes near to a singularity;
//   - a blend that is longer than one of its moves, less what the blend at the move's other end takes;
//   - a name of a joint, a link or a state that the robot does not have.
//
// Accelerations are continuous. Where a move asks for it (continuity: jerk), jerks are too, from its stop before to its stop after: the joints follow polynomials of seventh
// degree by a law of time that is averaged twice. It fails if a line or an arc of the tool between these stops does not ask for it.
//
// Lengths of paths are those of the tool's origin. Where the tool moves less than a tenth of the turn of a joint in radians, or turns by more radians
// than it moves metres on a line or an arc, the latter counts.
//
// Compile takes some milliseconds to a second a move: it does not belong into a control cycle.
func Compile(p *Program, robot Robot, start []float64) (*Motion, error) {
	c, err := newCompiler(p, robot, start)
	if err != nil {
		return nil, err
	}
	for k := range p.Moves {
		if err := c.move(k); err != nil {
			return nil, err
		}
	}
	if err := c.close(); err != nil {
		return nil, err
	}
	c.finish()
	return c.motion, nil
}

// compiler is the state of Compile.
type compiler struct {
	program      *Program
	robot        Robot
	n            int
	names        []string // of the coordinates
	lower, upper []float64
	data         *multibody.Data
	solver       *ik.Solver
	q            []float64 // at the end of the moves so far, without the chain
	legs         []leg     // of the section under construction
	chain        *chain    // of moves of the tool, to become a leg
	motion       *Motion
	places       []place      // of each move
	targets      [][]float64  // of moves of the joints
	grips        map[int]tool // that take objects, by the index of the Attach
}

// place is when a move happens.
type place struct {
	start, end float64 // s
	length     float64 // of the way
	section    *timed  // the last one
	from, to   float64 // coordinates of the section
	begin      float64 // of the section, s
}

func newCompiler(p *Program, robot Robot, start []float64) (*compiler, error) {
	m := robot.Model
	n := m.NV()
	if len(robot.Limits) != n || len(start) != n || m.NQ() != n {
		panic(fmt.Sprintf("program: Compile: expected limits and a start for %d joints of one coordinate each", n))
	}
	c := &compiler{
		program: p, robot: robot, n: n, names: make([]string, n), lower: make([]float64, n), upper: make([]float64, n),
		data: multibody.NewData(m), solver: ik.NewSolver(m), q: slices.Clone(start), places: make([]place, len(p.Moves)), targets: make([][]float64, len(p.Moves)), grips: map[int]tool{},
		motion: &Motion{Limits: robot.Limits, axes: n, starts: []float64{0}, rests: []float64{0}},
	}
	m.PositionLimits(c.lower, c.upper)
	for _, j := range m.Joints() {
		if j.Mimic == nil {
			c.names[j.V] = j.Name
		}
	}
	for i, l := range robot.Limits {
		if !(l.Velocity > 0 && l.Acceleration > 0 && l.Jerk > 0) || math.IsInf(l.Velocity+l.Acceleration+l.Jerk, 1) {
			return nil, fmt.Errorf("compile a program: joint %q wants finite limits of velocity, acceleration and jerk, has %g, %g and %g", c.names[i], l.Velocity, l.Acceleration, l.Jerk)
		}
		if !(start[i] >= c.lower[i]-1e-9 && start[i] <= c.upper[i]+1e-9) {
			return nil, fmt.Errorf("compile a program: it starts with joint %q at %.4g, beyond its limits %.4g to %.4g: move the joint back first", c.names[i], start[i], c.lower[i], c.upper[i])
		}
	}
	return c, nil
}

// fail returns the error of move k at s; a negative s is no place.
func (c *compiler) fail(k int, s float64, format string, args ...any) error {
	m := &c.program.Moves[k]
	return &Error{At: m.At, Kind: m.Kind, Number: k + 1, S: s, Reason: fmt.Sprintf(format, args...)}
}

// failJoint returns the error of joint i at s of move k.
func (c *compiler) failJoint(i, k int, s float64, format string, args ...any) error {
	m := &c.program.Moves[k]
	return &Error{At: m.At, Kind: m.Kind, Number: k + 1, S: s, Joint: c.names[i], Reason: fmt.Sprintf(format, args...)}
}

// toolOf resolves the tool of a move.
func (c *compiler) toolOf(k int) (tool, error) {
	t := c.program.Moves[k].Tool
	m := c.robot.Model
	if t.Link == "" {
		tips := m.Links()
		for _, j := range m.Joints() {
			tips = slices.DeleteFunc(tips, func(l string) bool { return l == j.Parent })
		}
		if len(tips) != 1 {
			return tool{}, c.fail(k, -1, "the robot has %d links that carry no other one: name the link of the tool under tools, as hand: {link: %s}", len(tips), strings.Join(tips, " or "))
		}
		t.Link = tips[0]
	}
	link, err := m.Link(t.Link)
	if err != nil {
		return tool{}, c.fail(k, -1, "the robot has no link %q%s", t.Link, nearest.Hint(t.Link, m.Links()))
	}
	return tool{link, t.Pose}, nil
}

// pose returns where a tool is.
func (c *compiler) pose(t tool, q []float64) spatial.Pose {
	multibody.FK(c.data, q)
	return c.data.Pose(t.link).Mul(t.pose)
}

// grip resolves the tool of an Attach, and checks the links that may touch the object.
func (c *compiler) grip(k int) error {
	t, err := c.toolOf(k)
	if err != nil {
		return err
	}
	links := c.robot.Model.Links()
	for _, link := range c.program.Moves[k].Tool.Touch {
		if !slices.Contains(links, link) {
			return c.fail(k, -1, "the robot has no link %q, which touch of the tool names%s", link, nearest.Hint(link, links))
		}
	}
	c.grips[k] = t
	return nil
}

func (c *compiler) move(k int) error {
	m := &c.program.Moves[k]
	switch m.Kind {
	case Set, Detach:
		return nil
	case Attach:
		return c.grip(k)
	case Dwell:
		if err := c.close(); err != nil {
			return err
		}
		c.dwell(k, m.Time)
		return nil
	}
	t, err := c.toolOf(k)
	if err != nil {
		return err
	}
	if m.Kind == MoveL || m.Kind == MoveC {
		return c.straight(k, t)
	}
	if err := c.flush(); err != nil {
		return err
	}
	if m.Kind == MovePath {
		err := c.way(k, t)
		c.targets[k] = slices.Clone(c.q)
		return err
	}
	q, err := c.target(k, t)
	if err != nil {
		return err
	}
	c.targets[k] = q
	return c.joints(k, t, q, m.Blend, false)
}

// target returns the positions of the joints at the end of a moveJ.
func (c *compiler) target(k int, t tool) ([]float64, error) {
	m := &c.program.Moves[k]
	q := slices.Clone(c.q)
	if m.Pose != nil {
		goal := m.Pose.Pose
		if m.Pose.KeepRotation {
			goal.R = c.pose(t, c.q).R
		}
		if c.solver.Follow(t.link, t.pose)(q, goal) == nil {
			return q, nil
		}
		copy(q, c.q)
		task := ik.Reach(t.link, goal)
		task.Tool = t.pose
		if err := c.solver.Solve(c.q, []ik.Task{task}, q); err != nil {
			return nil, c.fail(k, -1, "the target cannot be reached: %v; move the target, or give joint positions", err)
		}
		return q, nil
	}
	joints, err := m.target(c, k)
	if err != nil {
		return nil, err
	}
	if joints[0].Name == "" && len(joints) != c.n {
		return nil, c.fail(k, -1, "it has %d positions: wants one for each of the %d joints %s, or some by name, as {%s: 0}", len(joints), c.n, strings.Join(c.names, ", "), c.names[0])
	}
	for i, v := range joints {
		if v.Name != "" {
			if i = slices.Index(c.names, v.Name); i < 0 {
				return nil, c.fail(k, -1, "the robot has no joint %q%s", v.Name, nearest.Hint(v.Name, append([]string{"xyz", "rpy"}, c.names...)))
			}
		}
		if err := c.checkUnit(k, i, v.Unit); err != nil {
			return nil, err
		}
		q[i] = v.Position
	}
	return q, c.checkLimits(k, -1, q)
}

// checkUnit rejects lengths for joints that turn, and angles for joints that slide.
func (c *compiler) checkUnit(k, i int, name string) error {
	j, err := c.robot.Model.Joint(c.names[i])
	if err != nil || name == "" {
		return nil
	}
	isLength := slices.ContainsFunc(length.units, func(u unit) bool { return u.name == name })
	if slides := j.Type == multibody.Prismatic; slides != isLength {
		what := "turns: wants an angle, as 30 deg"
		if slides {
			what = "slides: wants a length, as 30 mm"
		}
		return c.failJoint(i, k, -1, "the position of joint %q is in %s, but the joint %s", c.names[i], name, what)
	}
	return nil
}

func (c *compiler) checkLimits(k int, s float64, q []float64) error {
	for i, x := range q {
		if !(x >= c.lower[i]-1e-9 && x <= c.upper[i]+1e-9) {
			return c.failJoint(i, k, s, "joint %q would be at %.4g, beyond its limits %.4g to %.4g: move the target or a point before it, or come with another posture by a moveJ", c.names[i], x, c.lower[i], c.upper[i])
		}
	}
	return nil
}

// joints appends a straight line of the joints.
func (c *compiler) joints(k int, t tool, q []float64, blend float64, shrink bool) error {
	length := c.lineLength(t, c.q, q)
	if length == 0 {
		c.legsEndBlend() // there is no way on which to blend
		return c.mark(k)
	}
	err := c.add(leg{path: line(c.q, q, length), length: length, spans: []span{{move: k, end: length}}, tool: t, line: true, blend: blend, shrink: shrink})
	copy(c.q, q)
	return err
}

// legsEndBlend makes the last leg end in a stop.
func (c *compiler) legsEndBlend() {
	if n := len(c.legs); n > 0 {
		c.legs[n-1].blend = 0
	}
}

// lineLength returns how long the way of a tool is while the joints go straight from a to b.
func (c *compiler) lineLength(t tool, a, b []float64) float64 {
	const steps = 32
	q := slices.Clone(a)
	sum, turn := 0.0, 0.0
	last := c.pose(t, a).P
	for k := 1; k <= steps; k++ {
		for i := range q {
			q[i] = a[i] + (b[i]-a[i])*float64(k)/steps
			turn = max(turn, math.Abs(b[i]-a[i]))
		}
		p := c.pose(t, q).P
		sum += p.Sub(last).Norm()
		last = p
	}
	return max(sum, turn/10)
}

// way appends the lines of a movePath.
func (c *compiler) way(k int, t tool) error {
	m := &c.program.Moves[k]
	at := make([]int, len(m.Points[0]))
	for i := range at {
		at[i] = i
		if m.Names != nil {
			if at[i] = slices.Index(c.names, m.Names[i]); at[i] < 0 {
				return c.fail(k, -1, "the robot has no joint %q of the path%s; plan with --joints for those that programs move", m.Names[i], nearest.Hint(m.Names[i], c.names))
			}
		}
	}
	if m.Names == nil && len(at) != c.n {
		return c.fail(k, -1, "its waypoints have %d positions: want one for each of the %d joints %s", len(at), c.n, strings.Join(c.names, ", "))
	}
	way := 0.0
	for w, point := range m.Points {
		q := slices.Clone(c.q)
		for i, x := range point {
			q[at[i]] = x
		}
		if err := c.checkLimits(k, way, q); err != nil {
			return err
		}
		if w == 0 {
			if i := farther(q, c.q); i >= 0 {
				return c.failJoint(i, k, -1, "it begins with joint %q at %.4g, but the robot would be at %.4g: put a moveJ to its first waypoint before it", c.names[i], q[i], c.q[i])
			}
			if len(m.Points) == 1 {
				return c.mark(k)
			}
			continue
		}
		way += c.lineLength(t, c.q, q)
		blend := m.Blend
		if w == len(m.Points)-1 {
			blend = 0
		}
		if err := c.joints(k, t, q, blend, true); err != nil {
			return err
		}
	}
	return nil
}

// farther returns the first joint that is not where the other position has it.
func farther(a, b []float64) int {
	for i := range a {
		if math.Abs(a[i]-b[i]) > joining {
			return i
		}
	}
	return -1
}

// finish adds outputs, parts and a rest where nothing moves.
func (c *compiler) finish() {
	m := c.motion
	if len(m.starts) == 1 {
		for _, x := range c.q {
			m.pieces = append(m.pieces, piece{x})
		}
		m.starts, m.rests = append(m.starts, 0.001), append(m.rests, 0.001)
	}
	last := place{}
	for k, move := range c.program.Moves {
		switch move.Kind {
		case Attach, Detach:
			continue
		case Set:
		default:
			last = c.places[k]
			m.Parts = append(m.Parts, Part{k, last.start, last.end, last.length, c.targets[k]})
			continue
		}
		time := last.end
		if last.section != nil && move.Before > 0 {
			time = last.begin + last.section.timeAt(max(last.to-move.Before, last.from))
		}
		for _, o := range move.Output {
			m.Outputs = append(m.Outputs, Change{time, o.Name, o.Value})
		}
	}
	m.Carries = c.carries()
	slices.SortStableFunc(m.Outputs, func(a, b Change) int {
		switch {
		case a.Time < b.Time:
			return -1
		case a.Time > b.Time:
			return 1
		}
		return 0
	})
}

// Tool returns the link that carries the tool of part k, and the pose of the tool in its frame.
func (m *Motion) Tool(p *Program, robot *multibody.Model, k int) (link int, pose spatial.Pose, err error) {
	c := &compiler{program: p, robot: Robot{Model: robot}}
	if len(m.Parts) == 0 {
		return 0, spatial.IdentityPose(), nil
	}
	t, err := c.toolOf(m.Parts[k].Move)
	return t.link, t.pose, err
}

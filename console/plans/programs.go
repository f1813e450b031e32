package plans

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/program"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// longestProgram is the longest text of a program that pages edit, bytes.
const longestProgram = 1 << 20

// Programs returns the programs of a robot.
func (p *Plans) Programs(ctx context.Context, q Entry) ([]robots.Program, error) {
	list, err := p.robots.Programs(ctx, q.System, q.Robot)
	if err != nil {
		return nil, fmt.Errorf("list the programs of robot %q: %w", q.Robot, err)
	}
	return list, nil
}

// ProgramRequest asks what a robot does in a program.
type ProgramRequest struct {
	Entry
	File    string       `json:"file"`           // of the program, as listed
	Text    string       `json:"text"`           // of the program, saved or not
	Start   []float64    `json:"start"`          // positions of all joints at which it begins, rad or m
	Objects []Object     `json:"objects"`        // obstacles
	Free    bool         `json:"free"`           // whether contacts are looked for
	Edit    *ProgramEdit `json:"edit,omitempty"` // which the text gets before
}

// ProgramEdit gives a point of a program another place.
type ProgramEdit struct {
	Move  int          `json:"move"`  // number, from 1
	Via   bool         `json:"via"`   // the point that an arc passes through
	Point int          `json:"point"` // index of a waypoint
	Pose  robots.Frame `json:"pose"`  // of the tool, in the scene
}

// ProgramReply is a program with its motion, or its mistakes. With mistakes the motion is that of the moves before the first one.
type ProgramReply struct {
	Text     string           `json:"text"` // with the edit
	Title    string           `json:"title"`
	Problems []ProgramProblem `json:"problems"`
	Points   []ProgramPoint   `json:"points"`
	Moves    []ProgramMove    `json:"moves"`
	Outputs  []ProgramOutput  `json:"outputs"`
	Carried  []ProgramCarry   `json:"carried"` // known objects, in the order of their attach

	Duration float64        `json:"duration"` // s
	Q        Numbers        `json:"q"`        // positions of all joints of the robot at equal distances of time
	Hand     Numbers        `json:"hand"`     // x, y, z of the tool at these times, m
	Limits   []ProgramLimit `json:"limits"`
	Use      Numbers        `json:"use"` // part of each of the limits that is used at these times

	// Singularity is the least singular value of the tool's Jacobian on lines and arcs, 0 without any; SingularMove the move's number; SingularS how far along (m).
	Singularity  float64 `json:"singularity"`
	SingularMove int     `json:"singular_move"`
	SingularS    float64 `json:"singular_s"`
	Report       string  `json:"report"` // what was found of contacts; "": they were not looked for
}

// ProgramProblem is a mistake of a program.
type ProgramProblem struct {
	Line     int         `json:"line"`            // 0: of the whole
	Text     string      `json:"text"`            // the reason, and what to do
	Move     int         `json:"move"`            // number, from 1; 0: unknown
	S        *float64    `json:"s,omitempty"`     // way of the tool along the move, m
	Joint    string      `json:"joint,omitempty"` // that it is about
	Place    *[3]float64 `json:"place,omitempty"` // of the tool, m
	Q        []float64   `json:"q,omitempty"`     // positions of all joints there, or before the move
	Contacts []Contact   `json:"contacts"`
}

// ProgramPoint is a place that a program names.
type ProgramPoint struct {
	Move   int          `json:"move"`   // number, from 1
	Line   int          `json:"line"`   // of the move
	Kind   string       `json:"kind"`   // keyword of the move
	Via    bool         `json:"via"`    // an arc passes through it
	Point  int          `json:"point"`  // index of a waypoint
	Pose   robots.Frame `json:"pose"`   // of the tool, in the scene
	Turns  bool         `json:"turns"`  // the text states its rotation
	Joints bool         `json:"joints"` // the text states positions of joints
	Fixed  string       `json:"fixed"`  // why it cannot be moved by hand; "": it can
}

// ProgramMove is when a move happens.
type ProgramMove struct {
	Move   int     `json:"move"` // number, from 1
	Line   int     `json:"line"`
	Kind   string  `json:"kind"`
	Start  float64 `json:"start"` // s
	End    float64 `json:"end"`
	Length float64 `json:"length"` // m
}

// ProgramOutput is a change of an output.
type ProgramOutput struct {
	Time  float64 `json:"time"` // s
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// ProgramCarry is that a link carries an object during a part of the motion.
type ProgramCarry struct {
	Object string       `json:"object"`
	Link   string       `json:"link"`
	From   float64      `json:"from"` // s
	To     float64      `json:"to"`   // s; the end of the motion if the link does not leave the object
	Grip   robots.Frame `json:"grip"` // pose of the object in the frame of the link
	Left   robots.Frame `json:"left"` // pose of the object in the scene at To
}

// ProgramLimit is a limit that holds along a program.
type ProgramLimit struct {
	Of   string `json:"of"`   // a joint, or "" for the tool on lines and arcs
	Kind string `json:"kind"` // "speed", "acceleration", "jerk" or "turning"
}

// Compile compiles the text of a program as the block that executes it does, after an edit. Mistakes of the program are no error: see [ProgramReply].
func (p *Plans) Compile(ctx context.Context, q ProgramRequest) (*ProgramReply, error) {
	fail := func(err error) (*ProgramReply, error) {
		return nil, fmt.Errorf("compile the program %s: %w", filepath.Base(q.File), err)
	}
	c, turn, err := p.compilation(ctx, &q)
	if err != nil {
		return fail(err)
	}
	defer turn.end()
	reply, err := c.run(&q)
	if err != nil {
		return fail(err)
	}
	return reply, nil
}

// compilation prepares a compilation, in a turn that the caller ends.
func (p *Plans) compilation(ctx context.Context, q *ProgramRequest) (*compilation, *turn, error) {
	if len(q.Text) > longestProgram || len(q.Objects) > mostObjects {
		return nil, nil, fmt.Errorf("%d bytes among %d obstacles: at most %d bytes and %d obstacles", len(q.Text), len(q.Objects), longestProgram, mostObjects)
	}
	w, _, err := p.worldOf(ctx, q.System, q.Robot, q.Start)
	if err != nil {
		return nil, nil, err
	}
	list, err := p.robots.Programs(ctx, q.System, q.Robot)
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(list, func(x robots.Program) bool { return x.File == q.File })
	if i < 0 {
		return nil, nil, fmt.Errorf("robot %q has no such program", q.Robot)
	}
	arm, err := list[i].Arm(ctx)
	if err != nil {
		return nil, nil, err
	}
	turn, err := p.take(ctx)
	if err != nil {
		return nil, nil, err
	}
	c, err := newCompilation(w, arm, &list[i], q)
	if err != nil {
		turn.end()
		return nil, nil, err
	}
	return c, turn, nil
}

// CheckProgram returns the mistakes of the text of a program of a robot without a system, which begins where its world does.
func (p *Plans) CheckProgram(ctx context.Context, q Entry, file, text string) error {
	w, _, err := p.robots.World(ctx, q.System, q.Robot)
	if err != nil {
		return err
	}
	c, turn, err := p.compilation(ctx, &ProgramRequest{Entry: q, File: file, Text: text, Start: w.Start})
	if err != nil {
		return err
	}
	defer turn.end()
	moves, err := program.Parse([]byte(text), c.file.Name, c.file.Files)
	if err == nil {
		_, err = program.Compile(moves, c.robot, c.start)
	}
	return err
}

// compilation is the state of Compile.
type compilation struct {
	world *robots.World
	space *spaces
	file  *robots.Program
	robot program.Robot
	data  *multibody.Data
	order []int     // of the joints of the program's model among all joints
	start []float64 // of the program's model

	program *program.Program
	motion  *program.Motion
	states  []trajectory.State
	q       []float64
}

func newCompilation(w *robots.World, arm *robots.Arm, file *robots.Program, q *ProgramRequest) (*compilation, error) {
	all, err := w.Joints()
	if err != nil {
		return nil, err
	}
	var held []string
	for i := range all.Dim() {
		if name, _, _ := all.Limits(i); !slices.Contains(arm.Joints, name) {
			held = append(held, name)
		}
	}
	s, err := newSpaces(w, held, q.Start)
	if err != nil {
		return nil, err
	}
	if s.joints == nil {
		return nil, errors.New("the robot has a joint of several coordinates: programs move joints of one")
	}
	m := s.model
	c := &compilation{world: w, space: s, file: file, data: multibody.NewData(m), robot: program.Robot{Model: m, Limits: make([]trajectory.Limits, m.NV()), Semantic: arm.Semantic},
		order: make([]int, m.NV()), start: make([]float64, m.NV()), states: make([]trajectory.State, m.NV()), q: make([]float64, m.NV())}
	for i, k := range s.places {
		if k < 0 {
			continue
		}
		name, _, _ := all.Limits(i)
		c.order[k], c.start[k], c.robot.Limits[k] = i, q.Start[i], arm.Limits[slices.Index(arm.Joints, name)]
	}
	return c, nil
}

// newReply returns a reply about a text that names nothing.
func newReply(text string) *ProgramReply {
	return &ProgramReply{Text: text, Problems: []ProgramProblem{}, Points: []ProgramPoint{}, Moves: []ProgramMove{}, Outputs: []ProgramOutput{}, Carried: []ProgramCarry{}, Limits: []ProgramLimit{}}
}

// run edits the text, compiles it, and describes the result.
func (c *compilation) run(q *ProgramRequest) (*ProgramReply, error) {
	r := newReply(q.Text)
	text, err := c.edited(q)
	if err != nil {
		return nil, err
	}
	r.Text = string(text)
	if c.program, err = program.Parse(text, c.file.Name, c.file.Files); err != nil {
		r.Problems = problemsOf(err)
		return r, nil
	}
	r.Title = c.program.Name
	defer c.points(r)
	if c.motion, err = program.Compile(c.program, c.robot, c.start); err != nil {
		c.failed(r, err)
		if c.motion == nil {
			return r, nil
		}
	} else if q.Free {
		if err := c.checkFree(r, q.Objects); err != nil {
			return nil, err
		}
	}
	c.describe(r)
	return r, c.carried(r, q.Objects)
}

// edited returns the text with the edit of a request.
func (c *compilation) edited(q *ProgramRequest) ([]byte, error) {
	if q.Edit == nil {
		return []byte(q.Text), nil
	}
	p, err := program.Parse([]byte(q.Text), c.file.Name, c.file.Files)
	if err != nil {
		return nil, err
	}
	k := q.Edit.Move - 1
	if k < 0 || k >= len(p.Moves) {
		return nil, fmt.Errorf("edit move %d: the program has %d moves", q.Edit.Move, len(p.Moves))
	}
	at, err := poseOf(q.Edit.Pose.P, q.Edit.Pose.Q)
	if err != nil {
		return nil, fmt.Errorf("edit move %d: %w", q.Edit.Move, err)
	}
	e := program.Edit{Move: k, Via: q.Edit.Via, Point: q.Edit.Point, Pose: c.space.base.InvMul(at)}
	if m := &p.Moves[k]; m.Pose == nil {
		if e.Joints, err = c.reached(p, &e); err != nil {
			return nil, err
		}
	}
	return e.Apply([]byte(q.Text), c.file.Name, c.file.Files)
}

// reached returns the positions of the joints at which the tool of a move is at the pose of an edit, near those that the move has.
func (c *compilation) reached(p *program.Program, e *program.Edit) ([]program.JointValue, error) {
	m := &p.Moves[e.Move]
	tool, link, err := c.tool(p, e.Move)
	if err != nil {
		return nil, err
	}
	positions := c.targetOf(m, e.Point)
	if positions == nil {
		return nil, fmt.Errorf("edit the %s (move %d): it has not one position for each joint; edit the text", m.Kind, e.Move+1)
	}
	copy(c.q, positions)
	goal, q := e.Pose, slices.Clone(c.q)
	if err := c.space.solver.Follow(link, tool)(q, goal); err != nil {
		return nil, fmt.Errorf("edit the %s (move %d): the joints do not reach the place: %w; drag it less far", m.Kind, e.Move+1, err)
	}
	values := make([]program.JointValue, len(q))
	for i, x := range q {
		name, _, _ := c.space.all.Limits(c.order[i])
		values[i] = program.JointValue{Name: name, Position: x}
	}
	return values, nil
}

// tool returns the tool of a move: its pose in the frame of its link.
func (c *compilation) tool(p *program.Program, k int) (spatial.Pose, int, error) {
	m := program.Motion{Parts: []program.Part{{Move: k}}}
	link, pose, err := m.Tool(p, c.robot.Model, 0)
	return pose, link, err
}

// targetOf returns the positions of all joints that a move states, nil if it does not.
func (c *compilation) targetOf(m *program.Move, point int) []float64 {
	switch n := len(c.q); {
	case m.Kind == program.MovePath && m.Names == nil && point < len(m.Points) && len(m.Points[point]) == n:
		return m.Points[point]
	case m.Kind == program.MoveJ && len(m.Joints) == n:
		q, names := make([]float64, n), make([]string, n)
		for i, v := range m.Joints {
			q[i], names[i] = v.Position, v.Name
		}
		if names[0] != "" && !c.place(names, q, q) {
			return nil
		}
		return q
	}
	return nil
}

// place writes positions by the names of their joints into q, in the order of the model. It reports false if the model lacks one.
func (c *compilation) place(names []string, positions, q []float64) bool {
	for i, x := range slices.Clone(positions) {
		j, err := c.robot.Model.Joint(names[i])
		if err != nil || j.Mimic != nil {
			return false
		}
		q[j.V] = x
	}
	return true
}

// problemsOf returns the mistakes of a text.
func problemsOf(err error) []ProgramProblem {
	var all document.Problems
	if !errors.As(err, &all) {
		return []ProgramProblem{{Text: err.Error(), Contacts: []Contact{}}}
	}
	list := make([]ProgramProblem, len(all))
	for i, x := range all {
		list[i] = ProgramProblem{Line: x.Position.Line, Text: x.Message, Contacts: []Contact{}}
	}
	return list
}

// failed describes an error of Compile, and compiles the moves before the one that it names.
func (c *compilation) failed(r *ProgramReply, err error) {
	var e *program.Error
	if !errors.As(err, &e) {
		r.Problems = problemsOf(err)
		return
	}
	x := ProgramProblem{Line: e.At.Line, Text: e.Reason, Move: e.Number, Joint: e.Joint, Contacts: []Contact{}}
	k := e.Number - 1
	before := c.start
	if k > 0 {
		part := *c.program
		part.Moves = slices.Clone(part.Moves[:k])
		if m, err := program.Compile(&part, c.robot, c.start); err == nil {
			c.motion = m
			c.at(m.Duration())
			before = slices.Clone(c.q)
		}
	}
	x.Q = c.widened(before)
	if e.S >= 0 {
		x.S = &e.S
	}
	if p, ok := c.placeOf(k, before, e.S); ok {
		place := c.inScene(p)
		x.Place = &place.P
	}
	r.Problems = append(r.Problems, x)
}

// placeOf returns where the tool is at s of a move of the tool that begins with these positions; without s, its target.
func (c *compilation) placeOf(k int, before []float64, s float64) (spatial.Pose, bool) {
	m := &c.program.Moves[k]
	pose, link, err := c.tool(c.program, k)
	if err != nil || m.Pose == nil {
		return spatial.Pose{}, false
	}
	if s < 0 || m.Kind == program.MoveJ {
		return m.Pose.Pose, true
	}
	multibody.FK(c.data, before)
	path := trajectory.NewToolPath(c.data.Pose(link).Mul(pose))
	if m.Kind == program.MoveC {
		if path.ArcTo(m.Via, m.Pose.Pose) != nil {
			return m.Pose.Pose, true
		}
	} else {
		path.LineTo(m.Pose.Pose)
	}
	_, end := path.Domain()
	return path.Pose(min(s, end)), true
}

// checkFree looks for contacts of the motion with obstacles and of the robot with itself.
func (c *compilation) checkFree(r *ProgramReply, objects []Object) error {
	s, err := sceneWith(c.world.Scene, objects)
	if err != nil {
		return err
	}
	v, err := program.CheckFree(c.program, c.motion, c.robot.Model, s, c.space.joints, proofStep)
	var e *program.Error
	switch {
	case errors.As(err, &e) && v.Scene == nil: // it has no place
		r.Problems = append(r.Problems, ProgramProblem{Line: e.At.Line, Text: e.Reason, Move: e.Number, Contacts: []Contact{}})
		return nil
	case errors.As(err, &e):
		c.at(v.Time)
		q := c.widened(c.q)
		full := make([]float64, s.NQ())
		c.space.all.Configuration(q, full)
		touching, err := exact.New(v.Scene).Contacts(full, nil)
		if err != nil {
			return err
		}
		x := ProgramProblem{Line: e.At.Line, Text: e.Reason, Move: e.Number, S: &e.S, Joint: e.Joint, Q: q, Contacts: contacts(touching)}
		if len(touching) == 0 {
			x.Contacts = append(x.Contacts, Contact{A: v.Pair.A, B: v.Pair.B, Time: v.Time})
		}
		if pose, link, err := c.tool(c.program, e.Number-1); err == nil {
			multibody.FK(c.data, c.q)
			place := c.inScene(c.data.Pose(link).Mul(pose))
			x.Place = &place.P
		}
		r.Problems = append(r.Problems, x)
	case err != nil:
		return err
	}
	r.Report = v.String()
	return nil
}

// at leaves the positions of the joints at a time in c.q, and their states.
func (c *compilation) at(time float64) {
	c.motion.At(time, c.states)
	for i, s := range c.states {
		c.q[i] = s.Position
	}
}

// widened returns the positions of all joints of the robot.
func (c *compilation) widened(q []float64) []float64 {
	all := slices.Clone(c.space.rest)
	for k, i := range c.order {
		all[i] = q[k]
	}
	return all
}

// inScene returns a pose of the base as a frame of the scene.
func (c *compilation) inScene(p spatial.Pose) robots.Frame {
	return robots.NewFrame("", c.space.base.Mul(p))
}

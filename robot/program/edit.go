package program

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Edit gives a point of a program another place: the target of a move, the point that an arc passes through, or a waypoint.
type Edit struct {
	Move  int  // index in Program.Moves
	Via   bool // of MoveC: the point that its arc passes through, in place of its target
	Point int  // of MovePath: index of the waypoint

	Pose   spatial.Pose // of the tool in the frame of the base, for a target that is a pose; of Via only the position counts
	Joints []JointValue // for a target in positions of joints: those of all joints by name, in the order of the model
}

// Apply returns the text of a program with the point in its new place. It changes the digits of numbers that differ by more than their last written digit
// can state (0.01 mm, 1e-5 rad or 0.001°), and nothing else: units, comments and layout stay. It fails for a text that is no program, and for a point that
// is not stated in the text as numbers: a rotation where the move has no rpy, or a waypoint of a file that the program names.
func (e Edit) Apply(text []byte, file string, fsys fs.FS) ([]byte, error) {
	p, root, err := parseText(text, file, fsys, maxMoves)
	if err != nil {
		return nil, err
	}
	if e.Move < 0 || e.Move >= len(p.program.Moves) {
		return nil, fmt.Errorf("%s: edit move %d: the program has %d moves", file, e.Move+1, len(p.program.Moves))
	}
	move := child(root.Content[0], "moves").Content[e.Move]
	m := &p.program.Moves[e.Move]
	c := changes{text: text, lines: bytes.SplitAfter(text, []byte("\n"))}
	if err := e.collect(&c, p, m, move, child(move, m.Kind.String())); err != nil {
		return nil, fmt.Errorf("%s: edit the %s (move %d): %w", m.At, m.Kind, e.Move+1, err)
	}
	out := c.apply()
	if _, err := Parse(out, file, fsys); err != nil {
		return nil, fmt.Errorf("%s: edit the %s (move %d): the new text is no program: %w", m.At, m.Kind, e.Move+1, err)
	}
	return out, nil
}

// collect finds the numbers of the point and their new values.
func (e Edit) collect(c *changes, p *parser, m *Move, move, value *yaml.Node) error {
	switch {
	case m.Kind >= Dwell:
		return errors.New("it goes nowhere")
	case m.Kind == MovePath:
		return e.waypoint(c, value)
	case m.State != "":
		return fmt.Errorf("it goes to the state %q of the SRDF file: give positions or a pose in its place", m.State)
	case m.Kind == MoveJ && m.Pose == nil:
		return e.joints(c, value)
	}
	frame := spatial.IdentityPose()
	if f := child(move, "frame"); f != nil {
		frame = p.frames[f.Value]
	} else if f := p.defaults[m.Kind]["frame"]; f != nil {
		frame = p.frames[f.Value]
	}
	at := frame.InvMul(e.Pose)
	if e.Via {
		if m.Kind != MoveC {
			return errors.New("only a moveC passes through a point")
		}
		return c.vector(child(value, "via"), at.P, length)
	}
	if err := c.vector(child(value, "xyz"), at.P, length); err != nil {
		return err
	}
	if m.Pose.KeepRotation || m.Pose.R.T().Mul(e.Pose.R).Log().Norm() < 1e-6 {
		return nil // it has no rotation of its own, or is not turned
	}
	rpy := child(value, "rpy")
	before := p.vector(rpy, "rpy", angle)
	roll, pitch, yaw := at.R.RPY()
	return c.vector(rpy, spatial.Vec3{X: nearTurn(roll, before.X), Y: nearTurn(pitch, before.Y), Z: nearTurn(yaw, before.Z)}, angle)
}

// nearTurn returns the angle that is the same turn as a and nearest to b.
func nearTurn(a, b float64) float64 { return a + 2*math.Pi*math.Round((b-a)/(2*math.Pi)) }

// joints finds the positions of a moveJ.
func (e Edit) joints(c *changes, value *yaml.Node) error {
	if value.Kind == yaml.SequenceNode {
		return c.list(value, e.Joints)
	}
	for i := 0; i+1 < len(value.Content); i += 2 {
		k := slices.IndexFunc(e.Joints, func(v JointValue) bool { return v.Name == value.Content[i].Value })
		if k < 0 {
			return fmt.Errorf("the robot has no joint %q", value.Content[i].Value)
		}
		if err := c.number(value.Content[i+1], e.Joints[k].Position, joint); err != nil {
			return err
		}
	}
	return nil
}

// waypoint finds the positions of a waypoint.
func (e Edit) waypoint(c *changes, value *yaml.Node) error {
	switch {
	case value.Kind != yaml.SequenceNode:
		return fmt.Errorf("its waypoints are those of the file %s: plan again, or give the waypoints as a list", value.Value)
	case e.Point < 0 || e.Point >= len(value.Content):
		return fmt.Errorf("it has %d waypoints, not %d", len(value.Content), e.Point+1)
	}
	return c.list(value.Content[e.Point], e.Joints)
}

// changes are new numbers in a text.
type changes struct {
	text  []byte
	lines [][]byte
	all   []change
}

type change struct {
	from, to int // bytes of the text
	with     string
}

// list changes the numbers of a list of joints.
func (c *changes) list(n *yaml.Node, to []JointValue) error {
	if len(n.Content) != len(to) {
		return fmt.Errorf("it has %d positions, the robot %d joints", len(n.Content), len(to))
	}
	for i, x := range n.Content {
		if err := c.number(x, to[i].Position, joint); err != nil {
			return err
		}
	}
	return nil
}

func (c *changes) vector(n *yaml.Node, to spatial.Vec3, d *dimension) error {
	for i, x := range []float64{to.X, to.Y, to.Z} {
		if err := c.number(n.Content[i], x, d); err != nil {
			return err
		}
	}
	return nil
}

// decimals are the digits that are written behind the point, by the unit.
var decimals = map[string]int{"": 5, "m": 5, "cm": 3, "mm": 2, "rad": 5, "deg": 3, "°": 3}

// number changes the digits of a number, unless it has the value already.
func (c *changes) number(n *yaml.Node, to float64, d *dimension) error {
	x, name, err := d.parse(n.Value)
	if err != nil {
		return err
	}
	scale := 1.0
	for _, u := range d.units {
		if u.name == name {
			scale = u.value
		}
	}
	step := math.Pow(10, -float64(decimals[name]))
	if math.Abs(to-x) <= 0.5*step*scale {
		return nil
	}
	from := c.offset(n)
	digits, _ := splitUnit(n.Value)
	if from < 0 || !bytes.HasPrefix(c.text[from:], []byte(digits)) {
		return fmt.Errorf("line %d: the number %q is written in a way that cannot be edited here: write it plainly", n.Line, n.Value)
	}
	with := strconv.FormatFloat(math.Round(to/scale/step)*step, 'f', decimals[name], 64)
	with = strings.TrimSuffix(strings.TrimRight(with, "0"), ".")
	if with == "-0" || with == "" {
		with = "0"
	}
	c.all = append(c.all, change{from, from + len(digits), with})
	return nil
}

// offset returns where the text of a scalar begins; -1: nowhere.
func (c *changes) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(c.lines) {
		return -1
	}
	at := 0
	for _, line := range c.lines[:n.Line-1] {
		at += len(line)
	}
	line := c.lines[n.Line-1]
	for range n.Column - 1 { // columns count characters
		_, size := utf8.DecodeRune(line)
		line, at = line[size:], at+size
	}
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		at++
	}
	for at < len(c.text) && c.text[at] == ' ' { // within quotes
		at++
	}
	return at
}

func (c *changes) apply() []byte {
	slices.SortFunc(c.all, func(a, b change) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, x := range c.all {
		out = append(append(out, c.text[at:x.from]...), x.with...)
		at = x.to
	}
	return append(out, c.text[at:]...)
}

// child returns the value of a key of a mapping, nil if it has none.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

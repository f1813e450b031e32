package program

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/internal/yamlfault"
	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Bounds of a file: a longer one is an error.
const (
	maxFile  = 16 << 20
	maxMoves = 10_000
)

// Read reads a program from a YAML file. The error is [document.Problems]: all mistakes with their lines.
//
//	program: square
//	tools:  {gripper: {link: panda_hand, xyz: [0, 0, 103 mm], touch: [panda_leftfinger, panda_rightfinger]}}
//	frames: {table: {xyz: [0.4, 0, 0.2], rpy: [0, 0, 90 deg]}}
//	defaults:
//	  moveJ: {speed: 50 %}
//	  moveL: {speed: 250 mm/s, blend: 20 mm, tool: gripper}
//	moves:
//	  - moveJ: [0, -45 deg, 0, -135 deg, 0, 90 deg, 45 deg]
//	  - moveL: {xyz: [0, 0, 100 mm], rpy: [180 deg, 0, 0]}
//	    frame: table
//	  - moveC: {via: [50 mm, 50 mm, 100 mm], xyz: [100 mm, 0, 100 mm]}
//	    frame: table
//	  - set: {valve: 1}
//	    before: 30 mm
//	  - dwell: 500 ms
//	  - movePath: plan.json
//	  - attach: box
//	  - moveJ: ready
//	  - detach: box
//
// A number without a unit is in SI units. rpy are roll, pitch and yaw; a pose without rpy keeps the orientation. A movePath has waypoints, or names the
// JSON of sinew plan --json, found beside the program. A moveJ to a name goes to the state of that name in the robot's SRDF file. Between attach and detach
// the tool carries an object of the scene, which [CheckFree] examines; nothing else depends on it. Keys of defaults are those of the moves. Where there is one tool it is that of all moves.
func Read(fsys fs.FS, file string) (*Program, error) { return read(fsys, file, maxMoves) }

// ReadFirst reads as [Read] does the first moves of a program, at most count. Files that only later moves name need not exist.
func ReadFirst(fsys fs.FS, file string, count int) (*Program, error) { return read(fsys, file, count) }

func read(fsys fs.FS, file string, most int) (*Program, error) {
	text, err := fs.ReadFile(fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w%s", err, nearest.File(fsys, file))
	}
	if err != nil {
		return nil, err
	}
	p, _, err := parseText(text, file, fsys, most)
	if err != nil {
		return nil, err
	}
	return p.program, nil
}

// Parse reads a program from the text of a file as [Read] does; fsys holds the files that it names, and may be nil.
func Parse(text []byte, file string, fsys fs.FS) (*Program, error) {
	p, _, err := parseText(text, file, fsys, maxMoves)
	if err != nil {
		return nil, err
	}
	return p.program, nil
}

// parseText returns the parser that has read a program, of its moves at most the first ones, and the document.
func parseText(text []byte, file string, fsys fs.FS, most int) (*parser, *yaml.Node, error) {
	p := &parser{file: file, fsys: fsys, most: most, tools: map[string]Tool{}, frames: map[string]spatial.Pose{}, blends: map[int]*yaml.Node{}, program: &Program{}}
	if len(text) > maxFile {
		return nil, nil, fmt.Errorf("%s: the file has %d bytes: wants at most %d", file, len(text), maxFile)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		f := yamlfault.Explain(text, err)
		return nil, nil, document.Problems{{Position: document.Position{File: file, Line: f.Line, Column: f.Column}, Message: "not YAML: " + f.Message}}
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) != 1 {
		return nil, nil, document.Problems{{Position: document.Position{File: file}, Message: "the program is empty: wants moves"}}
	}
	p.top(root.Content[0])
	if err := p.report.Err(); err != nil {
		return nil, nil, err
	}
	return p, &root, nil
}

// parser is the state of Read.
type parser struct {
	file     string
	fsys     fs.FS
	most     int // moves that are read
	report   document.Report
	tools    map[string]Tool
	frames   map[string]spatial.Pose
	defaults [Detach + 1]map[string]*yaml.Node
	blends   map[int]*yaml.Node // that moves state themselves, by index
	carried  []string           // objects that are attached after the moves so far
	program  *Program
}

func (p *parser) at(n *yaml.Node) document.Position {
	return document.Position{File: p.file, Line: n.Line, Column: n.Column}
}

func (p *parser) fail(n *yaml.Node, format string, args ...any) {
	p.report.Addf(p.at(n), format, args...)
}

// keys returns the values of a mapping, and reports keys that are unknown or repeated.
func (p *parser) keys(n *yaml.Node, what string, known ...string) map[string]*yaml.Node {
	m := map[string]*yaml.Node{}
	if n.Kind != yaml.MappingNode {
		p.fail(n, "%s wants a mapping with %s", what, strings.Join(known, ", "))
		return m
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case !slices.Contains(known, key.Value):
			p.fail(key, "%s has no key %q%s", what, document.Clip(key.Value), nearest.Hint(key.Value, known))
		case m[key.Value] != nil:
			p.fail(key, "%s has the key %q twice", what, key.Value)
		default:
			m[key.Value] = n.Content[i+1]
		}
	}
	return m
}

func (p *parser) top(n *yaml.Node) {
	m := p.keys(n, "a program", "program", "tools", "frames", "defaults", "moves")
	if x := m["program"]; x != nil {
		p.program.Name = x.Value
	}
	p.named(m["tools"], "tools", func(name string, n *yaml.Node) { p.tools[name] = p.tool(n) })
	p.named(m["frames"], "frames", func(name string, n *yaml.Node) {
		p.frames[name] = p.pose(n, p.keys(n, "a frame", "xyz", "rpy"), spatial.IdentityPose())
	})
	if d := m["defaults"]; d != nil {
		for key, n := range p.keys(d, "defaults", "moveJ", "moveL", "moveC", "movePath") {
			kind := Kind(slices.Index(kinds[:], key))
			p.defaults[kind] = p.keys(n, "defaults of "+key, options[kind]...)
		}
	}
	moves := m["moves"]
	switch {
	case moves == nil:
		p.fail(n, "a program wants moves: a list of moveJ, moveL, moveC, movePath, dwell, set, attach and detach")
		return
	case moves.Kind != yaml.SequenceNode || len(moves.Content) == 0:
		p.fail(moves, "moves wants a list with at least one move")
		return
	case len(moves.Content) > maxMoves:
		p.fail(moves, "the program has %d moves: wants at most %d", len(moves.Content), maxMoves)
		return
	}
	for _, n := range moves.Content[:min(p.most, len(moves.Content))] {
		p.move(n)
	}
	if p.most >= len(moves.Content) {
		p.checkBlends()
	}
}

// checkBlends rejects blends that lead nowhere, because no move follows or the robot rests: those that a move itself states, not those of defaults.
func (p *parser) checkBlends() {
	after := "no move follows"
	for k := len(p.program.Moves) - 1; k >= 0; k-- {
		switch m := &p.program.Moves[k]; m.Kind {
		case Set, Attach, Detach:
		case Dwell:
			after = "a dwell follows"
		default:
			if n := p.blends[k]; n != nil && m.Blend > 0 && after != "" && m.Kind != MovePath {
				p.fail(n, "blend is %q, but %s: leave it out", document.Clip(n.Value), after)
			}
			after = ""
		}
	}
}

// named calls f for each value of a mapping with keys of the user's choice.
func (p *parser) named(n *yaml.Node, what string, f func(name string, n *yaml.Node)) {
	if n == nil {
		return
	}
	if n.Kind != yaml.MappingNode {
		p.fail(n, "%s wants a mapping of names", what)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		f(n.Content[i].Value, n.Content[i+1])
	}
}

func (p *parser) tool(n *yaml.Node) Tool {
	m := p.keys(n, "a tool", "link", "xyz", "rpy", "touch")
	t := Tool{Pose: spatial.IdentityPose(), At: p.at(n)}
	if x := m["link"]; x != nil {
		t.Link = x.Value
	}
	if x := m["touch"]; x != nil {
		if x.Kind != yaml.SequenceNode {
			p.fail(x, "touch wants a list of links that may touch what the tool carries, as [left_finger, right_finger]")
		}
		for _, link := range x.Content {
			t.Touch = append(t.Touch, link.Value)
		}
	}
	if m["xyz"] == nil {
		m["xyz"] = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{zero, zero, zero}}
	}
	t.Pose = p.pose(n, m, spatial.IdentityPose())
	return t
}

var zero = &yaml.Node{Kind: yaml.ScalarNode, Value: "0"}

// pose reads xyz and rpy in a frame.
func (p *parser) pose(n *yaml.Node, m map[string]*yaml.Node, frame spatial.Pose) spatial.Pose {
	x := spatial.IdentityPose()
	if m["xyz"] == nil {
		p.fail(n, "a pose wants xyz: [x, y, z]")
		return x
	}
	x.P = p.vector(m["xyz"], "xyz", length)
	if r := m["rpy"]; r != nil {
		v := p.vector(r, "rpy", angle)
		x.R = spatial.RPY(v.X, v.Y, v.Z)
	}
	return frame.Mul(x)
}

func (p *parser) vector(n *yaml.Node, what string, d *dimension) spatial.Vec3 {
	if n.Kind != yaml.SequenceNode || len(n.Content) != 3 {
		p.fail(n, "%s wants a list of three numbers", what)
		return spatial.Vec3{}
	}
	return spatial.Vec3{X: p.quantity(n.Content[0], what, d), Y: p.quantity(n.Content[1], what, d), Z: p.quantity(n.Content[2], what, d)}
}

func (p *parser) quantity(n *yaml.Node, what string, d *dimension) float64 {
	x, _ := p.withUnit(n, what, d)
	return x
}

func (p *parser) withUnit(n *yaml.Node, what string, d *dimension) (float64, string) {
	if n.Kind != yaml.ScalarNode {
		p.fail(n, "%s wants %s", what, d.name)
		return 0, ""
	}
	x, unit, err := d.parse(n.Value)
	if err != nil {
		p.fail(n, "%s is %q: %v", what, document.Clip(n.Value), err)
	}
	return x, unit
}

// options are the keys that a move has beside that of its kind.
var options = [...][]string{
	MoveJ:    {"speed", "acceleration", "jerk", "blend", "continuity", "tool", "frame"},
	MoveL:    {"speed", "acceleration", "jerk", "angular_speed", "angular_acceleration", "blend", "continuity", "tool", "frame"},
	MoveC:    {"speed", "acceleration", "jerk", "angular_speed", "angular_acceleration", "blend", "continuity", "tool", "frame"},
	MovePath: {"speed", "acceleration", "jerk", "blend", "continuity", "tool"},
	Dwell:    {},
	Set:      {"before"},
	Attach:   {"tool"},
	Detach:   {},
}

// Defaults of moveL, moveC and movePath where neither the move nor the defaults of the file state another value.
const (
	defaultSpeed               = 0.25 // m/s
	defaultAcceleration        = 1    // m/s²
	defaultJerk                = 10   // m/s³
	defaultAngularSpeed        = 1    // rad/s
	defaultAngularAcceleration = 4    // rad/s²
	defaultBlend               = 0.01 // m, of the corners of a movePath
)

func (p *parser) move(n *yaml.Node) {
	kind, ok := p.kind(n)
	if !ok {
		return
	}
	m := p.keys(n, article(kind), append([]string{kind.String()}, options[kind]...)...)
	value := m[kind.String()]
	if value == nil {
		return // a key stands there twice
	}
	if b := m["blend"]; b != nil {
		p.blends[len(p.program.Moves)] = b
	}
	for key, n := range p.defaults[kind] {
		if m[key] == nil {
			m[key] = n
		}
	}
	v := Move{Kind: kind, At: p.at(n), Tool: Tool{Pose: spatial.IdentityPose()}}
	p.limits(&v, m)
	if n := m["continuity"]; n != nil {
		switch n.Value {
		case "jerk":
			v.SmoothJerk = true
		case "acceleration":
		default:
			p.fail(n, "continuity is %q: wants acceleration or jerk%s", document.Clip(n.Value), nearest.Hint(n.Value, []string{"acceleration", "jerk"}))
		}
	}
	frame := spatial.IdentityPose()
	if f := m["frame"]; f != nil {
		if frame, ok = p.frames[f.Value]; !ok {
			frame = spatial.IdentityPose()
			p.fail(f, "there is no frame %q%s", document.Clip(f.Value), nearest.Hint(f.Value, slices.Sorted(maps.Keys(p.frames))))
		}
	}
	if len(p.tools) == 1 {
		for _, t := range p.tools {
			v.Tool = t
		}
	}
	if t := m["tool"]; t != nil {
		if v.Tool, ok = p.tools[t.Value]; !ok {
			p.fail(t, "there is no tool %q%s", document.Clip(t.Value), nearest.Hint(t.Value, slices.Sorted(maps.Keys(p.tools))))
		}
	}
	p.target(&v, value, frame)
	if b := m["before"]; b != nil {
		if v.Before = p.quantity(b, "before", length); v.Before < 0 {
			p.fail(b, "before is %g m: wants a way of the tool before the end of the move above, at least 0", v.Before)
		}
	}
	p.program.Moves = append(p.program.Moves, v)
}

// article returns the kind of a move with its article.
func article(k Kind) string {
	if k == Attach {
		return "an attach"
	}
	return "a " + k.String()
}

// kind finds the one key that is the kind of a move.
func (p *parser) kind(n *yaml.Node) (kind Kind, ok bool) {
	if n.Kind != yaml.MappingNode {
		p.fail(n, "a move wants a mapping, as moveL: {xyz: [0.4, 0, 0.3]}")
		return 0, false
	}
	var found []string
	var unknown string
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		if slices.Contains(kinds[:], key) {
			found = append(found, key)
		} else if near := nearest.Name(key, kinds[:]); unknown == "" && near != "" {
			unknown = key
		}
	}
	switch {
	case len(found) == 1:
		return Kind(slices.Index(kinds[:], found[0])), true
	case len(found) > 1:
		p.fail(n, "a move is one of moveJ, moveL, moveC, movePath, dwell, set, attach and detach, but this one has %s", strings.Join(found, " and "))
	case unknown != "":
		p.fail(n, "there is no move %q%s", document.Clip(unknown), nearest.Hint(unknown, kinds[:]))
	default:
		p.fail(n, "a move wants one of the keys moveJ, moveL, moveC, movePath, dwell, set, attach and detach")
	}
	return 0, false
}

// limits reads speeds, accelerations, jerks and the blend.
func (p *parser) limits(v *Move, m map[string]*yaml.Node) {
	list := []struct {
		key      string
		to       *float64
		of       *dimension
		fallback float64
	}{
		{"speed", &v.Speed, speed, defaultSpeed}, {"acceleration", &v.Acceleration, acceleration, defaultAcceleration}, {"jerk", &v.Jerk, jerk, defaultJerk},
		{"angular_speed", &v.AngularSpeed, turning, defaultAngularSpeed}, {"angular_acceleration", &v.AngularAcceleration, turningUp, defaultAngularAcceleration},
	}
	switch v.Kind {
	case MoveJ, MovePath:
		list = list[:3]
		for i := range list {
			list[i].of, list[i].fallback = share, 1
		}
	case Dwell, Set, Attach, Detach:
		return
	}
	for _, l := range list {
		*l.to = l.fallback
		if n := m[l.key]; n != nil {
			*l.to = p.quantity(n, l.key, l.of)
			if !(*l.to > 0) {
				p.fail(n, "%s is %q: wants more than 0", l.key, document.Clip(n.Value))
			}
			if l.of == share && *l.to > 1 {
				p.fail(n, "%s is %q: wants at most 100 %%", l.key, document.Clip(n.Value))
			}
		}
	}
	if v.Kind == MovePath {
		v.Blend = defaultBlend
	}
	if n := m["blend"]; n != nil {
		if v.Blend = p.quantity(n, "blend", length); v.Blend < 0 {
			p.fail(n, "blend is %q: wants at least 0", document.Clip(n.Value))
		}
	}
}

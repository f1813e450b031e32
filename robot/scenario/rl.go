package scenario

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Scenario is a planning problem with everything that it names: robot, obstacles, start and goal.
type Scenario struct {
	Name        string // in the file
	Planner     string // that the file asks for, as it is named in package planning: "rrt-con-con"; "": none
	Robot       string
	Scene       *scene.Scene
	Joints      []string  // of Start and Goal, all that move
	Start, Goal []float64 // coordinates of the joints in turn, rad and m
	// Lower and Upper are the limits of these coordinates; those of quaternions and of endless joints are infinite.
	Lower, Upper []float64
	// Resolution is the greatest distance of points at which edges are checked; 0: the file has none.
	Resolution float64
	// Duration is how long a planner may take; 0: the file does not limit it.
	Duration time.Duration
	Notes    []string // what was found under another name, or is not used, with its place
}

// rlReader reads one scenario of the Robotics Library.
type rlReader struct {
	document.Report
	fsys fs.FS
	file string
	s    *Scenario
}

// rlUnused are the parts of a planner that do not change the problem: how it is shown, sampled and searched.
var rlUnused = []string{
	"viewer", "epsilon", "degree", "dijkstra", "k", "radius", "alpha", "lower", "probability", "sampler", "uniformSampler", "gaussianSampler",
	"bridgeSampler", "gnatNearestNeighbors", "kdtreeNearestNeighbors", "kdtreeBoundingBoxNearestNeighbors", "linearNearestNeighbors",
	"simpleOptimizer", "advancedOptimizer", "steps", "watchdog", "alternativeDistanceComputation", "beta", "distanceWeight", "gamma",
	"max", "min",
}

// ReadRL reads a scenario of the Robotics Library (rlplan XML) with the kinematics or model and the scene that it names. As in the library,
//
//   - the bodies of the scene's model belong to the links or bodies of the kinematics by their order, not by their names;
//   - the placement of the world in the scenario replaces that of the kinematics;
//   - a link with an empty <ignore/> is not checked against obstacles, and <ignore idref> names pairs that are not checked;
//   - delta is the resolution at which edges are checked.
//
// A file whose name differs in the case of letters is found, and noted. The viewer, samplers and neighbour searches of the file are not used. The error
// is [document.Problems], everything that is wrong with the scenario's own file, or the error of a file that it names.
func ReadRL(fsys fs.FS, file string) (*Scenario, error) {
	x := &rlReader{fsys: fsys, file: file, s: &Scenario{Name: strings.TrimSuffix(path.Base(file), path.Ext(file))}}
	root := document.Read(fsys, file, file, &x.Report)
	if root == nil {
		return nil, x.Err()
	}
	planner := x.planner(root)
	if planner == nil {
		return nil, x.Err()
	}
	robot, from := x.kinematics(planner)
	scenery := x.scene(planner)
	if x.Count() > 0 {
		return nil, x.Err()
	}
	if err := x.assemble(planner, robot, from, scenery); err != nil {
		return nil, err
	}
	x.ends(planner, robot)
	x.settings(planner)
	if err := x.Err(); err != nil {
		return nil, err
	}
	return x.s, nil
}

// planner returns the element of the planner.
func (x *rlReader) planner(root *document.Element) *document.Element {
	holder := root
	if root.Name == "rl" {
		if holder = root.Child("plan"); holder == nil {
			x.Addf(root.Pos, "<rl> has no <plan>: there is no scenario in this file")
			return nil
		}
	} else if root.Name != "rlplan" {
		x.Addf(root.Pos, "the root element of a scenario is <rlplan> or <rl>, here it is <%s>", root.Name)
		return nil
	}
	list := holder.Children("")
	if len(list) != 1 {
		x.Addf(holder.Pos, "<%s> has %d planners: want one", holder.Name, len(list))
		return nil
	}
	x.s.Planner = hyphenated(list[0].Name)
	return list[0]
}

// hyphenated writes rrtConCon as rrt-con-con.
func hyphenated(name string) string {
	var b strings.Builder
	for _, c := range name {
		if unicode.IsUpper(c) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// child returns the only child of a name, and notes a problem if there is none.
func (x *rlReader) child(e *document.Element, name string) *document.Element {
	list := e.Children(name)
	switch len(list) {
	case 1:
		return list[0]
	case 0:
		x.Addf(e.Pos, "<%s> has no <%s>", e.Name, name)
	default:
		x.Addf(list[1].Pos, "<%s> has a second <%s>; the first is at line %d", e.Name, name, list[0].Pos.Line)
	}
	return nil
}

// find returns the path of the file that the href of an element names, "" if there is none.
func (x *rlReader) find(e *document.Element) string {
	href := x.Required(e, "href")
	if href == "" {
		return ""
	}
	at, _ := e.Attr("href")
	file := path.Join(path.Dir(x.file), href)
	found, err := document.FindFile(x.fsys, file)
	if err != nil {
		x.Addf(at.Pos, "<%s> names %q: there is no file %s", e.Name, href, file)
		return ""
	}
	if found != file {
		x.s.Notes = append(x.s.Notes, fmt.Sprintf("%s: <%s> names %q, the file is %s: correct the case of its letters", at.Pos, e.Name, href, path.Base(found)))
	}
	return found
}

// kinematics reads the robot.
func (x *rlReader) kinematics(planner *document.Element) (*description.Robot, *document.Element) {
	model := x.child(planner, "model")
	if model == nil {
		return nil, nil
	}
	from := x.child(model, "kinematics")
	if from == nil {
		return nil, nil
	}
	for _, name := range []string{"max", "min"} {
		if e := from.Child(name); e != nil {
			x.Addf(e.Pos, "<%s> in <kinematics> is not read: set the limits of the joints in the kinematics", name)
		}
	}
	file := x.find(from)
	if file == "" {
		return nil, nil
	}
	robot, err := description.ReadRL(x.fsys, file)
	if err != nil {
		x.Addf(from.Pos, "<kinematics>: %v", err)
		return nil, nil
	}
	return robot, from
}

// scene reads the scene, and gives the bodies of one of its models to the robot.
func (x *rlReader) scene(planner *document.Element) *Scenery {
	model := planner.Child("model")
	if model == nil {
		return nil
	}
	e := x.child(model, "scene")
	if e == nil {
		return nil
	}
	file := x.find(e)
	if file == "" {
		return nil
	}
	s, err := ReadScene(x.fsys, file)
	if err != nil {
		x.Addf(e.Pos, "<scene>: %v", err)
		return nil
	}
	x.s.Notes = append(x.s.Notes, s.Notes...)
	return s
}

// assemble makes the scene of the robot and the other models.
func (x *rlReader) assemble(planner *document.Element, robot *description.Robot, from *document.Element, scenery *Scenery) error {
	e := x.child(planner.Child("model"), "model")
	if e == nil {
		return x.Err()
	}
	index, err := strconv.Atoi(e.Text())
	if err != nil || index < 0 || index >= len(scenery.Models) {
		x.Addf(e.Pos, "<model> is %q: the scene has %d models, counted from 0", document.Clip(e.Text()), len(scenery.Models))
		return x.Err()
	}
	m, err := robot.Model()
	if err != nil {
		return fmt.Errorf("%s: %w", x.file, err)
	}
	part := scene.Model{Model: m}
	if part.Shapes, err = scenery.Models[index].Shapes(robot.Bodies); err != nil {
		x.Addf(e.Pos, "<model>: %v", err)
		return x.Err()
	}
	if world := from.Child("world"); world != nil {
		part.Base = x.origin(world).Mul(robot.World.Pose().Inverse())
	}
	var alone []string // links that are not checked against obstacles
	for _, d := range robot.Disabled {
		if d.Link2 == "" {
			alone = append(alone, d.Link1)
		} else {
			part.Allowed = append(part.Allowed, scene.Pair{A: d.Link1, B: d.Link2})
		}
	}
	s, err := scene.New(part)
	if err != nil {
		return fmt.Errorf("%s: %w", x.file, err)
	}
	var pairs []scene.Pair
	for i := range scenery.Models {
		if i == index {
			continue
		}
		objects := scenery.Models[i].Objects()
		if s, err = s.Add(objects...); err != nil {
			return fmt.Errorf("%s: %w", x.file, err)
		}
		for _, o := range objects {
			for _, link := range alone {
				if len(part.Shapes[link]) > 0 {
					pairs = append(pairs, scene.Pair{A: link, B: o.Name})
				}
			}
		}
	}
	x.s.Robot = robot.Name
	x.s.Scene, err = s.Allow(pairs...)
	return err
}

// origin returns the rotation (roll, pitch, yaw in degrees) and translation in an element.
func (x *rlReader) origin(e *document.Element) spatial.Pose {
	vector := func(name string) (v spatial.Vec3) {
		c := e.Child(name)
		if c == nil {
			return v
		}
		for axis, to := range map[string]*float64{"x": &v.X, "y": &v.Y, "z": &v.Z} {
			if n := c.Child(axis); n != nil && n.Text() != "" {
				*to = x.number(n)
			}
		}
		return v
	}
	turn := vector("rotation").Scale(math.Pi / 180)
	return spatial.Pose{R: spatial.RPY(turn.X, turn.Y, turn.Z), P: vector("translation")}
}

// number returns the number in an element, in rad if its unit is deg.
func (x *rlReader) number(e *document.Element) float64 {
	v, err := strconv.ParseFloat(e.Text(), 64)
	if err != nil || v-v != 0 {
		x.Addf(e.Pos, "<%s> is %q: want a finite number", e.Name, document.Clip(e.Text()))
		return 0
	}
	switch unit := e.Optional("unit"); unit {
	case "":
	case "deg":
		v *= math.Pi / 180
	default:
		x.Addf(e.Pos, "<%s> has the unit %q: want deg, or none", e.Name, document.Clip(unit))
	}
	return v
}

// ends reads start and goal.
func (x *rlReader) ends(planner *document.Element, robot *description.Robot) {
	m := x.s.Scene.Models()[0].Model
	for _, j := range m.Joints() {
		if j.Mimic == nil && j.Type.NQ() > 0 {
			x.s.Joints = append(x.s.Joints, j.Name)
		}
	}
	x.limits(m, robot)
	for _, end := range []struct {
		name string
		to   *[]float64
	}{{"start", &x.s.Start}, {"goal", &x.s.Goal}} {
		e := x.child(planner, end.name)
		if e == nil {
			continue
		}
		var values []float64
		for _, q := range e.Children("q") {
			values = append(values, x.number(q))
		}
		if len(values) != m.NQ() {
			x.Addf(e.Pos, "<%s> has %d values <q>: the joints of %s have %d coordinates", end.name, len(values), robot.Name, m.NQ())
			continue
		}
		*end.to = x.inModelOrder(m.Joints(), robot, robot.Coupling.Joints(values), e)
	}
}

// settings reads the resolution and the duration, and refuses parts that no planner of the library has.
func (x *rlReader) settings(planner *document.Element) {
	for _, e := range planner.Children("") {
		switch e.Name {
		case "model", "start", "goal":
		case "duration":
			if d := x.number(e); d > 0 && d < 1e9 {
				x.s.Duration = time.Duration(d * float64(time.Second))
			}
		case "delta":
			x.s.Resolution = x.number(e)
		case "recursiveVerifier", "sequentialVerifier":
			if d := e.Child("delta"); d != nil {
				x.s.Resolution = x.number(d)
			}
		case "explorer", "goalEpsilon":
			x.s.Notes = append(x.s.Notes, fmt.Sprintf("%s: <%s> is not used: a plan leads the hand from where it is at the start to where it is at the goal", e.Pos, e.Name))
		default:
			if !slices.Contains(rlUnused, e.Name) {
				x.Addf(e.Pos, "<%s> is no part of a planner that is read%s", e.Name, x.DidYouMean(e.Name, slices.Values(rlUnused)))
			}
		}
	}
	if x.s.Resolution < 0 {
		x.Addf(planner.Pos, "the resolution delta is %g: want a length above 0", x.s.Resolution)
	}
}

package description

import (
	"io/fs"
	"maps"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/yamlfault"
	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

const (
	maxXRDFSize    = 8 << 20   // bytes of a file
	maxXRDFSpheres = 1_000_000 // spheres of a file, aliases counted as often as they stand there
	maxXRDFRadius  = 1e3       // m, of spheres, distances and coordinates
)

// ReadXRDF reads an XRDF file. Spheres get larger by the buffer_distance of their link under collision, and those that are empty then are left out: files
// keep them for objects that are attached later. The error is [Problems].
func ReadXRDF(fsys fs.FS, file string) (*XRDF, error) {
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	x := &xrdfReader{XRDF: XRDF{File: file, Positions: map[string]float64{}, Spheres: map[string][]scene.Ball{}}}
	whole := Position{File: file}
	if len(text) > maxXRDFSize {
		x.Addf(whole, "the file is larger than %d MiB", maxXRDFSize>>20)
		return nil, x.Err()
	}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		fault := yamlfault.Explain(text, err)
		x.Addf(Position{File: file, Line: fault.Line, Column: fault.Column}, "not YAML: %s", fault.Message)
		return nil, x.Err()
	}
	if root.Kind != yaml.DocumentNode {
		x.Addf(whole, "the file is empty: want format: xrdf")
		return nil, x.Err()
	}
	x.read(root.Content[0])
	if err := x.Err(); err != nil {
		return nil, err
	}
	return &x.XRDF, nil
}

// xrdfReader reads one file.
type xrdfReader struct {
	XRDF
	document.Report
	spheres int
	margins map[string]float64 // of links, against obstacles
	group   string             // of spheres, against obstacles
}

func (x *xrdfReader) at(n *yaml.Node) Position {
	return Position{File: x.File, Line: n.Line, Column: n.Column}
}

// fields returns the values of a mapping, and notes keys that are not known. what names the mapping.
func (x *xrdfReader) fields(n *yaml.Node, what string, keys ...string) map[string]*yaml.Node {
	of := map[string]*yaml.Node{}
	x.each(n, what, func(key, value *yaml.Node) {
		if !slices.Contains(keys, key.Value) {
			x.Notes = append(x.Notes, (Problem{Position: x.at(key), Message: "the key " + document.Clip(key.Value) + " of " + what + " is not read" +
				x.DidYouMean(key.Value, slices.Values(keys))}).Error())
			return
		}
		of[key.Value] = value
	})
	return of
}

// each calls do for the entries of a mapping.
func (x *xrdfReader) each(n *yaml.Node, what string, do func(key, value *yaml.Node)) {
	if n == nil {
		return
	}
	if n = resolved(n); n.Kind != yaml.MappingNode {
		x.Addf(x.at(n), "%s: want a mapping, key: value", what)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			x.Addf(x.at(key), "%s has the key %s twice", what, document.Clip(key.Value))
			continue
		}
		seen[key.Value] = true
		do(key, resolved(n.Content[i+1]))
	}
}

// resolved returns what an alias stands for.
func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// list returns the entries of a sequence.
func (x *xrdfReader) list(n *yaml.Node, what string) []*yaml.Node {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		x.Addf(x.at(n), "%s: want a list", what)
		return nil
	}
	return n.Content
}

// text returns a name.
func (x *xrdfReader) text(n *yaml.Node, what string) string {
	if n == nil {
		return ""
	}
	if n = resolved(n); n.Kind != yaml.ScalarNode || n.Value == "" {
		x.Addf(x.at(n), "%s: want a name", what)
		return ""
	}
	return n.Value
}

// texts returns names.
func (x *xrdfReader) texts(n *yaml.Node, what string) (names []string) {
	for _, item := range x.list(n, what) {
		if name := x.text(item, what); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// number returns a number within ± maxXRDFRadius times scale.
func (x *xrdfReader) number(n *yaml.Node, what string, scale float64) (v float64) {
	n = resolved(n)
	if err := n.Decode(&v); err != nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" || !(v <= scale*maxXRDFRadius && v >= -scale*maxXRDFRadius) {
		x.Addf(x.at(n), "%s is %q: want a number from %g to %g", what, document.Clip(n.Value), -scale*maxXRDFRadius, scale*maxXRDFRadius)
		return 0
	}
	return v
}

// vector returns three numbers.
func (x *xrdfReader) vector(n *yaml.Node, what string) (v spatial.Vec3) {
	list := x.list(n, what)
	if len(list) != 3 {
		if n != nil {
			x.Addf(x.at(n), "%s has %d numbers: want x, y and z", what, len(list))
		}
		return v
	}
	return spatial.Vec3{X: x.number(list[0], what, 1), Y: x.number(list[1], what, 1), Z: x.number(list[2], what, 1)}
}

// need notes keys that are missing.
func (x *xrdfReader) need(n *yaml.Node, of map[string]*yaml.Node, what string, keys ...string) bool {
	count := x.Count()
	for _, key := range keys {
		if of[key] == nil {
			x.Addf(x.at(n), "%s needs %s", what, key)
		}
	}
	return x.Count() == count
}

// read reads the file.
func (x *xrdfReader) read(root *yaml.Node) {
	f := x.fields(root, "the file", "format", "format_version", "modifiers", "default_joint_positions", "cspace", "tool_frames", "collision",
		"world_collision", "self_collision", "geometry")
	if x.Count() > 0 || !x.need(root, f, "the file", "format", "format_version", "cspace") {
		return
	}
	if f["format"].Value != "xrdf" {
		x.Addf(x.at(f["format"]), "the format is %q: want xrdf", document.Clip(f["format"].Value))
		return
	}
	if v := x.number(f["format_version"], "format_version", 1); v != 1 {
		x.Notes = append(x.Notes, (Problem{Position: x.at(f["format_version"]), Message: "version " + f["format_version"].Value + " is read like version 1.0"}).Error())
	}
	for _, item := range x.list(f["modifiers"], "modifiers") {
		x.modifier(item)
	}
	x.each(f["default_joint_positions"], "default_joint_positions", func(key, value *yaml.Node) {
		x.Positions[key.Value] = x.number(value, "the default position of "+document.Clip(key.Value), 1)
	})
	x.cspace(f["cspace"])
	x.Tools = x.texts(f["tool_frames"], "tool_frames")
	x.collision(f)
	x.selfCollision(f["self_collision"])
	x.geometry(root, f["geometry"])
}

// modifier reads a change of the kinematics.
func (x *xrdfReader) modifier(n *yaml.Node) {
	x.each(n, "modifiers", func(key, value *yaml.Node) {
		switch key.Value {
		case "set_base_frame":
			x.Base = x.text(value, "set_base_frame")
		case "add_frame":
			x.addFrame(value)
		default:
			x.Addf(x.at(key), "the modifier %s is not read%s", document.Clip(key.Value), x.DidYouMean(key.Value, slices.Values([]string{"set_base_frame", "add_frame"})))
		}
	})
}

func (x *xrdfReader) addFrame(n *yaml.Node) {
	f := x.fields(n, "add_frame", "frame_name", "parent_frame_name", "joint_name", "joint_type", "fixed_transform")
	if !x.need(n, f, "add_frame", "frame_name", "parent_frame_name", "joint_name", "joint_type", "fixed_transform") {
		return
	}
	if kind := f["joint_type"].Value; kind != "FIXED" {
		x.Addf(x.at(f["joint_type"]), "the joint_type is %q: only FIXED is read", document.Clip(kind))
	}
	t := x.fields(f["fixed_transform"], "fixed_transform", "position", "orientation")
	if !x.need(f["fixed_transform"], t, "fixed_transform", "position", "orientation") {
		return
	}
	o := x.fields(t["orientation"], "orientation", "w", "xyz")
	if !x.need(t["orientation"], o, "orientation", "w", "xyz") {
		return
	}
	v := x.vector(o["xyz"], "orientation")
	q := spatial.Quat{W: x.number(o["w"], "orientation", 1), X: v.X, Y: v.Y, Z: v.Z}
	if length := q.Norm(); !(length > 0.999 && length < 1.001) {
		x.Addf(x.at(t["orientation"]), "the quaternion has length %g: want 1", length)
		return
	}
	origin := Origin{XYZ: x.vector(t["position"], "position")}
	origin.RPY.X, origin.RPY.Y, origin.RPY.Z = q.Unit().Mat3().RPY()
	x.Frames = append(x.Frames, Joint{
		Name: x.text(f["joint_name"], "joint_name"), Type: multibody.Fixed, Parent: x.text(f["parent_frame_name"], "parent_frame_name"),
		Child: x.text(f["frame_name"], "frame_name"), Origin: origin, Position: x.at(n),
	})
}

// cspace reads the joints that move and their limits.
func (x *xrdfReader) cspace(n *yaml.Node) {
	f := x.fields(n, "cspace", "joint_names", "acceleration_limits", "jerk_limits")
	if !x.need(n, f, "cspace", "joint_names", "acceleration_limits", "jerk_limits") {
		return
	}
	x.Joints = x.texts(f["joint_names"], "joint_names")
	for _, limit := range []struct {
		name string
		to   *[]float64
	}{{"acceleration_limits", &x.Accelerations}, {"jerk_limits", &x.Jerks}} {
		for _, item := range x.list(f[limit.name], limit.name) {
			v := x.number(item, limit.name, 1e6)
			if !(v > 0) {
				x.Addf(x.at(item), "%s has %g: want more than 0", limit.name, v)
			}
			*limit.to = append(*limit.to, v)
		}
		if len(*limit.to) != len(x.Joints) {
			x.Addf(x.at(f[limit.name]), "%s has %d values for %d joint_names", limit.name, len(*limit.to), len(x.Joints))
		}
	}
}

// collision reads which spheres stand for the links, and their margins. Version 2.0 calls it world_collision.
func (x *xrdfReader) collision(f map[string]*yaml.Node) {
	n := f["collision"]
	if n == nil {
		n = f["world_collision"]
	}
	if n == nil {
		return
	}
	c := x.fields(n, "collision", "geometry", "buffer_distance")
	if x.need(n, c, "collision", "geometry") {
		x.group = x.text(c["geometry"], "geometry")
	}
	x.margins = map[string]float64{}
	x.each(c["buffer_distance"], "buffer_distance", func(key, value *yaml.Node) {
		x.margins[key.Value] = x.number(value, "the buffer_distance of "+document.Clip(key.Value), 1)
	})
}

// selfCollision reads the pairs of links that are not checked.
func (x *xrdfReader) selfCollision(n *yaml.Node) {
	if n == nil {
		return
	}
	f := x.fields(n, "self_collision", "geometry", "buffer_distance", "ignore")
	if g := f["geometry"]; g != nil && g.Value != x.group {
		x.Addf(x.at(g), "self_collision has the geometry %q, collision %q: only one geometry for both is read", document.Clip(g.Value), document.Clip(x.group))
	}
	if b := f["buffer_distance"]; b != nil && len(b.Content) > 0 {
		x.Notes = append(x.Notes, (Problem{Position: x.at(b), Message: "the buffer_distance of self_collision is not used: links are checked against each other with that of collision"}).Error())
	}
	x.each(f["ignore"], "ignore", func(key, value *yaml.Node) {
		for _, other := range x.list(value, "ignore") {
			if name := x.text(other, "ignore"); name != "" && name != key.Value {
				x.Ignored = append(x.Ignored, LinkPair{Link1: key.Value, Link2: name, Position: x.at(other)})
			}
		}
	})
}

// geometry reads the spheres of the group that collision names.
func (x *xrdfReader) geometry(root, n *yaml.Node) {
	if x.group == "" {
		return
	}
	groups := map[string]*yaml.Node{}
	x.each(n, "geometry", func(key, value *yaml.Node) { groups[key.Value] = value })
	g := groups[x.group]
	if g == nil {
		x.Addf(x.at(root), "geometry has no group %q, which collision names%s", document.Clip(x.group), x.DidYouMean(x.group, maps.Keys(groups)))
		return
	}
	x.each(g, "a group of geometry", func(key, value *yaml.Node) {
		if key.Value != "spheres" {
			x.Addf(x.at(key), "the geometry %s is not read: want spheres", document.Clip(key.Value))
			return
		}
		x.each(value, "spheres", func(link, list *yaml.Node) {
			for _, item := range x.list(list, "spheres of "+document.Clip(link.Value)) {
				x.sphere(link.Value, resolved(item))
			}
		})
	})
}

// sphere reads one sphere of a link.
func (x *xrdfReader) sphere(link string, n *yaml.Node) {
	if x.spheres++; x.spheres > maxXRDFSpheres {
		if x.spheres == maxXRDFSpheres+1 {
			x.Addf(x.at(n), "the file has more than %d spheres", maxXRDFSpheres)
		}
		return
	}
	f := x.fields(n, "a sphere", "center", "radius")
	if !x.need(n, f, "a sphere", "center", "radius") {
		return
	}
	b := scene.Ball{Center: x.vector(f["center"], "center"), Radius: x.number(f["radius"], "radius", 1) + x.margins[link]}
	if b.Radius > 0 {
		x.Spheres[link] = append(x.Spheres[link], b)
	}
}

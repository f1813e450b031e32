package mesh

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Graph is the scene of a VRML97 file (ISO/IEC 14772-1) with the files that it includes: groups in groups, some of them named by DEF. Its numbers
// are taken as they are, in metres, and no axis is turned, as the Robotics Library does.
type Graph struct {
	Notes []string // what is not part of any shape, or was found under another name

	root *group
}

// group is a node with children.
type group struct {
	name     string
	at       affine // in the frame of the parent
	shapes   []vrmlShape
	children []*group
}

// Node is a part of a graph: where its frame is, and the shapes in it.
type Node struct {
	Pose  spatial.Pose    // of its frame in the frame of the file
	Parts []geometry.Part // of all shapes below it, in its frame
}

const maxInline = 32 // files that include each other

// ReadVRML reads a VRML97 file: Group, Transform and their kin, Inline, DEF and USE, and as shapes Box, Sphere, Cylinder, Cone, IndexedFaceSet and
// ElevationGrid. A closed convex face set becomes a convex hull. Prototypes, scripts and extrusions are refused; lights, views, lines and texts are left out. A
// file that an Inline names may differ in the case of letters, which the notes state.
func ReadVRML(fsys fs.FS, file string) (*Graph, error) {
	v := &vrmlReader{graph: &Graph{}, files: map[string]*vrmlFile{}}
	root, err := v.include(fsys, file, nil)
	if err != nil {
		return nil, err
	}
	v.graph.root = root
	return v.graph, nil
}

// Find returns the place of a node that DEF names, the first one in the order of the file, and below it that of the next name, and so on. The empty
// name stands for the place itself. Shapes may be scaled; the frame of a place must not be, except by one factor along all axes.
func (g *Graph) Find(names ...string) (*Node, error) {
	at, to := g.root.at, g.root
	for i, name := range names {
		if name == "" {
			continue
		}
		next, frame := to.find(name, at)
		if next == nil {
			var known []string
			to.names(&known)
			return nil, fmt.Errorf("find %s: no node has the name %q; there are %s", strings.Join(names[:i+1], "/"), name, clipList(known))
		}
		at, to = frame, next
	}
	scale, pose, err := at.rigid()
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", strings.Join(names, "/"), err)
	}
	p := &Node{Pose: pose}
	return p, to.parts(&affine{m: spatial.Mat3{{scale, 0, 0}, {0, scale, 0}, {0, 0, scale}}}, &p.Parts)
}

// clipList lists at most ten names.
func clipList(names []string) string {
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) == 0 {
		return "none"
	}
	if len(names) > 10 {
		return strings.Join(names[:10], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// find returns the first group of a name below g, whose frame is at, and the frame of it.
func (g *group) find(name string, at affine) (*group, affine) {
	for _, c := range g.children {
		frame := *at.then(&c.at)
		if c.name == name {
			return c, frame
		}
		if found, f := c.find(name, frame); found != nil {
			return found, f
		}
	}
	return nil, at
}

func (g *group) names(list *[]string) {
	for _, c := range g.children {
		if c.name != "" {
			*list = append(*list, c.name)
		}
		c.names(list)
	}
}

// parts appends the shapes of a group and those below it; at takes its frame to that of the parts.
func (g *group) parts(at *affine, list *[]geometry.Part) error {
	for i := range g.shapes {
		p, err := g.shapes[i].part(at)
		if err != nil {
			return err
		}
		*list = append(*list, p)
	}
	for _, c := range g.children {
		if err := c.parts(at.then(&c.at), list); err != nil {
			return err
		}
	}
	return nil
}

// rigid splits a map into a factor along all axes and a pose.
func (a *affine) rigid() (scale float64, pose spatial.Pose, err error) {
	x := spatial.Vec3{X: a.m[0][0], Y: a.m[1][0], Z: a.m[2][0]}
	scale = x.Norm()
	if scale == 0 {
		return 0, pose, errors.New("its scale is zero")
	}
	pose = spatial.Pose{P: a.t}
	for i := range 3 {
		for k := range 3 {
			pose.R[i][k] = a.m[i][k] / scale
		}
	}
	if !pose.R.IsRotation(1e-6) {
		return 0, pose, errors.New("its axes are mirrored or scaled by different factors")
	}
	return scale, pose, nil
}

// vrmlReader makes groups of nodes.
type vrmlReader struct {
	graph  *Graph
	files  map[string]*vrmlFile
	groups int
}

// include reads a file below the files of chain.
func (v *vrmlReader) include(fsys fs.FS, file string, chain []string) (*group, error) {
	if slices.Contains(chain, file) {
		return nil, fmt.Errorf("%s includes itself: %s", file, strings.Join(append(chain, file), " > "))
	}
	if len(chain) >= maxInline {
		return nil, fmt.Errorf("files are included more than %d deep", maxInline)
	}
	f, ok := v.files[file]
	if !ok {
		src, err := open(fsys, file)
		if err != nil {
			return nil, err
		}
		if f, err = parseVRML(src); err != nil {
			return nil, err
		}
		v.files[file] = f
	}
	root := &group{at: affine{m: spatial.Identity()}}
	for _, n := range f.nodes {
		if err := v.add(root, n, append(slices.Clone(chain), file)); err != nil {
			return nil, err
		}
	}
	return root, nil
}

// add adds a node to a group.
func (v *vrmlReader) add(to *group, n *vrmlNode, chain []string) error {
	if v.groups++; v.groups > maxNodes {
		return n.fail("the scene has more than %d nodes", maxNodes)
	}
	switch n.kind {
	case "Shape":
		shape, note, err := n.shape()
		if err != nil {
			return err
		}
		if note != "" {
			v.graph.Notes = append(v.graph.Notes, n.fail("%s", note).Error())
		}
		if shape != nil {
			// a shape may have a name of its own
			to.children = append(to.children, &group{name: n.name, at: affine{m: spatial.Identity()}, shapes: []vrmlShape{*shape}})
		}
		return nil
	case "Inline":
		return v.inline(to, n, chain)
	}
	var children []*vrmlNode
	made := &group{name: n.name, at: affine{m: spatial.Identity()}}
	switch n.kind {
	case "Transform":
		at, err := n.transform()
		if err != nil {
			return err
		}
		made.at = *at
		children = n.field("children").nodes
	case "Group", "Anchor", "Billboard", "Collision":
		children = n.field("children").nodes
	case "Switch":
		if which, choice := n.number("whichChoice", -1), n.field("choice").nodes; which >= 0 && int(which) < len(choice) {
			children = choice[int(which) : int(which)+1]
		}
	case "LOD": // the finest level
		if level := n.field("level").nodes; len(level) > 0 {
			children = level[:1]
		}
	case "Script":
		return n.fail("a Script may change the scene and is not read: export a scene at rest")
	default:
		return nil // lights, views, sensors, information
	}
	to.children = append(to.children, made)
	for _, c := range children {
		if err := v.add(made, c, chain); err != nil {
			return err
		}
	}
	return nil
}

// inline adds the file that an Inline names: the first of its addresses.
func (v *vrmlReader) inline(to *group, n *vrmlNode, chain []string) error {
	url := n.field("url").strings
	if len(url) == 0 {
		return n.fail("Inline names no file: want url \"FILE\"")
	}
	if strings.Contains(url[0], "://") {
		return n.fail("Inline names %q: only files are read", document.Clip(url[0]))
	}
	file := path.Join(path.Dir(n.src.file), url[0])
	found, err := document.FindFile(n.src.fsys, file)
	if err != nil {
		return n.fail("Inline names %q: there is no file %s", document.Clip(url[0]), file)
	}
	if found != file {
		v.graph.Notes = append(v.graph.Notes, n.fail("Inline names %q, the file is %s: correct the case of its letters", url[0], path.Base(found)).Error())
	}
	made, err := v.include(n.src.fsys, found, chain)
	if err != nil {
		var there document.Problem
		if errors.As(err, &there) {
			return err // it names its own place
		}
		return n.fail("Inline: %v", err)
	}
	made.name = n.name
	to.children = append(to.children, made)
	return nil
}

package scenario

import (
	"fmt"
	"io/fs"
	"path"

	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/mesh"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Scenery is what a scene file of the Robotics Library describes: models of bodies with shapes.
type Scenery struct {
	Models []SceneryModel
	Notes  []string // what was found under another name, or has no shape
}

// SceneryModel is a robot or a set of obstacles.
type SceneryModel struct {
	Name   string
	Bodies []SceneryBody
}

// SceneryBody is a rigid body.
type SceneryBody struct {
	Name  string // "": the model itself is the body
	Pose  spatial.Pose
	Parts []geometry.Part // in the frame of the body
}

// ReadScene reads a scene of the Robotics Library (rlsg XML) and the VRML file that it names: each model and each body is the node of this name in
// it, the first one below that of the model; an empty name means all of the file or of the model. The error is [document.Problems], or that of
// the VRML file.
func ReadScene(fsys fs.FS, file string) (*Scenery, error) {
	r := &document.Report{}
	root := document.Read(fsys, file, file, r)
	if root == nil {
		return nil, r.Err()
	}
	holder := root
	if root.Name == "rl" {
		holder = root.Child("sg")
	} else if root.Name != "rlsg" {
		r.Addf(root.Pos, "the root element of a scene is <rlsg> or <rl>, here it is <%s>", root.Name)
		return nil, r.Err()
	}
	if holder == nil || holder.Child("scene") == nil {
		r.Addf(root.Pos, "<%s> has no <scene>", root.Name)
		return nil, r.Err()
	}
	e := holder.Child("scene")
	href := r.Required(e, "href")
	name := path.Join(path.Dir(file), href)
	found, err := document.FindFile(fsys, name)
	if err != nil {
		r.Addf(e.Pos, "<scene> names %q: there is no file %s", href, name)
		return nil, r.Err()
	}
	s := &Scenery{}
	if found != name {
		s.Notes = append(s.Notes, fmt.Sprintf("%s: <scene> names %q, the file is %s: correct the case of its letters", e.Pos, href, path.Base(found)))
	}
	graph, err := mesh.ReadVRML(fsys, found)
	if err != nil {
		return nil, err
	}
	s.Notes = append(s.Notes, graph.Notes...)
	for _, m := range e.Children("model") {
		model := SceneryModel{Name: m.Optional("name")}
		for _, b := range m.Children("body") {
			body := SceneryBody{Name: b.Optional("name")}
			place, err := graph.Find(model.Name, body.Name)
			if err != nil {
				r.Addf(b.Pos, "<body>: %s: %v", found, err)
				continue
			}
			body.Pose, body.Parts = place.Pose, place.Parts
			model.Bodies = append(model.Bodies, body)
		}
		if m.Child("body") == nil {
			r.Addf(m.Pos, "model %q has no bodies", model.Name)
		}
		s.Models = append(s.Models, model)
	}
	if len(s.Models) == 0 {
		r.Addf(e.Pos, "<scene> has no <model>")
	}
	return s, r.Err()
}

// Shapes gives the shapes of the bodies to links, by their order. It fails for more bodies than links.
func (m *SceneryModel) Shapes(links []string) (map[string][]geometry.Part, error) {
	if len(m.Bodies) > len(links) {
		return nil, fmt.Errorf("model %q of the scene has %d bodies, the kinematics %d: %v", m.Name, len(m.Bodies), len(links), links)
	}
	shapes := map[string][]geometry.Part{}
	for i := range m.Bodies {
		if len(m.Bodies[i].Parts) > 0 {
			shapes[links[i]] = m.Bodies[i].Parts
		}
	}
	return shapes, nil
}

// Objects returns the bodies with shapes as objects of a scene, named MODEL/BODY, or MODEL where the model itself is the body.
func (m *SceneryModel) Objects() (list []scene.Object) {
	for i := range m.Bodies {
		b := &m.Bodies[i]
		name := path.Join(m.Name, b.Name)
		if name == "" {
			name = "scene"
		}
		if len(b.Parts) > 0 {
			list = append(list, scene.Object{Name: name, Pose: b.Pose, Parts: b.Parts})
		}
	}
	return list
}

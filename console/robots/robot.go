package robots

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/simplify"
)

// robot is a robot whose description a block of a system reads.
type robot struct {
	block string
	model *multibody.Model
	about *description.Robot // its joints, for names of groups
	urdf  []byte             // with meshes at addresses of this server
	files []meshFile
	world func() (*World, error) // in which motions are planned; made once

	simplified []simplify.Link // what became of its collision geometry; nil: nothing was simplified

	mu     sync.Mutex // of the workspaces
	data   *multibody.Data
	solver *ik.Solver
}

// meshFile is a file that a description names.
type meshFile struct {
	fs   fs.FS
	path string
	err  error // why it cannot be found
}

// descriptionOf returns the file that a block reads a robot from, "" where it reads none.
func descriptionOf(b admin.Block) string {
	for _, p := range b.Params {
		file, ok := p.Value.(string)
		if !ok || !p.Fixed {
			continue
		}
		switch path.Ext(file) {
		case ".urdf", ".xacro", ".rlmdl", ".rlkin":
			return file
		}
		if p.Name == "urdf" && file != "" {
			return file
		}
	}
	return ""
}

// lockedOf returns the joints that a block keeps in place: its constant locked.
func lockedOf(b admin.Block) []string { return namesOf(b, "locked") }

// namesOf returns the names that a constant of a block lists.
func namesOf(b admin.Block, constant string) (names []string) {
	for _, p := range b.Params {
		if p.Name != constant || !p.Fixed {
			continue
		}
		switch list := p.Value.(type) {
		case []string:
			return list
		case []any: // from another process
			for _, v := range list {
				names = append(names, fmt.Sprint(v))
			}
		}
	}
	return names
}

// selected returns the joints that a block commands: those that its constant joints names, singly or by a group of its SRDF file, or nil for all.
func (r *robot) selected(b admin.Block, dirs func() []string) ([]string, error) {
	names := namesOf(b, "joints")
	if len(names) == 0 {
		return nil, nil
	}
	joints, err := r.about.Select(semanticOf(b, dirs), names...)
	if err != nil {
		return nil, fmt.Errorf("the joints of block %q: %w", b.Name, err)
	}
	return joints, nil
}

// semanticOf reads the SRDF file that a block names, searched in the folders of the system's files; nil: it names none, or none that can be read.
func semanticOf(b admin.Block, dirs func() []string) *description.Semantic {
	for _, p := range b.Params {
		file, ok := p.Value.(string)
		if p.Name != "srdf" || !ok || file == "" {
			continue
		}
		for _, dir := range dirs() {
			if s, err := description.ReadSRDF(system.Folder(dir), filepath.ToSlash(file), description.Options{}); err == nil {
				return s
			}
		}
	}
	return nil
}

// readRobot reads a description, searched in the folders of the system's files, and locks joints of it.
func readRobot(systemName, block, file string, locked []string, dirs func() []string) (*robot, error) {
	var first error
	for _, dir := range dirs() {
		d, err := description.Read(system.Folder(dir), filepath.ToSlash(file), description.Options{})
		if err == nil {
			if err := d.Lock(locked...); err != nil {
				return nil, fmt.Errorf("the robot of block %q: locked: %w", block, err)
			}
			return newRobot(systemName, block, d, nil)
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("the robot of block %q: %w", block, first)
}

// newRobot makes a robot of a description, which it changes. With a source, the visuals are the collision geometry of that.
func newRobot(systemName, block string, d, source *description.Robot) (*robot, error) {
	model, err := d.Model()
	if err != nil {
		return nil, fmt.Errorf("the robot of block %q: %w", block, err)
	}
	r := &robot{block: block, model: model, about: d, data: multibody.NewData(model), solver: ik.NewSolver(model)}
	r.solver.Attempts = 1 // a tool that is dragged must not leap
	solid, note := d.Solid()
	r.world = sync.OnceValues(func() (*World, error) { return worldOf(model, solid, nil, note) })
	makeVisible(d)
	r.addressMeshes(systemName, d)
	if source != nil {
		r.drawSource(systemName, d, source)
	}
	var b bytes.Buffer
	if err := description.WriteURDF(&b, d); err != nil {
		return nil, fmt.Errorf("the robot of block %q: %w", block, err)
	}
	r.urdf = b.Bytes()
	return r, nil
}

// shapes returns the number of shapes that each of some links is drawn with.
func (r *robot) shapes(links []string) []int {
	n := make([]int, len(links))
	for i := range r.about.Links {
		if k := slices.Index(links, r.about.Links[i].Name); k >= 0 {
			n[k] = len(r.about.Links[i].Visuals)
		}
	}
	return n
}

// addressMeshes replaces the names of meshes in a description by addresses of this server.
func (r *robot) addressMeshes(systemName string, d *description.Robot) {
	known := map[string]string{}
	addressed := func(g description.Geometry) description.Geometry {
		mesh, ok := g.(description.Mesh)
		if !ok || strings.HasPrefix(mesh.URI, "/robot/"+NoSystem+"/") { // a shape of a scene has its address
			return g
		}
		at, ok := known[mesh.URI]
		if !ok {
			var f meshFile
			f.fs, f.path, f.err = d.Resources.Find(mesh.URI)
			at = address(systemName, r.block, "mesh", fmt.Sprint(len(r.files)), path.Base(filepath.ToSlash(mesh.URI)))
			r.files = append(r.files, f)
			known[mesh.URI] = at
		}
		mesh.URI = at
		return mesh
	}
	for i := range d.Links {
		for j := range d.Links[i].Visuals {
			d.Links[i].Visuals[j].Geometry = addressed(d.Links[i].Visuals[j].Geometry)
		}
		for j := range d.Links[i].Collisions {
			d.Links[i].Collisions[j].Geometry = addressed(d.Links[i].Collisions[j].Geometry)
		}
	}
}

// jointNames returns the names of the moving joints in the order of the model's vectors.
func (r *robot) jointNames() []string {
	names := []string{}
	for _, j := range r.model.Joints() {
		if j.Mimic == nil { // mimic joints are not in the vectors
			names = append(names, j.Name)
		}
	}
	return names
}

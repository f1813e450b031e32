package console

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// robot is a robot that a block of a system reads a description of.
type robot struct {
	block string
	model *multibody.Model
	urdf  []byte // with meshes at addresses of this server
	files []meshFile

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

// robots are those of a system, by the block that reads them.
type robots struct {
	mu  sync.Mutex
	all map[string]*robot
}

// get returns the robot that a block reads. It is read once, as by the block itself.
func (r *robots) get(system string, b admin.Block, file string, dirs func() []string) (*robot, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if x := r.all[b.Name]; x != nil {
		return x, nil
	}
	x, err := readRobot(system, b.Name, file, dirs)
	if err != nil {
		return nil, err
	}
	if r.all == nil {
		r.all = map[string]*robot{}
	}
	r.all[b.Name] = x
	return x, nil
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

// readRobot reads a description, searched in the folders of the system's files.
func readRobot(systemName, block, file string, dirs func() []string) (*robot, error) {
	var first error
	for _, dir := range dirs() {
		d, err := description.Read(system.Folder(dir), filepath.ToSlash(file), description.Options{})
		if err == nil {
			return newRobot(systemName, block, d)
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("the robot of block %q: %w", block, first)
}

func newRobot(systemName, block string, d *description.Robot) (*robot, error) {
	model, err := d.Model()
	if err != nil {
		return nil, fmt.Errorf("the robot of block %q: %w", block, err)
	}
	r := &robot{block: block, model: model, data: multibody.NewData(model), solver: ik.NewSolver(model)}
	r.solver.Attempts = 1 // a tool that is dragged must not leap
	r.addressMeshes(systemName, d)
	var b bytes.Buffer
	if err := description.WriteURDF(&b, d); err != nil {
		return nil, fmt.Errorf("the robot of block %q: %w", block, err)
	}
	r.urdf = b.Bytes()
	return r, nil
}

// addressMeshes lets the description name its meshes by addresses of this server.
func (r *robot) addressMeshes(systemName string, d *description.Robot) {
	known := map[string]string{}
	address := func(g description.Geometry) description.Geometry {
		mesh, ok := g.(description.Mesh)
		if !ok {
			return g
		}
		at, ok := known[mesh.URI]
		if !ok {
			var f meshFile
			f.fs, f.path, f.err = d.Resources.Find(mesh.URI)
			at = robotAddress(systemName, r.block, "mesh", fmt.Sprint(len(r.files)), path.Base(filepath.ToSlash(mesh.URI)))
			r.files = append(r.files, f)
			known[mesh.URI] = at
		}
		mesh.URI = at
		return mesh
	}
	for i := range d.Links {
		for j := range d.Links[i].Visuals {
			d.Links[i].Visuals[j].Geometry = address(d.Links[i].Visuals[j].Geometry)
		}
		for j := range d.Links[i].Collisions {
			d.Links[i].Collisions[j].Geometry = address(d.Links[i].Collisions[j].Geometry)
		}
	}
}

// jointNames returns the names of the moving joints in the order of the model's vectors.
func (r *robot) jointNames() []string {
	names := []string{}
	for _, j := range r.model.Joints() {
		if j.Mimic == nil { // those that mimic have no place in the vectors
			names = append(names, j.Name)
		}
	}
	return names
}

// dirsOf returns the folders that a system's blocks may read files from: that of its file first.
func (s *Server) dirsOf(name string) func() []string {
	return func() []string {
		path := s.catalog.known(name).file
		dirs := []string{filepath.Dir(path)}
		if sys, err := system.Load(path, system.Options{Registry: s.options.Registry}); err == nil {
			for _, f := range sys.Files {
				if dir := filepath.Dir(f); !slices.Contains(dirs, dir) {
					dirs = append(dirs, dir)
				}
			}
		}
		return dirs
	}
}

// robotOf returns the robot of a block.
func (s *Server) robotOf(ctx context.Context, system, block string) (*robot, error) {
	sys, err := s.catalog.get(system)
	if err != nil {
		return nil, err
	}
	sys.robots.mu.Lock()
	r := sys.robots.all[block]
	sys.robots.mu.Unlock()
	if r != nil {
		return r, nil
	}
	st, err := s.structureOf(ctx, system, askPatience)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, b := range st.Blocks {
		file := descriptionOf(b)
		if b.Name == block && file != "" {
			return sys.robots.get(system, b, file, s.dirsOf(system))
		}
		if file != "" {
			names = append(names, b.Name)
		}
	}
	return nil, fmt.Errorf("no block %q reads a robot%s", block, nearest.Hint(block, names))
}

package robots

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// MotionRefs returns the ports of a robot's motion that hold numbers, each once.
func (r *Robot) MotionRefs() []string {
	refs := slices.Concat(r.Position, r.Desired, r.Torques)
	if r.Base != nil {
		refs = append(refs, r.Base.Position, r.Base.Orientation)
	}
	slices.Sort(refs)
	return slices.Compact(refs)
}

// Embed returns the description of a robot and the files that it needs, by their addresses on this server, for a page without one; and
// sentences about meshes that cannot be read, in whose place a box stands. It fails if the system or the block does not exist.
func (r *Robots) Embed(ctx context.Context, system, block string) (files map[string][]byte, problems []string, err error) {
	robot, err := r.find(ctx, system, block)
	if err != nil {
		return nil, nil, err
	}
	files = map[string][]byte{address(system, block, "robot.urdf"): robot.urdf}
	for i, f := range robot.files {
		data, err := f.read()
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: mesh %s is missing, a box stands in: %v", block, path.Base(f.path), err))
			continue
		}
		files[address(system, block, "mesh", fmt.Sprint(i), path.Base(f.path))] = data
		for name, texture := range f.textures(data) {
			files[address(system, block, "mesh", fmt.Sprint(i), name)] = texture
		}
	}
	return files, problems, nil
}

// read returns the file's content, up to the limit of files.
func (f meshFile) read() ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	info, err := fs.Stat(f.fs, f.path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxMesh {
		return nil, fmt.Errorf("not a regular file, or larger than %d MiB", maxMesh>>20)
	}
	return fs.ReadFile(f.fs, f.path)
}

// textures returns the files beside a mesh that its text names.
func (f meshFile) textures(mesh []byte) map[string][]byte {
	found := map[string][]byte{}
	if strings.ToLower(path.Ext(f.path)) != ".dae" {
		return found
	}
	entries, _ := fs.ReadDir(f.fs, path.Dir(f.path))
	for _, e := range entries {
		if !slices.Contains(companions, strings.ToLower(path.Ext(e.Name()))) || !bytes.Contains(mesh, []byte(e.Name())) {
			continue
		}
		beside := meshFile{fs: f.fs, path: path.Join(path.Dir(f.path), e.Name())}
		if data, err := beside.read(); err == nil {
			found[e.Name()] = data
		}
	}
	return found
}

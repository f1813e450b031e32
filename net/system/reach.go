package system

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/net/block"
)

// reach is what a candidate may read: files below some folders, and those that the system on the disk is made of or names.
// A nil reach is everything.
type reach struct {
	file    string          // of the system
	folders []string        // absolute
	sources map[string]bool // absolute paths of the files that the system on the disk is made of
	named   map[string]bool // and of those that it names
}

// newReach asks the system on the disk, not the candidate, which folders a candidate may read.
func newReach(path string, o Options) *reach {
	disk := read(path, Options{Registry: block.NewRegistry(), Overlays: o.Overlays})
	r := &reach{file: path, folders: []string{absolute(filepath.Dir(path))}, sources: map[string]bool{}, named: disk.names}
	for _, folder := range disk.sys.Folders {
		r.folders = append(r.folders, absolute(folder))
	}
	for _, s := range disk.sources {
		r.sources[s.Path] = true
	}
	for _, path := range o.has {
		r.sources[absolute(path)] = true
	}
	return r
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// Errors of files that candidates name.
var (
	errOutside = errors.New("it lies outside the folders that a candidate may read")
	errPrivate = errors.New("only its owner may read it, so a candidate may not")
)

// holds reports whether a candidate may name a path. It does not look whether there is such a file.
func (r *reach) holds(path string) bool {
	if r == nil {
		return true
	}
	path = absolute(path)
	if r.sources[path] || r.named[path] {
		return true
	}
	_, _, ok := r.inside(path)
	return ok
}

// inside returns the folder that an absolute path is below, and the way from there.
func (r *reach) inside(path string) (folder, way string, ok bool) {
	for _, folder := range r.folders {
		if way, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(way) {
			return folder, way, true
		}
	}
	return "", "", false
}

// open opens a file. Symbolic links below a folder are followed if they end below it.
func (r *reach) open(path string) (*os.File, error) {
	if r == nil || r.sources[absolute(path)] {
		return os.Open(path)
	}
	folder, way, ok := r.inside(absolute(path))
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: r.outside()}
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := root.Open(way)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		return file, nil
	case !info.Mode().IsRegular():
		err = errors.New("not a file")
	case info.Mode().Perm()&0o077 == 0:
		err = fmt.Errorf("%w: chmod go+r it if others may", errPrivate)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.Join(err, file.Close())}
	}
	return file, nil
}

// outside returns the error for a path out of reach, with what the owner can do.
func (r *reach) outside() error {
	return fmt.Errorf("%w: %s; the owner of %s can add others with the key files", errOutside, strings.Join(r.folders, ", "), r.file)
}

// named returns a path that is written in a file of folder dir. It notes it, and fails where a candidate may not name it.
func (l *loader) named(n *yaml.Node, dir, path string) string {
	path = resolvePath(dir, path)
	if l.names == nil {
		l.names = map[string]bool{}
	}
	l.names[absolute(path)] = true
	if !l.reach.holds(path) {
		l.fail(n, "%s: %w", path, l.reach.outside())
	}
	return path
}

// CandidateFiles returns the files that blocks of a candidate for the system file may read; none where path is "".
func CandidateFiles(path string, o Options) fs.FS {
	f := &files{noted: map[string]bool{}}
	if path == "" {
		f.reach = &reach{file: "the system"}
		return noted{Folder("."), f}
	}
	f.reach = newReach(path, o)
	return noted{Folder(filepath.Dir(path)), f}
}

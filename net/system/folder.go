package system

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Folder is the files beside a system file, for blocks and scripts to read. Unlike those of os.DirFS its paths may
// lead out of it, because models usually lie elsewhere.
type Folder string

// Open opens a file whose path is absolute or relative to the folder.
func (f Folder) Open(name string) (fs.File, error) {
	return os.Open(resolvePath(string(f), filepath.FromSlash(name)))
}

// noted notes which files blocks read: other hosts need them too.
type noted struct {
	Folder
	files *files
}

// Open opens a file of the folder.
func (n noted) Open(name string) (fs.File, error) {
	file, err := n.files.reach.open(resolvePath(string(n.Folder), filepath.FromSlash(name)))
	if err == nil && !filepath.IsAbs(name) {
		name = filepath.Join(string(n.Folder), name)
	}
	if err == nil && !n.files.noted[name] {
		n.files.noted[name] = true
		n.files.paths = append(n.files.paths, name)
	}
	return file, err
}

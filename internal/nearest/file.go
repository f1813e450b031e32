package nearest

import (
	"io/fs"
	"path"
)

// File returns [Hint] for a file that does not exist: among the files of its folder that end alike, as "; did you mean \"panda.urdf\"?". It
// returns "" where the folder cannot be read or holds none.
func File(fsys fs.FS, name string) string {
	there, _ := fs.ReadDir(fsys, path.Dir(name))
	var names []string
	for _, e := range there {
		if path.Ext(e.Name()) == path.Ext(name) && !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return Hint(path.Base(name), names)
}

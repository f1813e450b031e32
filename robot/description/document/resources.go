package document

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Resources finds the files that a description names.
type Resources struct {
	FS       fs.FS            // holds the description
	Path     string           // of the description in FS
	Packages map[string]fs.FS // roots of packages by name
}

// Find returns the file system and the path in it that a URI means: package://NAME/PATH in the package of that name,
// model://NAME/PATH the same, anything else a path relative to the directory of the description. It does not look
// whether the file exists.
//
// A package that Packages does not list is the directory of its name above the description, or beside one of those. A file://
// URI or an absolute path names a place on one machine; it is found below the root of FS. It fails for packages that are not
// known and for other schemes.
func (r Resources) Find(uri string) (fs.FS, string, error) {
	// xacro files write file://$(find NAME), which becomes file://package://NAME
	inner, _ := strings.CutPrefix(uri, "file://")
	for _, scheme := range []string{"package://", "model://"} {
		if rest, ok := strings.CutPrefix(inner, scheme); ok {
			name, file, _ := strings.Cut(rest, "/")
			root, dir, err := r.packageRoot(name)
			if err != nil {
				return nil, "", err
			}
			return r.valid(root, path.Join(dir, file), uri)
		}
	}
	if rest, ok := strings.CutPrefix(uri, "file://"); ok {
		return r.valid(r.FS, strings.TrimLeft(rest, "/"), uri)
	}
	if scheme, _, ok := strings.Cut(uri, "://"); ok {
		return nil, "", fmt.Errorf("%q: %s:// is not read; use package:// or a relative path", uri, scheme)
	}
	if strings.HasPrefix(uri, "/") {
		return r.valid(r.FS, strings.TrimLeft(uri, "/"), uri)
	}
	return r.valid(r.FS, path.Join(path.Dir(r.Path), uri), uri)
}

func (r Resources) valid(fsys fs.FS, file, uri string) (fs.FS, string, error) {
	file = path.Clean(file)
	if fsys == nil || !fs.ValidPath(file) {
		return nil, "", fmt.Errorf("%q leads out of the files that can be read: open a directory further up", uri)
	}
	return fsys, file, nil
}

// packageRoot returns where a package lies: a file system and a directory in it.
func (r Resources) packageRoot(name string) (fs.FS, string, error) {
	if name == "" || strings.ContainsAny(name, `/\`) || name == "." || name == ".." {
		return nil, "", fmt.Errorf("%q is no package name", name)
	}
	if root, ok := r.Packages[name]; ok {
		return root, ".", nil
	}
	if r.FS != nil {
		for dir := path.Dir(path.Clean(r.Path)); ; dir = path.Dir(dir) {
			if path.Base(dir) == name {
				return r.FS, dir, nil
			}
			if info, err := fs.Stat(r.FS, path.Join(dir, name)); err == nil && info.IsDir() {
				return r.FS, path.Join(dir, name), nil
			}
			if dir == "." || dir == "/" {
				break
			}
		}
	}
	return nil, "", fmt.Errorf("package %q is not known and no directory of that name lies above %s", name, r.Path)
}

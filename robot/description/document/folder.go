package document

import (
	"io/fs"
	"path"
	"strings"
)

// FindFile returns the path of a file whose name may be written in another case, as authors on Windows do: the path itself if there is such a file, else
// the only one that differs in the case of letters. It fails with [fs.ErrNotExist] for no file, and for several.
func FindFile(fsys fs.FS, file string) (string, error) {
	if !fs.ValidPath(file) {
		return "", &fs.PathError{Op: "open", Path: file, Err: fs.ErrInvalid}
	}
	if _, err := fs.Stat(fsys, file); err == nil {
		return file, nil
	}
	found := "."
	for part := range strings.SplitSeq(file, "/") {
		entries, err := fs.ReadDir(fsys, found)
		if err != nil {
			return "", err
		}
		next := ""
		for _, e := range entries {
			switch {
			case e.Name() == part:
				next = part
			case strings.EqualFold(e.Name(), part) && next == "":
				next = e.Name()
			case strings.EqualFold(e.Name(), part) && next != part:
				return "", &fs.PathError{Op: "open", Path: path.Join(found, part), Err: fs.ErrNotExist} // several
			}
		}
		if next == "" {
			return "", &fs.PathError{Op: "open", Path: path.Join(found, part), Err: fs.ErrNotExist}
		}
		found = path.Join(found, next)
	}
	return found, nil
}

package deploy

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// MaxFiles and MaxFileBytes limit the files that are copied to another host; more are an error.
const (
	MaxFiles     = 5000
	MaxFileBytes = 512 << 20
)

// files returns what other hosts need: the files that the system reads, and all that lies in its folder.
func (l *Launch) files(dir string) (files []string, err error) {
	total := int64(0)
	add := func(path string, size int64) error {
		if slices.Contains(files, path) {
			return nil
		}
		files = append(files, path)
		if total += size; len(files) > MaxFiles || total > MaxFileBytes {
			return fmt.Errorf("copy %s to other hosts: more than %d files or %d MB: keep the system in a folder of its own", dir, MaxFiles, MaxFileBytes>>20)
		}
		return nil
	}
	walk := func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != dir && (name[0] == '.' || name == "node_modules") {
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() || name[0] == '.' || filepath.Ext(name) == ".mcap" {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return add(path, info.Size())
	}
	for _, folder := range append([]string{"."}, l.System.Deploy.Files...) {
		if err := filepath.WalkDir(filepath.Join(dir, folder), walk); err != nil {
			return nil, fmt.Errorf("copy %s to other hosts: %w", folder, err)
		}
	}
	read := slices.Concat(l.System.Files, l.Overlays)
	if n := l.System.Nats; n != nil {
		read = slices.DeleteFunc(append(read, n.Credentials, n.CA), func(f string) bool { return f == "" })
	}
	for _, f := range read {
		path, err := filepath.Abs(f)
		if err != nil {
			return nil, err
		}
		if err := add(path, 0); err != nil {
			return nil, err
		}
	}
	return files, nil
}

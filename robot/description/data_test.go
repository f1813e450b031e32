package description

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
)

// sharedData opens the robots that lie beside the repository; a test that wants them is skipped where they are not.
func sharedData(t *testing.T) fs.FS {
	t.Helper()
	const dir = "../../../shared/data"
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("SKIPPED: no robots beside the repository: %v", err)
	}
	return os.DirFS(dir)
}

// filesBelow lists the files of some extension.
func filesBelow(t *testing.T, fsys fs.FS, dir string, ext ...string) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(fsys, dir, func(name string, d fs.DirEntry, err error) error {
		for _, e := range ext {
			if err == nil && strings.HasSuffix(name, e) {
				files = append(files, name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestReadSharedURDF(t *testing.T) {
	data := sharedData(t)
	files := filesBelow(t, data, ".", ".urdf")
	if len(files) < 16 {
		t.Fatalf("found %d URDF files, expected at least 16", len(files))
	}
	for _, name := range files {
		t.Run(path.Base(name), func(t *testing.T) {
			robot, err := ReadURDF(data, name, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range robot.Suspects {
				t.Logf("suspect: %v", s)
			}
			tree := robot.Tree()
			t.Logf("%s: %d links, %d joints", robot.Name, len(tree.Links), len(tree.Joints))
		})
	}
}

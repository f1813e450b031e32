package description

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/robot/multibody"
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

// eachShared runs f for every shared file of the extensions.
func eachShared(t *testing.T, atLeast int, dir string, ext []string, f func(t *testing.T, data fs.FS, name string)) {
	t.Helper()
	data := sharedData(t)
	files := filesBelow(t, data, dir, ext...)
	if len(files) < atLeast {
		t.Fatalf("found %d files below %s, expected at least %d", len(files), dir, atLeast)
	}
	for _, name := range files {
		t.Run(path.Base(name), func(t *testing.T) { f(t, data, name) })
	}
}

func TestPublishedURDFFilesAreReadAndWritten(t *testing.T) {
	eachShared(t, 16, ".", []string{".urdf"}, func(t *testing.T, data fs.FS, name string) {
		robot, err := Read(data, name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		model, err := robot.Model(multibody.IgnoreMimic())
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d links, %d joints, %d degrees of freedom", robot.Name, len(robot.Links), len(robot.Joints), model.NV())
		for _, f := range Lint(robot) {
			// The reference files have no meshes beside them.
			if strings.HasPrefix(name, "reference/") && f.Rule == "mesh" {
				continue
			}
			t.Log(f)
		}
		sameAfterWriting(t, robot)
	})
}

func TestPublishedSRDFFilesAreRead(t *testing.T) {
	eachShared(t, 10, ".", []string{".srdf"}, func(t *testing.T, data fs.FS, name string) {
		s, err := ReadSRDF(data, name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d groups, %d states, %d pairs", s.Name, len(s.Groups), len(s.States), len(s.Disabled))
		urdf := filesBelow(t, data, path.Dir(path.Dir(name)), ".urdf")
		robot, err := Read(data, urdf[0], Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range LintSemantic(s, robot) {
			t.Log(f)
		}
	})
}

func TestPublishedRLFilesAreRead(t *testing.T) {
	for _, dir := range []string{"rl/rlmdl", "rl/rlkin"} {
		eachShared(t, 4, dir, []string{".xml"}, func(t *testing.T, data fs.FS, name string) {
			robot, err := Read(data, name, Options{})
			if strings.HasSuffix(name, ".param.xml") {
				wantProblems(t, err, name+":2:1: the file is a stylesheet that makes a model")
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			model, err := robot.Model()
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %d links, %d degrees of freedom, gravity %v", robot.Name, len(robot.Links), model.NV(), robot.Gravity)
			for _, f := range Lint(robot) {
				t.Log(f)
			}
		})
	}
}

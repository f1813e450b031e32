package mesh_test

import (
	"os"
	"path"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/mesh"
)

// fuzzFile reads any bytes as a file of an extension: the reader returns an error or a surface that geometry takes.
func fuzzFile(f *testing.F, extension string, seeds ...string) {
	for _, seed := range seeds {
		data, err := os.ReadFile(path.Join("testdata", seed))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := mesh.Read(fstest.MapFS{"a" + extension: {Data: data}}, "a"+extension)
		if err != nil {
			return
		}
		s.Check()
		if _, err := s.Shape(); err != nil {
			t.Error(err)
		}
	})
}

func FuzzSTL(f *testing.F)     { fuzzFile(f, ".stl", "bracket.stl", "bracket_binary.stl") }
func FuzzOBJ(f *testing.F)     { fuzzFile(f, ".obj", "bracket.obj") }
func FuzzPLY(f *testing.F)     { fuzzFile(f, ".ply", "bracket.ply", "bracket_binary.ply") }
func FuzzCOLLADA(f *testing.F) { fuzzFile(f, ".dae", "bracket.dae") }
func FuzzGLTF(f *testing.F)    { fuzzFile(f, ".glb", "bracket.glb", "bracket.gltf") }

func FuzzCloud(f *testing.F) {
	for _, seed := range []string{"scan.pcd", "bracket.ply"} {
		data, err := os.ReadFile(path.Join("testdata", seed))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		for _, name := range []string{"a.pcd", "a.ply"} {
			_, _ = mesh.ReadCloud(fstest.MapFS{name: {Data: data}}, name)
		}
	})
}

package mesh_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/mesh"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// TestAssimpReadsTheSameSurfaces compares the meshes of real robots with what Open Asset Import Library makes of them, as OBJ: the box
// around the surface, and its area. Its surfaces from COLLADA have y up.
func TestAssimpReadsTheSameSurfaces(t *testing.T) {
	assimp, err := exec.LookPath("assimp")
	if err != nil {
		t.Skip("SKIPPED: assimp is not installed; on Debian: apt install assimp-utils")
	}
	root := testkit.SharedData(t, "models", "example-robot-data", "robots")
	var files []string
	if err := filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
		switch strings.ToLower(filepath.Ext(file)) {
		case ".stl", ".dae":
			files = append(files, file)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for i, file := range files {
		if testing.Short() && i%10 != 0 {
			continue
		}
		inside, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := mesh.Read(os.DirFS(root), filepath.ToSlash(inside))
		if err != nil {
			t.Error(err)
			continue
		}
		if strings.HasSuffix(strings.ToLower(file), ".dae") {
			s.Transform(spatial.Mat3{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, spatial.Vec3{})
		}
		if out, err := exec.Command(assimp, "export", file, filepath.Join(folder, "a.obj"), "-fobj").CombinedOutput(); err != nil {
			t.Fatalf("assimp export %s: %v\n%s", file, err, out)
		}
		want, err := mesh.Read(os.DirFS(folder), "a.obj")
		if err != nil {
			t.Fatal(err)
		}
		low, high := bounds(s)
		if wantLow, wantHigh := bounds(want); low.Sub(wantLow).Norm() > 1e-6 || high.Sub(wantHigh).Norm() > 1e-6 {
			t.Errorf("%s: bounds %v and %v, assimp has %v and %v", inside, low, high, wantLow, wantHigh)
		}
		testkit.Near(t, "area of "+inside, area(s), area(want), 1e-5*area(want))
	}
	t.Logf("%d files", len(files))
}

// area returns the sum of the areas of all triangles.
func area(s *mesh.Surface) (sum float64) {
	for _, c := range s.Triangles {
		sum += s.Points[c[1]].Sub(s.Points[c[0]]).Cross(s.Points[c[2]].Sub(s.Points[c[0]])).Norm() / 2
	}
	return sum
}

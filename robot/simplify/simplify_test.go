package simplify

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// The volume beside that of the shapes is that of the hulls of all geometry that spheres replace, also of boxes.
func TestReportOfSpheresHasTheVolumeOfHulls(t *testing.T) {
	file := filepath.Join(t.TempDir(), "box.urdf")
	text := `<robot name="box"><link name="base"><collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision></link></robot>`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	robot, err := description.Read(os.DirFS(filepath.Dir(file)), "box.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Simplify(robot, Options{Method: Spheres, Tolerance: 0.02})
	if err != nil {
		t.Fatal(err)
	}
	if l := r.Links[0]; l.Shapes == 0 || l.Volume < l.HullVolume {
		t.Errorf("%+v", l)
	}
	testkit.Near(t, "volume of the hull", r.Links[0].HullVolume, 0.006, 1e-12)
}

// Two balls that touch have the sum of their volumes; equal ones have that of one.
func TestVolumeOfBallsCountsOverlapsOnce(t *testing.T) {
	one := 4. / 3 * math.Pi
	ball := func(x float64) scene.Ball { return scene.Ball{Center: spatial.Vec3{X: x}, Radius: 1} }
	testkit.Near(t, "equal balls", volumeOfBalls([]scene.Ball{ball(0), ball(0)}), one, 0.03*one)
	testkit.Near(t, "balls that touch", volumeOfBalls([]scene.Ball{ball(-1), ball(1)}), 2*one, 0.06*one)
}

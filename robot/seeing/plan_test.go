package seeing_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
	"github.com/sinew-robotics/sinew/robot/seeing"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// lookingAt returns the pose of a camera at a place that looks at another one.
func lookingAt(from, to spatial.Vec3) spatial.Pose {
	z := to.Sub(from).Unit()
	x := z.Cross(spatial.Vec3{Z: 1}).Unit()
	y := z.Cross(x)
	return spatial.Pose{R: spatial.Mat3{{x.X, y.X, z.X}, {x.Y, y.Y, z.Y}, {x.Z, y.Z, z.Z}}, P: from}
}

// TestPlansAmongWhatIsSeenAreFree renders problems of MotionBenchMaker for four cameras, with the robot in the images, plans for the Panda among what they see, and
// asks the obstacles themselves whether the paths are free. It logs how much longer that takes than among the obstacles.
func TestPlansAmongWhatIsSeenAreFree(t *testing.T) {
	folder := testkit.SharedData(t, "planning")
	read := func(path ...string) []byte {
		return must[[]byte](t)(os.ReadFile(filepath.Join(append([]string{folder}, path...)...)))
	}
	robot := must[*scenario.Robot](t)(scenario.ReadRobot(read("robots", "panda.json")))
	set := must[*scenario.Set](t)(scenario.ReadProblems(read("panda", "bookshelf_thin.json")))
	base := must[*scene.Scene](t)(scene.New(robot.Scene))
	joints := must[*space.Joints](t)(space.NewJoints(base, set.Joints, nil))
	camera := seeing.Camera{Width: 160, Height: 120, Fx: 128, Fy: 128, Cx: 79.5, Cy: 59.5, Unit: 1, Near: 0.2, Far: 4}
	voxels := geometry.Voxels{Corner: spatial.Vec3{X: -0.6, Y: -1, Z: -0.3}, Size: 0.01, Counts: [3]int{200, 200, 180}}
	own := must[*seeing.SelfFilter](t)(seeing.NewOwn(base, 0.015))
	var ratios, fieldRatios []float64
	ends, free := 0, 0
	for _, problem := range set.Problems[:3] {
		truth := must[*scene.Scene](t)(base.Add(problem.Objects...))
		q := make([]float64, base.NQ())
		joints.Configuration(problem.Start, q)
		m := must[*seeing.Map](t)(seeing.NewMap(voxels, 0))
		if err := own.Place(q); err != nil {
			t.Fatal(err)
		}
		for _, at := range []spatial.Vec3{{X: 0.3, Y: 1.4, Z: 1.2}, {X: 0.3, Y: -1.4, Z: 1.2}, {X: -0.5, Y: 0.3, Z: 1.6}, {X: 0.2, Y: -0.6, Z: 0.1}} {
			pose := lookingAt(at, spatial.Vec3{X: 0.6, Z: 0.5})
			must[seeing.Counts](t)(seeing.SeeDepth(m, &camera, render(t, &camera, &pose, bodies(t, truth, q)...), &pose, own, 0))
		}
		ring := must[*seeing.Snapshots](t)(seeing.NewSnapshots(m, base, "seen", 1))
		must[int](t)(ring.Next())
		field := must[*scene.Scene](t)(base.Add(scene.Object{Name: "seen", Parts: []geometry.Part{{Shape: must[*geometry.Shape](t)(m.Field())}}}))
		var least [3]float64
		judge := must[*planning.Verifier](t)(planning.NewVerifier(must[*spheres.Engine](t)(spheres.New(truth)), joints, robot.Resolution))
		for k, s := range []*scene.Scene{truth, ring.Scenes()[0], field} {
			planner := must[*planning.Connect](t)(planning.NewConnect(must[*spheres.Engine](t)(spheres.New(s)), joints, 1.0/32, 20_000))
			least[k] = math.Inf(1)
			for range 5 {
				begin := time.Now()
				path, err := planner.Plan(problem.Start, problem.Goal)
				least[k] = min(least[k], time.Since(begin).Seconds())
				if err != nil {
					t.Logf("problem %d, %d cubes: %v", problem.Index, m.Len(), err)
					ends++
					least[k] = math.NaN()
					break
				}
				if k == 1 && judge.Path(path) {
					free++
				}
			}
		}
		if r := least[1] / least[0]; r == r {
			ratios = append(ratios, r)
		}
		if r := least[2] / least[0]; r == r {
			fieldRatios = append(fieldRatios, r)
		}
	}
	if len(ratios) == 0 {
		t.Fatal("no problem was planned among what is seen")
	}
	slices.Sort(ratios)
	slices.Sort(fieldRatios)
	t.Logf("%d problems planned, %d plans failed, %d of %d paths free; a plan among a cloud takes %.1f times, in a field %.1f times that among primitives (median)",
		len(ratios), ends, free, 5*len(ratios), ratios[len(ratios)/2], fieldRatios[len(fieldRatios)/2])
	if free < 4*len(ratios) {
		t.Errorf("only %d of %d paths among what is seen are free", free, 5*len(ratios))
	}
}

package exact

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// TestBoxesLeaveOutOnlyPairsThatAreApart compares the filter with the distance of the shapes, which are in frames away from their middle and rounded as well.
func TestBoxesLeaveOutOnlyPairsThatAreApart(t *testing.T) {
	r := testkit.Rand(t)
	vector := func() spatial.Vec3 { return spatial.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()} }
	far := spatial.Vec3{X: 0.4, Y: -0.2, Z: 0.7}
	points := []spatial.Vec3{far, far.Add(spatial.Vec3{X: 0.9}), far.Add(spatial.Vec3{Y: 0.2}), far.Add(spatial.Vec3{Z: 0.1})}
	mesh, err := geometry.NewMesh(points, [][3]int{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	hull, err := geometry.NewHull(points)
	if err != nil {
		t.Fatal(err)
	}
	rounded, err := hull.Rounded(0.1)
	if err != nil {
		t.Fatal(err)
	}
	board, err := geometry.NewBox(spatial.Vec3{X: 3, Y: 0.5, Z: 0.02})
	if err != nil {
		t.Fatal(err)
	}
	shapes := []*geometry.Shape{mesh, hull, rounded, board}
	query := new(geometry.Query)
	left, kept := 0, 0
	for range 20_000 {
		place := func() *part {
			s := shapes[r.IntN(len(shapes))]
			pose := spatial.Pose{R: spatial.Exp(vector().Scale(2)), P: vector()}
			ball := scene.EnclosingBall(&geometry.Part{Shape: s, Pose: spatial.IdentityPose()})
			return &part{shape: s, pose: pose, ball: ball, at: pose.Apply(ball.Center), box: boxOf(s)}
		}
		x, y := place(), place()
		c, err := query.Distance(x.shape, &x.pose, y.shape, &y.pose, nil)
		if err != nil {
			t.Fatal(err)
		}
		limit := math.Max(0, c.Distance) // the filter has to let the pair through at its own distance
		if apart(x, y, limit) {
			t.Fatalf("%v and %v at a distance of %g are left out", x.shape.Kind(), y.shape.Kind(), c.Distance)
		}
		switch {
		case c.Distance <= 0:
		case apart(x, y, 0):
			left++
		default:
			kept++
		}
	}
	if left < kept {
		t.Errorf("of pairs that are apart the filter leaves out %d and keeps %d, want most left out", left, kept)
	}
}

func TestBoxesLeaveOutNoPlane(t *testing.T) {
	plane := geometry.NewPlane()
	if boxOf(plane) != nil {
		t.Error("a plane has a box")
	}
}

package geometry_test

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func must(s *geometry.Shape, err error) *geometry.Shape {
	if err != nil {
		panic(err)
	}
	return s
}

// volume returns the volume inside a closed surface (Gauss): the sum of the tetrahedra between its triangles and the origin.
func volume(points []spatial.Vec3, triangles [][3]int) (sum float64) {
	for _, t := range triangles {
		sum += points[t[0]].Dot(points[t[1]].Cross(points[t[2]])) / 6
	}
	return sum
}

func TestSurfaceEnclosesTheVolumeOfTheShape(t *testing.T) {
	capsule := math.Pi*0.01*0.5 + 4.0/3*math.Pi*0.001
	tetrahedron := []spatial.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}, {X: 0.1, Y: 0.1, Z: 0.1}}
	box := must(geometry.NewBox(spatial.Vec3{X: 0.2, Y: 0.3, Z: 0.5}))
	rounded := must(box.Rounded(0.05))
	r := 0.05 // Steiner's formula
	steiner := 0.03 + r*2*(0.06+0.1+0.15) + math.Pi*r*r*(0.2+0.3+0.5) + 4.0/3*math.Pi*r*r*r
	field := must(geometry.NewHeightField(3, 2, 2, 1, []float64{1, 1, 1, 1, 1, 1}, 0))
	for _, c := range []struct {
		name   string
		shape  *geometry.Shape
		volume float64
		within float64 // share that may be missing
	}{
		{"box", box, 0.03, 0},
		{"rounded box", rounded, steiner, 0.05},
		{"sphere", must(geometry.NewSphere(0.1)), 4.0 / 3 * math.Pi * 0.001, 0.01},
		{"ellipsoid", must(geometry.NewEllipsoid(spatial.Vec3{X: 0.1, Y: 0.2, Z: 0.3})), 4.0 / 3 * math.Pi * 0.006, 0.03},
		{"cylinder", must(geometry.NewCylinder(0.1, 0.5)), math.Pi * 0.005, 0.03},
		{"capsule", must(geometry.NewCapsule(0.1, 0.5)), capsule, 0.02},
		{"cone", must(geometry.NewCone(0.1, 0.5)), math.Pi * 0.005 / 3, 0.05},
		{"hull", must(geometry.NewHull(tetrahedron)), 1.0 / 6, 0},
		{"mesh", must(geometry.NewMesh(tetrahedron[:4], [][3]int{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}})), 1.0 / 6, 0},
		{"height field", field, 2, 0},
		{"compound", must(geometry.NewCompound([]geometry.Part{{Shape: box, Pose: spatial.Translation(spatial.Vec3{X: 3})}, {Shape: box, Pose: spatial.IdentityPose()}})), 0.06, 0},
	} {
		points, triangles := c.shape.Surface()
		got := volume(points, triangles)
		if got > c.volume*(1+1e-9) || got < c.volume*(1-c.within-1e-9) {
			t.Errorf("%s: the surface encloses %g m³, the shape has %g", c.name, got, c.volume)
		}
		edges := map[[2]int]int{}
		for _, tri := range triangles {
			for i := range 3 {
				edges[[2]int{tri[i], tri[(i+1)%3]}]++
			}
		}
		for e, n := range edges {
			if n != 1 || edges[[2]int{e[1], e[0]}] != 1 {
				t.Fatalf("%s: edge %v has not one triangle on each side", c.name, e)
			}
		}
	}
}

func TestBallsOfCloudsAreTheirPoints(t *testing.T) {
	points := []spatial.Vec3{{X: 1}, {Y: 2}}
	cloud := must(must(geometry.NewCloud(points, []float64{0.1, 0.2})).Rounded(0.01))
	centers, radii := cloud.Balls()
	for i, c := range centers {
		if want := map[spatial.Vec3]float64{points[0]: 0.11, points[1]: 0.21}[c]; math.Abs(radii[i]-want) > 1e-15 {
			t.Errorf("the ball at %v has the radius %g, want %g", c, radii[i], want)
		}
	}
	if list, triangles := cloud.Surface(); len(centers) != 2 || list != nil || triangles != nil {
		t.Errorf("%d balls, %d points, %d triangles of a cloud of 2 points", len(centers), len(list), len(triangles))
	}
	if list, _ := must(geometry.NewSphere(1)).Balls(); list != nil {
		t.Errorf("a sphere has the balls %v", list)
	}
	if points, triangles := geometry.NewPlane().Surface(); points != nil || triangles != nil {
		t.Error("a plane has triangles")
	}
}

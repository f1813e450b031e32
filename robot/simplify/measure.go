package simplify

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// ballCells is how many cells the extent of balls is divided into, where their volume is counted.
const ballCells = 100

// volumeOfBalls returns the volume of the union of balls, to a few percent, m³.
func volumeOfBalls(balls []scene.Ball) float64 {
	around := scene.EnclosingBalls(balls)
	low, cell := around.Center.Sub(spatial.Vec3{X: around.Radius, Y: around.Radius, Z: around.Radius}), 2*around.Radius/ballCells
	inside := map[[3]int]bool{}
	for _, b := range balls {
		first := b.Center.Sub(spatial.Vec3{X: b.Radius, Y: b.Radius, Z: b.Radius}).Sub(low).Scale(1 / cell)
		n := int(2*b.Radius/cell) + 2
		for i := range n * n * n {
			at := [3]int{int(first.X) + i%n, int(first.Y) + i/n%n, int(first.Z) + i/n/n}
			middle := low.Add(spatial.Vec3{X: float64(at[0]) + 0.5, Y: float64(at[1]) + 0.5, Z: float64(at[2]) + 0.5}.Scale(cell))
			if middle.Sub(b.Center).Norm() <= b.Radius {
				inside[at] = true
			}
		}
	}
	return float64(len(inside)) * cell * cell * cell
}

// volumeInside returns the volume inside of a closed surface whose triangles are counterclockwise from outside, m³.
func volumeInside(points []spatial.Vec3, triangles [][3]int) (v float64) {
	for _, t := range triangles {
		v += points[t[0]].Dot(points[t[1]].Cross(points[t[2]])) / 6
	}
	return v
}

// protrusionSteps is how many pieces the extent of a shape is divided into, where its distance from a mesh is sampled.
const protrusionSteps = 24

// protrusion returns the greatest distance of sampled points of a surface from a mesh, m.
func protrusion(points []spatial.Vec3, triangles [][3]int, corners []spatial.Vec3, faces [][3]int) (far float64, err error) {
	mesh, err := geometry.NewMesh(points, triangles)
	if err != nil {
		return 0, err
	}
	dot, err := geometry.NewSphere(0)
	if err != nil {
		return 0, err
	}
	low, high := corners[0], corners[0]
	for _, p := range corners {
		low = spatial.Vec3{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
		high = spatial.Vec3{X: max(high.X, p.X), Y: max(high.Y, p.Y), Z: max(high.Z, p.Z)}
	}
	step := high.Sub(low).Norm() / protrusionSteps
	var q geometry.Query
	identity := spatial.IdentityPose()
	for _, f := range faces {
		a, b, c := corners[f[0]], corners[f[1]], corners[f[2]]
		n := int(math.Ceil(max(b.Sub(a).Norm(), c.Sub(a).Norm(), c.Sub(b).Norm()) / step))
		for i := range n + 1 {
			for j := range n + 1 - i {
				at := spatial.Translation(a.Add(b.Sub(a).Scale(float64(i) / float64(n))).Add(c.Sub(a).Scale(float64(j) / float64(n))))
				contact, err := q.Distance(mesh, &identity, dot, &at, nil)
				if err != nil {
					return 0, err
				}
				far = max(far, contact.Distance)
			}
		}
	}
	return far, nil
}

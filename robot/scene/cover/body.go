package cover

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Body is what spheres are to cover, in the frame of a link. The zero value is empty.
type Body struct {
	triangles [][3]spatial.Vec3
	balls     []scene.Ball
}

// sides is the number of faces around the polyhedra that enclose round shapes: they are larger by 0.12 % of the radius.
const sides = 64

// Empty reports whether nothing was added.
func (b *Body) Empty() bool { return len(b.triangles)+len(b.balls) == 0 }

// AddBall adds a ball, which covers itself. radius is in m, 0 or more: [New] reports another.
func (b *Body) AddBall(center spatial.Vec3, radius float64) {
	b.balls = append(b.balls, scene.Ball{Center: center, Radius: radius})
}

// AddSurface adds triangles, whose corners are indices into points.
func (b *Body) AddSurface(at spatial.Pose, points []spatial.Vec3, triangles [][3]int) {
	for _, t := range triangles {
		b.triangles = append(b.triangles, [3]spatial.Vec3{at.Apply(points[t[0]]), at.Apply(points[t[1]]), at.Apply(points[t[2]])})
	}
}

// AddBox adds a box with edges of these lengths (m, above 0) along the axes of the pose, centred on its origin. [New] reports lengths that are not
// finite.
func (b *Body) AddBox(at spatial.Pose, sizes spatial.Vec3) {
	h := sizes.Scale(0.5)
	b.addPrism(at, []spatial.Vec3{{X: h.X, Y: h.Y}, {X: -h.X, Y: h.Y}, {X: -h.X, Y: -h.Y}, {X: h.X, Y: -h.Y}}, h.Z)
}

// AddCylinder adds a prism of 64 faces around a cylinder about the z axis of the pose, centred on its origin. radius and length are in m,
// above 0; the prism is larger by at most 0.12 % of the radius. [New] reports a size that is not finite.
func (b *Body) AddCylinder(at spatial.Pose, radius, length float64) {
	b.addPrism(at, circle(radius), length/2)
}

// AddCapsule adds a polyhedron around a capsule: a cylinder along the z axis of the pose with half a ball on each end.
// radius and length, that of the cylinder, are in m, above 0. The polyhedron is larger by at most 0.25 % of the radius.
func (b *Body) AddCapsule(at spatial.Pose, radius, length float64) {
	var rings [][]spatial.Vec3
	grow := 1 / math.Cos(math.Pi/sides)
	for i := range sides/2 + 2 { // of latitude; the equator is in both halves
		latitude := -math.Pi/2 + float64(i)*math.Pi/(sides/2)
		z := -length / 2
		if i > sides/4 {
			latitude -= math.Pi / (sides / 2)
			z = length / 2
		}
		ring := circle(radius * grow * math.Cos(latitude))
		for k := range ring {
			ring[k].Z = z + radius*grow*math.Sin(latitude)
		}
		rings = append(rings, ring)
	}
	for i := range len(rings) - 1 {
		b.addBand(at, rings[i], rings[i+1])
	}
}

// circle returns a polygon around a circle about the z axis.
func circle(radius float64) []spatial.Vec3 {
	list := make([]spatial.Vec3, sides)
	out := radius / math.Cos(math.Pi/sides)
	for i := range list {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		list[i] = spatial.Vec3{X: out * cos, Y: out * sin}
	}
	return list
}

// addPrism adds the prism over a convex polygon from -half to half along z.
func (b *Body) addPrism(at spatial.Pose, polygon []spatial.Vec3, half float64) {
	low, high := make([]spatial.Vec3, len(polygon)), make([]spatial.Vec3, len(polygon))
	for i, p := range polygon {
		low[i], high[i] = spatial.Vec3{X: p.X, Y: p.Y, Z: -half}, spatial.Vec3{X: p.X, Y: p.Y, Z: half}
	}
	b.addBand(at, low, high)
	for i := 1; i+1 < len(polygon); i++ {
		b.triangles = append(b.triangles,
			[3]spatial.Vec3{at.Apply(low[0]), at.Apply(low[i+1]), at.Apply(low[i])}, [3]spatial.Vec3{at.Apply(high[0]), at.Apply(high[i]), at.Apply(high[i+1])})
	}
}

// addBand adds the quadrangles between two polygons with equal numbers of corners.
func (b *Body) addBand(at spatial.Pose, low, high []spatial.Vec3) {
	for i := range low {
		k := (i + 1) % len(low)
		a, c, d, e := at.Apply(low[i]), at.Apply(low[k]), at.Apply(high[k]), at.Apply(high[i])
		b.triangles = append(b.triangles, [3]spatial.Vec3{a, c, d}, [3]spatial.Vec3{a, d, e})
	}
}

// surface returns the triangles as a shape, nil if there are none.
func (b *Body) surface() (*geometry.Shape, error) {
	if b.Empty() {
		return nil, errors.New("cover a body by spheres: it has no surface")
	}
	for i, p := range b.balls {
		if _, err := geometry.NewSphere(p.Radius); err != nil {
			return nil, fmt.Errorf("cover a body by spheres: ball %d: %w", i+1, err)
		}
	}
	if len(b.triangles) == 0 {
		return nil, nil
	}
	points := make([]spatial.Vec3, 0, 3*len(b.triangles))
	corners := make([][3]int, len(b.triangles))
	for i := range b.triangles {
		points = append(points, b.triangles[i][:]...)
		corners[i] = [3]int{3 * i, 3*i + 1, 3*i + 2}
	}
	s, err := geometry.NewMesh(points, corners)
	if err != nil {
		return nil, fmt.Errorf("cover a body by spheres: %w", err)
	}
	return s, nil
}

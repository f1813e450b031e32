package geometry

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Limit is the greatest size and coordinate (m) that shapes and poses may have.
const Limit = 1e9

// Kind is the kind of a shape.
type Kind uint8

// The kinds of shapes, convex ones first. Their order is that of the dispatch: a pair is swapped so that its first kind is not the greater.
const (
	Sphere Kind = iota
	Capsule
	Box
	Cylinder
	Cone
	Ellipsoid
	Hull
	piece // few points: a triangle of a mesh, a prism of a height field
	Plane
	Mesh
	HeightField
	Compound
	Cloud
	DistanceField
)

// String returns the kind's name in plain words.
func (k Kind) String() string {
	names := [...]string{
		"sphere", "capsule", "box", "cylinder", "cone", "ellipsoid", "convex hull", "piece", "plane", "mesh", "height field", "compound",
		"point cloud", "distance field",
	}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown"
}

// Shape is a body's form in its own frame. It is immutable, except for that of a [CloudBuffer], so that goroutines may share it. A constructor makes it; the zero
// value is a point at the origin.
type Shape struct {
	kind   Kind
	round  float64        // radius of the ball that is added to the core, m
	half   spatial.Vec3   // box: half sizes; cylinder and cone: X radius, Z half length; capsule: Z half length; ellipsoid: semi-axes
	points []spatial.Vec3 // corners of a hull or a piece
	hull   *hullEdges     // of a hull with many corners
	tree   *tree          // of a shape of many pieces
	bounds Bounds         // of the core
	reach  float64        // greatest distance of a point of the core from the frame's origin
	buffer bool           // its points change
}

// Kind returns the kind of the shape.
func (s *Shape) Kind() Kind { return s.kind }

// Radius returns the rounding radius (m), which is all of a sphere's radius and of a capsule's.
func (s *Shape) Radius() float64 { return s.round }

// Changes reports whether a [CloudBuffer] may give the shape other points later, within its bounds. All other shapes are immutable.
func (s *Shape) Changes() bool { return s.buffer }

// Reach returns the greatest distance (m) of a point of the shape from the origin of its frame; a plane's is infinite.
func (s *Shape) Reach() float64 { return s.reach + s.round }

// NewSphere returns a ball around the origin, 0 ≤ radius ≤ [Limit].
func NewSphere(radius float64) (*Shape, error) {
	if err := size("sphere", "radius", radius); err != nil {
		return nil, err
	}
	return &Shape{kind: Sphere, round: radius}, nil
}

// NewCapsule returns all points within radius of a segment of this length along the z axis, centred at the origin.
func NewCapsule(radius, length float64) (*Shape, error) {
	if err := size("capsule", "radius", radius, "length", length); err != nil {
		return nil, err
	}
	return (&Shape{kind: Capsule, round: radius, half: spatial.Vec3{Z: length / 2}}).bound(), nil
}

// NewBox returns a box with edges of these lengths along the axes, centred at the origin. A size may be zero.
func NewBox(sizes spatial.Vec3) (*Shape, error) {
	if err := size("box", "size x", sizes.X, "size y", sizes.Y, "size z", sizes.Z); err != nil {
		return nil, err
	}
	return (&Shape{kind: Box, half: sizes.Scale(0.5)}).bound(), nil
}

// NewCylinder returns a cylinder around the z axis, centred at the origin.
func NewCylinder(radius, length float64) (*Shape, error) {
	if err := size("cylinder", "radius", radius, "length", length); err != nil {
		return nil, err
	}
	return (&Shape{kind: Cylinder, half: spatial.Vec3{X: radius, Y: radius, Z: length / 2}}).bound(), nil
}

// NewCone returns a cone around the z axis: the disc of this radius at z = -length/2, the tip at z = length/2.
func NewCone(radius, length float64) (*Shape, error) {
	if err := size("cone", "radius", radius, "length", length); err != nil {
		return nil, err
	}
	return (&Shape{kind: Cone, half: spatial.Vec3{X: radius, Y: radius, Z: length / 2}}).bound(), nil
}

// NewEllipsoid returns the ellipsoid with these semi-axes along the axes, centred at the origin.
func NewEllipsoid(semiAxes spatial.Vec3) (*Shape, error) {
	if err := size("ellipsoid", "semi-axis x", semiAxes.X, "semi-axis y", semiAxes.Y, "semi-axis z", semiAxes.Z); err != nil {
		return nil, err
	}
	return (&Shape{kind: Ellipsoid, half: semiAxes}).bound(), nil
}

// NewPlane returns the half-space z ≤ 0: solid below the plane z = 0, whose outer normal is the z axis.
func NewPlane() *Shape {
	inf := math.Inf(1)
	return &Shape{kind: Plane, reach: inf, bounds: Bounds{spatial.Vec3{X: -inf, Y: -inf, Z: -inf}, spatial.Vec3{X: inf, Y: inf}}}
}

// Rounded returns the shape grown by radius (m, ≥ 0) in all directions: its Minkowski sum with a ball. A radius that the shape already
// has is added to.
func (s *Shape) Rounded(radius float64) (*Shape, error) {
	if err := size(s.kind.String(), "rounding radius", radius); err != nil {
		return nil, err
	}
	grown := *s
	grown.round += radius
	return &grown, nil
}

// bound fills in what follows from the other fields of a convex shape.
func (s *Shape) bound() *Shape {
	h := s.half
	switch s.kind {
	case Hull:
		s.bounds = boundsOf(s.points)
		for _, p := range s.points {
			s.reach = max(s.reach, p.Norm())
		}
		return s
	case Cylinder, Cone:
		s.reach = math.Hypot(h.X, h.Z)
	case Ellipsoid:
		s.reach = max(h.X, h.Y, h.Z)
	default:
		s.reach = h.Norm()
	}
	s.bounds = Bounds{h.Neg(), h}
	return s
}

// size checks names and values in turn.
func size(shape string, pairs ...any) error {
	for i := 0; i < len(pairs); i += 2 {
		if x := pairs[i+1].(float64); !(x >= 0 && x <= Limit) {
			return fmt.Errorf("make a %s: %s is %g: want a length from 0 to %g m", shape, pairs[i], x, float64(Limit))
		}
	}
	return nil
}

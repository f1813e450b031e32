package geometry

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Part is a shape with its place in a compound.
type Part struct {
	Shape *Shape
	Pose  spatial.Pose // of the part's frame in that of the compound
}

// grid is the heights of a field.
type grid struct {
	columns, rows int
	x, y, dx, dy  float64 // of the first height, and the steps
	heights       []float64
	floor         float64
}

// NewMesh returns the surface of triangles whose corners are indices into points (m); both are copied. Triangles without area count as segments
// or points. It fails for a mesh without triangles, for an index out of range and for points that are not finite or beyond [Limit].
func NewMesh(points []spatial.Vec3, triangles [][3]int) (*Shape, error) {
	if err := checkPoints("mesh", points); err != nil {
		return nil, err
	}
	if len(triangles) == 0 {
		return nil, fmt.Errorf("make a mesh: %d points but no triangles; want at least one", len(points))
	}
	t := &tree{corners: append([]spatial.Vec3(nil), points...)}
	s := &Shape{kind: Mesh, tree: t}
	bounds := make([]Bounds, len(triangles))
	for i, c := range triangles {
		for k, at := range c {
			if at < 0 || at >= len(points) {
				return nil, fmt.Errorf("make a mesh: corner %d of triangle %d is point %d: want 0 to %d", k, i, at, len(points)-1)
			}
			s.reach = max(s.reach, points[at].Norm())
		}
		bounds[i] = boundsOf([]spatial.Vec3{points[c[0]], points[c[1]], points[c[2]]})
	}
	t.build(bounds)
	t.triangles = make([][3]int32, len(triangles))
	for i, at := range t.order {
		c := triangles[at]
		t.triangles[i] = [3]int32{int32(c[0]), int32(c[1]), int32(c[2])}
	}
	t.addSlabs()
	return s.boundTree(), nil
}

// NewHeightField returns the ground under a surface over a grid of columns by rows heights (m), from the floor up to the surface. Height i + j columns is
// over the point x = (i/(columns-1) - 1/2) sizeX, y likewise; each cell is split into two triangles from its first to its last corner.
// It fails for fewer than two columns or rows, another number of heights, and for heights below the floor or not finite.
func NewHeightField(columns, rows int, sizeX, sizeY float64, heights []float64, floor float64) (*Shape, error) {
	if columns < 2 || rows < 2 || len(heights) != columns*rows || columns > math.MaxInt32/2/rows {
		return nil, fmt.Errorf("make a height field: %d heights for %d by %d: want at least 2 by 2, and a height for each", len(heights), columns, rows)
	}
	if err := size("height field", "size x", sizeX, "size y", sizeY); err != nil {
		return nil, err
	}
	for i, h := range heights {
		if !(h >= floor && h <= Limit && floor >= -Limit) {
			return nil, fmt.Errorf("make a height field: height %d (column %d, row %d) is %g: want a number from the floor, %g, to %g m",
				i, i%columns, i/columns, h, floor, float64(Limit))
		}
	}
	g := &grid{columns, rows, -sizeX / 2, -sizeY / 2, sizeX / float64(columns-1), sizeY / float64(rows-1), append([]float64(nil), heights...), floor}
	t := &tree{field: g}
	bounds := make([]Bounds, 2*(columns-1)*(rows-1))
	var prism [6]spatial.Vec3
	for i := range bounds {
		g.prism(int32(i), &prism)
		bounds[i] = boundsOf(prism[:])
	}
	t.build(bounds)
	return (&Shape{kind: HeightField, tree: t}).boundTree(), nil
}

// prism sets the corners of piece i: half a cell from the floor to the surface.
func (g *grid) prism(i int32, corners *[6]spatial.Vec3) {
	cell := int(i / 2)
	c, r := cell%(g.columns-1), cell/(g.columns-1)
	at := func(c, r int) spatial.Vec3 {
		return spatial.Vec3{X: g.x + float64(c)*g.dx, Y: g.y + float64(r)*g.dy, Z: g.heights[c+r*g.columns]}
	}
	corners[0], corners[1], corners[2] = at(c, r), at(c+1, r), at(c+1, r+1)
	if i&1 == 1 {
		corners[1], corners[2] = corners[2], at(c, r+1)
	}
	for k := range 3 {
		corners[k+3] = corners[k]
		corners[k+3].Z = g.floor
	}
}

// NewCompound returns the union of parts. It fails for no parts, a plane, and a pose that is not finite or not a rotation. Parts may be
// meshes, fields and compounds; the parts of the latter become parts of this one.
func NewCompound(parts []Part) (*Shape, error) {
	t := &tree{}
	if err := t.addParts(parts, spatial.IdentityPose(), 0); err != nil {
		return nil, err
	}
	if len(t.parts) == 0 {
		return nil, fmt.Errorf("make a compound: no parts; want at least one")
	}
	s := &Shape{kind: Compound, tree: t}
	bounds := make([]Bounds, len(t.parts))
	for i := range t.parts {
		p := &t.parts[i]
		bounds[i] = p.Shape.Bounds(&p.Pose)
		t.frames = append(t.frames, frameOf(&p.Pose))
		s.reach = max(s.reach, p.Pose.P.Norm()+p.Shape.Reach())
	}
	t.build(bounds)
	return s.boundTree(), nil
}

func (t *tree) addParts(parts []Part, pose spatial.Pose, grown float64) error {
	for i, p := range parts {
		if p.Shape == nil || p.Shape.kind == Plane {
			return fmt.Errorf("make a compound: part %d is missing or a plane: want a shape of finite size", i)
		}
		if !valid(&p.Pose) || !p.Pose.R.IsRotation(1e-6) {
			return fmt.Errorf("make a compound: the pose of part %d is not finite, beyond %g m or not a rotation", i, float64(Limit))
		}
		at := pose.Mul(p.Pose)
		if p.Shape.kind == Compound {
			if err := t.addParts(p.Shape.tree.parts, at, grown+p.Shape.round); err != nil {
				return err
			}
			continue
		}
		shape := *p.Shape
		shape.round += grown
		t.parts = append(t.parts, Part{&shape, at})
	}
	return nil
}

// boundTree fills in what follows from the tree.
func (s *Shape) boundTree() *Shape {
	n := &s.tree.nodes[0]
	s.bounds = Bounds{n.c.Sub(n.h), n.c.Add(n.h)}
	if s.reach == 0 {
		s.reach = spatial.Vec3{
			X: max(-s.bounds.Min.X, s.bounds.Max.X), Y: max(-s.bounds.Min.Y, s.bounds.Max.Y), Z: max(-s.bounds.Min.Z, s.bounds.Max.Z),
		}.Norm()
	}
	return s
}

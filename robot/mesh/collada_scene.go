package mesh

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// yUp turns the y axis up to the z axis.
var yUp = spatial.Mat3{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}

// affine is a linear map and a translation.
type affine struct {
	m spatial.Mat3
	t spatial.Vec3
}

func (a *affine) apply(p spatial.Vec3) spatial.Vec3 { return a.m.MulVec(p).Add(a.t) }

// then returns the map that applies b first.
func (a *affine) then(b *affine) *affine { return &affine{a.m.Mul(b.m), a.apply(b.t)} }

// scene adds the geometries of the scene, or all of a file without one.
func (c *collada) scene(root *document.Element) error {
	at := &affine{m: spatial.Identity()}
	if scene := root.Child("scene"); scene != nil {
		if instance := scene.Child("instance_visual_scene"); instance != nil {
			visual, err := c.target(instance, "url", "visual_scene")
			if err != nil {
				return err
			}
			for _, n := range visual.Children("node") {
				if err := c.node(n, at, nil); err != nil {
					return err
				}
			}
			return nil
		}
	}
	for _, library := range root.Children("library_geometries") {
		for _, g := range library.Children("geometry") {
			if err := c.geometry(g, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// node adds a node below the nodes of path.
func (c *collada) node(e *document.Element, at *affine, path []*document.Element) error {
	for _, p := range path {
		if p == e {
			return fail(e, "the node contains itself by way of <instance_node>")
		}
	}
	if c.nodes++; c.nodes > maxNodes {
		return fail(e, "the scene has more than %d nodes", maxNodes)
	}
	path = append(path, e)
	for _, child := range e.Children("") {
		var err error
		switch child.Name {
		case "matrix", "translate", "rotate", "scale", "lookat", "skew":
			var by *affine
			if by, err = transformation(child); err == nil {
				at = at.then(by)
			}
		case "instance_geometry":
			var g *document.Element
			if g, err = c.target(child, "url", "geometry"); err == nil {
				err = c.geometry(g, at)
			}
		case "instance_controller":
			err = fail(child, "skins and morphs, <instance_controller>, are not read, because their form depends on joints; export a rigid mesh")
		case "instance_node":
			var n *document.Element
			if n, err = c.target(child, "url", "node"); err == nil {
				err = c.node(n, at, path)
			}
		case "node":
			err = c.node(child, at, path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// transformation returns what an element of a node does; angles are in degrees.
func transformation(e *document.Element) (*affine, error) {
	sizes := map[string]int{"matrix": 16, "translate": 3, "rotate": 4, "scale": 3}
	n, ok := sizes[e.Name]
	if !ok {
		return nil, fail(e, "the transformation <%s> is not read: export a <matrix>", e.Name)
	}
	x, err := floats(e, n)
	if err != nil {
		return nil, err
	}
	a := &affine{m: spatial.Identity()}
	switch e.Name {
	case "matrix":
		for i := range 3 {
			copy(a.m[i][:], x[4*i:4*i+3])
		}
		a.t = spatial.Vec3{X: x[3], Y: x[7], Z: x[11]}
		if x[12] != 0 || x[13] != 0 || x[14] != 0 || x[15] != 1 {
			return nil, fail(e, "the last row of <matrix> is %v: want 0 0 0 1", x[12:16])
		}
	case "translate":
		a.t = spatial.Vec3{X: x[0], Y: x[1], Z: x[2]}
	case "rotate":
		axis := spatial.Vec3{X: x[0], Y: x[1], Z: x[2]}
		if axis.Norm() == 0 {
			if x[3] == 0 {
				return a, nil
			}
			return nil, fail(e, "<rotate> turns about an axis of length zero")
		}
		a.m = spatial.AngleAxis(x[3]*math.Pi/180, axis.Unit())
	case "scale":
		a.m = spatial.Mat3{{x[0], 0, 0}, {0, x[1], 0}, {0, 0, x[2]}}
	}
	return a, nil
}

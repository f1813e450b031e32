package scene

import "github.com/sinew-robotics/sinew/robot/geometry"

// Engine answers questions about one scene. It is the workspace of one goroutine; its calls allocate nothing, except where a result slice
// has to grow. A coordinate that is not finite is an error; a configuration of the wrong length is a mistake of the program and panics.
type Engine interface {
	// Name returns the name of the engine: "exact", "spheres".
	Name() string
	// Scene returns the scene that the engine was made for.
	Scene() *Scene
	// Collide reports whether bodies of a checked pair touch or overlap at the configuration q, and names one such pair.
	Collide(q []float64) (pair Pair, hit bool, err error)
	// Touching appends to list all checked pairs that touch or overlap at q.
	Touching(q []float64, list []Pair) ([]Pair, error)
	// Contacts appends to list all checked pairs that touch or overlap at q, each with its deepest contact.
	Contacts(q []float64, list []Contact) ([]Contact, error)
	// Distance returns the nearest or deepest contact of all checked pairs at q; its distance is infinite if no pair is checked.
	Distance(q []float64) (Contact, error)
}

// LineEngine is an engine that checks many configurations on a line faster than one by one.
type LineEngine interface {
	Engine
	// CollideAlong reports whether bodies of a checked pair touch or overlap at one of the configurations from + k/of step, k = 1 … points, where
	// points ≤ of. It may stop at the first hit and checks them in any order.
	CollideAlong(from, step []float64, points, of int) (hit bool, err error)
}

// Contact is the nearest or deepest contact of two bodies.
type Contact struct {
	Pair             Pair
	geometry.Contact // A is a point of the first body, B of the second
}

package space

// Space is a set of points with a shortest way between any two of them. A point is a slice of Dim values; a slice of another length is a mistake
// of the program and panics. A space is immutable, and its calls allocate nothing.
type Space interface {
	// Dim returns the number of values of a point.
	Dim() int
	// Distance returns the length of the way from a to b. It satisfies the triangle inequality.
	Distance(a, b []float64) float64
	// Symmetric reports whether the distance from a to b is always that from b to a.
	Symmetric() bool
	// Interpolate writes to out the point at the fraction t, from 0 to 1, of the way from a to b. out may be a or b.
	Interpolate(a, b []float64, t float64, out []float64)
	// Move writes to out the point to which the displacement d leads from a: values are added, and a quaternion is turned by the rotation
	// vector in the first three of its four values. out may be a.
	Move(a, d, out []float64)
	// Scale turns a point of the unit cube into a point of the space: sampled uniformly, it stays uniform.
	Scale(p []float64)
	// ScaleNear turns p, a point of the unit cube, into one near a center: values are at most a distance away and within their limits, a rotation is turned
	// about each of its axes by at most this angle, at most π. The distance is above 0; center may not be p.
	ScaleNear(center []float64, distance float64, p []float64)
	// Limits returns the name and the limits of a value.
	Limits(i int) (name string, lower, upper float64)
	// Outside returns the first value that is not finite or outside its limits, or -1. A circle has no limits.
	Outside(p []float64) int
}

// Straight is a space of robots in which ways are straight lines of configurations.
type Straight interface {
	Robots
	// Line writes the configuration at a to from, and to step what leads from it to the configuration at b.
	Line(a, b, from, step []float64)
}

// Robots is a space whose points are configurations of the robots of a scene.
type Robots interface {
	Space
	// NQ returns the length of configurations of the scene.
	NQ() int
	// Configuration writes the configuration of the scene at the point p to q.
	Configuration(p, q []float64)
}

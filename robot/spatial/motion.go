package spatial

// Motion is a spatial motion vector (twist), linear part first: a velocity, an acceleration or a displacement.
// As the velocity of a body, Linear is the velocity of the point that coincides with the origin of the frame
// in which the vector is expressed (m/s), Angular the angular velocity (rad/s).
type Motion struct{ Linear, Angular Vec3 }

// Force is a spatial force vector (wrench), dual to [Motion]: Linear is the force (N), Angular its moment about
// the origin of the frame in which the vector is expressed (N m). Momentum is a Force too (N s, N m s).
type Force struct{ Linear, Angular Vec3 }

// Add returns m + n.
func (m Motion) Add(n Motion) Motion {
	return Motion{m.Linear.Add(n.Linear), m.Angular.Add(n.Angular)}
}

// Sub returns m - n.
func (m Motion) Sub(n Motion) Motion {
	return Motion{m.Linear.Sub(n.Linear), m.Angular.Sub(n.Angular)}
}

// Scale returns k m.
func (m Motion) Scale(k float64) Motion { return Motion{m.Linear.Scale(k), m.Angular.Scale(k)} }

// Dot returns the power m · f (W when m is a velocity).
func (m Motion) Dot(f Force) float64 { return m.Linear.Dot(f.Linear) + m.Angular.Dot(f.Angular) }

// Cross returns the Lie bracket m × n: the rate of change of n when it is fixed in a body that moves with m
// (Featherstone 2008, eq. 2.29, there crm).
func (m Motion) Cross(n Motion) Motion {
	return Motion{
		Linear:  m.Angular.Cross(n.Linear).Add(m.Linear.Cross(n.Angular)),
		Angular: m.Angular.Cross(n.Angular),
	}
}

// CrossForce returns m ×* f: the rate of change of f when it is fixed in a body that moves with m
// (Featherstone 2008, eq. 2.30, there crf).
func (m Motion) CrossForce(f Force) Force {
	return Force{
		Linear:  m.Angular.Cross(f.Linear),
		Angular: m.Angular.Cross(f.Angular).Add(m.Linear.Cross(f.Linear)),
	}
}

// Classical returns the classical acceleration of the origin of a body frame, a + ω × v, from its spatial
// acceleration a and its spatial velocity v, all in that body frame (Featherstone 2008, section 2.11).
func (a Motion) Classical(v Motion) Vec3 { return a.Linear.Add(v.Angular.Cross(v.Linear)) }

// Vec returns the six components, linear first.
func (m Motion) Vec() [6]float64 {
	return [6]float64{m.Linear.X, m.Linear.Y, m.Linear.Z, m.Angular.X, m.Angular.Y, m.Angular.Z}
}

// MotionOf returns the motion vector with the six components s, linear first.
func MotionOf(s [6]float64) Motion {
	return Motion{Vec3{s[0], s[1], s[2]}, Vec3{s[3], s[4], s[5]}}
}

// Add returns f + g.
func (f Force) Add(g Force) Force { return Force{f.Linear.Add(g.Linear), f.Angular.Add(g.Angular)} }

// Sub returns f - g.
func (f Force) Sub(g Force) Force { return Force{f.Linear.Sub(g.Linear), f.Angular.Sub(g.Angular)} }

// Scale returns k f.
func (f Force) Scale(k float64) Force { return Force{f.Linear.Scale(k), f.Angular.Scale(k)} }

// Vec returns the six components, linear first.
func (f Force) Vec() [6]float64 {
	return [6]float64{f.Linear.X, f.Linear.Y, f.Linear.Z, f.Angular.X, f.Angular.Y, f.Angular.Z}
}

// ForceOf returns the force vector with the six components s, linear first.
func ForceOf(s [6]float64) Force {
	return Force{Vec3{s[0], s[1], s[2]}, Vec3{s[3], s[4], s[5]}}
}

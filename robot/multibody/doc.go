// Package multibody computes kinematics and dynamics of robots whose links form a tree.
//
// A [Tree] describes a robot, [NewModel] checks and compiles it once, and a [Data] is the workspace in which one
// goroutine evaluates it. Algorithms are functions that take the Data first, then their inputs, then the slices they
// fill. They never allocate. A vector of the wrong length is a mistake of the program and panics.
//
// # Conventions
//
//   - SI units and radians.
//   - The world frame is the frame of the root link, unless [FloatingBase] puts a joint between them.
//   - q of a revolute, continuous or helical joint is an angle, of a prismatic one a distance, of a spherical one a unit
//     quaternion (x, y, z, w), of a floating one (position, quaternion). Quaternions of other length than one (and zero)
//     count as if they were normalized.
//   - v is the derivative of q where q has no quaternion. Spherical joints have their angular velocity, floating ones
//     linear then angular velocity of the child's origin, both in the axes of the child.
//   - a is the derivative of v, tau is dual to v: tau·v is power.
//   - Matrices are slices, row by row.
//   - Links joined by fixed joints move as one body. A link rigidly attached to the world counts in no mass,
//     energy or momentum.
//   - Limits, damping and friction of joints are data for others; the dynamics here knows only the armature.
//
// # Notation
//
// M(q) a + C(q, v) v + g(q) = tau + Jᵀ f, as in R. Featherstone, Rigid Body Dynamics Algorithms, Springer 2008.
package multibody

// Package ik finds configurations that bring links of a robot to wanted poses: inverse kinematics.
//
//   - [Analytic] solves arms of six and seven axes whose geometry has a closed form: all solutions, in about a
//     microsecond.
//   - [Solver] searches for any robot of package multibody, and for several links at once: by damped least squares, the
//     transpose, the pseudo-inverse with a null-space posture, or Levenberg–Marquardt, within the joints' limits.
//   - [Solver.Velocity] is one step of the same for the control cycle: the velocity of the joints that gives the tools
//     their velocities.
//
// A search that ends without solution returns a [*Failure], which says why, and leaves the nearest configuration found.
//
// # Notation
//
// J(q) v is the velocity of the tools, stacked; e is what is left to go: for a position the vector from tool to target, for
// an orientation the rotation vector, both in the axes of the target. Steps solve min |J dq - e|² + λ²|dq|².
package ik

// Package ik finds configurations that bring links of a robot to wanted poses: inverse kinematics.
//
//   - [Analytic] solves arms of six and seven axes whose geometry has a closed form: all solutions, in about a
//     microsecond.
//   - [Solver] searches for any robot of package multibody, and for several links at once: by damped least squares, the
//     transpose, the pseudo-inverse with a null-space posture, or Levenberg–Marquardt, within the joints' limits.
//   - [Solver.Velocity] is one step of the same for the control cycle: the velocity of the joints that gives the tools
//     their velocities. [Solver.Follow] follows a path of the tool.
//
// A search that ends without solution returns a [*Failure], which explains why, and leaves the nearest configuration found.
//
// # Success
//
// For 1000 random poses within the limits of each of seven arms, from random starts, [NewSolver]'s defaults find 6999 of the
// 7000 to 0.1 µm and 0.1 µrad, in 30 to 100 µs on average, restarts included. A humanoid of 35 coordinates brings both feet
// and a hand to poses in all of 1000, in 0.7 ms (TestSolverFindsNearlyAllPosesFromRandomStarts). A pose that cannot be reached costs all attempts, some
// milliseconds: lower Solver.Attempts where that is too long. Of 450 random poses of arms with a closed form, reachable or
// not, the verdict differed from the proven one in four (TestVerdictsAgreeWithClosedForm).
//
// # Notation
//
// J(q) v is the velocity of the tools, stacked; e is what is left to go: for a position the vector from tool to target, for
// an orientation the rotation vector, both in the axes of the target. Steps solve min |J dq - e|² + λ²|dq|².
package ik

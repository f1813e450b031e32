// Package curve holds functions of one real variable, usually time, whose value and derivatives of every order are
// known exactly: the stuff that motions are made of.
//
// A [Function] has one real value. Nothing here depends on what the variable and the value mean; where it is a motion
// the variable is time in seconds and the value a position in rad or m.
//
// # What there is
//
//   - [Polynomial] with its algebra and its roots; from boundary conditions of any order by [Hermite] and [MinimumJerk]
//   - [Sinusoid], of which circular segments are made
//   - [Piecewise] sequences; [Spline], [NaturalSpline] and [BSpline] return them
//   - [Nested] composition, such as a path under a law of time
//   - [Vector] for many components, [Path] for curves in space with [Line], [Arc] and [ArcThrough]
//   - [Rotation]: [QuatPolynomial] from angular velocities and accelerations at its ends, [Slerp], [Squad], cubic and quintic
//     [QuatSpline], [PiecewiseRotation], [NestRotation]
//   - [Pose]: a path and a rotation
//   - Continuity of each: up to which order nothing jumps
//   - [Check] reports where and by how much a motion violates its limits, by the exact [Range] of each derivative, and [CheckRotation]
//     where a rotation turns or accelerates too fast
//   - [Marshal] and [Unmarshal] store functions as JSON
//
// Functions are built from what is known about them (values and derivatives at their ends, points to pass through) by
// constructors that may allocate. Evaluation allocates nothing and takes no lock, so functions can be evaluated in
// the control cycle, by many goroutines at once.
package curve

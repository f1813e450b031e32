// Package batch evaluates a robot in many states at once: forward kinematics, Jacobians, inverse and forward dynamics for sampling,
// predictive control and learning, at a fraction of the time that package multibody takes for each.
//
//	b := batch.New(model)
//	b.RNEA(q, v, a, tau) // for len(q)/model.NQ() states
//
// # Layout
//
// Vectors of n states are structures of arrays: coordinate k of state s is x[k*n+s]. So of a robot with two joints in
// three states q is {q0 of the states 0, 1, 2, q1 of the states 0, 1, 2}. Results must not overlap arguments.
//
// # How it works
//
// The recursions of package multibody run eight states at a time, each step of a joint by a kernel in assembly that was
// written for its kind of placement (see internal/kernels). Models with spherical or mimic joints, or with floating
// joints that do not hang on the world, and processors without AVX2 are served state by state by package multibody; the
// results are the same but for rounding.
package batch

// Package planning finds motions from a start to a goal that avoid collisions.
//
// [Kinds] lists the planners by their published names; [Connect], RRT-Connect (Kuffner and LaValle 2000), is the recommended one. A [Simplifier]
// shortens what they found, and a [Verifier] decides whether points and edges are free, at a named resolution, by any engine of package scene.
//
// Package timed makes motions in time of paths, package proof proves that these are free at all times, and package taskspace plans to poses of a tool.
//
//   - A planner owns its memory: after the first plan another one allocates nothing, so it may run in a control cycle. Paths that it returns are valid
//     until its next call.
//   - The same seed gives the same path.
//   - No edge is checked twice.
//   - AORRTC, EIT*, RRT*, PRM* and Lazy PRM* are anytime: they improve their path, and return the best one when Stop ends the plan.
//   - Stop, if set, is asked at each iteration; once it returns true, the plan ends with [ErrStopped] and the path to the point nearest to the goal.
package planning

// Package timed makes motions in time of paths, under limits of velocity, acceleration and jerk, which [proof.Prover] proves free at all times where it can.
// A [Planner] plans such a motion of one robot, a [Timer] makes one of a path that exists, and [Prioritized] plans for several robots in one scene.
package timed

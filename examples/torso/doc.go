// Package torso is a torso with two arms and two hands, 43 joints, in simulation: system files, and the tests of what they
// show. The robot is in models/torso.
package torso

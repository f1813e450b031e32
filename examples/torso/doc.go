// Package torso contains a torso with two arms and two hands, 43 joints, in simulation: system files, and tests of
// the results. The robot is in models/torso.
package torso

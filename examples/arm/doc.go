// Package arm is the example of an arm that follows jerk-limited motions, Panda or UR5, under computed torque, impedance or PID: arm.yaml
// has the commands. hand.yaml controls the arm and its fingers as two groups of joints. Its tests run
// them all.
package arm

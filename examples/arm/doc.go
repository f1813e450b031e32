// Package arm is the example of an arm that follows jerk-limited motions, Panda or UR5, under computed torque, impedance or PID: arm.yaml
// has the commands. Its tests run all six.
package arm

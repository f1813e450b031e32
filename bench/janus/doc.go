// Package janus measures the control cycle of examples/janus against the same law written by hand as one loop. Both
// use the same [Card], which replaces the hardware and does almost nothing, so that only the controller is measured:
// joint conversion, velocity filter, PID, output, and with feedforward the robot's model.
package janus

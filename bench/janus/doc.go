// Package janus measures the control cycle of examples/janus against the same law written by hand as one loop. Both
// talk to the same [Card], which stands for the hardware and does next to nothing, so that what is measured is the
// controller: joint conversion, velocity filter, PID, output, and with feedforward the robot's model.
package janus

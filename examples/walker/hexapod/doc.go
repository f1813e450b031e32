// Package hexapod contains the blocks of a six-legged walking machine, as modules of a hierarchy (package hierarchy):
// each has Sense, which processes sensor values upwards, and Control, which processes commands downwards.
//
//	part body, 50 Hz    2  Locomotion  lying, standing, walking; velocity of the body
//	                    1  Gait        which leg swings when
//	                    0  Posture     height and tilt of the body
//	part legs, 250 Hz   1  Coordinator distributes commands to the legs
//	                    0  six legs:
//	                       2  Stepper     stance and swing of a foot
//	                       1  Kinematics  foot position ↔ joint angles
//	                       0  Servos      limits of angle and speed
//	part machine        0  Robot       the machine, simulated
//
// # Frames
//
// The body's frame has x forward, y left, z up. The ground frame is below it on the ground, level, and turns with it.
// Measured positions of feet are in the body's frame, planned ones in the ground frame.
package hexapod

// Legs are the names of the legs in the order of their numbers.
var Legs = [6]string{"left_front", "left_middle", "left_rear", "right_front", "right_middle", "right_rear"}

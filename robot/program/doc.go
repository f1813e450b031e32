// Package program turns programs of moves, as arms in industry have them, into motions that a control cycle executes.
//
//   - [Program] is a sequence of moves: moveJ, moveL, moveC, movePath, dwell, set, attach, detach. [Read] reads it from YAML, with the line of every mistake.
//   - [Compile] checks a program for a robot and returns its [Motion]: all joints as piecewise polynomials of time, with continuous
//     accelerations, within the limits of speed, acceleration and jerk of every joint, and of speed and acceleration of the tool.
//   - [CheckFree] examines whether the robot, with what it carries, touches anything in a scene.
//   - [Player] executes a motion cycle by cycle: at any speed from 0 to 100 %, forward and backward, with pauses; within the same limits.
//
// Units are m, rad and s.
//
// # Method of Compile
//
// Between two stops the joints move along a path q(σ) with continuous first and second derivatives: straight lines of the joints for moveJ and
// movePath, lines and arcs of the tool by inverse kinematics for moveL and moveC, quintics where moves blend into one another. A section of one line of
// the joints follows the double-S profile, which is optimal. Any other one follows the fastest law σ(t) under the limits of velocity and
// acceleration ([trajectory.FollowPath], TOPP-RA), averaged over a moving window: what is lost is about the length of the window, A/J, and the jerk
// is bounded (Biagiotti and Melchiorri 2008, section 4.4: trajectories by filters). Where the filtered law would exceed a limit, TOPP-RA runs again with less there;
// what remains is removed by stretching time.
//
// Where moves ask for a continuous jerk, blends are polynomials of seventh degree, with the third derivatives of their neighbours, and every section follows the law of
// TOPP-RA, averaged twice. Along lines and arcs of the tool the joints run through the solutions of the inverse kinematics along splines of fifth degree then, with continuous third derivatives; the tool
// stays within some micrometres of its path.
//
// # Method of Player
//
// The motion itself keeps the limits at any constant rate r = dτ/dt within [-1, 1]. While the rate changes, the joints have
//
//	q̇ = q′ r,   q̈ = q′ ṙ + q″ r²,   q⃛ = q′ r̈ + 3 q″ r ṙ + q‴ r³
//
// which bound ṙ and r̈ to an interval at each step. The player takes a step only if a way back to ṙ = 0 from there keeps the limits
// too; if none does it takes the way that it found a step ago. So a feasible step always exists. r̈ jumps between steps, and with it the jerk, also
// of a motion whose own jerk is continuous.
package program

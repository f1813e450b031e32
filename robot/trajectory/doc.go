// Package trajectory generates motion under limits.
//
//   - [Online] is what a control cycle uses: N axes, each with its limits of velocity, acceleration and jerk, are led from
//     whatever state they are in to whatever target state is wanted, in the shortest time; both may change at any cycle.
//   - [Planner] computes the same motions off line, as a [Trajectory] of one [Profile] per axis; [Move] is the short way
//     for one axis. [PlanThrough] passes points on the way.
//   - [Rounded] runs along a polyline, as planners find them, with rounded corners and limited velocity, acceleration and jerk.
//   - [FollowPath] runs along a given path of the axes as fast as limits of velocity, acceleration and torque allow.
//   - [ToolPath] is a path of a tool: lines and arcs with blends. [FollowTool] runs along it, [JointPath] carries it over
//     to the joints of a robot, [CheckTool] looks at what a motion of the joints does to the tool.
//
// Units are those of the axes: rad or m, and seconds.
//
// # Method of Online and Planner
//
// Every limit bounds a motion from both sides. The motions of one axis that keep the limits, take a given time T, and
// end with given velocity and acceleration, form therefore a convex set, and how far they get is an interval
// [least(T), most(T)]. Both ends are known in closed form (Pontryagin's principle: the jerk is +j, 0, or -j). So
//
//   - the shortest T is the first at which the interval reaches the target: one root, bracketed in a piece on which
//     the function is monotonic;
//   - whether an axis can arrive at a given T at all is two evaluations, and needs no list of blocked intervals;
//   - the motion for a given T is a weighted mean of the two extreme motions: it keeps every limit because they do.
//
// L. Berscheid, T. Kröger, "Jerk-limited Real-time Trajectory Generation with Arbitrary Target States", Robotics:
// Science and Systems 2021, state the problem and solve it by enumerating profiles; the durations are the same. An
// axis that waits for others moves here with less than its full jerk, where theirs moves with full jerk to a lower
// velocity.
package trajectory

// Package description reads descriptions of robots: URDF, xacro and SRDF of the ROS world, and the rlmdl and
// rlkin XML of the Robotics Library.
//
//   - [ReadURDF] reads a URDF file, or expands and reads a xacro file, into a [Robot]: the contents of the file, as plain
//     data with the position of each part.
//   - [ReadRL] reads a model (rlmdl) or a Denavit–Hartenberg kinematics (rlkin) into the same type.
//   - [Read] recognizes the format and calls one of the two.
//   - [ReadXRDF] reads spheres, joints and limits for motion planning in NVIDIA's XRDF; [WriteXRDF] writes them.
//   - [ReadSRDF] reads groups, poses and collision pairs into a [Semantic].
//   - [Robot.Model] compiles the robot for the algorithms of package multibody; [Robot.Tree] gives the editable tree.
//   - [Lint] reports what is physically impossible or suspicious in a readable robot.
//   - [WriteURDF] writes a robot as URDF; what it writes reads back equal.
//
// # Xacro
//
// A file whose name ends in .xacro is expanded first, by package xacro, which lists the features. Problems stand at the
// place where the text was written, with the macro calls that led there.
//
// # Errors
//
// A reader returns every problem of a file at once, as [Problems]: file:line:column, what is wrong, and the nearest
// right name or a remedy. Files are read through fs.FS alone. XML entities are not expanded, external ones not
// fetched; size, depth and xacro expansion are bounded.
//
// # Conventions
//
// SI units and radians. The frame of a link is that of the joint it hangs on. Roll, pitch and yaw turn about the
// fixed axes x, y, z in this order, R = Rz(yaw) Ry(pitch) Rx(roll). The Robotics Library's files give angles in
// degrees; they are converted on reading.
package description

// Package description reads what people write about robots: URDF, xacro and SRDF of the ROS world, and the rlmdl and
// rlkin XML of the Robotics Library.
//
//   - [ReadURDF] reads a URDF file, or expands and reads a xacro file, into a [Robot]: everything the file says, as
//     plain data with the position of each part.
//   - [ReadRL] reads a model (rlmdl) or a Denavit–Hartenberg kinematics (rlkin) into the same type.
//   - [Read] looks at the file and takes the right one of the two.
//   - [ReadSRDF] reads groups, poses and collision pairs into a [Semantic].
//   - [Robot.Model] compiles the robot for the algorithms of package multibody; [Robot.Tree] gives the editable tree.
//   - [Lint] tells what is physically impossible or suspicious in a robot that could be read.
//   - [WriteURDF] writes a robot as URDF; what it writes reads back equal.
//
// # Xacro
//
// A file whose name ends in .xacro is expanded in Go: properties (lazy, with scope, default, remove and blocks), macros
// with defaults, inherited values (^) and blocks (*b, **b), insert_block, if, unless, include with patterns and
// namespaces, arg, call, element and attribute; ${…} with the expressions that xacro takes from Python, $(arg),
// $(find), $(eval), $(dirname); load_yaml with units. Left out: dictionaries written in an expression, comprehensions,
// and the environment. Problems stand at the place where the text was written, with the macro calls that led there.
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

// Package generate writes Go packages for single robots: kinematics and dynamics as straight-line code, without loops,
// branches or zeros.
//
//	robot, err := description.Read(…)
//	model, err := robot.Model()
//	files, err := generate.Package(model, generate.Options{Name: "panda", Tool: "panda_hand", Source: urdf})
//
// The algorithms of package multibody are run once on a tape (internal/tape) instead of on numbers: what is constant in
// this robot is computed then, and what multiplies by zero vanishes. The tape is printed as Go, and assembled for vector
// units, which evaluate eight states at once. A generated package is tested against multibody by the tests that come
// with it.
package generate

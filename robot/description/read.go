package description

import "io/fs"

// Read reads a robot from a file of any kind that this package knows: URDF, xacro, rlmdl or rlkin, recognized by the root
// element. The error is [Problems].
func Read(fsys fs.FS, path string, opts Options) (*Robot, error) {
	r := &report{}
	root, resources := readDocument(fsys, path, opts, r)
	if root == nil {
		return nil, r.Err()
	}
	switch root.Name {
	case "robot":
		return opts.read(urdfRobot(root, resources, r))
	case "rl", "rlmdl", "rlkin", "xsl:stylesheet", "xsl:transform":
		return opts.read(rlRobot(root, resources, r))
	}
	r.Addf(root.Pos, "<%s> is the root of no robot description: it is <robot> in URDF, <rlmdl>, <rlkin> or <rl> in the Robotics Library", root.Name)
	return nil, r.Err()
}

// Package robots has the robots of the measurements of kinematics and dynamics, as sinew and its peers read them: the URDF files of
// its folder.
package robots

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// folder holds the files, seen from the root of the repository, where bench runs.
const folder = "bench/robots"

// Robot is a robot of the measurements.
type Robot struct {
	Name     string // in tables
	File     string // in bench/robots
	Floating bool   // its base moves freely
	Tool     string // link of the Jacobian, the end of chains
}

// All returns the robots, in the order of the tables.
func All() []Robot {
	return []Robot{
		{"Panda, 7 joints", "panda.urdf", false, "panda_link8"},
		{"UR5, 6 joints", "ur5.urdf", false, "tool0"},
		{"quadruped Solo 12, floating, 18", "solo12.urdf", true, "FL_FOOT"},
		{"humanoid, floating, 35", "humanoid.urdf", true, "LARM_LINK6"},
	}
}

// Path returns the path of the file from the root of the repository.
func (r Robot) Path() string { return filepath.Join(folder, r.File) }

// Model compiles the robot.
func (r Robot) Model() (*multibody.Model, error) {
	robot, err := description.ReadURDF(os.DirFS(folder), r.File, description.Options{})
	if err != nil {
		return nil, err
	}
	var options []multibody.Option
	if r.Floating {
		options = append(options, multibody.FloatingBase())
	}
	return robot.Model(options...)
}

// ForMuJoCo writes the robot into dir for MuJoCo and returns the file's path: with a floating joint if the base moves, and without
// MuJoCo's checks of inertias.
func (r Robot) ForMuJoCo(dir string) (path string, err error) {
	text, err := r.withBase()
	if err != nil {
		return "", err
	}
	compiler := `<mujoco><compiler discardvisual="true" balanceinertia="true" boundmass="1e-6" boundinertia="1e-9"/></mujoco>`
	path = filepath.Join(dir, r.File)
	return path, os.WriteFile(path, []byte(strings.Replace(text, "</robot>", compiler+"</robot>", 1)), 0o600)
}

// withBase returns the URDF text, with a floating joint below the link world if the base moves.
func (r Robot) withBase() (string, error) {
	text, err := os.ReadFile(r.Path())
	if err != nil || !r.Floating {
		return string(text), err
	}
	robot, err := description.ReadURDF(os.DirFS(folder), r.File, description.Options{})
	if err != nil {
		return "", err
	}
	base := `<link name="world"/><joint name="root_joint" type="floating"><parent link="world"/><child link="` + robot.Links[0].Name + `"/></joint>`
	return strings.Replace(string(text), "</robot>", base+"</robot>", 1), nil
}

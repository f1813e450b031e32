// Package robotfile reads the robot of a block: what its constants urdf, srdf, locked and joints name. All blocks with these constants read
// them here, so that they select the same joints and report mistakes in the same words.
package robotfile

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// Constants are the values of the constants by which a block names its robot.
type Constants struct {
	URDF   string   // file of the robot; "": the block has none
	SRDF   string   // file with its groups and rotors; "": none
	Locked []string // joints that do not move, for this block
	Joints []string // joints, or groups of the SRDF file, that the block commands; nil: all

	Coordinate string // unit of the positions at its ports: rad, or m where all joints slide; "": the block leaves no choice
}

// Given reports whether the block has a robot. It fails where the constants say something of a robot that is not given.
func (c Constants) Given() (bool, error) {
	if c.URDF != "" {
		return true, nil
	}
	if c.SRDF != "" || len(c.Locked)+len(c.Joints) > 0 {
		return false, &port.ParamError{Param: "urdf", Err: errors.New("srdf, locked and joints are about a robot: give its urdf")}
	}
	return false, nil
}

// Robot is a robot that was read.
type Robot struct {
	*description.Robot                       // its locked joints are fixed
	Semantic           *description.Semantic // nil: there is no SRDF file
	Joints             []string              // that the constant joints selects; nil: it names none
}

// Source is where a block reads its robot: its [block.Setup].
type Source interface {
	Files() fs.FS
	// Notice gets what a file has that is not used.
	Notice(text string)
}

var _ Source = (*block.Setup)(nil)

// Read reads the robot of a block, in its Setup. It fails for files with mistakes and for names of joints that do not move, and for a unit of
// positions that the description contradicts.
func Read(s Source, c Constants) (*Robot, error) {
	robot, err := description.Read(s.Files(), c.URDF, description.Options{Notice: s.Notice})
	if err != nil {
		return nil, err
	}
	r := &Robot{Robot: robot}
	if c.SRDF != "" {
		if r.Semantic, err = description.ReadSRDF(s.Files(), c.SRDF, description.Options{Notice: s.Notice}); err != nil {
			return nil, err
		}
	}
	if err := robot.Lock(c.Locked...); err != nil {
		return nil, &port.ParamError{Param: "locked", Err: fmt.Errorf("%s: locked: %w", c.URDF, err)}
	}
	if r.Joints, err = robot.Select(r.Semantic, c.Joints...); err != nil {
		return nil, &port.ParamError{Param: "joints", Err: fmt.Errorf("%s: joints: %w", c.URDF, err)}
	}
	if c.Coordinate == "" || c.Coordinate == "rad" {
		return r, nil
	}
	model, err := robot.Model()
	if err != nil {
		return nil, err
	}
	return r, CheckCoordinate(c.Coordinate, model)
}

// CheckCoordinate rejects a unit of positions that a robot contradicts, as the value of the constant coordinate: m is right where all joints slide. A robot in
// which some joints turn and others slide has rad, for which each joint that slides has m.
func CheckCoordinate(coordinate string, model *multibody.Model) error {
	for _, j := range model.Joints() {
		if unit := UnitOf(j); coordinate != unit && coordinate != "rad" && j.Mimic == nil && j.Type.NV() == 1 {
			return &port.ParamError{Param: "coordinate", Err: fmt.Errorf("coordinate is %s, but the positions of joint %q are in %s: write coordinate: rad, or m where all joints slide", coordinate, j.Name, unit)}
		}
	}
	return nil
}

// UnitOf returns the unit of a joint's position: rad, or m of one that slides.
func UnitOf(j multibody.ModelJoint) string {
	if j.Type == multibody.Prismatic {
		return "m"
	}
	return "rad"
}

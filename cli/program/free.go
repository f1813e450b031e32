package program

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/cli/plan"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/program"
)

// resolution is the distance between the points at which a motion is sampled where nothing is proved, rad or m.
const resolution = 1e-3

// free examines whether the robot, with what it carries, touches obstacles or itself during the motion. Notes go to w.
func (f *robotFlags) free(c *compiled, file, obstacles string, w io.Writer) (string, error) {
	world, notes, err := plan.Scene(f.robot, f.srdf, obstacles)
	if err != nil {
		return "", err
	}
	for _, n := range notes {
		fmt.Fprintln(w, "note:", n)
	}
	model := world.Models()[0].Model
	hold := model.Neutral()
	for _, j := range model.Joints() {
		if j.Mimic != nil || slices.Contains(c.names, j.Name) {
			continue
		}
		for _, l := range f.locked {
			if name, text, has := strings.Cut(l, "="); has && name == j.Name {
				if hold[j.Q], err = strconv.ParseFloat(text, 64); err != nil {
					return "", fmt.Errorf("--locked %s: %q is no number: wants rad or m, without a unit, as 1.5708", l, text)
				}
			}
		}
	}
	joints, err := space.NewJoints(world, c.names, hold)
	if err != nil {
		return "", err
	}
	verdict, err := program.CheckFree(c.program, c.motion, c.model, world, joints, resolution)
	if err != nil {
		return "", named(file, err)
	}
	return verdict.String(), nil
}

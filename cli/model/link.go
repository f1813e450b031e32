package model

import (
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// findLink returns the index of a link, or an error with the nearest name.
func findLink(m *multibody.Model, name string) (int, error) {
	link, err := m.Link(name)
	if err != nil {
		return 0, fmt.Errorf("%s has no link %q%s", m.Name(), name, nearest.Hint(name, m.Links()))
	}
	return link, nil
}

// ends returns the links without child joints.
func ends(robot *description.Robot) []string {
	leadsOn := map[string]bool{}
	for _, j := range robot.Joints {
		leadsOn[j.Parent] = true
	}
	var list []string
	for _, l := range robot.Links {
		if !leadsOn[l.Name] {
			list = append(list, l.Name)
		}
	}
	return list
}

// onlyEnd returns the end link of a robot that has only one, otherwise "".
func onlyEnd(robot *description.Robot) string {
	if list := ends(robot); len(list) == 1 {
		return list[0]
	}
	return ""
}

// frameOrEnd returns the link that --frame names, or the only end link of the robot.
func frameOrEnd(robot *description.Robot, m *multibody.Model, frame string) (string, int, error) {
	if frame == "" {
		frame = onlyEnd(robot)
	}
	if frame == "" {
		return "", 0, fmt.Errorf("%s ends in %s: select one with --frame", m.Name(), strings.Join(ends(robot), ", "))
	}
	link, err := findLink(m, frame)
	return frame, link, err
}

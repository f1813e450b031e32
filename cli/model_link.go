package cli

import (
	"fmt"

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

// onlyEnd returns the only link from which no joint leads on, "" where there are several.
func onlyEnd(robot *description.Robot) string {
	leadsOn := map[string]bool{}
	for _, j := range robot.Joints {
		leadsOn[j.Parent] = true
	}
	end := ""
	for _, l := range robot.Links {
		switch {
		case leadsOn[l.Name]:
		case end != "":
			return ""
		default:
			end = l.Name
		}
	}
	return end
}

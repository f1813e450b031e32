package model

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// printTree prints the links as a tree, each after its parent joint.
func printTree(w io.Writer, robot *description.Robot) {
	children := childJoints(robot)
	isChild := map[string]bool{}
	for i := range robot.Joints {
		isChild[robot.Joints[i].Child] = true
	}
	var branch func(link, indent string)
	branch = func(link, indent string) {
		list := children[link]
		for i, j := range list {
			mark, deeper := "├─ ", "│  "
			if i == len(list)-1 {
				mark, deeper = "└─ ", "   "
			}
			fmt.Fprintf(w, "%s%s%s  (%s)\n", indent, mark, j.Child, jointInTree(j))
			branch(j.Child, indent+deeper)
		}
	}
	for _, l := range robot.Links {
		if !isChild[l.Name] {
			fmt.Fprintf(w, "  %s\n", l.Name)
			branch(l.Name, "  ")
		}
	}
}

// childJoints returns the joints below each link, in the order of the vectors, which is alphabetical.
func childJoints(robot *description.Robot) map[string][]*description.Joint {
	children := map[string][]*description.Joint{}
	for i := range robot.Joints {
		j := &robot.Joints[i]
		children[j.Parent] = append(children[j.Parent], j)
	}
	for _, list := range children {
		slices.SortFunc(list, func(a, b *description.Joint) int { return strings.Compare(a.Name, b.Name) })
	}
	return children
}

// jointInTree returns a short description of a joint for the tree.
func jointInTree(j *description.Joint) string {
	if j.Type == multibody.Fixed {
		return "fixed " + j.Name
	}
	text := j.Type.String() + " " + j.Name
	if !usesAxis(j.Type) {
		return text
	}
	how := " about "
	if j.Type == multibody.Prismatic {
		how = " along "
	}
	for axis, name := range map[[3]float64]string{{1, 0, 0}: "x", {0, 1, 0}: "y", {0, 0, 1}: "z", {-1, 0, 0}: "-x", {0, -1, 0}: "-y", {0, 0, -1}: "-z"} {
		if axis == [3]float64{j.Axis.X, j.Axis.Y, j.Axis.Z} {
			return text + how + name
		}
	}
	return text
}

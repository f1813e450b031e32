package model

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

func showCommand() *cobra.Command {
	var source sourceFlags
	var output outputFlags
	var dot, svg bool
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Show the tree, joints, limits and masses of a robot, and problems of its description",
		Long: `Show the tree, joints, limits and masses of a robot, and problems of its description.

FILE is URDF, xacro, rlmdl or rlkin. Joints are in the order of the vectors q, v, a and tau. Findings are impossible or
suspicious values in a readable description; an unreadable one ends with its errors and exit code 1.

--svg draws the robot as a graph instead, --dot writes it for Graphviz: the world, bodies (which have a mass) and frames (which have none) as
vertices, fixed and moving joints as edges; a joint that follows another one is dashed. With a fixed base the root link is the world.`,
		Example: "  sinew model show panda.urdf\n  sinew model show panda.urdf --svg > panda.svg\n  sinew model show arm.urdf.xacro --xacro-arg name:=ur5 --package ur_description=../ur_description",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			robot, m, err := source.model(args[0])
			if err != nil {
				return err
			}
			if dot {
				return newGraph(robot, source.floating).writeDot(cmd.OutOrStdout())
			}
			if svg {
				return newGraph(robot, source.floating).writeSVG(cmd.OutOrStdout())
			}
			findings := description.Lint(robot)
			for i := range findings {
				f := &findings[i]
				f.Position.File, f.Message = AsNamed(args[0], f.Position.File), AsNamed(args[0], f.Message)
			}
			return output.write(cmd.OutOrStdout(), newReport(robot, m, findings), func(w io.Writer) { showModel(w, robot, m, findings) })
		},
	}
	source.register(cmd)
	source.registerMimic(cmd)
	output.register(cmd, oneObject)
	cmd.Flags().BoolVar(&dot, "dot", false, "print the robot as a graph for Graphviz")
	cmd.Flags().BoolVar(&svg, "svg", false, "print a picture of the robot as a graph")
	cmd.MarkFlagsMutuallyExclusive("json", "dot", "svg")
	return cmd
}

func showModel(w io.Writer, robot *description.Robot, m *multibody.Model, findings []description.Finding) {
	total := 0.
	for _, l := range robot.Links {
		if l.Inertial != nil {
			total += l.Inertial.Mass
		}
	}
	fmt.Fprintf(w, "%s: degrees of freedom %d, joints %d, links %d, mass %s kg", robot.Name, m.NV(), len(robot.Joints), len(robot.Links), decimal(total))
	if fixed := total - m.Mass(); fixed > 1e-9*total {
		fmt.Fprintf(w, ", of which %s kg fixed to the world", decimal(fixed))
	}
	g := m.Gravity()
	fmt.Fprintf(w, "\ngravity %s m/s²\n\n", triple([]float64{g.X, g.Y, g.Z}))
	printTree(w, robot)
	fmt.Fprintln(w)
	if t := jointTable(robot, m); len(t.rows) > 0 {
		t.print(w)
		fmt.Fprintln(w)
	}
	if t := massTable(robot); len(t.rows) > 0 {
		t.print(w)
		fmt.Fprintln(w)
	}
	printFindings(w, findings)
}

// printFindings prints the findings of lint; equal findings at several places share a line.
func printFindings(w io.Writer, findings []description.Finding) {
	if len(findings) == 0 {
		fmt.Fprintln(w, "nothing impossible or suspicious found")
	}
	first := map[string]int{} // index of the first finding with that message
	again := make([]int, len(findings))
	for i, f := range findings {
		k, seen := first[f.Message]
		if !seen {
			first[f.Message], k = i, i
		}
		again[k]++
	}
	packages := false
	for i, f := range findings {
		switch again[i] {
		case 0:
			continue
		case 1:
			fmt.Fprintln(w, f)
		default:
			fmt.Fprintf(w, "%v, and at %d more places\n", f, again[i]-1)
		}
		packages = packages || strings.Contains(f.Message, ": package ")
	}
	if packages {
		fmt.Fprintln(w, "use --package NAME=DIR to locate a package")
	}
}

// jointTable lists the moving joints in the order of the vectors.
func jointTable(robot *description.Robot, m *multibody.Model) *table {
	t := newTable("joint", "<type", "q", "v", "axis", "lower", "upper", "<", "speed", "<", "effort", "<", "damping", "friction", "<mimic", "<from → to")
	for _, j := range m.Joints() {
		unit := map[bool]string{true: "m", false: "rad"}[j.Type == multibody.Prismatic]
		row := []string{j.Name, j.Type.String(), places(j.Q, j.Type.NQ()), "", "", "", "", "", "", "", "", "", "", "", "", j.Parent + " → " + j.Child}
		if m.NQ() != m.NV() {
			row[3] = places(j.V, j.Type.NV())
		}
		if usesAxis(j.Type) {
			row[4] = triple([]float64{j.Axis.X, j.Axis.Y, j.Axis.Z})
		}
		if l := j.Limits; l != nil {
			row[5], row[6], row[7] = decimal(l.Lower), decimal(l.Upper), unit
			if !math.IsInf(l.Velocity, 1) {
				row[8], row[9] = decimal(l.Velocity), unit+"/s"
			}
			if !math.IsInf(l.Effort, 1) {
				row[10], row[11] = decimal(l.Effort), coordinate{unit: unit}.force()
			}
		}
		if j.Damping != 0 {
			row[12] = decimal(j.Damping)
		}
		if j.Friction != 0 {
			row[13] = decimal(j.Friction)
		}
		if j.Mimic != nil {
			row[14] = followed(j.Mimic)
		}
		if j.Name == rootJoint && j.Parent == "" {
			row[15] = "world → " + m.Links()[0]
		}
		t.row(row...)
	}
	return t
}

// places formats the range of a joint's entries in a vector.
func places(first, n int) string {
	if n == 1 {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d–%d", first, first+n-1)
}

// followed describes how a joint depends on another one.
func followed(m *multibody.Mimic) string {
	text := m.Joint
	if m.Multiplier != 1 {
		text = decimal(m.Multiplier) + " " + text
	}
	if m.Offset != 0 {
		text += " + " + decimal(m.Offset)
	}
	return text
}

func usesAxis(t multibody.JointType) bool {
	return t != multibody.Fixed && t != multibody.Spherical && t != multibody.Floating
}

// massTable lists the links with mass; inertias are principal values about the centre of mass.
func massTable(robot *description.Robot) *table {
	t := newTable("link", "mass kg", "centre of mass in the link m", "principal inertias kg m²")
	for _, l := range robot.Links {
		if l.Inertial == nil {
			continue
		}
		s := l.Inertial.Spatial()
		principal, _ := l.Inertial.Inertia.Eigen()
		t.row(l.Name, decimal(s.Mass), triple([]float64{s.COM.X, s.COM.Y, s.COM.Z}), triple([]float64{principal.X, principal.Y, principal.Z}))
	}
	return t
}

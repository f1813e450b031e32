// Package program is the verb `sinew program`: it checks, draws and edits programs of moves, and runs them on a system.
package program

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/model"
	"github.com/sinew-robotics/sinew/cli/plan"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/program"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Command returns the verb `sinew program` with its sub-verbs. Its verb edit opens a console by show, whose flags pages registers.
func Command(show plan.Show, pages func(*cobra.Command)) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "program",
		Short: "Check, draw, edit and run programs of moves",
		Long: `Check, draw, edit and run programs of moves: moveJ, moveL, moveC, movePath, dwell, set, attach and detach, in a YAML file.

check compiles a program for a robot as the block servo.Program does, and prints its moves with their times, or the line of the first one that cannot be
executed and the reason. draw draws the joints over time, and the way of the tool. edit opens a page on which its points are dragged. run runs it in a system.`,
	}
	edit := editCommand(show)
	pages(edit)
	cmd.AddCommand(checkCommand(), drawCommand(), edit, runCommand())
	return cmd
}

// robotFlags are the flags that state the robot of a program.
type robotFlags struct {
	robot, start string
	srdf         string // with named states, and pairs of links that need no check; "": none
	locked       []string
	velocity     float64
	acceleration float64
	jerk         float64
	endOf        int // number of the last move that counts; 0: all do
}

func (f *robotFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.robot, "robot", "", "`file` of the robot: URDF, xacro, rlmdl or rlkin")
	cmd.Flags().StringVar(&f.srdf, "srdf", "", "`file` with the states that a moveJ names, and the pairs of links that need no check; without its pairs they are found by samples")
	cmd.Flags().StringSliceVar(&f.locked, "locked", nil, "`joints` that do not move, as name or name=position, separated by commas")
	cmd.Flags().StringVar(&f.start, "start", "", "`positions` at which the program begins, of all joints, or as joint=position; others are at 0, or at the limit nearest to it; in rad and m")
	cmd.Flags().Float64Var(&f.velocity, "max-velocity", 0, "greatest `velocity` of each joint, rad/s; 0: that of the robot's file")
	cmd.Flags().Float64Var(&f.acceleration, "max-acceleration", 5, "greatest `acceleration` of each joint, rad/s²")
	cmd.Flags().Float64Var(&f.jerk, "max-jerk", 50, "greatest `jerk` of each joint, rad/s³")
	_ = cmd.MarkFlagRequired("robot")
}

// registerScene adds the flag of a file with obstacles.
func registerScene(cmd *cobra.Command, file *string, what string) {
	cmd.Flags().StringVar(file, "scene", "", what+": a MoveIt scene as .scene or .yaml `file`, or a point cloud as .pcd or .ply")
}

// compiled is a program with its motion.
type compiled struct {
	program *program.Program
	motion  *program.Motion
	model   *multibody.Model
	names   []string // of the joints
	start   []float64
}

// compile reads robot and program.
func (f *robotFlags) compile(file string) (*compiled, error) {
	root, inside, err := model.OnDisk(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	p, err := f.moves(root, inside)
	if err != nil {
		if kind := model.Kind(file); kind != "" && !strings.HasPrefix(kind, "a program") {
			return nil, fmt.Errorf("%s:1:1: wants a program of moves, and this is %s", file, kind)
		}
		return nil, named(file, err)
	}
	if n := len(p.Moves); n < f.endOf {
		return nil, fmt.Errorf("--end-of %d: %s has %d moves", f.endOf, file, n)
	}
	_, m, names, err := f.read()
	if err != nil {
		return nil, err
	}
	semantic, err := f.semantic()
	if err != nil {
		return nil, err
	}
	c := &compiled{program: p, model: m, names: names}
	limits, err := f.limits(m, c.names)
	if err != nil {
		return nil, err
	}
	if c.start, err = f.positions(m, c.names); err != nil {
		return nil, err
	}
	if c.motion, err = program.Compile(p, program.Robot{Model: m, Limits: limits, Semantic: semantic}, c.start); err != nil {
		return nil, named(file, err)
	}
	return c, nil
}

// moves reads the program, without the moves that do not count.
func (f *robotFlags) moves(fsys fs.FS, file string) (*program.Program, error) {
	switch {
	case f.endOf < 0:
		return nil, fmt.Errorf("--end-of %d: wants the number of a move, from 1", f.endOf)
	case f.endOf == 0:
		return program.Read(fsys, file)
	}
	return program.ReadFirst(fsys, file, f.endOf)
}

// read reads the robot, and returns the names of its joints in the order of the model.
func (f *robotFlags) read() (*description.Robot, *multibody.Model, []string, error) {
	d, err := model.Read(f.robot)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := d.Lock(f.locked...); err != nil {
		return nil, nil, nil, fmt.Errorf("--locked: %w", err)
	}
	m, err := d.Model()
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", f.robot, err)
	}
	if m.NQ() != m.NV() || m.NV() == 0 {
		return nil, nil, nil, fmt.Errorf("%s: programs want joints of one coordinate each", f.robot)
	}
	names := make([]string, m.NV())
	for _, j := range m.Joints() {
		if j.Mimic == nil {
			names[j.V] = j.Name
		}
	}
	return d, m, names, nil
}

// semantic reads the file of --srdf; nil: there is none.
func (f *robotFlags) semantic() (*description.Semantic, error) {
	if f.srdf == "" {
		return nil, nil
	}
	return description.ReadSRDF(os.DirFS(filepath.Dir(f.srdf)), filepath.Base(f.srdf), description.Options{})
}

// named rewrites the path in an error to the form in which the user named the file.
func named(file string, err error) error { return fmt.Errorf("%s", model.AsNamed(file, err.Error())) }

func (f *robotFlags) limits(m *multibody.Model, names []string) ([]trajectory.Limits, error) {
	if !(f.velocity >= 0 && f.acceleration > 0 && f.jerk > 0) || math.IsInf(f.velocity+f.acceleration+f.jerk, 1) {
		return nil, fmt.Errorf("--max-velocity %g, --max-acceleration %g, --max-jerk %g: want numbers above 0", f.velocity, f.acceleration, f.jerk)
	}
	limits, err := trajectory.LimitsOf(m, names, trajectory.Limits{Velocity: f.velocity, Acceleration: f.acceleration, Jerk: f.jerk})
	if err != nil {
		return nil, fmt.Errorf("%s: %w: give --max-velocity, in rad/s", f.robot, err)
	}
	return limits, nil
}

// positions reads --start.
func (f *robotFlags) positions(m *multibody.Model, names []string) ([]float64, error) {
	lower, upper := make([]float64, m.NQ()), make([]float64, m.NQ())
	m.PositionLimits(lower, upper)
	q := make([]float64, m.NQ())
	for i := range q {
		q[i] = min(max(0, lower[i]), upper[i])
	}
	if f.start == "" {
		return q, nil
	}
	items := strings.Split(f.start, ",")
	for k, item := range items {
		name, text, byName := strings.Cut(item, "=")
		i := k
		if byName {
			if i = slices.Index(names, strings.TrimSpace(name)); i < 0 {
				return nil, fmt.Errorf("--start %s: the robot has no joint %q%s", f.start, name, nearest.Hint(name, names))
			}
		} else if text = item; len(items) != len(q) {
			return nil, fmt.Errorf("--start %s: it has %d positions: want one for each of the joints (%d), or joint=position", f.start, len(items), len(q))
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || x-x != 0 {
			return nil, fmt.Errorf("--start %s: %q is no number: wants rad or m, without a unit, as 1.5708", f.start, text)
		}
		q[i] = x
	}
	return q, nil
}

// title names the program in pictures and tables.
func (c *compiled) title(file string) string {
	if c.program.Name != "" {
		return c.program.Name
	}
	return filepath.Base(file)
}

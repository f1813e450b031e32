// Package plan is the verb `sinew plan`: it plans motions of robots among obstacles.
package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/planning"
)

// Show serves pages that plan in scenes, until the context of the verb ends.
type Show func(cmd *cobra.Command, scenes []console.Scene) error

// Command returns the verb `sinew plan` with its sub-verbs. It opens a console by show.
func Command(show Show) *cobra.Command {
	var m method
	var e ends
	var asJSON bool
	var picture, timed, of string
	var pages bool
	cmd := &cobra.Command{
		Use:   "plan SCENARIO.xml|SCENE.yaml|ROBOT.urdf",
		Short: "Plan motions without collisions",
		Long: `Plan a motion without collisions from a start to a goal.

SCENARIO.xml is a scenario of the Robotics Library (rlplan), which names robot, scene, start, goal and planner. ROBOT.urdf is a
robot, also as xacro, rlmdl, rlkin, or the JSON of a robot of spheres; --start and --goal then give the ends of its motion, --scene the obstacles.
SCENE.yaml is a MoveIt scene, whose robot --robot names.

--console opens a page on which start, goal and obstacles are dragged and the motion is planned again at every move. It opens scenarios and robots, and with
--robot the problems of a JSON file, from which the page chooses one.

The planner finds a path, the optimizer shortens it, and the exact engine verifies the result. The path is printed with --json.

--goal-pose gives the goal as a pose of the tool, --goal-size makes it a region: all configurations that bring the tool there are goals. With --line the tool goes
straight to the pose; with --keep it stays upright, in a plane or on a line on all of its way, which is proved.

With --timed the path becomes a motion in time from rest to rest: its corners are rounded, velocity, acceleration and jerk of each joint stay within
the limits at all times, and the exact engine proves the motion itself free, or samples it at 1e-3 rad or m where it proves nothing. --json lists it every 10 ms.

  sinew plan rlplan/unimation-puma560_boxes_rrtConCon.xml
  sinew plan arm.urdf --srdf arm.srdf --scene shelf.scene --start turn=-1 --goal turn=1 --plot path.svg
  sinew plan arm.urdf --srdf arm.srdf --scene shelf.scene --start turn=-1 --goal turn=1 --timed joint_limits.yaml
  sinew plan arm.urdf --srdf arm.srdf --scene cloud.pcd --point-radius 0.015 --start turn=-1 --goal turn=1
  sinew plan arm.urdf --xrdf arm.xrdf --scene shelf.scene --start turn=-1 --goal turn=1 --timed arm.xrdf
  sinew plan arm.urdf --start 0,0.5,1,0 --goal-pose 0.3,0.3,0.5
  sinew plan arm.urdf --start 0,0.5,1,0 --goal-pose 0.7,0,0.4 --line
  sinew plan arm.urdf --start 0,0.5,1,0 --goal-pose 0.3,0.3,0.5 --keep upright --timed 2,10,500
  sinew plan arm.urdf --console
  sinew plan rlplan/unimation-puma560_boxes_rrtConCon.xml --console
  sinew plan panda/cage.json --robot robots/panda.json --console
  sinew plan shelf.yaml --robot arm.urdf --console

Planners:
` + planners() + `

Optimizers:
` + optimizers(),
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			if len(args) > 1 || !strings.Contains(args[0], ".") {
				return fmt.Errorf("sinew plan %s: want one file, or the verb bench%s", strings.Join(args, " "), nearest.Hint(args[0], []string{"bench"}))
			}
			file := args[0]
			if of != "" && isScene(file) {
				if e.scene != "" {
					return fmt.Errorf("%s is a scene: leave --scene %s out", file, e.scene)
				}
				file, e.scene, of = of, file, ""
			}
			if !slices.Contains(append(otherEngines(), "", "spheres", "exact"), m.engine) {
				if m.engine == "fcl" {
					return errors.New("--engine fcl: this command is built without it; go run -tags fcl ./cmd/sinew in sinew's checkout has it, after make bench-peers; others are spheres and exact")
				}
				return fmt.Errorf("--engine %s: want spheres or exact", m.engine)
			}
			if pages {
				if asJSON || picture != "" {
					return errors.New("--console shows plans in a browser: leave --json and --plot out")
				}
				if e.tool != (toolFlags{}) {
					return errors.New("--console shows plans in a browser, where the tool is dragged: leave --tool, --goal-pose, --goal-size, --line, --keep and --carry out")
				}
				list, err := readScenes(file, of, e, m.planner)
				if err != nil {
					return err
				}
				return show(cmd, list)
			}
			if of != "" {
				return errWithoutPage
			}
			if picture != "" {
				if _, err := plotFormat(picture); err != nil {
					return err
				}
			}
			if cmd.Flags().Changed("timed") {
				var err error
				if m.timing, err = readTiming(timed); err != nil {
					return err
				}
			}
			t, err := readTask(file, e)
			if err != nil {
				return err
			}
			a, err := m.solve(t, cmd.ErrOrStderr())
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			a.File = file
			if picture != "" && a.Solved {
				if err := a.plot(picture, t); err != nil {
					return err
				}
			}
			if asJSON {
				err = json.NewEncoder(cmd.OutOrStdout()).Encode(a)
			} else {
				a.print(cmd.OutOrStdout(), t)
			}
			switch {
			case err != nil || a.Verified && (a.Motion == nil || a.Motion.Failure == ""):
				return err
			case asJSON:
				return verb.ErrReported
			case a.Solved && a.Motion != nil:
				return errors.New(a.Motion.Failure)
			case a.Solved:
				return errors.New("the path is not free")
			}
			return errors.New(a.Failure)
		},
	}
	cmd.Flags().StringVar(&e.srdf, "srdf", "", "`file` with the pairs of links that need no check, named states and groups of joints")
	cmd.Flags().StringVar(&e.xrdf, "xrdf", "", "`file` with the spheres of the links, the joints that move, default positions and pairs that need no check, as of sinew model spheres or NVIDIA's cuMotion")
	cmd.Flags().StringVar(&e.scene, "scene", "", "obstacles: a MoveIt scene as .scene or .yaml `file`, or a point cloud as .pcd or .ply, in the frame of the robot's root link")
	cmd.Flags().Float64Var(&e.radius, "point-radius", pointRadius, "of the ball around each point of a cloud, `m`: at least half the distance between neighbouring points")
	cmd.Flags().Float64Var(&e.clearance, "clearance", 0, "that the path keeps from the obstacles of --scene, at its ends too, `m`: a movePath rounds its corners by up to 0.01")
	cmd.Flags().StringVar(&e.start, "start", "", "where the motion starts, rad and m: `joint=value,…`, others zero or the default of the XRDF file, all values in their order, or a state of the SRDF file")
	cmd.Flags().StringVar(&e.goal, "goal", "", "where the motion ends, in the same form")
	cmd.Flags().StringVar(&e.tool.pose, "goal-pose", "", "instead of --goal: `x,y,z,roll,pitch,yaw` of the tool in the frame of the robot's root link, m and rad; x,y,z alone lets it turn freely")
	cmd.Flags().StringVar(&e.tool.size, "goal-size", "", "how far the tool may be from --goal-pose along each of its axes, and turned about them: `x,y,z,a,b,c`, m and rad; a, b and c may be left out")
	cmd.Flags().StringVar(&e.tool.tool, "tool", "", "the `link` of the tool, or LINK:x,y,z,roll,pitch,yaw for a tool that is not at its origin; by default the last link, if there is one only")
	cmd.Flags().BoolVar(&e.tool.line, "line", false, "lead the tool straight to --goal-pose; x,y,z alone keeps its orientation")
	cmd.Flags().StringVar(&e.tool.keep, "keep", "", "what the tool keeps on its way, as it is at the start, within 1 mm and 0.01 rad: `upright` or orientation, and plane:x, plane:y, plane:z, line:x, line:y or line:z, with a comma between two")
	cmd.Flags().StringVar(&e.tool.carry, "carry", "", "the `object` of --scene that the link of --tool carries, with its origin at the tool's; what it touches at the start it may touch on the way")
	cmd.Flags().StringVar(&e.joints, "joints", "", "the joints that move, by `name,…`, or groups of the SRDF file; the others stay as at the start; without it those of the XRDF file, else all")
	cmd.Flags().StringVar(&m.planner, "planner", "", "the planner, by its `name` in the list above; by default that of the scenario, else "+planning.Kinds()[0].Name)
	cmd.Flags().StringVar(&m.optimizer, "optimizer", planning.Optimizers()[0].Name, "the optimizer, by its `name` in the list above")
	cmd.Flags().StringVar(&m.engine, "engine", "", "spheres or exact; by default spheres if all links consist of them")
	cmd.Flags().Uint64Var(&m.seed, "seed", 0, "of the samples; the same seed gives the same path")
	cmd.Flags().DurationVar(&m.limit, "time", 0, "how long planning may take; by default what the scenario states, else without limit")
	cmd.Flags().StringVar(&timed, "timed", "", timedUsage)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object with the path")
	cmd.Flags().StringVar(&picture, "plot", "", "draw the joints over the way, with --timed over time, to a `file`, .svg or .png")
	cmd.Flags().BoolVar(&pages, "console", false, "open a page that plans while start, goal and obstacles are dragged; --start and --goal may be left out")
	cmd.Flags().StringVar(&of, "robot", "", "the robot of a MoveIt scene, or with --console that of the problems in a JSON file, by its `file`")
	cmd.AddCommand(benchCommand())
	return cmd
}

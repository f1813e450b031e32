package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/model"
	"github.com/sinew-robotics/sinew/console/coach"
	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scenario"
)

// coachAddress is where the Robotics Library's programs expect a coach.
const coachAddress = "127.0.0.1:11235"

func coachCommand() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use:   "coach SCENE.xml [KINEMATICS.xml...]",
		Short: "Answer programs of the Robotics Library at a coach's port, without a system",
		Long: `Open a coach's port for a scene (rlsg XML) of the Robotics Library, without a system, as its programs rlCoachKin and rlCoachMdl do: programs
set joint positions and frames, and read positions back. Numbers in lines count as in the files, from 0: models of the scene, bodies of a model, shapes of a body. The first
file of kinematics (rlkin or rlmdl XML) belongs to the first model, the second to the second; joints are in the order of the file. Models without such a file have frames only.

The models are listed first. Then each pose that a program sets is printed as a line of JSON, the newest of each robot and body, at most 60 times a second. The port is of
loopback and serves programs of the same user; docs/reference/console-protocol.md describes its lines. Torques are ignored: there is no simulator.`,
		Example: "  sinew coach unimation-puma560_boxes.xml unimation-puma560.xml",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			c, err := openCoach(args[0], args[1:], address, cmd.OutOrStdout(), cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			<-ctx.Done()
			return c.Close()
		},
	}
	cmd.Flags().StringVar(&address, "coach", coachAddress, "`address:port` of loopback")
	return cmd
}

// openCoach opens the port for a scene and the kinematics of its first models, and prints what they have and each pose that is set.
func openCoach(scene string, kinematics []string, address string, out, log io.Writer) (*coach.Coach, error) {
	s, err := readCoached(scene, kinematics)
	if err != nil {
		return nil, err
	}
	c, err := coach.Open(address, coach.Options{
		Systems: s, Robots: s, Log: slog.New(slog.NewTextHandler(log, nil)), Driven: func(string, string) {},
		Show: func(pose []byte) { fmt.Fprintf(out, "%s\n", pose) },
	})
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(out, "coach:", c.Addr())
	for i, r := range s.list.Robots {
		text, err := json.Marshal(struct {
			Robot  int      `json:"robot"`
			Name   string   `json:"name"`
			Joints []string `json:"joints"`
			Links  []string `json:"links"`
		}{i, r.Name, r.Joints, r.Links})
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		fmt.Fprintf(out, "%s\n", text)
	}
	return c, nil
}

// coached is a scene whose robots programs show: the models, in their order.
type coached struct{ list robots.List }

// readCoached reads a scene and the kinematics of its first models.
func readCoached(file string, kinematics []string) (*coached, error) {
	root, inside, err := model.OnDisk(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	scenery, err := scenario.ReadScene(root, inside)
	if err != nil {
		return nil, errors.New(model.AsNamed(file, err.Error()) + model.Mistaken(file))
	}
	if n := len(scenery.Models); len(kinematics) > n {
		return nil, fmt.Errorf("%d files of kinematics for the %d models of %s: the first file is of the first model", len(kinematics), n, file)
	}
	s := &coached{}
	used := map[string]bool{}
	for i, m := range scenery.Models {
		r := robots.Robot{Name: m.Name, Joints: []string{}, Links: []string{}}
		if r.Name == "" || used[r.Name] {
			r.Name = fmt.Sprintf("model %d", i)
		}
		used[r.Name] = true
		for k, b := range m.Bodies {
			name := b.Name
			if name == "" || slices.Contains(r.Links, name) {
				name = fmt.Sprintf("body %d", k)
			}
			r.Links, r.Shapes = append(r.Links, name), append(r.Shapes, len(b.Parts))
		}
		if i < len(kinematics) {
			robot, err := model.Read(kinematics[i])
			if err != nil {
				return nil, err
			}
			if r.Joints = coordinates(robot); len(r.Links) > len(robot.Bodies) && len(robot.Bodies) > 0 {
				return nil, fmt.Errorf("%s has %d bodies, model %d (%q) of %s has %d: the order of the files is that of the models",
					kinematics[i], len(robot.Bodies), i, m.Name, file, len(r.Links))
			}
		}
		s.list.Robots = append(s.list.Robots, r)
	}
	return s, nil
}

// coordinates returns a name for each coordinate of the moving joints of a robot, in the order of its file.
func coordinates(robot *description.Robot) []string {
	list := []string{}
	for _, j := range robot.Joints {
		if j.Type == multibody.Fixed || j.Mimic != nil {
			continue
		}
		for k := range j.Type.NQ() {
			name := j.Name
			if j.Type.NQ() > 1 {
				name = fmt.Sprintf("%s[%d]", j.Name, k)
			}
			list = append(list, name)
		}
	}
	return list
}

// coachedScene is the name of the scene among systems.
const coachedScene = "scene"

// Running implements coach.Systems.
func (*coached) Running() []string { return []string{coachedScene} }

// System implements coach.Systems. It fails: there is none.
func (*coached) System(string) (admin.System, error) { return nil, errors.New("no system is running") }

// List implements coach.Robots.
func (s *coached) List(context.Context, string) (*robots.List, error) { return &s.list, nil }

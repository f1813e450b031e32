package model

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/picture"
	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func workspaceCommand() *cobra.Command {
	var flags robotFlags
	var out string
	var samples int
	cmd := &cobra.Command{
		Use:   "workspace FILE",
		Short: "Draw the workspace of a link, as PNG or SVG",
		Long: `Draw the workspace of a link, as PNG or SVG: its origin in random configurations within the limits of the joints,
projected along the three axes, and the robot in the configuration of --q. Collisions are ignored. A joint without limits
turns all around, and slides a metre either way. The base of a robot is at rest.`,
		Example: "  sinew model workspace panda.urdf --frame panda_hand_tcp -o panda.png\n  sinew model workspace anymal.urdf --frame LF_FOOT -o foot.svg",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if samples < 1 || samples > maxSamples {
				return fmt.Errorf("--samples %d: wants 1 … %d", samples, maxSamples)
			}
			c, frame, link, err := flags.readLink(args[0])
			if err != nil {
				return err
			}
			w := newWorkspace(c.robot, c.model, link, c.q, samples, flags.at.seed)
			w.Title = fmt.Sprintf("%s: where %s (orange) can be, %d samples", c.robot.Name, frame, samples)
			if err := writePicture(out, w); err != nil {
				return fmt.Errorf("write %s: %w", out, err)
			}
			lo, hi, reach := extremes(w.Points)
			return flags.output.write(cmd.OutOrStdout(), map[string]any{
				"robot": c.robot.Name, "frame": frame, "file": out, "samples": samples, "reach": reach,
				"lower": numbers{lo.X, lo.Y, lo.Z}, "upper": numbers{hi.X, hi.Y, hi.Z},
			}, func(w io.Writer) {
				fmt.Fprintf(w, "wrote %s: %s reaches x %s … %s, y %s … %s, z %s … %s m, at most %s m from the origin\n", out, frame,
					centimetres(lo.X), centimetres(hi.X), centimetres(lo.Y), centimetres(hi.Y), centimetres(lo.Z), centimetres(hi.Z), centimetres(reach))
			})
		},
	}
	flags.registerResting(cmd, endFrame, oneObject)
	cmd.Flags().StringVarP(&out, "output", "o", "workspace.png", "`file` to write, .png or .svg")
	cmd.Flags().IntVar(&samples, "samples", 200_000, "`number` of configurations")
	return cmd
}

const maxSamples = 20_000_000

// newWorkspace samples the reachable positions of a link; the outline shows the robot at q.
func newWorkspace(robot *description.Robot, m *multibody.Model, link int, q []float64, samples int, seed uint64) *picture.Workspace {
	d := multibody.NewData(m)
	w := new(picture.Workspace)
	multibody.FK(d, q)
	w.Tool = d.Pose(link).P
	for _, j := range robot.Joints {
		parent, err := m.Link(j.Parent)
		if err != nil {
			continue
		}
		child, err := m.Link(j.Child)
		if err != nil {
			continue
		}
		w.Outline = append(w.Outline, [2]spatial.Vec3{d.Pose(parent).P, d.Pose(child).P})
	}
	r := rand.New(rand.NewPCG(seed, 1))
	sample := make([]float64, m.NQ())
	w.Points = make([]spatial.Vec3, samples)
	for i := range w.Points {
		m.Random(r, sample)
		multibody.FK(d, sample)
		w.Points[i] = d.Pose(link).P
	}
	return w
}

// extremes returns the box around the points, and their greatest distance from the origin.
func extremes(points []spatial.Vec3) (lo, hi spatial.Vec3, reach float64) {
	lo, hi = points[0], points[0]
	for _, p := range points {
		lo = spatial.Vec3{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = spatial.Vec3{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
		reach = max(reach, p.Norm())
	}
	return lo, hi, reach
}

// centimetres formats a length in metres with the precision of the sampling.
func centimetres(x float64) string { return fmt.Sprintf("%.2f", math.Round(x*100)/100+0) }

// writePicture writes a picture to a file, in the format given by its extension.
func writePicture(path string, w *picture.Workspace) error {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	if format != "png" && format != "svg" {
		return fmt.Errorf("the file name must end in .png or .svg")
	}
	file, err := verb.Create(path)
	if err != nil {
		return err
	}
	if err := w.Write(file, format); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

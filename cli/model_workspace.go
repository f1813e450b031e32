package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/picture"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func modelWorkspaceCommand() *cobra.Command {
	var source sourceFlags
	var at configurationFlags
	var frame, out string
	var samples int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "workspace FILE",
		Short: "Draw where a link can be brought to, as PNG or SVG",
		Long: `Draw where a link can be brought to, as PNG or SVG: its origin in random configurations within the limits of the joints,
seen along the three axes, and the robot in the configuration of --q. Collisions are not looked at. A joint without limits
turns all around, and slides a metre either way. The base of a robot rests.`,
		Example: "  sinew model workspace panda.urdf --frame panda_hand_tcp -o panda.png\n  sinew model workspace anymal.urdf --frame LF_FOOT -o foot.svg",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if samples < 1 || samples > maxSamples {
				return fmt.Errorf("--samples %d: wants 1 … %d", samples, maxSamples)
			}
			robot, m, err := source.model(args[0])
			if err != nil {
				return err
			}
			frame, link, err := frameOrEnd(robot, m, frame)
			if err != nil {
				return err
			}
			q, err := at.configuration(m)
			if err != nil {
				return err
			}
			w := newWorkspace(robot, m, link, q, samples, at.seed)
			w.Title = fmt.Sprintf("%s: where %s (orange) can be, %d samples", robot.Name, frame, samples)
			if err := writePicture(out, w); err != nil {
				return fmt.Errorf("write %s: %w", out, err)
			}
			lo, hi, reach := extremes(w.Points)
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]any{
					"robot": robot.Name, "frame": frame, "file": out, "samples": samples, "reach": reach,
					"lower": numbers{lo.X, lo.Y, lo.Z}, "upper": numbers{hi.X, hi.Y, hi.Z},
				})
			}
			fmt.Fprintf(cmd.OutOrStdout(), "wrote %s: %s reaches x %s … %s, y %s … %s, z %s … %s m, at most %s m from the origin\n", out, frame,
				centimetres(lo.X), centimetres(hi.X), centimetres(lo.Y), centimetres(hi.Y), centimetres(lo.Z), centimetres(hi.Z), centimetres(reach))
			return nil
		},
	}
	source.registerFile(cmd)
	source.registerMimic(cmd)
	at.register(cmd)
	cmd.Flags().StringVar(&frame, "frame", "", "`link`; without it: the link at the end, where the robot has only one")
	cmd.Flags().StringVarP(&out, "output", "o", "workspace.png", "`file` to write, .png or .svg")
	cmd.Flags().IntVar(&samples, "samples", 200_000, "`number` of configurations")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

const maxSamples = 20_000_000

// newWorkspace samples where a link can be; the outline shows the robot at q.
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

// extremes returns the box that holds the points, and how far from the origin they get.
func extremes(points []spatial.Vec3) (lo, hi spatial.Vec3, reach float64) {
	lo, hi = points[0], points[0]
	for _, p := range points {
		lo = spatial.Vec3{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = spatial.Vec3{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
		reach = max(reach, p.Norm())
	}
	return lo, hi, reach
}

// centimetres writes a length in metres as exactly as sampling knows it.
func centimetres(x float64) string { return fmt.Sprintf("%.2f", math.Round(x*100)/100+0) }

// writePicture draws into a file, in the format that its ending says.
func writePicture(path string, w *picture.Workspace) error {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	if format != "png" && format != "svg" {
		return fmt.Errorf("wants a file that ends in .png or .svg")
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := w.Write(file, format); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

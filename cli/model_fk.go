package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func modelFKCommand() *cobra.Command {
	var source sourceFlags
	var at configurationFlags
	var frame string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "fk FILE",
		Short: "Forward kinematics: where the links are",
		Long: `Forward kinematics: where the links are in the world, for a configuration that is zero unless told otherwise.

Roll, pitch and yaw turn about the fixed axes x, y, z in this order, as in URDF; quaternions are x y z w.`,
		Example: "  sinew model fk ur5.urdf --q shoulder_lift_joint=-1.2,elbow_joint=1.5\n" +
			"  sinew model fk ur5.urdf --q 0,-1.2,1.5,0,0,0 --frame tool0\n  sinew model fk ur5.urdf --random --seed 7 --json",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, m, err := source.model(args[0])
			if err != nil {
				return err
			}
			q, err := at.configuration(m)
			if err != nil {
				return err
			}
			links := m.Links()
			if frame != "" {
				if _, err := findLink(m, frame); err != nil {
					return err
				}
				links = []string{frame}
			}
			d := multibody.NewData(m)
			multibody.FK(d, q)
			poses := linkPoses{names: links}
			for _, name := range links {
				link, err := findLink(m, name)
				if err != nil {
					return err
				}
				poses.poses = append(poses.poses, d.Pose(link))
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(struct {
					modelHead
					Q  numbers   `json:"q"`
					FK linkPoses `json:"fk"`
				}{newModelHead(m, m.Joints()), q, poses})
			}
			printConfiguration(cmd.OutOrStdout(), m, q)
			printPoses(cmd.OutOrStdout(), poses)
			return nil
		},
	}
	source.register(cmd)
	source.registerMimic(cmd)
	at.register(cmd)
	cmd.Flags().StringVar(&frame, "frame", "", "this `link` only")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object: for each link 12 numbers, the rows of R t")
	return cmd
}

// printConfiguration writes q for people, and what of it is not within the limits.
func printConfiguration(w io.Writer, m *multibody.Model, q []float64) {
	t := newTable("joint", "position", "<", "<")
	outside := outOfLimits(m, q)
	for i, c := range positionCoordinates(m.Joints()) {
		t.row(c.name, fixed(q[i]), c.unit, outside[i])
	}
	t.print(w)
	fmt.Fprintln(w)
}

// printPoses writes poses for people.
func printPoses(w io.Writer, l linkPoses) {
	t := newTable("link", "x m", "y m", "z m", "roll rad", "pitch rad", "yaw rad")
	for i, name := range l.names {
		p := l.poses[i]
		roll, pitch, yaw := p.R.RPY()
		t.row(name, fixed(p.P.X), fixed(p.P.Y), fixed(p.P.Z), fixed(roll), fixed(pitch), fixed(yaw))
	}
	t.print(w)
	if len(l.poses) == 1 {
		printRotation(w, l.poses[0])
	}
}

// printRotation writes what the table of poses has no room for.
func printRotation(w io.Writer, p spatial.Pose) {
	q := p.R.Quat()
	fmt.Fprintf(w, "\n  quaternion (x, y, z, w) %s, %s, %s, %s\n  rotation matrix\n", fixed(q.X), fixed(q.Y), fixed(q.Z), fixed(q.W))
	for _, row := range p.R {
		fmt.Fprintf(w, "  %12s %12s %12s\n", fixed(row[0]), fixed(row[1]), fixed(row[2]))
	}
}

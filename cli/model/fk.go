package model

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func fkCommand() *cobra.Command {
	var flags robotFlags
	cmd := &cobra.Command{
		Use:   "fk FILE",
		Short: "Forward kinematics: the poses of the links",
		Long: `Forward kinematics: the poses of the links in the world, in the configuration --q (default: zero).

Roll, pitch and yaw turn about the fixed axes x, y, z in this order, as in URDF; quaternions are x y z w.`,
		Example: "  sinew model fk ur5.urdf --q shoulder_lift_joint=-1.2,elbow_joint=1.5\n" +
			"  sinew model fk ur5.urdf --q 0,-1.2,1.5,0,0,0 --frame tool0\n  sinew model fk ur5.urdf --random --seed 7 --json",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := flags.read(args[0])
			if err != nil {
				return err
			}
			links := c.model.Links()
			if flags.frame != "" {
				links = []string{flags.frame}
			}
			d := multibody.NewData(c.model)
			multibody.FK(d, c.q)
			poses := linkPoses{names: links}
			for _, name := range links {
				link, err := findLink(c.model, name)
				if err != nil {
					return err
				}
				poses.poses = append(poses.poses, d.Pose(link))
			}
			return flags.output.write(cmd.OutOrStdout(), struct {
				head
				Q  numbers   `json:"q"`
				FK linkPoses `json:"fk"`
			}{newHead(c.model, c.model.Joints()), c.q, poses}, func(w io.Writer) {
				c.print(w)
				printPoses(w, poses)
			})
		},
	}
	flags.register(cmd, "this `link` only", "print one JSON object: for each link 12 numbers, the rows of R t")
	return cmd
}

// printPoses prints poses as text.
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

// printRotation prints the rotation in full, which does not fit into the table of poses.
func printRotation(w io.Writer, p spatial.Pose) {
	q := p.R.Quat()
	fmt.Fprintf(w, "\n  quaternion (x, y, z, w) %s, %s, %s, %s\n  rotation matrix\n", fixed(q.X), fixed(q.Y), fixed(q.Z), fixed(q.W))
	for _, row := range p.R {
		fmt.Fprintf(w, "  %12s %12s %12s\n", fixed(row[0]), fixed(row[1]), fixed(row[2]))
	}
}

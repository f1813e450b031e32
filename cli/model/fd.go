package model

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

func fdCommand() *cobra.Command {
	var flags motionFlags
	cmd := &cobra.Command{
		Use:   "fd FILE",
		Short: "Forward dynamics: the accelerations that joint forces cause",
		Long: `Forward dynamics: the accelerations a = M(q)⁻¹ (tau - C(q, v) v - g(q)) that joint forces cause.

Position, velocity and forces default to zero: the robot falls. Friction is not included.`,
		Example: "  sinew model fd panda.urdf --q panda_joint2=0.5 --tau panda_joint2=-20",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, v, tau, err := flags.read(args[0])
			if err != nil {
				return err
			}
			a := make([]float64, c.model.NV())
			multibody.ABA(multibody.NewData(c.model), c.q, v, tau, a)
			if !allFinite(a) {
				return fmt.Errorf("%s has no forward dynamics in this configuration: the mass matrix is singular%s", c.model.Name(), whySingular(c.model))
			}
			return flags.output.write(cmd.OutOrStdout(), struct {
				head
				Q   numbers `json:"q"`
				V   numbers `json:"v"`
				Tau numbers `json:"tau"`
				ABA numbers `json:"aba"`
			}{newHead(c.model, c.model.Joints()), c.q, v, tau, a}, func(w io.Writer) {
				c.print(w)
				t := newTable("joint", "velocity", "<", "force", "<", "acceleration", "<")
				for i, x := range velocityCoordinates(c.model.Joints()) {
					t.row(x.name, fixed(v[i]), x.unit+"/s", fixed(tau[i]), x.force(), fixed(a[i]), x.unit+"/s²")
				}
				t.print(w)
			})
		},
	}
	flags.register(cmd, "tau", "joint forces, N m and N: `joint=value,…` or all values in their order")
	return cmd
}

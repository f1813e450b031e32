package model

import (
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

func idCommand() *cobra.Command {
	var flags motionFlags
	cmd := &cobra.Command{
		Use:   "id FILE",
		Short: "Inverse dynamics: the joint forces that a motion needs",
		Long: `Inverse dynamics: the joint forces tau = M(q) a + C(q, v) v + g(q) that a motion needs, and the terms of this sum.

Position, velocity and acceleration default to zero. Friction is not included.`,
		Example: "  sinew model id panda.urdf --q panda_joint2=0.5,panda_joint4=-1.5\n" +
			"  sinew model id panda.urdf --random --v panda_joint1=1 --a panda_joint1=2",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, v, a, err := flags.read(args[0])
			if err != nil {
				return err
			}
			r := newInverseDynamics(c.model, c.q, v, a)
			return flags.output.write(cmd.OutOrStdout(), r, func(w io.Writer) {
				c.print(w)
				r.print(w, c.model)
			})
		},
	}
	flags.register(cmd, "a", "acceleration, rad/s² and m/s²: `joint=value,…` or all values in their order")
	return cmd
}

// inverseDynamics is the result of `sinew model id`.
type inverseDynamics struct {
	head
	Q        numbers `json:"q"`
	V        numbers `json:"v"`
	A        numbers `json:"a"`
	RNEA     numbers `json:"rnea"`
	Gravity  numbers `json:"gravity_vec"`
	Coriolis numbers `json:"coriolis_v"`
	Inertia  numbers `json:"inertia_a"` // M(q) a
}

func newInverseDynamics(m *multibody.Model, q, v, a []float64) inverseDynamics {
	n := m.NV()
	r := inverseDynamics{
		head: newHead(m, m.Joints()), Q: q, V: v, A: a,
		RNEA: make(numbers, n), Gravity: make(numbers, n), Coriolis: make(numbers, n), Inertia: make(numbers, n),
	}
	d := multibody.NewData(m)
	multibody.RNEA(d, q, v, a, r.RNEA)
	multibody.Gravity(d, q, r.Gravity)
	multibody.CoriolisForce(d, q, v, r.Coriolis)
	for i := range n {
		r.Inertia[i] = r.RNEA[i] - r.Gravity[i] - r.Coriolis[i]
	}
	return r
}

func (r *inverseDynamics) print(w io.Writer, m *multibody.Model) {
	limit := make([]float64, m.NV())
	m.EffortLimits(limit)
	t := newTable("joint", "gravity", "coriolis", "inertia", "tau", "<", "<")
	for i, c := range velocityCoordinates(m.Joints()) {
		over := ""
		if math.Abs(r.RNEA[i]) > limit[i] {
			over = fmt.Sprintf("above the joint's limit of %s %s", decimal(limit[i]), c.force())
		}
		t.row(c.name, fixed(r.Gravity[i]), fixed(r.Coriolis[i]), fixed(r.Inertia[i]), fixed(r.RNEA[i]), c.force(), over)
	}
	t.print(w)
}

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

func modelIDCommand() *cobra.Command {
	var source sourceFlags
	var at configurationFlags
	var velocity, acceleration string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "id FILE",
		Short: "Inverse dynamics: the joint forces that a motion needs",
		Long: `Inverse dynamics: the joint forces tau = M(q) a + C(q, v) v + g(q) that a motion needs, and what of them each part is.

Position, velocity and acceleration are zero where nothing is said. Friction is not part of it.`,
		Example: "  sinew model id panda.urdf --q panda_joint2=0.5,panda_joint4=-1.5\n" +
			"  sinew model id panda.urdf --random --v panda_joint1=1 --a panda_joint1=2",
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
			v, err := velocityVector("--v", velocity, m)
			if err != nil {
				return err
			}
			a, err := velocityVector("--a", acceleration, m)
			if err != nil {
				return err
			}
			r := newInverseDynamics(m, q, v, a)
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(r)
			}
			printConfiguration(cmd.OutOrStdout(), m, q)
			r.print(cmd.OutOrStdout(), m)
			return nil
		},
	}
	source.register(cmd)
	source.registerMimic(cmd)
	at.register(cmd)
	cmd.Flags().StringVar(&velocity, "v", "", "velocity, rad/s and m/s: `joint=value,…` or all values in their order")
	cmd.Flags().StringVar(&acceleration, "a", "", "acceleration, rad/s² and m/s²: `joint=value,…` or all values in their order")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// inverseDynamics is what `sinew model id` tells.
type inverseDynamics struct {
	modelHead
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
		modelHead: newModelHead(m, m.Joints()), Q: q, V: v, A: a,
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
			over = fmt.Sprintf("more than the %s %s that the joint has", decimal(limit[i]), c.force())
		}
		t.row(c.name, fixed(r.Gravity[i]), fixed(r.Coriolis[i]), fixed(r.Inertia[i]), fixed(r.RNEA[i]), c.force(), over)
	}
	t.print(w)
}

func modelFDCommand() *cobra.Command {
	var source sourceFlags
	var at configurationFlags
	var velocity, force string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "fd FILE",
		Short: "Forward dynamics: the accelerations that joint forces cause",
		Long: `Forward dynamics: the accelerations a = M(q)⁻¹ (tau - C(q, v) v - g(q)) that joint forces cause.

Position, velocity and forces are zero where nothing is said: the robot falls. Friction is not part of it.`,
		Example: "  sinew model fd panda.urdf --q panda_joint2=0.5 --tau panda_joint2=-20",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, m, err := source.model(args[0])
			if err != nil {
				return err
			}
			q, err := at.configuration(m)
			if err != nil {
				return err
			}
			v, err := velocityVector("--v", velocity, m)
			if err != nil {
				return err
			}
			tau, err := velocityVector("--tau", force, m)
			if err != nil {
				return err
			}
			a := make([]float64, m.NV())
			multibody.ABA(multibody.NewData(m), q, v, tau, a)
			if !allFinite(a) {
				return fmt.Errorf("%s has no forward dynamics here, the mass matrix is singular%s", m.Name(), whySingular(m))
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(struct {
					modelHead
					Q   numbers `json:"q"`
					V   numbers `json:"v"`
					Tau numbers `json:"tau"`
					ABA numbers `json:"aba"`
				}{newModelHead(m, m.Joints()), q, v, tau, a})
			}
			printConfiguration(cmd.OutOrStdout(), m, q)
			t := newTable("joint", "velocity", "<", "force", "<", "acceleration", "<")
			for i, c := range velocityCoordinates(m.Joints()) {
				t.row(c.name, fixed(v[i]), c.unit+"/s", fixed(tau[i]), c.force(), fixed(a[i]), c.unit+"/s²")
			}
			t.print(cmd.OutOrStdout())
			return nil
		},
	}
	source.register(cmd)
	source.registerMimic(cmd)
	at.register(cmd)
	cmd.Flags().StringVar(&velocity, "v", "", "velocity, rad/s and m/s: `joint=value,…` or all values in their order")
	cmd.Flags().StringVar(&force, "tau", "", "joint forces, N m and N: `joint=value,…` or all values in their order")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

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
	var wrenches bool
	cmd := &cobra.Command{
		Use:   "id FILE",
		Short: "Inverse dynamics: the joint forces that a motion needs",
		Long: `Inverse dynamics: the joint forces tau = M(q) a + C(q, v) v + g(q) that a motion needs, and the terms of this sum.

Position, velocity and acceleration default to zero. Friction is not included.

--wrenches adds what each joint transmits to the link that it carries: force, and moment about the origin of that link, in its axes. The part
along the axis of the joint is its tau; the bearings bear the rest. The first line is what holds the whole robot at its root.`,
		Example: "  sinew model id panda.urdf --q panda_joint2=0.5,panda_joint4=-1.5\n" +
			"  sinew model id panda.urdf --random --v panda_joint1=1 --a panda_joint1=2\n" +
			"  sinew model id panda.urdf --random --wrenches",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, v, a, err := flags.read(args[0])
			if err != nil {
				return err
			}
			r := newInverseDynamics(c.model, c.q, v, a)
			if wrenches {
				r.Wrenches = jointWrenches(c.model, c.q, v, a)
			}
			return flags.output.write(cmd.OutOrStdout(), r, func(w io.Writer) {
				c.print(w)
				r.print(w, c.model)
			})
		},
	}
	flags.register(cmd, "a", "acceleration, rad/s² and m/s²: `joint=value,…` or all values in their order")
	cmd.Flags().BoolVar(&wrenches, "wrenches", false, "also print the force and moment that each joint transmits")
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

	Wrenches []jointWrench `json:"wrenches,omitempty"`
}

// jointWrench is what a joint transmits to the link that it carries, in the axes of the link.
type jointWrench struct {
	Joint  string  `json:"joint"` // "" for the root link that is fixed to the world
	Link   string  `json:"link"`
	Force  numbers `json:"force"`  // N
	Moment numbers `json:"moment"` // N m, about the origin of the link
}

// jointWrenches returns the wrench at the root link and at each moving joint for the motion (q, v, a).
func jointWrenches(m *multibody.Model, q, v, a []float64) []jointWrench {
	d := multibody.NewData(m)
	multibody.RNEA(d, q, v, a, make([]float64, m.NV()))
	links := m.Links()
	var list []jointWrench
	add := func(joint string, link int) {
		f := d.JointForce(link, multibody.Local)
		list = append(list, jointWrench{joint, links[link], numbers{f.Linear.X, f.Linear.Y, f.Linear.Z}, numbers{f.Angular.X, f.Angular.Y, f.Angular.Z}})
	}
	if body, _ := m.LinkFrame(0); body == 0 {
		add("", 0)
	}
	for _, j := range m.Joints() {
		if link, err := m.Link(j.Child); err == nil {
			add(j.Name, link)
		}
	}
	return list
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
	if r.Wrenches == nil {
		return
	}
	fmt.Fprintln(w)
	t = newTable("joint", "<link", "fx", "fy", "fz", "<", "mx", "my", "mz", "<")
	for _, x := range r.Wrenches {
		joint := x.Joint
		if joint == "" {
			joint = "(world)"
		}
		t.row(joint, x.Link, fixed(x.Force[0]), fixed(x.Force[1]), fixed(x.Force[2]), "N", fixed(x.Moment[0]), fixed(x.Moment[1]), fixed(x.Moment[2]), "N m")
	}
	t.print(w)
}

package model

import (
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func jacobianCommand() *cobra.Command {
	var flags robotFlags
	var reference string
	cmd := &cobra.Command{
		Use:   "jacobian FILE",
		Short: "The geometric Jacobian of a link",
		Long: `The geometric Jacobian of a link: linear and angular velocity for unit speed of each joint.

It is that of the link's origin in the axes of the world (--reference mixed), in the axes of the link (local), or of the
point of the link at the world's origin, in world axes (world). The singular values below it are the greatest and least
speed of the link for unit speed of all joints together; zero means that a direction is lost.`,
		Example: "  sinew model jacobian panda.urdf --frame panda_hand --q 0,-0.8,0,-2.4,0,1.6,0.8,0",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ref, err := parseReference(reference)
			if err != nil {
				return err
			}
			c, frame, link, err := flags.readLink(args[0])
			if err != nil {
				return err
			}
			J := make(numbers, 6*c.model.NV())
			multibody.Jacobian(multibody.NewData(c.model), c.q, link, ref, J)
			h := newHead(c.model, c.model.Joints())
			h.Frame = frame
			return flags.output.write(cmd.OutOrStdout(), struct {
				head
				Reference string  `json:"reference"`
				Q         numbers `json:"q"`
				J         numbers `json:"J"`
			}{h, reference, c.q, J}, func(w io.Writer) {
				c.print(w)
				printJacobian(w, c.model, J)
			})
		},
	}
	flags.register(cmd, endFrame, "print one JSON object: J is 6 × nv, row by row")
	cmd.Flags().StringVar(&reference, "reference", "mixed", "`frame` of the velocities: mixed, local or world")
	return cmd
}

func parseReference(text string) (multibody.Reference, error) {
	for _, r := range []multibody.Reference{multibody.Local, multibody.World, multibody.Mixed} {
		if r.String() == text {
			return r, nil
		}
	}
	return 0, fmt.Errorf("--reference %q: wants mixed, local or world", text)
}

// printJacobian prints a Jacobian as text, one joint per row.
func printJacobian(w io.Writer, m *multibody.Model, J []float64) {
	n := m.NV()
	t := newTable("joint", "vx", "vy", "vz", "<", "ωx", "ωy", "ωz", "<")
	var linear, angular spatial.Sym3 // J Jᵀ of both halves
	for k, c := range velocityCoordinates(m.Joints()) {
		var x [6]float64
		for row := range x {
			x[row] = J[row*n+k]
		}
		per := "per " + c.unit + "/s"
		t.row(c.name, fixed(x[0]), fixed(x[1]), fixed(x[2]), "m/s", fixed(x[3]), fixed(x[4]), fixed(x[5]), "rad/s "+per)
		linear = linear.Add(spatial.SymOuter(1, spatial.Vec3{X: x[0], Y: x[1], Z: x[2]}))
		angular = angular.Add(spatial.SymOuter(1, spatial.Vec3{X: x[3], Y: x[4], Z: x[5]}))
	}
	t.print(w)
	fmt.Fprintf(w, "\n  singular values of the linear part %s, of the angular part %s\n", singularValues(linear), singularValues(angular))
}

// singularValues returns the singular values of the matrix J whose J Jᵀ is given, the largest first.
func singularValues(s spatial.Sym3) string {
	v, _ := s.Eigen()
	root := func(x float64) float64 {
		if x = math.Sqrt(max(x, 0)); x < 1e-7 {
			return 0 // rounding error
		}
		return x
	}
	return triple([]float64{root(v.Z), root(v.Y), root(v.X)})
}

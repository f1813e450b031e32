package multibody_test

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// pendulum has two rods of 1 m and 1 kg that hang one on the other and swing about y.
func pendulum() *multibody.Model {
	rod := spatial.Inertia{Mass: 1, COM: spatial.Vec3{Z: -0.5}, Rotational: spatial.SymDiag(1./12, 1./12, 0)}
	y := spatial.Vec3{Y: 1}
	m, err := multibody.NewModel(multibody.Tree{
		Name:  "pendulum",
		Links: []multibody.Link{{Name: "ceiling"}, {Name: "upper", Inertia: rod}, {Name: "lower", Inertia: rod}},
		Joints: []multibody.Joint{
			{Name: "shoulder", Type: multibody.Revolute, Parent: "ceiling", Child: "upper", Axis: y},
			{Name: "elbow", Type: multibody.Revolute, Parent: "upper", Child: "lower", Axis: y,
				Placement: spatial.Translation(spatial.Vec3{Z: -1})},
		},
	})
	if err != nil {
		panic(err)
	}
	return m
}

func Example() {
	m := pendulum()
	d := multibody.NewData(m) // one for each goroutine
	elbow, _ := m.Joint("elbow")
	q, v, tau := m.Neutral(), make([]float64, m.NV()), make([]float64, m.NV())
	q[elbow.Q] = -1.5707963267948966 // forearm level

	multibody.Gravity(d, q, tau)
	fmt.Printf("hold with %.3f N m\n", tau)

	a := make([]float64, m.NV())
	clear(tau)
	multibody.ABA(d, q, v, tau, a)
	fmt.Printf("elbow falls with %.3f rad/s²\n", a[elbow.V])
	// Output:
	// hold with [-4.905 -4.905] N m
	// elbow falls with 14.715 rad/s²
}

func ExampleJacobian() {
	m := pendulum()
	d := multibody.NewData(m)
	lower, _ := m.Link("lower")
	J := make([]float64, 6*m.NV())
	pose := multibody.Jacobian(d, []float64{0, 0}, lower, multibody.Mixed, J)
	fmt.Printf("elbow at z = %.1f m\n", pose.P.Z)
	fmt.Printf("dx/dq = %.1f\n", J[0])
	// Output:
	// elbow at z = -1.0 m
	// dx/dq = -1.0
}

// A SCARA from its Denavit–Hartenberg table.
func ExampleFromDH() {
	m, err := multibody.NewModel(multibody.FromDH("scara", multibody.ModifiedDH, []multibody.DHLink{
		{Type: multibody.Revolute},
		{Type: multibody.Revolute, A: 0.4},
		{Type: multibody.Prismatic, A: 0.3},
	}))
	if err != nil {
		panic(err)
	}
	d := multibody.NewData(m)
	multibody.FK(d, []float64{0, 1.5707963267948966, -0.1})
	tip, _ := m.Link("link3")
	p := d.Pose(tip).P
	fmt.Printf("%.2f %.2f %.2f\n", p.X, p.Y, p.Z)
	// Output: 0.40 0.30 -0.10
}

// A force at the hand is a joint torque: forward dynamics takes tau + Jᵀ f.
func ExampleAddForces() {
	m := pendulum()
	d := multibody.NewData(m)
	lower, _ := m.Link("lower")
	push := multibody.LinkForce{Link: lower, Ref: multibody.Mixed, Force: spatial.Force{Linear: spatial.Vec3{X: 3}}}
	tau := make([]float64, m.NV())
	multibody.AddForces(d, m.Neutral(), []multibody.LinkForce{push}, tau)
	fmt.Printf("%.1f N m\n", tau[0])
	// Output: -3.0 N m
}

// The tip of the pendulum is hung on a hook: a closed loop, statically determined.
func ExampleConstrainedABA() {
	m := pendulum()
	tip := spatial.Translation(spatial.Vec3{Z: -1})
	hook := spatial.Translation(spatial.Vec3{X: 1, Z: -1})
	loops, err := multibody.NewLoops(m, multibody.Loop{LinkA: "ceiling", PlaceA: hook, LinkB: "lower", PlaceB: tip, Point: true})
	if err != nil {
		panic(err)
	}
	d := multibody.NewData(m)
	q := []float64{0.3, -1.2}
	if err := multibody.CloseLoops(d, loops, q); err != nil {
		panic(err)
	}
	fmt.Printf("elbow at %.4f rad\n", q[1])

	v, tau, a := make([]float64, 2), make([]float64, 2), make([]float64, 2)
	multibody.ConstrainedABA(d, loops, q, v, tau, a)
	f := loops.Forces() // on the lower rod, in world axes
	fmt.Printf("the hook carries %.3f N\n", f[2])
	// Output:
	// elbow at -1.5708 rad
	// the hook carries 4.905 N
}

package multibody_test

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// The double pendulum and the two passes of the recursive Newton–Euler algorithm as values, as Rickert and Gaschler (2017) show them in Fig. 5 and 6: the
// edges of the graph; then for each body, outwards, its velocity, its acceleration and the net force I a + v ×* I v that causes it, gravity as an
// acceleration of the world upwards; then, inwards, the force that the joint transmits and its part along the axis. Vectors are in the frame of the body.
func ExampleData_JointForce() {
	m := pendulum()
	d := multibody.NewData(m)
	q, v, a, tau := []float64{math.Pi / 6, -math.Pi / 3}, []float64{1, 2}, []float64{3, -1}, make([]float64, 2)
	rod := spatial.Inertia{Mass: 1, COM: spatial.Vec3{Z: -0.5}, Rotational: spatial.SymDiag(1./12, 1./12, 0)}

	for _, j := range m.Joints() {
		fmt.Printf("%s -- %s --> %s\n", j.Parent, j.Name, j.Child)
	}

	multibody.FKAcceleration(d, q, v, a)
	net := make([]spatial.Force, 3)
	place := make([]spatial.Pose, 3)
	for i := 1; i <= 2; i++ { // inverseDynamics1: links are numbered from the world on
		vel, acc := d.Velocity(i, multibody.Local), d.Acceleration(i, multibody.Local)
		place[i] = d.Pose(i)
		acc.Linear = acc.Linear.Sub(place[i].R.TMulVec(m.Gravity()))
		net[i] = rod.Mul(acc).Add(vel.CrossForce(rod.Mul(vel)))
		fmt.Printf("%s: v %.3f, a %.3f, net %.3f\n", m.Links()[i], plane(vel.Linear, vel.Angular), plane(acc.Linear, acc.Angular), plane(net[i].Linear, net[i].Angular))
	}

	multibody.RNEA(d, q, v, a, tau)
	for i := 2; i >= 1; i-- { // inverseDynamics2
		f := d.JointForce(i, multibody.Local)
		rest := f.Sub(net[i])
		if i == 1 { // the force of the forearm, taken to the frame of the upper arm
			rest = rest.Sub(place[1].Inverse().Mul(place[2]).Force(d.JointForce(2, multibody.Local)))
		}
		fmt.Printf("%s: f %.3f, torque %.3f, balanced %t\n", m.Links()[i], plane(f.Linear, f.Angular), tau[i-1], rest.Linear.Norm()+rest.Angular.Norm() < 1e-12)
	}
	// Output:
	// ceiling -- shoulder --> upper
	// upper -- elbow --> lower
	// upper: v [0.000 0.000 1.000], a [-4.905 8.496 3.000], net [-6.405 8.996 3.453]
	// lower: v [-0.500 0.866 3.000], a [1.673 10.094 2.000], net [3.271 16.094 -1.469]
	// lower: f [3.271 16.094 -1.469], torque -1.469, balanced true
	// upper: f [-18.707 19.875 14.286], torque 14.286, balanced true
}

// plane returns what a motion or force in the plane y = 0 has: along x and z, and about y.
func plane(linear, angular spatial.Vec3) []float64 {
	return []float64{linear.X, linear.Z, angular.Y}
}

package control

import (
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// ComputedTorque makes a robot follow a motion with decoupled, linear errors: inverse dynamics control,
//
//	τ = M(q) (qd'' + 2 ζ ω (qd' - q') + ω² (qd - q)) + C(q, q') q' + g(q)
//
// With a model that is right the error e = qd - q obeys e” + 2 ζ ω e' + ω² e = 0 in each joint, whatever the pose. Make one with
// NewComputedTorque.
//
// B. Siciliano, L. Sciavicco, L. Villani, G. Oriolo, Robotics: Modelling, Planning and Control, 2009, section 8.5.2.
type ComputedTorque struct {
	Bandwidth []float64 // ω of each joint, rad/s, not negative
	Damping   []float64 // ζ of each joint, not negative; 1 does not overshoot

	data         *multibody.Data
	acceleration []float64
}

// NewComputedTorque returns the law for a model whose joints have one coordinate each, with ω = 0: gravity compensation alone.
// It panics for other models.
func NewComputedTorque(model *multibody.Model) *ComputedTorque {
	n := model.NV()
	if model.NQ() != n {
		panic("control: ComputedTorque: expected joints of one coordinate each")
	}
	return &ComputedTorque{
		Bandwidth: make([]float64, n), Damping: make([]float64, n),
		data: multibody.NewData(model), acceleration: make([]float64, n),
	}
}

// Step writes the torques (N m, or N) for the measured positions q and velocities v (rad and rad/s, or m and m/s) and those
// desired, with the desired accelerations. All have an element for each coordinate of the model. Values that are not finite are passed on.
func (c *ComputedTorque) Step(q, v, desired, velocity, acceleration, torque []float64) {
	for i := range c.acceleration {
		w := c.Bandwidth[i]
		c.acceleration[i] = acceleration[i] + 2*c.Damping[i]*w*(velocity[i]-v[i]) + w*w*(desired[i]-q[i])
	}
	multibody.RNEA(c.data, q, v, c.acceleration, torque)
}

// JointForce returns the force (N) and moment (N m) that the joint carrying a link would transmit with the torques of the last Step, if the
// model is right: see [multibody.Data.JointForce].
func (c *ComputedTorque) JointForce(link int, ref multibody.Reference) spatial.Force {
	return c.data.JointForce(link, ref)
}

package servo

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// Figures of the simulation that nobody needs to tune.
const (
	torqueSubstep = 0.5e-3 // s, longest step of integration
	stopFrequency = 400    // rad/s, with which a joint would swing at the stop at the end of its way
	stopDamping   = 0.3    // damping ratio of that
)

// torqueSimulation moves a robot under torques at its joints, by Euler's semi-implicit method with the friction D taken
// implicitly, so that no friction is too strong for the step h:
//
//	(M(q) + h D) v' = τ + τstop(q, v) + Jᵀ f - h(q, v) - D v,   v ← v + h v',   q ← q + h v
//
// Stops are springs with dampers beyond the limits of the joints. Torques beyond a joint's effort are cut.
type torqueSimulation struct {
	model *multibody.Model
	data  *multibody.Data

	q, v   []float64
	a, tau []float64
	joints []torqueJoint
	push   [1]multibody.LinkForce // what somebody outside does
}

// torqueJoint is what the simulation knows of one joint beside the model.
type torqueJoint struct {
	damping, effort       float64
	lower, upper          float64
	stopSpring, stopBrake float64
}

// newTorqueSimulation returns the robot at rest at q = 0. Damping of joints that follow others does not count.
func newTorqueSimulation(tree multibody.Tree) (*torqueSimulation, error) {
	real, err := multibody.NewModel(tree)
	if err != nil {
		return nil, err
	}
	if err := real.CheckInertia(); err != nil {
		return nil, err
	}
	for i := range tree.Joints {
		if j := &tree.Joints[i]; j.Type.NV() == 1 && j.Mimic == nil {
			j.Armature += torqueSubstep * j.Damping
		}
	}
	model, err := multibody.NewModel(tree)
	if err != nil {
		return nil, err
	}
	n := model.NV()
	if n == 0 {
		return nil, errors.New("the robot has no joint that moves")
	}
	s := &torqueSimulation{model: model, data: multibody.NewData(model), q: make([]float64, n), v: make([]float64, n),
		a: make([]float64, n), tau: make([]float64, n), joints: make([]torqueJoint, n)}
	s.push[0].Ref = multibody.Mixed
	effort, lower, upper, inverse := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n*n)
	model.EffortLimits(effort)
	model.PositionLimits(lower, upper)
	multibody.MassInverse(s.data, s.q, inverse)
	for _, j := range model.Joints() {
		if j.Mimic != nil {
			continue
		}
		i := j.V
		felt := 1 / inverse[i*n+i] // inertia that the stop feels, about
		s.joints[i] = torqueJoint{damping: j.Damping, effort: effort[i], lower: lower[i], upper: upper[i],
			stopSpring: felt * stopFrequency * stopFrequency, stopBrake: 2 * stopDamping * felt * stopFrequency}
	}
	return s, nil
}

// advance moves the robot for dt seconds under the torques; one that is no number counts as 0.
func (s *torqueSimulation) advance(torque []float64, dt float64) {
	n := int(math.Ceil(dt/torqueSubstep - 1e-9))
	for range n {
		s.step(torque, dt/float64(n))
	}
}

func (s *torqueSimulation) step(torque []float64, h float64) {
	for i := range s.joints {
		j, q, v := &s.joints[i], s.q[i], s.v[i]
		tau := min(max(torque[i], -j.effort), j.effort)
		if tau != tau {
			tau = 0
		}
		s.tau[i] = tau + j.stop(q, v) - j.damping*v
	}
	if s.push[0].Force.Linear.Norm() > 0 {
		multibody.AddForces(s.data, s.q, s.push[:], s.tau)
	}
	multibody.ABA(s.data, s.q, s.v, s.tau, s.a)
	for i, a := range s.a {
		s.v[i] += h * a
		s.q[i] += h * s.v[i]
	}
}

// stop returns the torque of the stops: they push back, and never pull.
func (j *torqueJoint) stop(q, v float64) float64 {
	switch {
	case q > j.upper:
		return min(j.stopSpring*(j.upper-q)-j.stopBrake*v, 0)
	case q < j.lower:
		return max(j.stopSpring*(j.lower-q)-j.stopBrake*v, 0)
	}
	return 0
}

// brake stops the robot where it is.
func (s *torqueSimulation) brake() { clear(s.v) }

package sim

import "github.com/sinew-robotics/sinew/robot/multibody"

// Constants of the joint stops of Euler.
const (
	stopFrequency = 400 // rad/s, with which a joint swings at its stop
	stopDamping   = 0.3 // damping ratio of that
)

// euler is the memory of the integrator Euler.
type euler struct {
	data *multibody.Data // of the model with h D added to its armatures, h the longest substep
	a    []float64       // nv
}

// stop is a spring with a damper beyond the limits of a joint.
type stop struct{ stiffness, damping float64 }

// newEuler also sets the stops of the joints.
func newEuler(tree multibody.Tree, joints []joint, o Options) (euler, error) {
	for i := range tree.Joints {
		if j := &tree.Joints[i]; j.Type.NV() == 1 && j.Mimic == nil {
			j.Armature += o.Substep.Seconds() * j.Damping
		}
	}
	model, err := multibody.NewModel(tree, o.Model...)
	if err != nil {
		return euler{}, err
	}
	n := model.NV()
	e := euler{data: multibody.NewData(model), a: make([]float64, n)}
	inverse := make([]float64, n*n)
	multibody.MassInverse(e.data, model.Neutral(), inverse)
	for i := range joints {
		j := &joints[i]
		felt := 1 / inverse[j.v*n+j.v]
		j.stop = stop{stiffness: felt * stopFrequency * stopFrequency, damping: 2 * stopDamping * felt * stopFrequency}
	}
	return e, nil
}

// stepEuler integrates over one substep of h seconds.
func (s *Simulator) stepEuler(h float64) {
	s.forces()
	for i := range s.joint {
		j := &s.joint[i]
		v := s.v[j.v]
		s.tau[j.v] += j.stopped(s.q[j.q], v) - j.drive.Friction.Viscous*v
	}
	multibody.ABA(s.euler.data, s.q, s.v, s.tau, s.euler.a)
	for i, a := range s.euler.a {
		s.v[i] += h * a
	}
	s.shift(s.v, h)
}

// stopped returns the torque of the joint's stops at position q with velocity v.
func (j *joint) stopped(q, v float64) float64 {
	switch {
	case q > j.upper:
		return min(j.stop.stiffness*(j.upper-q)-j.stop.damping*v, 0)
	case q < j.lower:
		return max(j.stop.stiffness*(j.lower-q)-j.stop.damping*v, 0)
	}
	return 0
}

package ik

import "github.com/sinew-robotics/sinew/robot/spatial"

// Follow returns the function that brings a tool of a link to pose after pose: the inverse kinematics that
// trajectory.JointPath asks for. q holds where to begin and becomes the solution; each pose is one attempt from there,
// without restarts, so that the joints follow and do not leap to another solution. Errors are those of [Solver.Solve]. q has length NQ.
func (s *Solver) Follow(link int, tool spatial.Pose) func(q []float64, target spatial.Pose) error {
	task := []Task{Reach(link, spatial.IdentityPose())}
	task[0].Tool = tool
	return func(q []float64, target spatial.Pose) error {
		attempts := s.Attempts
		s.Attempts = 1
		defer func() { s.Attempts = attempts }()
		task[0].Target = target
		return s.Solve(q, task, q)
	}
}

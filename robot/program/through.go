package program

import (
	"slices"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// throughBlend is how far from a point the tool begins to round it, m; at most half of the way to its neighbours.
const throughBlend = 0.01

// Through returns a program of one movePath from a start through points, the positions of all joints one after another, with the full limits of the joints. Its corners
// have blends of 10 mm, which are measured at the link that the last joint carries.
func Through(m *multibody.Model, start, points []float64) *Program {
	joints := m.Joints()
	tool := Tool{Link: joints[len(joints)-1].Child, Pose: spatial.IdentityPose()}
	v := Move{Kind: MovePath, Speed: 1, Acceleration: 1, Jerk: 1, Blend: throughBlend, Tool: tool}
	v.Points = append(v.Points, slices.Clone(start))
	for q := range slices.Chunk(points, len(start)) {
		v.Points = append(v.Points, slices.Clone(q))
	}
	return &Program{Moves: []Move{v}}
}

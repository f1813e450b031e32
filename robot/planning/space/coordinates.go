package space

import (
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// Coordinates is a space whose values are the coordinates of joints of a scene: [Dubins] with those of a planar joint, [NewPoses] with those of a
// floating one.
type Coordinates struct {
	Space

	index []int
	hold  []float64
}

// NewCoordinates returns the space whose values are, in this order, the coordinates of the named joints, with the prefix of their model. The other
// joints keep their value in hold; nil means the neutral configuration. It fails for names of no joint and a wrong number of coordinates.
func NewCoordinates(s *scene.Scene, of Space, joints []string, hold []float64) (*Coordinates, error) {
	c := &Coordinates{Space: of, hold: slices.Clone(hold)}
	index := map[string][]int{}
	var all []string
	var neutral []float64
	for _, m := range s.Models() {
		for _, j := range m.Model.Joints() {
			name := m.Prefix + j.Name
			all = append(all, name)
			for k := range j.Type.NQ() {
				if j.Mimic == nil {
					index[name] = append(index[name], len(neutral)+j.Q+k)
				}
			}
		}
		neutral = append(neutral, m.Model.Neutral()...)
	}
	if hold == nil {
		c.hold = neutral
	}
	if len(c.hold) != len(neutral) {
		return nil, fmt.Errorf("plan with joints: %d values are held, want the configuration of the scene, %d", len(hold), len(neutral))
	}
	for _, name := range joints {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("plan with joint %q: no robot of the scene has it%s", name, nearest.Hint(name, all))
		}
		c.index = append(c.index, index[name]...)
	}
	if len(c.index) != of.Dim() {
		return nil, fmt.Errorf("plan with joints %q: they have %d coordinates, the space has %d values", joints, len(c.index), of.Dim())
	}
	return c, nil
}

// NQ returns the length of configurations of the scene.
func (c *Coordinates) NQ() int { return len(c.hold) }

// Configuration writes the configuration of the scene at the point p to q.
func (c *Coordinates) Configuration(p, q []float64) {
	copy(q, c.hold)
	for i, k := range c.index {
		q[k] = p[i]
	}
}

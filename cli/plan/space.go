package plan

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// wholeSpace returns the space of all joints of the robots of a scene, with limits for each coordinate. Where a joint has several coordinates, it is
// a product in which a radian is as long as a metre.
func wholeSpace(s *scene.Scene, lower, upper []float64) (space.Robots, error) {
	single := true
	var names []string
	var factors []space.Factor
	for _, m := range s.Models() {
		for _, j := range m.Model.Joints() {
			n := j.Type.NQ()
			if j.Mimic != nil || n == 0 {
				continue
			}
			name := m.Prefix + j.Name
			names = append(names, name)
			single = single && n == 1
			of, err := jointSpace(name, j.Type, lower[j.Q:j.Q+n], upper[j.Q:j.Q+n])
			if err != nil {
				return nil, err
			}
			factors = append(factors, space.Factor{Space: of, Weight: 1})
		}
		lower, upper = lower[m.Model.NQ():], upper[m.Model.NQ():]
	}
	if single {
		return space.NewJoints(s, nil, nil)
	}
	product, err := space.NewProduct(factors...)
	if err != nil {
		return nil, err
	}
	return space.NewCoordinates(s, product, names, nil)
}

// roomSize is how far from the origin joints of several coordinates move that have no limits, m.
const roomSize = 5.0

// roomSpace returns the space of a robot with a joint of several coordinates, nil for other robots. Places without limits are bounded by roomSize, which the note
// names.
func roomSpace(s *scene.Scene) (of space.Robots, note string, err error) {
	m := s.Models()[0].Model
	lower, upper := make([]float64, m.NQ()), make([]float64, m.NQ())
	m.PositionLimits(lower, upper)
	several := false
	for _, j := range m.Joints() {
		places := map[multibody.JointType]int{multibody.Planar: 2, multibody.Floating: 3}[j.Type]
		several = several || j.Mimic == nil && j.Type.NQ() > 1
		for k := j.Q; k < j.Q+places; k++ {
			if math.IsInf(lower[k], 0) || math.IsInf(upper[k], 0) {
				lower[k], upper[k] = -roomSize, roomSize
				note = fmt.Sprintf("joint %s has no limits: it moves within %g m of the origin along each axis", j.Name, roomSize)
			}
		}
	}
	if !several {
		return nil, "", nil
	}
	of, err = wholeSpace(s, lower, upper)
	return of, note, err
}

// jointSpace returns the space of one joint.
func jointSpace(name string, kind multibody.JointType, lower, upper []float64) (space.Space, error) {
	switch {
	case kind == multibody.Floating:
		return space.NewPoses(name, [3]float64(lower), [3]float64(upper), 1)
	case kind == multibody.Spherical:
		return space.Rotations{Name: name}, nil
	case kind == multibody.Planar:
		return space.NewAxes(space.Axis{Name: name + ".px", Lower: lower[0], Upper: upper[0]}, space.Axis{Name: name + ".py", Lower: lower[1], Upper: upper[1]}, space.Axis{Name: name + ".turn", Circle: true})
	case len(lower) == 1:
		return space.NewAxes(space.Axis{Name: name, Lower: lower[0], Upper: upper[0], Circle: kind == multibody.Continuous})
	}
	return nil, fmt.Errorf("plan with joint %q: it is %s with %d coordinates, which is not supported", name, kind, len(lower))
}

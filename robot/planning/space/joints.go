package space

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// Joints is the space of some joints of the robots of a scene.
type Joints struct {
	Axes

	index []int     // of each joint in a configuration
	hold  []float64 // configuration with the values of the other joints
}

// NewJoints returns the space of the named joints, with the prefix of their model; no names mean all joints. The other joints keep their value in
// hold, a configuration of the scene; nil means zero. It fails for names of no joint, joints named twice, joints of several coordinates, mimic
// joints and joints that slide without limits; the error joins all of them.
func NewJoints(s *scene.Scene, names []string, hold []float64) (*Joints, error) {
	known := map[string]place{}
	var all []string
	first := 0
	for _, m := range s.Models() {
		for _, j := range m.Model.Joints() {
			name := m.Prefix + j.Name
			known[name] = place{j, m.Model, first}
			if j.Mimic == nil {
				all = append(all, name)
			}
		}
		first += m.Model.NQ()
	}
	if len(names) == 0 {
		names = all
	}
	if hold == nil {
		for _, m := range s.Models() {
			hold = append(hold, m.Model.Neutral()...)
		}
	}
	if len(hold) != s.NQ() {
		return nil, fmt.Errorf("plan with joints: %d values are held, want the configuration of the scene, %d", len(hold), s.NQ())
	}
	j := &Joints{hold: slices.Clone(hold)}
	var wrong []error
	for _, name := range names {
		at, ok := known[name]
		if !ok {
			wrong = append(wrong, fmt.Errorf("plan with joint %q: no robot of the scene has it%s", name, nearest.Hint(name, all)))
			continue
		}
		if err := j.add(name, at); err != nil {
			wrong = append(wrong, fmt.Errorf("plan with joint %q: %w", name, err))
		}
	}
	if len(names) == 0 {
		wrong = append(wrong, errors.New("plan with joints: the robots of the scene have none"))
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	return j, nil
}

// place is a joint, its model, and the first coordinate of this model in a configuration.
type place struct {
	joint multibody.ModelJoint
	model *multibody.Model
	first int
}

// add appends a joint.
func (j *Joints) add(name string, at place) error {
	m := at.joint
	if m.Mimic != nil {
		return fmt.Errorf("it mimics %q; name that one", m.Mimic.Joint)
	}
	if m.Type.NQ() != 1 {
		return fmt.Errorf("it is %s with %d coordinates; only joints with one are supported", m.Type, m.Type.NQ())
	}
	if slices.Contains(j.Names, name) {
		return errors.New("it is named twice")
	}
	lower, upper := make([]float64, at.model.NQ()), make([]float64, at.model.NQ())
	at.model.PositionLimits(lower, upper)
	low, high := lower[m.Q], upper[m.Q]
	circle := (m.Type == multibody.Revolute || m.Type == multibody.Continuous) && math.IsInf(low, -1) && math.IsInf(high, 1)
	if circle {
		low, high = -math.Pi, math.Pi
	}
	if math.IsInf(low, 0) || math.IsInf(high, 0) {
		return fmt.Errorf("its limits are %g and %g, which leaves no range to sample; give it both limits", low, high)
	}
	j.Axes.add(Axis{name, low, high, circle})
	j.index = append(j.index, at.first+m.Q)
	return nil
}

// NQ returns the length of configurations of the scene.
func (j *Joints) NQ() int { return len(j.hold) }

// Configuration writes the configuration of the scene, [Joints.NQ] values, at the point p to q; rad or m. It panics if one of them is too short.
func (j *Joints) Configuration(p, q []float64) {
	copy(q, j.hold)
	for i, k := range j.index {
		q[k] = p[i]
	}
}

// Line writes the configuration of the scene at the point a to from, and to step what leads from it to b, on a circle the shorter way.
// a and b have Dim values, from and step NQ.
func (j *Joints) Line(a, b, from, step []float64) {
	j.Configuration(a, from)
	clear(step)
	for i, k := range j.index {
		d := b[i] - a[i]
		if j.Circle[i] {
			d = shorter(d)
		}
		step[k] = d
	}
}

package multibody

import (
	"errors"
	"fmt"
	"math"
)

// PositionLimits writes the bounds of each position coordinate: ±Inf if there is none, as for quaternions and continuous
// joints. A joint that others mimic is bound by their limits as well. Both have length NQ; rad or m.
func (m *Model) PositionLimits(lower, upper []float64) {
	want("PositionLimits", "lower", len(lower), m.nq)
	want("PositionLimits", "upper", len(upper), m.nq)
	for i := range lower {
		lower[i], upper[i] = math.Inf(-1), math.Inf(1)
	}
	for i := range m.joints {
		j := &m.joints[i]
		if j.Limits == nil || j.Type == Continuous || j.Type == Spherical || j.Type == Floating {
			continue
		}
		scale, offset := m.follow(j)
		low, high := (j.Limits.Lower-offset)/scale, (j.Limits.Upper-offset)/scale
		if scale < 0 {
			low, high = high, low
		}
		for k := j.Q; k < j.Q+j.Type.NQ() && scale != 0; k++ {
			lower[k], upper[k] = max(lower[k], low), min(upper[k], high)
		}
	}
}

// CheckPositions returns an error that names the joints of which a coordinate in q lies beyond its limits, with the limits; joints
// that others mimic also count with the limits of those. q has length NQ.
func (m *Model) CheckPositions(q []float64) error {
	want("CheckPositions", "q", len(q), m.nq)
	lower, upper := make([]float64, m.nq), make([]float64, m.nq)
	m.PositionLimits(lower, upper)
	var errs []error
	for i := range m.joints {
		j := &m.joints[i]
		if scale, _ := m.follow(j); scale != 1 {
			continue // the joint that it follows is named
		}
		for k := j.Q; k < j.Q+j.Type.NQ(); k++ {
			if q[k] < lower[k] || q[k] > upper[k] {
				errs = append(errs, fmt.Errorf("position %d is %g, but joint %q is limited to %g … %g%s", k, q[k], j.Name, lower[k], upper[k], inDegrees(j.Type, q[k], lower[k], upper[k])))
			}
		}
	}
	return errors.Join(errs...)
}

// inDegrees returns, as the end of a message, that an angle beyond its limits is right if it was meant in degrees.
func inDegrees(t JointType, q, lower, upper float64) string {
	const degree = math.Pi / 180
	if t != Revolute || q*degree < lower || q*degree > upper {
		return ""
	}
	return fmt.Sprintf(" rad: %g degrees are %.4g", q, q*degree)
}

// VelocityLimits writes the greatest speed of each velocity coordinate, +Inf if there is none. limit has length NV; rad/s or m/s.
func (m *Model) VelocityLimits(limit []float64) {
	want("VelocityLimits", "limit", len(limit), m.nv)
	m.magnitudes(limit, func(l *Limits, scale float64) float64 { return l.Velocity / math.Abs(scale) })
}

// EffortLimits writes the greatest force or moment of each velocity coordinate, +Inf if there is none. Efforts of mimic
// joints do not count: their drive is that of the joint they follow. limit has length NV; N m or N.
func (m *Model) EffortLimits(limit []float64) {
	want("EffortLimits", "limit", len(limit), m.nv)
	m.magnitudes(limit, func(l *Limits, scale float64) float64 {
		if scale != 1 {
			return math.Inf(1)
		}
		return l.Effort
	})
}

func (m *Model) magnitudes(limit []float64, of func(l *Limits, scale float64) float64) {
	for i := range limit {
		limit[i] = math.Inf(1)
	}
	for i := range m.joints {
		j := &m.joints[i]
		if j.Limits == nil {
			continue
		}
		scale, _ := m.follow(j)
		for k := j.V; k < j.V+j.Type.NV() && scale != 0; k++ {
			limit[k] = min(limit[k], of(j.Limits, scale))
		}
	}
}

// follow returns how the coordinate of j follows from the independent one at j.Q: scale · q + offset.
func (m *Model) follow(j *ModelJoint) (scale, offset float64) {
	scale = 1
	for j.Mimic != nil {
		offset += scale * j.Mimic.Offset
		scale *= j.Mimic.Multiplier
		j = &m.joints[m.byName[j.Mimic.Joint]]
	}
	return scale, offset
}

// CheckInertia returns an error that names every joint that moves no inertia: forward dynamics is undefined there. Kinematics
// and inverse dynamics are defined for such joints.
func (m *Model) CheckInertia() error {
	d := NewData(m)
	full := m.treeNV()
	q := d.fullQ(m.Neutral())
	d.setAngles(q, &m.turning)
	d.bias(q, make([]float64, full))
	d.articulate(make([]float64, full))
	var errs []error
	bad := make([]bool, len(m.body)) // something below has no inertia
	for i := len(m.body) - 1; i > 0; i-- {
		b := &m.body[i]
		if !bad[i] && !d.art[i].resists(b.kind) {
			bad[i] = true
			j := m.jointOf(i)
			errs = append(errs, fmt.Errorf("joint %q: nothing that it moves resists; give link %q or one beyond it a mass, or the joint an armature", j.Name, j.Child))
		}
		bad[b.parent] = bad[b.parent] || bad[i]
	}
	return errors.Join(errs...)
}

// resists reports whether the articulated inertia is felt along the joint.
func (t *articulated) resists(k kind) bool {
	switch k {
	case spherical:
		return t.inertia().Rotational.Mat3().Det() > 0
	case floating:
		return t.mxx > 0 && t.inertia().Rotational.Mat3().Det() > 0
	}
	return t.di > 0 && !math.IsInf(t.di, 0)
}

// jointOf returns the joint that body i belongs to.
func (m *Model) jointOf(i int) *ModelJoint {
	b := &m.body[i]
	at := int(b.iv)
	n := 0 // coordinates of the tree before the joint
	for k := range m.joints {
		j := &m.joints[k]
		if n += j.Type.NV(); at < n {
			return j
		}
	}
	panic("multibody: body without joint")
}

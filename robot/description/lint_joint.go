package description

import (
	"maps"
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

const (
	axisTolerance  = 1e-3 // of an axis' length: files round to a few digits
	longestSlide   = 50.  // m
	fastestJoint   = 1e3  // rad/s
	softLimitSlack = 1e-9 // rad or m
)

func (l *linter) joint(j *Joint) {
	l.origin("joint "+j.Name, j.Origin, j.Position)
	if j.Type == multibody.Fixed {
		return
	}
	if n := j.Axis.Norm(); j.Type.NV() < 3 || j.Type == multibody.Planar {
		if n == 0 {
			l.impossible("axis", j.Position, "the axis of joint %q has length zero", j.Name)
		} else if math.Abs(n-1) > axisTolerance {
			l.suspicious("axis", j.Position, "the axis of joint %q has length %g, not 1; only its direction counts", j.Name, n)
		}
	}
	for _, limits := range j.Limits {
		l.limits(j, limits)
	}
	if j.Dynamics.Damping < 0 || j.Dynamics.Friction < 0 {
		l.impossible("friction", j.Position, "the friction of joint %q is negative: it would drive the joint", j.Name)
	}
	l.safety(j)
}

func (l *linter) limits(j *Joint, limits multibody.Limits) {
	turning := j.Type == multibody.Revolute
	switch {
	case limits.Lower > limits.Upper:
		l.impossible("limits", j.Position, "the limits of joint %q are reversed: lower %g, upper %g", j.Name, limits.Lower, limits.Upper)
	case limits.Lower == limits.Upper:
		l.suspicious("limits", j.Position, "the limits of joint %q leave it no way to move: both are %g", j.Name, limits.Lower)
	case turning && (likeDegrees(limits.Lower) || likeDegrees(limits.Upper)):
		l.suspicious("units", j.Position, "the limits of joint %q are %g and %g rad: are they in degrees?", j.Name, limits.Lower, limits.Upper)
	case j.Type == multibody.Prismatic && limits.Upper-limits.Lower > longestSlide && !math.IsInf(limits.Upper-limits.Lower, 0):
		l.suspicious("units", j.Position, "joint %q slides over %g m: is it in millimetres?", j.Name, limits.Upper-limits.Lower)
	}
	if limits.Velocity == 0 {
		l.suspicious("limits", j.Position, "the velocity limit of joint %q is 0: it may not move", j.Name)
	}
	if limits.Effort == 0 {
		l.suspicious("limits", j.Position, "the effort limit of joint %q is 0: it may not push", j.Name)
	}
	if turning && limits.Velocity > fastestJoint && limits.Velocity < math.MaxFloat32 {
		l.suspicious("units", j.Position, "the velocity limit of joint %q is %g rad/s: is it in another unit?", j.Name, limits.Velocity)
	}
}

func (l *linter) safety(j *Joint) {
	s := j.Safety
	if s == nil || len(j.Limits) == 0 || s.SoftLower == 0 && s.SoftUpper == 0 {
		return
	}
	hard := j.Limits[0]
	if s.SoftLower > s.SoftUpper {
		l.impossible("limits", j.Position, "the soft limits of joint %q are reversed: lower %g, upper %g", j.Name, s.SoftLower, s.SoftUpper)
	} else if s.SoftLower < hard.Lower-softLimitSlack || s.SoftUpper > hard.Upper+softLimitSlack {
		l.suspicious("limits", j.Position, "the soft limits of joint %q, %g to %g, are outside the hard ones, %g to %g",
			j.Name, s.SoftLower, s.SoftUpper, hard.Lower, hard.Upper)
	}
}

// mimics checks that each mimic joint can follow another one that moves.
func (l *linter) mimics() {
	joints := l.robot.jointIndex()
	next := make([]int, len(l.robot.Joints))
	for i := range l.robot.Joints {
		next[i] = -1
		j := &l.robot.Joints[i]
		if j.Mimic == nil {
			continue
		}
		next[i] = index(joints, j.Mimic.Joint)
		switch {
		case next[i] < 0:
			l.impossible("mimic", j.Position, "joint %q mimics %q, which is no joint%s", j.Name, j.Mimic.Joint, l.names.DidYouMean(j.Mimic.Joint, maps.Keys(joints)))
		case j.Type == multibody.Fixed:
			l.suspicious("mimic", j.Position, "joint %q mimics %q but is fixed", j.Name, j.Mimic.Joint)
		case l.robot.Joints[next[i]].Type == multibody.Fixed:
			l.impossible("mimic", j.Position, "joint %q mimics %q, which is fixed", j.Name, j.Mimic.Joint)
		case j.Mimic.Multiplier == 0:
			l.suspicious("mimic", j.Position, "joint %q mimics %q with multiplier 0: it never moves", j.Name, j.Mimic.Joint)
		}
	}
	for _, c := range circles(next) {
		l.impossible("mimic", l.robot.Joints[c[0]].Position, "the joints %s mimic each other in a circle: one must be independent", l.robot.jointNames(c))
	}
}

// references checks what refers to something by its name.
func (l *linter) references() {
	joints := l.robot.jointIndex()
	for i := range l.robot.Transmissions {
		t := &l.robot.Transmissions[i]
		for _, j := range t.Joints {
			if index(joints, j.Name) < 0 {
				l.suspicious("transmission", t.Position, "transmission %q drives %q, which is no joint%s", t.Name, j.Name, l.names.DidYouMean(j.Name, maps.Keys(joints)))
			}
		}
		for _, a := range t.Actuators {
			if a.MechanicalReduction == 0 {
				l.impossible("transmission", t.Position, "the reduction of actuator %q is 0", a.Name)
			}
		}
	}
	for i := range l.robot.Materials {
		l.material(&l.robot.Materials[i])
	}
}

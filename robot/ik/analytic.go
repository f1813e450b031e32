package ik

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Class is a family of arms whose inverse kinematics has a closed form.
type Class uint8

const (
	// SphericalWrist is six axes: 2 and 3 parallel, 4, 5 and 6 meeting in a point. Most industrial arms are built so, with
	// any offsets of shoulder and elbow (Pieper 1968; Brandstötter, Angerer and Hofbaur 2014), the Puma 560 among them.
	SphericalWrist Class = iota
	// ThreeParallel is six axes: 2, 3 and 4 parallel, 5 and 6 meeting. Universal Robots and its kin (Hawkins 2013).
	ThreeParallel
	// SwivelElbow is seven axes: 1, 2, 3 meeting in the shoulder and 5, 6, 7 in the wrist, as of the KUKA LBR iiwa (Shimizu et
	// al. 2008). The redundancy is the swivel angle: about the line from shoulder to wrist, from the normal of the plane through
	// this line and axis 1 (axis 1 × line) to axis 4, right-handed. If the line is axis 1 the swivel angle is counted from a
	// fixed direction square to it.
	SwivelElbow
	// OffsetWrist is seven axes: 1, 2, 3 meeting in the shoulder and 5, 6 meeting, while axis 7 stands off, as of the Franka
	// Panda (He and Liu 2021). The redundancy is the coordinate of joint 7.
	OffsetWrist
)

// String returns the name of the class.
func (c Class) String() string {
	return [...]string{"spherical wrist", "three parallel axes", "swivel elbow", "offset wrist"}[c]
}

// Axes returns the number of joints.
func (c Class) Axes() int {
	if c >= SwivelElbow {
		return 7
	}
	return 6
}

// Branch distinguishes the up to eight solutions of a pose: shoulder (bit 0), elbow (bit 1) and wrist (bit 2) have two
// postures each. Along a path that meets no singularity the branch stays the same.
type Branch uint8

func branch(shoulder, elbow, wrist int) Branch { return Branch(shoulder | elbow<<1 | wrist<<2) }

// Singularity describes at which parts of the arm a configuration is singular: two branches meet there, and if angles remain
// that do not matter, the solution is one of many.
type Singularity uint8

const (
	shoulder Singularity = 1 << iota // the wrist on axis 1, or as near to it as an offset permits; seven axes: 1 and 3 in line
	elbow                            // the arm stretched or folded
	wrist                            // of the last axes, two are parallel
)

func (s Singularity) when(is bool) Singularity {
	if is {
		return s
	}
	return 0
}

// Shoulder reports whether the wrist stands on axis 1, or as near to it as an offset permits; with seven axes, whether
// axes 1 and 3 are in line.
func (s Singularity) Shoulder() bool { return s&shoulder != 0 }

// Elbow reports whether the arm is stretched or folded.
func (s Singularity) Elbow() bool { return s&elbow != 0 }

// Wrist reports whether the last axes cannot turn the tool in all directions.
func (s Singularity) Wrist() bool { return s&wrist != 0 }

// Solution is a configuration of the joints of an arm.
type Solution struct {
	Q        [7]float64  // rad, in the order of Analytic.Joints; the last is 0 with six axes
	Branch   Branch      // which of the arm's postures it is
	Singular Singularity // zero: regular
}

// Analytic is the inverse kinematics of an arm in closed form. It finds all solutions, in about a microsecond, and knows
// when there is none. It is a workspace: one goroutine uses it at a time. It allocates nothing after NewAnalytic.
type Analytic struct {
	chain   chain
	class   Class
	form    closedForm
	inexact bool // the geometry is not that of the class to the last digit
	goal    spatial.Pose
	out     candidates
	found   [8]Solution
	failed  Failure
}

// closedForm finds the candidates of a class. goal is what the axes shall move the world by: target · home⁻¹.
type closedForm interface {
	solve(goal *spatial.Pose, redundancy float64, out *candidates)
}

// NewAnalytic recognizes to which class the joints between the root and the link tool belong; limits, link frames, signs
// of axes, base and tool do not matter. If they belong to none, the error names the joints and the deviation.
//
// Axes may miss the geometry of the class by a milliradian or a millimetre, as from rounded angles in a file. Newton
// steps then take each solution to the true geometry, at some microseconds each.
func NewAnalytic(m *multibody.Model, tool int) (*Analytic, error) {
	if links := m.Links(); tool < 0 || tool >= len(links) {
		panic(fmt.Sprintf("ik: NewAnalytic: link %d of a model with %d links", tool, len(links)))
	}
	c, err := newChain(m, tool)
	if err != nil {
		return nil, err
	}
	a := &Analytic{chain: c}
	least := math.Inf(1)
	var errs []error
	for class := range OffsetWrist + 1 {
		if class.Axes() != len(c.axes) {
			continue
		}
		form, miss, err := recognize(class, &c)
		if err != nil {
			errs = append(errs, fmt.Errorf("no %v: %w", class, err))
			continue
		}
		if miss = math.Max(miss, closed); miss < least {
			least = miss
			a.class, a.form, a.inexact, a.out.tolerance = class, form, miss > closed, 4*miss
		}
	}
	if a.form != nil {
		return a, nil
	}
	return nil, fmt.Errorf("ik: the %d joints to link %q have no closed form:\n%w",
		len(c.axes), m.Links()[tool], errors.Join(errs...))
}

func recognize(class Class, c *chain) (form closedForm, miss float64, err error) {
	switch class {
	case SphericalWrist:
		return newPuma(c)
	case ThreeParallel:
		return newUniversal(c)
	case SwivelElbow:
		return newSwivel(c)
	}
	return newOffset(c)
}

// Class returns the class of the arm.
func (a *Analytic) Class() Class { return a.class }

// Joints returns the names of the joints of the arm, base to tool.
func (a *Analytic) Joints() []string {
	names := make([]string, len(a.chain.axes))
	for i, x := range a.chain.axes {
		names[i] = x.name
	}
	return names
}

// Configuration writes a solution into the configuration q of the model; coordinates of other joints stay as they are. q has length NQ.
func (a *Analytic) Configuration(s *Solution, q []float64) {
	for i := range a.chain.axes {
		q[a.chain.axes[i].q] = s.Q[i]
	}
}

func quoted(s string) string { return strconv.Quote(s) }

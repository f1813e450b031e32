package multibody

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Tree is the editable description of a robot: links joined by joints. [NewModel] checks and compiles it.
// The order of Links and Joints does not matter.
type Tree struct {
	Name    string // of the robot, for errors
	Links   []Link
	Joints  []Joint
	Gravity *spatial.Vec3 // acceleration of free fall in the world frame, m/s²; nil: (0, 0, -9.81)
}

// Link is a rigid body with a frame. A link without mass is a plain frame.
type Link struct {
	Name    string
	Inertia spatial.Inertia // in the link frame; Rotational is about the centre of mass, in the axes of the link
}

// JointType defines how a joint lets its child link move. The axes are those of the child frame.
type JointType uint8

const (
	Fixed       JointType = iota // no motion
	Revolute                     // turns about Axis: q is the angle, rad
	Continuous                   // Revolute without limits
	Prismatic                    // slides along Axis: q is the distance, m
	Helical                      // turns about Axis and advances Pitch metres per radian: q is the angle
	Cylindrical                  // turns about and slides along Axis: q is (angle, distance)
	Planar                       // slides in the plane normal to Axis, then turns about Axis: q is (x, y, angle), see PlaneAxes
	Universal                    // turns about Axis, then about Axis2 (fixed in the turned frame): q is (angle, angle)
	Spherical                    // turns freely: q is a unit quaternion (x, y, z, w), v the angular velocity in child axes
	Floating                     // moves freely: q is (position, quaternion), v (linear, angular) velocity in child axes
)

// String returns the name in lower case, as in URDF where URDF knows the type.
func (t JointType) String() string {
	if int(t) < len(jointTypes) {
		return jointTypes[t].name
	}
	return "unknown"
}

// NQ returns how many position coordinates a joint of this type has.
func (t JointType) NQ() int { return jointTypes[t].nq }

// NV returns how many velocity coordinates a joint of this type has: its degrees of freedom.
func (t JointType) NV() int { return jointTypes[t].nv }

var jointTypes = [...]struct {
	name   string
	nq, nv int
}{
	Fixed:       {"fixed", 0, 0},
	Revolute:    {"revolute", 1, 1},
	Continuous:  {"continuous", 1, 1},
	Prismatic:   {"prismatic", 1, 1},
	Helical:     {"helical", 1, 1},
	Cylindrical: {"cylindrical", 2, 2},
	Planar:      {"planar", 3, 3},
	Universal:   {"universal", 2, 2},
	Spherical:   {"spherical", 4, 3},
	Floating:    {"floating", 7, 6},
}

// Joint joins a child link to a parent link.
type Joint struct {
	Name          string
	Type          JointType
	Parent, Child string       // names of links
	Placement     spatial.Pose // of the child frame in the parent frame at q = 0; the zero value means the identity
	Axis          spatial.Vec3 // in the child frame, any length but zero; unused by Fixed, Spherical and Floating
	Axis2         spatial.Vec3 // second axis of a Universal joint, in the child frame, not parallel to Axis
	Pitch         float64      // of a Helical joint, m/rad
	Limits        *Limits      // nil: unlimited
	Mimic         *Mimic       // nil: the joint is independent
	Damping       float64      // viscous friction, N m s/rad or N s/m; kept for simulation, not part of the dynamics here
	Friction      float64      // dry friction, N m or N; kept for simulation, not part of the dynamics here
	Armature      float64      // inertia of the rotor as felt at the joint, n² I_rotor, kg m² or kg; part of the dynamics
}

// Limits bounds each coordinate of a joint. A bound that does not exist is infinite (-Inf, +Inf); NaN is an error.
type Limits struct {
	Lower, Upper float64 // position, rad or m
	Velocity     float64 // magnitude, rad/s or m/s; not negative
	Effort       float64 // magnitude, N m or N; not negative
}

// Unlimited returns limits that bound nothing.
func Unlimited() Limits {
	return Limits{Lower: math.Inf(-1), Upper: math.Inf(1), Velocity: math.Inf(1), Effort: math.Inf(1)}
}

// Mimic couples a joint to another one: q = Multiplier · q(Joint) + Offset.
type Mimic struct {
	Joint      string  // name of the joint that is followed; it may follow another, but not in a circle
	Multiplier float64 // finite, may be negative or 0
	Offset     float64 // rad or m
}

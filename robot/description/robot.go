package description

import (
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Robot is the content of a description file, in the order of the file.
type Robot struct {
	Name          string
	Links         []Link // in the order of the file, as are the joints
	Joints        []Joint
	Materials     []Material     // those defined for the whole robot
	Transmissions []Transmission // between actuators and joints
	Gravity       *spatial.Vec3  // in the world frame, m/s²; nil: not given
	Home          []float64      // rest position of the joints in the order of the file, rad or m; nil: none given
	Coupling      *Coupling      // of a Robotics Library model; nil: programs move each joint alone
	Disabled      []LinkPair     // pairs that need no collision check; URDF leaves them to SRDF
	Bodies        []string       // of a Robotics Library model: the links that have shapes in its scenes, in their order there
	World         Origin         // of a Robotics Library model: the placement of its world, which the joints contain
	Resources     Resources      // where the files that the robot names are found
	Suspects      []Problem      // names the format does not know but that resemble one it does; left unread
	Position      Position       // of the robot's element in the file
}

// Link is a rigid body or, without an inertial, a plain frame.
type Link struct {
	Name       string
	Inertial   *Inertial // nil: no mass
	Visuals    []Visual
	Collisions []Collision
	Position   Position
}

// Origin is the placement of a frame in its parent frame.
type Origin struct {
	XYZ spatial.Vec3 // m
	RPY spatial.Vec3 // roll, pitch and yaw about the fixed axes, rad
}

// Pose returns the placement as a rigid transformation.
func (o Origin) Pose() spatial.Pose {
	return spatial.Pose{R: spatial.RPY(o.RPY.X, o.RPY.Y, o.RPY.Z), P: o.XYZ}
}

// Inertial is the mass distribution of a link.
type Inertial struct {
	Origin   Origin       // of the inertial frame in the link frame; its origin is the centre of mass
	Mass     float64      // kg
	Inertia  spatial.Sym3 // rotational inertia about the centre of mass, in the axes of the inertial frame, kg m²
	Position Position
}

// Spatial returns the inertia in the link frame.
func (i *Inertial) Spatial() spatial.Inertia {
	if i == nil {
		return spatial.Inertia{}
	}
	pose := i.Origin.Pose()
	return pose.Inertia(spatial.Inertia{Mass: i.Mass, Rotational: i.Inertia})
}

// Visual is what a link looks like.
type Visual struct {
	Name     string // "": none given, as for Collision
	Origin   Origin // of the geometry in the link frame
	Geometry Geometry
	Material *Material // nil: none given; see [Robot.Material]
	Position Position
}

// Collision is the space that a link takes.
type Collision struct {
	Name     string
	Origin   Origin // of the geometry in the link frame
	Geometry Geometry
	Position Position
}

// Geometry is one of [Box], [Cylinder], [Sphere], [Capsule] and [Mesh], centred on the origin of its frame.
type Geometry interface{ geometry() }

// Box is a cuboid along the axes.
type Box struct {
	Size spatial.Vec3 // lengths of the whole edges, m, as written; a shape needs each to be 0 or more
}

// Cylinder is a circular cylinder along z.
type Cylinder struct {
	Radius, Length float64 // m, as written; a shape needs both to be 0 or more
}

// Sphere is a ball.
type Sphere struct {
	Radius float64 // m, as written; a shape needs it to be 0 or more
}

// Capsule is a cylinder along z with a half ball on each end.
type Capsule struct {
	Radius float64 // m, as written; a shape needs it to be 0 or more
	Length float64 // of the cylinder without the half balls, m, as written; a shape needs it to be 0 or more
}

// Mesh is a surface in a file of its own.
type Mesh struct {
	URI   string       // as written: "package://name/path", "file:///path" or a path relative to the description
	Scale spatial.Vec3 // factor along each axis of the mesh; 1 if not given
}

func (Box) geometry()      {}
func (Cylinder) geometry() {}
func (Sphere) geometry()   {}
func (Capsule) geometry()  {}
func (Mesh) geometry()     {}

// Material is a colour or texture. One without both refers by its name to one that is defined elsewhere.
type Material struct {
	Name     string
	Color    *Color // nil: none given
	Texture  string // URI as for [Mesh], "": none
	Position Position
}

// defined reports whether the material is more than a reference.
func (m *Material) defined() bool { return m.Color != nil || m.Texture != "" }

// Material returns the definition of a material by its name: that of the whole robot, else the first in a visual; nil
// when there is none.
func (robot *Robot) Material(name string) *Material {
	for i := range robot.Materials {
		if m := &robot.Materials[i]; m.Name == name && m.defined() {
			return m
		}
	}
	for i := range robot.Links {
		for k := range robot.Links[i].Visuals {
			if m := robot.Links[i].Visuals[k].Material; m != nil && m.Name == name && m.defined() {
				return m
			}
		}
	}
	return nil
}

// Color is red, green, blue and opacity, each from 0 to 1.
type Color [4]float64

// Joint joins a child link to a parent link.
type Joint struct {
	Name          string
	Type          multibody.JointType
	Parent, Child string       // names of links
	Origin        Origin       // of the child frame in the parent frame at position zero
	Axis          spatial.Vec3 // in the child frame, as written
	Pitch         float64      // of a helical joint, m/rad
	// Limits are those of each coordinate; empty: none given. URDF has at most one entry, the Robotics Library one for
	// each coordinate that it bounds.
	Limits      []multibody.Limits
	Dynamics    Dynamics
	Mimic       *multibody.Mimic // nil: independent
	Safety      *Safety          // nil: none given
	Calibration *Calibration     // nil: none given
	Position    Position
}

// Dynamics is the friction of a joint.
type Dynamics struct {
	Damping  float64 // N m s/rad or N s/m
	Friction float64 // static, N m or N
}

// Safety is the gain of a controller that keeps a joint off its limits.
type Safety struct {
	SoftLower, SoftUpper float64 // rad or m
	KPosition, KVelocity float64 // gains of the bounds on velocity (1/s) and effort (N m s/rad or N s/m)
}

// Calibration is where the reference switch of a joint changes.
type Calibration struct {
	Rising, Falling *float64 // rad or m; nil: none given
}

// Transmission couples actuators to joints.
type Transmission struct {
	Name      string
	Type      string // as written: "transmission_interface/SimpleTransmission"
	Joints    []TransmissionJoint
	Actuators []Actuator
	Position  Position
}

// TransmissionJoint is the joint side of a transmission.
type TransmissionJoint struct {
	Name       string
	Interfaces []string // hardware interfaces
}

// Actuator is the motor side of a transmission.
type Actuator struct {
	Name                string
	Interfaces          []string // hardware interfaces
	MechanicalReduction float64  // motor turns per turn of the joint; 1 if not given
}

package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// kind is the elementary motion of a body against its parent. All joints are made of these.
type kind uint8

const (
	revolute  kind = iota // about z
	prismatic             // along z
	helical               // about and along z
	spherical             // quaternion, angular velocity in own axes
	floating              // position and quaternion, velocity in own axes
)

// body is a rigid body and the elementary joint that carries it, in internal frames.
//
// Internal frames are turned so that single-axis joints move about their z axis and so that the placement of a body
// against its parent p needs as few numbers as in the modified convention of Denavit and Hartenberg (Craig 1986):
//
//	T = Trans(p) Rz(β) Rx(α) Rz(γ+q)
//
// Any rotation is Rz(β) Rx(α) Rz(γ) (Euler angles ZXZ). γ joins the joint angle; the β of one child joins the frame of
// the parent, which is free to turn about its own z. So on chains β = 0, and a change of frame costs two plane
// rotations: 8 multiplications where a general matrix takes 9 and has to be formed first. Nothing is rounded to
// "nice" angles: cos α and sin α are kept as they come out.
type body struct {
	parent int32
	iq, iv int32 // in the vectors of the tree without mimic couplings
	kind   kind
	turned bool // β ≠ 0

	ca, sa float64 // cos α, sin α
	cb, sb float64 // cos β, sin β
	gamma  float64 // γ
	pitch  float64
	p      spatial.Vec3 // origin in the parent frame at q = 0
	z      spatial.Vec3 // own z axis in the parent frame
	r      spatial.Mat3 // placement rotation, of spherical and floating only

	mass     float64
	h        spatial.Vec3 // first moment, kg m
	i        spatial.Sym3 // rotational inertia about the origin, kg m²
	j        spatial.Sym3 // second moment about the origin, tr(i)/2 1 - i
	armature float64
}

func (k kind) nq() int {
	switch k {
	case spherical:
		return 4
	case floating:
		return 7
	}
	return 1
}

func (k kind) nv() int {
	switch k {
	case spherical:
		return 3
	case floating:
		return 6
	}
	return 1
}

// turns reports whether the body moves by an angle.
func (b *body) turns() bool { return b.kind == revolute || b.kind == helical }

func (b *body) setInertia(i spatial.Inertia) {
	b.mass, b.h, b.i, b.j = i.Mass, i.FirstMoment(), i.AboutOrigin(), i.SecondMoment()
}

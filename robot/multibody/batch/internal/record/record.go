// Package record defines where the kernels of package batch find the numbers of a body: both the program that writes the
// kernels and the package that calls them read it here.
package record

// Constants of a body, the same for all states.
const (
	Origin       = 0 // 3: of the frame in that of the parent, at q = 0
	CosAlpha     = 3 // placement rotation Rz(β) Rx(α) Rz(γ+q)
	SinAlpha     = 4
	CosBeta      = 5
	SinBeta      = 6
	Turn         = 7 // rad a unit of q: 1, or 0 for a sliding body
	Slide        = 8 // m a unit of q: 0, 1 or the pitch
	Advance      = 9 // 3: Slide times the joint axis, in the frame of the parent
	Mass         = 12
	FirstMoment  = 13 // 3
	SecondMoment = 16 // 6: xx xy xz yy yz zz, about the origin
	Inertia      = 22 // 6, likewise
	Armature     = 28
	Rotation     = 29 // 9: placement rotation of a floating body
	Len          = 38
)

// Rows of eight numbers.
const (
	Motion = 18 // Ω 9, ω 3, ω̇ 3, acceleration 3
	Force  = 6  // force 3, moment 3
	Bias   = 5  // acceleration 3, angular acceleration without its z component 2
	Art    = 27 // articulated inertia: I 6, H 9, M 6; bias force: moment 3, force 3
	Joint  = 8  // U 6, 1/D, remaining joint force
	Acc    = 6  // angular acceleration 3, acceleration 3
	Comp   = 10 // composite inertia: second moment 6, first moment 3, mass
	Frame  = 12 // axes x, y, z and origin
)

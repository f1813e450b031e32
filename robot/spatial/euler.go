package spatial

import (
	"fmt"
	"math"
)

// EulerOrder names one of the 24 conventions of Euler angles: which axes follow each other, and whether these are
// the axes of the turning body (intrinsic) or fixed in space (extrinsic).
type EulerOrder uint8

// The twelve intrinsic conventions: R = R_first(a) R_second(b) R_third(c).
const (
	XYZ EulerOrder = iota
	XZY
	YXZ
	YZX
	ZXY
	ZYX
	XYX
	XZX
	YXY
	YZY
	ZXZ
	ZYZ
	// The extrinsic conventions: R = R_third(c) R_second(b) R_first(a).
	FixedXYZ // roll, pitch, yaw of URDF
	FixedXZY
	FixedYXZ
	FixedYZX
	FixedZXY
	FixedZYX
	FixedXYX
	FixedXZX
	FixedYXY
	FixedYZY
	FixedZXZ
	FixedZYZ

	// EulerOrders is how many conventions there are.
	EulerOrders = iota
)

var eulerAxes = [...]string{"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ"}

// String returns the name, such as "ZYX" or "FixedXYZ".
func (o EulerOrder) String() string {
	switch {
	case int(o) >= EulerOrders:
		return fmt.Sprintf("EulerOrder(%d)", uint8(o))
	case o >= FixedXYZ:
		return "Fixed" + eulerAxes[o-FixedXYZ]
	}
	return eulerAxes[o]
}

// axes returns the indices of the first, second and third axis of the intrinsic convention with the same matrix, and
// whether the angles have to be reversed for it.
func (o EulerOrder) axes() (i, j, k int, fixed bool) {
	if int(o) >= EulerOrders {
		panic("spatial: " + o.String() + " is not a convention of Euler angles")
	}
	fixed = o >= FixedXYZ
	if fixed {
		o -= FixedXYZ
	}
	s := eulerAxes[o]
	i, j, k = int(s[0]-'X'), int(s[1]-'X'), int(s[2]-'X')
	if fixed {
		i, k = k, i
	}
	return i, j, k, fixed
}

// FromEuler returns the rotation with the angles a, b, c (rad) about the first, second and third axis of the order.
func FromEuler(o EulerOrder, a, b, c float64) Mat3 {
	i, j, k, fixed := o.axes()
	if fixed {
		a, c = c, a
	}
	return rotAxis(i, a).Mul(rotAxis(j, b)).Mul(rotAxis(k, c))
}

// Euler returns the angles (rad) of the rotation m in that order. With three different axes the second angle is in
// [-π/2, π/2], with a repeated axis in [0, π]; the others are in [-π, π]. In gimbal lock, where only a sum of the
// first and third is determined, the third is zero; the angles returned always give m back to rounding.
func (m Mat3) Euler(o EulerOrder) (a, b, c float64) {
	i, j, k, fixed := o.axes()
	repeated := i == k
	if repeated {
		k = 3 - i - j
	}
	s := 1.0 // sign of the permutation i j k
	if (j-i+3)%3 != 1 {
		s = -1
	}
	var left float64 // sin b or cos b: what determines the first angle
	if repeated {
		left = math.Hypot(m[i][j], m[i][k])
		b = math.Atan2(left, m[i][i])
		a = math.Atan2(m[j][i], -s*m[k][i])
	} else {
		left = math.Hypot(m[i][i], m[i][j])
		b = math.Atan2(s*m[i][k], left)
		a = math.Atan2(-s*m[j][k], m[k][k])
	}
	if left < gimbalLock {
		if !fixed {
			n := m.Mul(rotAxis(j, -b))
			return math.Atan2(s*n[k][j], n[j][j]), b, 0
		}
		a = 0
	}
	// the third angle from what is left, R_i(a)ᵀ m: it makes up for any error of a
	n := rotAxis(i, -a).Mul(m)
	if repeated {
		c = math.Atan2(-s*n[j][k], n[j][j])
	} else {
		c = math.Atan2(s*n[j][i], n[j][j])
	}
	if fixed {
		a, c = c, a
	}
	return a, b, c
}

// gimbalLock is how close to zero the sine or cosine of the second angle counts as zero: below rounding.
const gimbalLock = 1e-15

// rotAxis returns the rotation about coordinate axis i.
func rotAxis(i int, angle float64) Mat3 {
	switch i {
	case 0:
		return RotX(angle)
	case 1:
		return RotY(angle)
	}
	return RotZ(angle)
}

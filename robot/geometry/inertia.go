package geometry

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Inertia returns the inertia of a homogeneous solid of this shape and mass (kg, positive) in the frame of the shape. It fails for a mass that is not
// positive and finite, and for all but spheres, capsules, boxes, cylinders, cones and ellipsoids; the last four without a rounding radius.
func (s *Shape) Inertia(mass float64) (spatial.Inertia, error) {
	if !(mass > 0 && mass-mass == 0) {
		return spatial.Inertia{}, fmt.Errorf("find the inertia of a %v: its mass is %v kg: must be positive and finite", s.kind, mass)
	}
	x, y, z, r := s.half.X*s.half.X, s.half.Y*s.half.Y, s.half.Z*s.half.Z, s.round*s.round
	solid := func(xx, yy, zz float64) (spatial.Inertia, error) {
		return spatial.Inertia{Mass: mass, Rotational: spatial.SymDiag(mass*xx, mass*yy, mass*zz)}, nil
	}
	switch {
	case s.kind == Sphere:
		return solid(0.4*r, 0.4*r, 0.4*r)
	case s.kind == Capsule:
		l := 2 * s.half.Z
		ends := 4 * s.round / 3 / (l + 4*s.round/3) // part of the mass
		if l+s.round == 0 {
			ends = 1
		}
		across := (1-ends)*(r/4+l*l/12) + ends*(0.4*r+l*l/4+0.375*l*s.round)
		return solid(across, across, (1-ends)*r/2+ends*0.4*r)
	case s.round > 0:
	case s.kind == Box:
		return solid((y+z)/3, (x+z)/3, (x+y)/3)
	case s.kind == Cylinder:
		return solid(x/4+z/3, x/4+z/3, x/2)
	case s.kind == Ellipsoid:
		return solid((y+z)/5, (x+z)/5, (x+y)/5)
	case s.kind == Cone:
		i, err := solid(0.15*(x+z), 0.15*(x+z), 0.3*x)
		i.COM.Z = -s.half.Z / 2
		return i, err
	}
	return spatial.Inertia{}, fmt.Errorf("find the inertia of a %v with the rounding radius %g m: there is no closed form here; state it", s.kind, s.round)
}

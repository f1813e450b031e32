package spatial

import (
	"errors"
	"fmt"
	"math"
)

// Inertia is the inertia of a rigid body in the frame of its link.
// The zero value is a body without mass.
type Inertia struct {
	Mass       float64 // kg, not negative
	COM        Vec3    // centre of mass in the link frame, m
	Rotational Sym3    // rotational inertia about the centre of mass, in the axes of the link frame, kg m²
}

// Add returns the inertia of the two bodies joined rigidly; both are expressed in one frame.
func (a Inertia) Add(b Inertia) Inertia {
	m := a.Mass + b.Mass
	if m == 0 {
		return Inertia{Rotational: a.Rotational.Add(b.Rotational)}
	}
	// weights first: a body without mass leaves the other's centre exactly where it was
	ka, kb := a.Mass/m, b.Mass/m
	d := b.COM.Sub(a.COM)
	return Inertia{
		Mass:       m,
		COM:        a.COM.Scale(ka).Add(b.COM.Scale(kb)),
		Rotational: a.Rotational.Add(b.Rotational).Add(steiner(a.Mass*kb, d)),
	}
}

// FirstMoment returns h = m c (kg m).
func (a Inertia) FirstMoment() Vec3 { return a.COM.Scale(a.Mass) }

// AboutOrigin returns the rotational inertia about the origin of the frame: I_c + m (cᵀc 1 - c cᵀ).
func (a Inertia) AboutOrigin() Sym3 { return a.Rotational.Add(steiner(a.Mass, a.COM)) }

// SecondMoment returns ∫ x xᵀ dm about the origin of the frame: tr(I)/2 1 - I with I the rotational inertia there.
func (a Inertia) SecondMoment() Sym3 {
	i := a.AboutOrigin()
	h := i.Trace() / 2
	return Sym3{h - i.XX, -i.XY, -i.XZ, h - i.YY, -i.YZ, h - i.ZZ}
}

// Mul returns the momentum I v of the body that moves with v (or the force I a), v in the frame of the body.
func (a Inertia) Mul(v Motion) Force {
	f := v.Linear.Add(v.Angular.Cross(a.COM)).Scale(a.Mass)
	return Force{Linear: f, Angular: a.Rotational.MulVec(v.Angular).Add(a.COM.Cross(f))}
}

// KineticEnergy returns ½ v·I v (J), v in the frame of the body.
func (a Inertia) KineticEnergy(v Motion) float64 { return v.Dot(a.Mul(v)) / 2 }

// Articulated returns the same inertia as a general symmetric operator.
func (a Inertia) Articulated() ArticulatedInertia {
	return ArticulatedInertia{
		Mass:       SymDiag(a.Mass, a.Mass, a.Mass),
		Coupling:   a.FirstMoment().Skew(),
		Rotational: a.AboutOrigin(),
	}
}

// Check explains why no body of positive density can have this inertia: a mass that is negative or not finite, a
// rotational inertia that is not positive semidefinite, or principal moments that violate the triangle inequality
// A + B ≥ C (which is that the second moment is not positive semidefinite). tol is the relative tolerance on the moments.
func (a Inertia) Check(tol float64) error {
	var errs []error
	if !finite(a.Mass) || !a.COM.IsFinite() || !finite(a.Rotational.Trace()+a.Rotational.XY+a.Rotational.XZ+a.Rotational.YZ) {
		return errors.New("inertia is not finite")
	}
	if a.Mass < 0 {
		errs = append(errs, fmt.Errorf("mass %g kg is negative", a.Mass))
	}
	p, _ := a.Rotational.Eigen()
	slack := tol * math.Max(math.Abs(p.X), math.Abs(p.Z))
	if p.X < -slack {
		errs = append(errs, fmt.Errorf("rotational inertia is not positive semidefinite: smallest principal moment is %g kg m²", p.X))
	} else if p.Z > p.X+p.Y+slack {
		errs = append(errs, fmt.Errorf("principal moments %g, %g, %g kg m² violate the triangle inequality", p.X, p.Y, p.Z))
	}
	return errors.Join(errs...)
}

// steiner returns m (dᵀd 1 - d dᵀ).
func steiner(m float64, d Vec3) Sym3 {
	x, y, z := m*d.X, m*d.Y, m*d.Z
	return Sym3{
		XX: y*d.Y + z*d.Z, XY: -x * d.Y, XZ: -x * d.Z,
		YY: x*d.X + z*d.Z, YZ: -y * d.Z, ZZ: x*d.X + y*d.Y,
	}
}

// ArticulatedInertia is a symmetric positive semidefinite operator from motion to force vectors: what a body
// feels like when others hang on it by joints (Featherstone 2008, section 7.1). In one frame
//
//	f = Mass v + Couplingᵀ ω
//	n = Coupling v + Rotational ω.
type ArticulatedInertia struct {
	Mass       Sym3 // kg
	Coupling   Mat3 // kg m; the skew matrix of the first moment for a single rigid body
	Rotational Sym3 // kg m², about the origin of the frame
}

// Add returns a + b.
func (a ArticulatedInertia) Add(b ArticulatedInertia) ArticulatedInertia {
	return ArticulatedInertia{a.Mass.Add(b.Mass), a.Coupling.Add(b.Coupling), a.Rotational.Add(b.Rotational)}
}

// Mul returns the force a m.
func (a ArticulatedInertia) Mul(m Motion) Force {
	return Force{
		Linear:  a.Mass.MulVec(m.Linear).Add(a.Coupling.TMulVec(m.Angular)),
		Angular: a.Coupling.MulVec(m.Linear).Add(a.Rotational.MulVec(m.Angular)),
	}
}

// ArticulatedInertia takes an articulated inertia from frame b to frame a.
func (x Pose) ArticulatedInertia(i ArticulatedInertia) ArticulatedInertia {
	m := i.Mass.Rotate(x.R)
	h := x.R.Mul(i.Coupling).Mul(x.R.T())
	s := x.P.Skew()
	hp := h.Add(s.Mul(m.Mat3())) // n = (H + [P]× M) v + …
	r := i.Rotational.Rotate(x.R).Mat3()
	r = r.Sub(h.Mul(s)).Add(s.Mul(hp.T()))
	return ArticulatedInertia{Mass: m, Coupling: hp, Rotational: SymOf(r)}
}

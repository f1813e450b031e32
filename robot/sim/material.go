package sim

import (
	"errors"
	"fmt"
	"math"
)

// Material describes how surfaces in a [World] push and rub at each point where two shapes touch. With depth d and the velocity ḋ at
// which it grows, the normal force of a point is a spring with a damper that never pulls, and the friction is Coulomb's, opposite to
// the sliding velocity u,
//
//	N = max(0, Stiffness (d + Relaxation ḋ))
//	|T| ≤ Friction N, u = 0 while |T| < Friction N
//
// Between two materials A and B, the springs act in series, and friction is the harmonic mean, as in Drake:
//
//	k = kA kB/(kA + kB)      τ = (kB τA + kA τB)/(kA + kB)      μ = 2 μA μB/(μA + μB)
//
// So a body on another one of its own kind has Friction as the coefficient, and half the Stiffness.
type Material struct {
	Stiffness  float64 // N/m at each point of contact, positive
	Relaxation float64 // s, not negative: with m the mass at the point, the damping ratio is Relaxation √(k/m)/2
	Friction   float64 // coefficient μ of friction, static and of motion, not negative
}

// Hard returns the material of stiff bodies with this coefficient of friction: between two of them a load of 1 kg on one point
// dips in by 0.1 mm and hardly bounces (damping ratio 1). It is right for bodies from 0.1 kg to 100 kg.
func Hard(friction float64) Material {
	return Material{Stiffness: 2e5, Relaxation: 6e-3, Friction: friction}
}

// check reports every figure that is not possible.
func (m Material) check() error {
	var errs []error
	for _, f := range [...]struct {
		name  string
		value float64
		least float64
	}{
		{"Stiffness", m.Stiffness, math.SmallestNonzeroFloat64}, {"Relaxation", m.Relaxation, 0}, {"Friction", m.Friction, 0},
	} {
		if !(f.value >= f.least) || math.IsInf(f.value, 1) {
			errs = append(errs, fmt.Errorf("its material has %s = %v: must be finite and %s; sim.Hard(0.5) is a usual one",
				f.name, f.value, map[bool]string{true: "not negative", false: "positive"}[f.least == 0]))
		}
	}
	return errors.Join(errs...)
}

// with returns the material of a contact between m and n.
func (m Material) with(n Material) Material {
	sum := m.Stiffness + n.Stiffness
	c := Material{
		Stiffness:  m.Stiffness / sum * n.Stiffness,
		Relaxation: (n.Stiffness*m.Relaxation + m.Stiffness*n.Relaxation) / sum,
	}
	if μ := m.Friction + n.Friction; μ > 0 {
		c.Friction = 2 * m.Friction / μ * n.Friction
	}
	return c
}

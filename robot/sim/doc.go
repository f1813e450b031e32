// Package sim moves robots in time without hardware: the equations of motion of a tree of joints together with what
// drives them and what holds them back, that is DC motors with gears, friction that sticks, brakes and joint stops.
//
// A [Mechanism] is stepped by its caller; nothing here runs by itself. It is deterministic: the same inputs give the
// same motion bit for bit. Steps allocate nothing.
//
// # Method
//
// In each substep h (100 µs unless told otherwise) the mechanism is advanced by the midpoint time stepping of Moreau:
//
//	q½ = q + h/2 v
//	M(q½) (v⁺ - v) = h (τ - H(q½,v½) - G(q½)) + Λ       v½ = v + (v - v⁻)/2
//	q⁺ = q½ + h/2 v⁺
//
// with v⁻ the velocity one substep earlier. Back-EMF and viscous friction enter τ with the new velocity v⁺ (implicitly), so that they are stable for every h. Dry
// friction, brakes and joint stops are the impulses Λ: a dry impulse opposes v⁺ with its full size, or is as large as
// it takes to make v⁺ = 0 and no larger than its bound; a stop pushes inwards only as much as is needed to stay within the
// limit, so an impact is without rebound. All impulses are found together by projected Gauss–Seidel iteration. An arm
// that sticks stands exactly still.
//
// Without friction the energy of a mechanism drifts with the second power of h; damping, dry friction, brakes and stops can only take energy out.
//
// J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988. D. E. Stewart, J. C. Trinkle, An
// implicit time-stepping scheme for rigid body dynamics with inelastic collisions and Coulomb friction, 1996.
package sim

// Package sim moves robots in time without hardware: the equations of motion of a tree of joints together with motors,
// torques and springs at its joints, their friction, brakes and stops, and forces on its links; and worlds, in which robots and
// free bodies touch.
//
// A [Simulator] holds model, state and forces, and is stepped by its caller. It is deterministic: the same calls give
// the same motion bit for bit. Steps allocate nothing.
//
// # Forces
//
//	M(q) v' + H(q, v) + G(q) = τ + Σ Jᵀ f
//
//	τ   of each joint: a commanded torque and a spring (SetTorque, SetSpring), cut to the joint's effort;
//	    a DC motor behind a gear with friction and a brake ([Drive], Midpoint only); viscous friction; joint stops
//	f   on links: pushes from outside (SetPush), and implementations of [Contact], such as [Ground]
//
// A robot whose shapes touch other robots, free bodies, walls or ground is simulated in a [World].
//
// # Integrators
//
// Options.Integrator chooses between two. In both, viscous friction D (and the back-EMF of motors) acts with the new
// velocity v⁺, so that no friction is too strong for the substep h; torques, springs and forces on links act with the
// velocity before.
//
// [Midpoint] is the midpoint time stepping of Moreau, of second order:
//
//	q½ = q + h/2 v
//	(M(q½) + h D) v⁺ = M(q½) v + h (τ + Σ Jᵀ f - H(q½, v½) - G(q½)) + Λ       v½ = v + (v - v⁻)/2
//	q⁺ = q½ + h/2 v⁺
//
// with v⁻ the velocity one substep earlier. Dry friction, brakes and joint stops are the impulses Λ: a dry impulse
// opposes v⁺ with its full size, or is as large as it takes to make v⁺ = 0 and no larger than its bound; a stop pushes
// inwards only as much as is needed to stay within the limit, so an impact is without rebound. All impulses are found
// together by projected Gauss–Seidel iteration. A joint that sticks stands exactly still. Without friction the energy
// drifts with the second power of h; damping, dry friction, brakes and stops can only take energy out. A substep costs
// O(n³) for n coordinates: it is for arms of a few joints whose drives matter.
//
// [Euler] is the semi-implicit method of Euler, of first order, with the articulated-body algorithm:
//
//	(M(q) + h D) v' = τ + τstop(q, v) + Σ Jᵀ f - H(q, v) - G(q) - D v
//	v⁺ = v + h v'
//	q⁺ = q + h v⁺
//
// Joint stops are springs with dampers beyond the limits, which push back and never pull: their frequency is 400 rad/s
// and their damping ratio 0.3 with the inertia that the joint feels at q = 0. There are no motors, brakes and dry
// friction. A substep costs O(n): it is for robots of many joints and for walking machines. With substep h a spring of
// stiffness K and damping D at a joint that feels the inertia m stays stable while h² K/m + 2 h D/m < 4.
//
// # Worlds
//
// A [World] steps several simulators and free bodies together. Their shapes are those of package geometry, which finds the points of contact
// of each pair, the normal n and the depth d at each point. A [Material] gives stiffness k, relaxation time τ and coefficient of friction μ of the
// pair. In a substep of h seconds the separating velocity u of a point and its impulse p obey
//
//	p = max(0, h k (d - (h + τ) u))       along the normal: spring and damper at the end of the substep
//	|t| ≤ μ p, and u across n is 0 or opposite to t       along the tangent plane: Coulomb
//
// The equations of Midpoint are extended by these impulses, Jᵀ p, and all impulses, those of joints included, are found together by projected
// Gauss–Seidel iteration that starts from the ones before. Normal forces are implicit, so that no stiffness is too great for the
// substep, and friction holds a body at rest exactly, not by creeping. Free bodies rotate by the implicit midpoint rule, which
// keeps their energy. A contact never adds energy, but for 1e-5 or so of a body's energy that new points of contact may lend it in a
// substep of 1 ms.
//
// Limits: contacts act where shapes overlap at the end of a substep, so a body that moves farther than its own size in one passes through thin
// walls. All pairs of shapes are looked at, which suits some hundreds of shapes. Links of one robot do not touch each other.
// Where heavy bodies rest on light ones (100 : 1), the iteration may end before it has settled, and the heap sags.
//
// # Sources
//
// A. M. Castro, F. N. Permenter, X. Han, An unconstrained convex formulation of compliant contact, IEEE Transactions on Robotics 39, 2023 (the
// implicit spring and damper). M. Jean, The non-smooth contact dynamics method, 1999; F. Jourdan, P. Alart, M. Jean, A Gauss-Seidel like algorithm
// to solve frictional contact problems, 1998.
// J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988. D. E. Stewart, J. C. Trinkle, An
// implicit time-stepping scheme for rigid body dynamics with inelastic collisions and Coulomb friction, 1996. E. Hairer,
// C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed. 2006, section I.1 (symplectic Euler). R. Featherstone,
// Rigid Body Dynamics Algorithms, 2008, section 7.3.
package sim

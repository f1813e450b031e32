// Package spheres is the fast scene engine for robots whose links are made of spheres, against obstacles of any shape.
//
// A link is tested coarse, then fine: one ball around all of its spheres first, and its spheres only where that ball touches. Obstacles that the
// link never reaches are left out beforehand. Spheres, capsules and boxes have tests of their own; other obstacles, contacts and distances use
// packages geometry and exact. Its answers are those of the exact engine on the same scene.
//
// # Edges
//
// [Engine.CollideAlong] checks the configurations of an edge in blocks that are spread over it (Thomason, Kingston and Kavraki 2024, Motions in
// Microseconds via Vectorized Sampling-Based Planning). On processors with AVX-512 a block is sixteen configurations, with AVX2 it is eight. It is checked by kernels in
// float32 that read the robot and the obstacles as records: any robot runs at full speed without code of its own. For each link they
//
//   - cull: one ball around the link in all configurations of the block against as many obstacles at once;
//   - test what is left: the link's ball in all configurations against one obstacle at once;
//   - then place the link's spheres, and test these.
//
// An obstacle is a box with rounded edges, as a sphere, a capsule and a half-space are; others are enclosed by one, and where that is hit package geometry
// decides. Bodies within 8 m of the scene's origin are right within 1e-6 m. Other processors, robots with ball or floating joints, and bodies
// farther away are checked one configuration after another in float64; all answers agree farther than 1e-5 m from contact.
package spheres

// Package geometry has the shapes of bodies and the questions about pairs of them: do they touch, how far apart are they,
// how deep do they overlap, at which points do they touch, what does a ray hit, when does a motion end in a contact.
//
// # Conventions
//
//   - Metres and radians. A [Shape] is immutable and has a frame of its own; a query takes a [spatial.Pose] for each shape,
//     which places this frame in the world. All answers are in the world frame.
//   - A shape is a core plus a ball: the Minkowski sum of a convex core (a point, a segment, a box, …) and a ball of the
//     rounding radius. A sphere is a rounded point, a capsule a rounded segment, and [Shape.Rounded] rounds any shape. The signed
//     distance of two shapes is that of their cores minus both radii, so shallow contacts of rounded shapes need
//     no penetration algorithm.
//   - The signed distance of a pair is positive for the gap between them and negative for the depth, which is the length
//     of the shortest translation that separates them. Its [Contact] has the point A on the first shape, B on the second,
//     and the unit Normal from the first to the second, with B = A + Distance Normal in both cases.
//   - A point cloud is the union of balls around points, a distance field that of balls around occupied cubes of a grid. Both are solid.
//   - Meshes are surfaces: a body inside a closed mesh that does not touch a triangle is free. Height fields are solid down to
//     their floor. The depth of a mesh, height field, compound or cloud is that of its deepest pair of convex pieces, a lower bound of the
//     depth of the whole.
//
// # Methods
//
// Spheres, capsules, boxes and planes have closed forms among each other; so have points against cylinders, cones, ellipsoids
// and triangles. All other convex pairs use the algorithm of Gilbert, Johnson and Keerthi (1988) with the sub-distance
// algorithm of Montanari, Petrinic and Barbieri (2017), the termination of van den Bergen (2003, section 4.3) and, where the cores
// overlap, the expanding polytope of van den Bergen (2001). Meshes, height fields, compounds and clouds descend trees of boxes, whose common axes
// make the rotation between two trees the same for all pairs of nodes (Terdiman 2001). Two meshes whose convex hulls are apart are compared only in the triangles that face
// this gap.
//
// # Limits
//
// Sizes and coordinates reach from 0 to [Limit]. Between polytopes and balls the error of a distance is about 1e-9 of the extent of the pair,
// between curved cores that nearly touch up to 1e-5. A depth is never too small: its translation separates the pair. Between curved cores it is at most
// 1e-6 too great, and up to 1e-2 for needles deep inside large cores, where 120 corners do not suffice. Hulls
// may be ten thousand times as long as thick. A pose with a NaN, an infinity or a coordinate beyond the limit is refused with [ErrPose].
//
// A [Query] is the workspace of one goroutine at a time; its calls allocate nothing, except where a result slice has to grow.
package geometry

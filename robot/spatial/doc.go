// Package spatial has the value types of rigid-body geometry and mechanics: vectors, rotations, poses, motion and
// force vectors, inertias. They are small, of fixed size, need no allocation and no constructor call, and are safe
// to copy.
//
// # Conventions
//
//   - SI units and radians.
//   - A rotation or pose T_ab is the placement of frame b in frame a; it takes coordinates in b to coordinates in a,
//     and T_ac = T_ab T_bc.
//   - Motion and force vectors have their linear part first; they are expressed in one frame, with the origin of that
//     frame as the point of reference.
//   - Quaternions have the scalar last (x, y, z, w), Hamilton's product.
//   - Matrices are row by row.
//
// The spatial algebra follows R. Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, but with the linear
// part first; Plücker transforms act through [Pose] without a 6×6 matrix. Programs that need one have [Pose.MotionMatrix], [Pose.ForceMatrix]
// and [Inertia.Matrix].
package spatial

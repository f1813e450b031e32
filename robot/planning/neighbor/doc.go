// Package neighbor finds the points of a growing set that are nearest to a given point.
//
// Every [Index] returns the same neighbours; they differ in speed and in the spaces that they accept:
//
//   - [Linear] compares with all points: any space, the only one for [space.Dubins].
//   - [KD], a k-d tree (Bentley 1975): lines and circles, and the fastest there up to 16 values.
//   - [GNAT] (Brin 1995) and [VP], a vantage-point tree (Yianilos 1993): any symmetric distance, as that of poses or Reeds–Shepp curves, up to 14 values.
//
// On processors with AVX2 kernels compare eight points at once and leave out those that are surely too far; a GNAT and the linear search compare points by their
// [space.Embedding]. Beyond these numbers of values a search of the trees visits nearly all points, and [New] chooses [Linear].
package neighbor

// Package neighbor finds the points of a growing set that are nearest to a given point.
//
// Every [Index] returns the same neighbours; they differ in speed and in the spaces that they accept:
//
//   - [Linear] compares with all points: any space, the only one for [space.Dubins].
//   - [KD], a k-d tree (Bentley 1975): lines and circles, and the fastest there up to 28 values, by kernels for AVX2 that compare eight points at once.
//   - [GNAT] (Brin 1995) and [VP], a vantage-point tree (Yianilos 1993): any symmetric distance, as that of poses or Reeds–Shepp curves, up to 14 values.
//
// Beyond that a search of the trees visits nearly all points, and [New] chooses [Linear].
package neighbor

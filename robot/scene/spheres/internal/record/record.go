// Package record defines where the kernels of package spheres find their numbers: both the program that writes the kernels and the package that
// calls them read it here.
//
// Rows are float32, one of each configuration of a block: as many as the kernels have lanes, eight or sixteen. Offsets are in bytes from the first row.
package record

// Frame is the number of rows of the frame of a body: its axes x, y, z and its origin, in the scene.
const Frame = 12

// Spread is where the configurations of a block are on their line: that of lane i is point First + i Stride, at most Last, each Unit from the next one.
type Spread struct {
	First, Stride, Last float32
	Unit                float32 // of the parameter t
	To                  int32   // offset of the row of the parameters
}

// Joint is what moves a body in the frame of its parent at the parameter t of a block: the frame is at Origin + t Advance, turned by an angle about
// x and then about z by Angle + t Turn.
type Joint struct {
	Origin, Advance    [3]float32 // m
	CosAlpha, SinAlpha float32    // of the angle about x
	Angle, Turn        float32    // rad
	Parent, Frame      int32      // offsets of the frames
}

// Point is a point of a body.
type Point struct {
	Center    [3]float32 // m
	Frame, To int32      // offsets of the frame of the body, and of the three rows of the point in the scene
}

// Ball is a ball whose center has rows.
type Ball struct {
	Radius float32
	Rows   int32 // offset of x, y, z
}

// Cover is a ball around all places of a ball in a block, about the place in the configuration Middle.
type Cover struct {
	Radius float32 // of the ball
	Rows   int32   // offset of x, y, z of its center
	Middle int32   // the same in the middle configuration
	To     int32   // offset of the row of the radius that covers
}

// Middle returns the number of the configuration, in a block of that many, about which balls are covered.
func Middle(lanes int) int32 { return int32(lanes / 2) }

// Obstacle is a box with rounded edges: the points c with |max(|M c - Origin| - Half, 0)| ≤ Round. A capsule has one extent, a sphere none.
type Obstacle struct {
	M            [9]float32 // rotation into the frame of the box, row by row
	Origin, Half [3]float32 // m
	Round        float32    // m
}

// Numbers returns the numbers of an obstacle in their order.
func (o *Obstacle) Numbers() (n [Numbers]float32) {
	copy(n[:], o.M[:])
	copy(n[9:], o.Origin[:])
	copy(n[12:], o.Half[:])
	n[15] = o.Round
	return n
}

// Numbers is how many numbers an obstacle has.
const Numbers = 16

// GroupRows is the number of rows of a group of obstacles that are near a link, one in each lane: a row for each of their numbers, and a last row whose
// first word is the offset of the ball of the link, which covers its places, in the middle configuration.
const GroupRows = Numbers + 1

// Pair is two balls that have rows.
type Pair struct {
	Reach float32 // sum of the radii, m
	A, B  int32   // offsets of x, y, z
}

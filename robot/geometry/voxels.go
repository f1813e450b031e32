package geometry

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Voxels is a box of cubes of one size along the axes of a frame. Cube i + Counts[0] (j + Counts[1] k) is the i-th along x, the j-th along y
// and the k-th along z.
type Voxels struct {
	Corner spatial.Vec3 // with the least coordinates, m
	Size   float64      // edge of a cube, m
	Counts [3]int       // cubes along x, y and z
}

const (
	maxVoxels     = 1 << 27 // of a box
	maxVoxelsLine = 2048    // along an axis: squared distances stay below 2²⁴, which float32 holds exactly
)

// Check returns what is wrong with the box: an edge that is not positive, a coordinate beyond [Limit], fewer than 1 or more than 2048 cubes
// along an axis, more than 2²⁷ of all.
func (v *Voxels) Check() error {
	if !(v.Size > 0 && v.Size <= Limit) {
		return fmt.Errorf("voxels: the edge is %g: want a positive length", v.Size)
	}
	all := 1
	for axis, n := range v.Counts {
		if n < 1 || n > maxVoxelsLine {
			return fmt.Errorf("voxels: %d along %c: want 1 to %d; choose a greater edge or a smaller box", n, 'x'+axis, maxVoxelsLine)
		}
		all *= n
	}
	if all > maxVoxels {
		return fmt.Errorf("voxels: %d × %d × %d: want at most %d; choose a greater edge or a smaller box", v.Counts[0], v.Counts[1], v.Counts[2], maxVoxels)
	}
	if b := v.Bounds(); !insideLimit(b.Min) || !insideLimit(b.Max) {
		return fmt.Errorf("voxels: the box from %v to %v is not within %g m", b.Min, b.Max, float64(Limit))
	}
	return nil
}

// Len returns the number of cubes.
func (v *Voxels) Len() int { return v.Counts[0] * v.Counts[1] * v.Counts[2] }

// Bounds returns the whole box.
func (v *Voxels) Bounds() Bounds {
	return Bounds{v.Corner, v.Corner.Add(spatial.Vec3{X: float64(v.Counts[0]), Y: float64(v.Counts[1]), Z: float64(v.Counts[2])}.Scale(v.Size))}
}

// Radius returns the radius (m) of the ball around a cube, half of its diagonal, a little more against rounding.
func (v *Voxels) Radius() float64 { return v.Size * (math.Sqrt(3) / 2 * (1 + 1e-9)) }

// At returns the cube that holds a point; ok is false if none does, as for a NaN.
func (v *Voxels) At(p spatial.Vec3) (cube int, ok bool) {
	x, y, z := (p.X-v.Corner.X)/v.Size, (p.Y-v.Corner.Y)/v.Size, (p.Z-v.Corner.Z)/v.Size
	if !(x >= 0 && y >= 0 && z >= 0 && x < float64(v.Counts[0]) && y < float64(v.Counts[1]) && z < float64(v.Counts[2])) {
		return 0, false
	}
	return int(x) + v.Counts[0]*(int(y)+v.Counts[1]*int(z)), true
}

// Center returns the middle of a cube, m.
func (v *Voxels) Center(cube int) spatial.Vec3 {
	row := cube / v.Counts[0]
	layer := row / v.Counts[1]
	return spatial.Vec3{
		X: v.Corner.X + (float64(cube-row*v.Counts[0])+0.5)*v.Size,
		Y: v.Corner.Y + (float64(row-layer*v.Counts[1])+0.5)*v.Size,
		Z: v.Corner.Z + (float64(layer)+0.5)*v.Size,
	}
}

package seeing

import (
	"fmt"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Camera is a depth camera as a pinhole: a point (x, y, z) of its frame appears in column fx x/z + cx and row fy y/z + cy.
type Camera struct {
	Width, Height int     // pixels, 1 to 16,384
	Fx, Fy        float64 // focal lengths, pixels
	Cx, Cy        float64 // where the optical axis meets the image, pixels
	Unit          float64 // of a depth, m: 0.001 for the uint16 images of most cameras, 1 for float32
	Near, Far     float64 // range of valid depths, m
}

// Check returns what is wrong with a camera: no pixels, a focal length that is not positive, or an empty range.
func (c *Camera) Check() error {
	if c.Width < 1 || c.Height < 1 || c.Width > 1<<14 || c.Height > 1<<14 {
		return fmt.Errorf("depth camera: an image of %d × %d pixels: want 1 to %d along each edge", c.Width, c.Height, 1<<14)
	}
	if !(c.Fx > 0 && c.Fx <= 1e9 && c.Fy > 0 && c.Fy <= 1e9 && math.Abs(c.Cx) <= 1e9 && math.Abs(c.Cy) <= 1e9) {
		return fmt.Errorf("depth camera: focal lengths %g and %g, middle (%g, %g): want finite numbers of pixels, the lengths positive", c.Fx, c.Fy, c.Cx, c.Cy)
	}
	if !(c.Unit > 0 && c.Unit <= 1e6) {
		return fmt.Errorf("depth camera: the unit of depths is %g m: want a positive length, for example 0.001", c.Unit)
	}
	if !(c.Near >= 0 && c.Far > c.Near && c.Far <= 1e6) {
		return fmt.Errorf("depth camera: a range from %g to %g m: want 0 ≤ near < far ≤ 1e6", c.Near, c.Far)
	}
	return nil
}

// Ray returns the direction of the ray through the middle of a pixel, with z = 1.
func (c *Camera) Ray(column, row int) spatial.Vec3 {
	return spatial.Vec3{X: (float64(column) - c.Cx) / c.Fx, Y: (float64(row) - c.Cy) / c.Fy, Z: 1}
}

// passed reports whether the depth at the pixel of p lies behind p by more than a length.
func passed[T uint16 | float32](c *Camera, depths []T, p spatial.Vec3, length float64) bool {
	if !(p.Z > 0) || p.Z+length > c.Far {
		return false
	}
	u, v := c.Fx*p.X/p.Z+c.Cx+0.5, c.Fy*p.Y/p.Z+c.Cy+0.5
	if !(u >= 0 && v >= 0 && u < float64(c.Width) && v < float64(c.Height)) {
		return false
	}
	return c.Unit*float64(depths[int(u)+c.Width*int(v)]) > p.Z+length // not for a NaN
}

// SeeDepth takes a depth image, row by row from the top, of float32 or uint16. pose is that of the
// camera in the frame of the map. own, placed where the robots were then, may be nil. now is the time of the image on any clock that does not run
// backwards. The camera must be one that Check accepts. The error is [ErrPose], [ErrSize] or [ErrOwn]; the map is then as before.
func SeeDepth[T uint16 | float32](m *Map, camera *Camera, depths []T, pose *spatial.Pose, own *SelfFilter, now time.Duration) (c Counts, err error) {
	if !goodPose(pose) {
		return c, ErrPose
	}
	if len(depths) != camera.Width*camera.Height {
		return c, ErrSize
	}
	if own != nil && !own.placed {
		return c, ErrOwn
	}
	m.begin(func(p spatial.Vec3, length float64) bool { return passed(camera, depths, p, length) }, pose, own, now, &c)
	v := &m.voxels
	scale := 1 / v.Size
	// In edges of a cube, from the corner of the box: right and down are the steps per pixel at a depth of 1 m.
	right, down, forward := pose.R.Col(0).Scale(scale/camera.Fx), pose.R.Col(1).Scale(scale/camera.Fy), pose.R.Col(2).Scale(scale)
	origin := pose.P.Sub(v.Corner).Scale(scale)
	nx, ny, nz := float64(v.Counts[0]), float64(v.Counts[1]), float64(v.Counts[2])
	near, far, unit := camera.Near, camera.Far, camera.Unit
	last := int32(-1) // neighbours lie in the same cube
	repeated := 0
	for row := range camera.Height {
		ray := forward.Add(down.Scale(float64(row) - camera.Cy)).Sub(right.Scale(camera.Cx))
		for column, depth := range depths[row*camera.Width : (row+1)*camera.Width] {
			z := unit * float64(depth)
			if !(z >= near && z <= far && z > 0) {
				if z > 0 {
					c.Range++
				} else {
					c.Invalid++
				}
				continue
			}
			k := float64(column)
			x := origin.X + z*(ray.X+k*right.X)
			y := origin.Y + z*(ray.Y+k*right.Y)
			w := origin.Z + z*(ray.Z+k*right.Z)
			if !(x >= 0 && y >= 0 && w >= 0 && x < nx && y < ny && w < nz) {
				c.Outside++
				continue
			}
			cube := int32(int(x) + v.Counts[0]*(int(y)+v.Counts[1]*int(w)))
			if cube == last {
				repeated++
				continue
			}
			before := c.Own
			m.see(cube, now, &c)
			if last = cube; c.Own != before {
				last = -1
			}
		}
	}
	c.Points += repeated
	m.end()
	return c, nil
}

package seeing

import (
	"fmt"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Scanner is a laser scanner: ray i has the angle First + i Step (rad) in its x-y plane.
type Scanner struct {
	Rays        int     // of one scan, 1 to 2^20
	First, Step float64 // angles of ray 0 and between rays, rad: counterclockwise about z from the x axis; the scan spans at most one turn, and Step is not 0
	Near, Far   float64 // range of valid distances, m: 0 ≤ Near < Far ≤ 1e6
}

// Check returns what is wrong with a scanner: no rays, more than one turn, or an empty range.
func (s *Scanner) Check() error {
	if s.Rays < 1 || s.Rays > 1<<20 || !(math.Abs(s.First) <= 2*math.Pi) || !(math.Abs(s.Step)*float64(s.Rays-1) <= 2*math.Pi) || s.Step == 0 {
		return fmt.Errorf("laser scanner: %d rays from %g rad, %g rad apart: want 1 to %d rays that span at most one turn", s.Rays, s.First, s.Step, 1<<20)
	}
	if !(s.Near >= 0 && s.Far > s.Near && s.Far <= 1e6) {
		return fmt.Errorf("laser scanner: a range from %g to %g m: want 0 ≤ near < far ≤ 1e6", s.Near, s.Far)
	}
	return nil
}

// passes reports whether p lies in the plane of the scanner, as near as half, and the range of its ray behind p by more than a length.
func (s *Scanner) passes(ranges []float32, half float64, p spatial.Vec3, length float64) bool {
	d := math.Hypot(p.X, p.Y)
	if !(math.Abs(p.Z) <= half) || d+length > s.Far {
		return false
	}
	turn := (math.Atan2(p.Y, p.X) - s.First) * math.Copysign(1, s.Step)
	turn -= 2 * math.Pi * math.Floor(turn/(2*math.Pi)) // from 0 to one turn
	i := math.Round(turn / math.Abs(s.Step))
	return i < float64(len(ranges)) && float64(ranges[int(i)]) > d+length // not for a NaN
}

// SeeScan takes the ranges (m) of a laser scanner; the rest is as for [SeeDepth].
func SeeScan(m *Map, scanner *Scanner, ranges []float32, pose *spatial.Pose, own *SelfFilter, now time.Duration) (c Counts, err error) {
	if !goodPose(pose) {
		return c, ErrPose
	}
	if len(ranges) != scanner.Rays {
		return c, ErrSize
	}
	if own != nil && !own.placed {
		return c, ErrOwn
	}
	half := m.voxels.Radius()
	m.begin(func(p spatial.Vec3, length float64) bool { return scanner.passes(ranges, half, p, length) }, pose, own, now, &c)
	for i, d := range ranges {
		z := float64(d)
		if !(z >= scanner.Near && z <= scanner.Far && z > 0) {
			if z > 0 {
				c.Range++
			} else {
				c.Invalid++
			}
			continue
		}
		sin, cos := math.Sincos(scanner.First + float64(i)*scanner.Step)
		if cube, ok := m.voxels.At(pose.Apply(spatial.Vec3{X: z * cos, Y: z * sin})); ok {
			m.see(int32(cube), now, &c)
		} else {
			c.Outside++
		}
	}
	m.end()
	return c, nil
}

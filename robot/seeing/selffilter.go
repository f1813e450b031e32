package seeing

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// SelfFilter is what the robots of a scene occupy, so that it is not taken for an obstacle: the shapes of their links and of the objects that they carry, larger by a
// padding. It is the workspace of one goroutine.
type SelfFilter struct {
	placer  *scene.Placer
	parts   []ownPart
	padding float64
	placed  bool
	query   geometry.Query
	probe   geometry.Shape // a point
}

type ownPart struct {
	body  int
	shape *geometry.Shape
	local spatial.Pose
	pose  spatial.Pose
}

// NewOwn returns what the robots of a scene occupy, larger by padding (m, ≥ 0): the error of the camera, of its pose and of the robot's shapes. The pose of
// a scene's objects that rest plays no part.
func NewOwn(s *scene.Scene, padding float64) (*SelfFilter, error) {
	if !(padding >= 0 && padding <= geometry.Limit) {
		return nil, fmt.Errorf("cut a robot out of measurements: the padding is %g: want a length from 0 m", padding)
	}
	o := &SelfFilter{placer: scene.NewPlacer(s), padding: padding}
	for i, b := range s.Bodies() {
		if b.Model < 0 {
			continue
		}
		for _, p := range b.Parts {
			if math.IsInf(p.Shape.Reach(), 1) {
				return nil, fmt.Errorf("cut a robot out of measurements: %q has a plane; want shapes of finite size", b.Name)
			}
			o.parts = append(o.parts, ownPart{body: i, shape: p.Shape, local: p.Pose})
		}
	}
	return o, nil
}

// Place moves the robots to the configuration q of the scene. Before that, they are nowhere. It fails if a coordinate is not finite.
// q has length NQ; rad or m.
func (o *SelfFilter) Place(q []float64) error {
	if err := o.placer.Place(q); err != nil {
		return err
	}
	o.placed = true
	for i := range o.parts {
		p := &o.parts[i]
		p.pose = o.placer.Poses[p.body].Mul(p.local)
	}
	return nil
}

// mark marks the free cubes that come within the padding of the robots.
func (o *SelfFilter) mark(m *Map) {
	v := &m.voxels
	reach := o.padding + v.Radius()
	at := spatial.IdentityPose()
	for i := range o.parts {
		p := &o.parts[i]
		b := p.shape.Bounds(&p.pose)
		x0, x1 := overlap(b.Min.X-reach, b.Max.X+reach, v.Corner.X, v.Size, v.Counts[0])
		y0, y1 := overlap(b.Min.Y-reach, b.Max.Y+reach, v.Corner.Y, v.Size, v.Counts[1])
		z0, z1 := overlap(b.Min.Z-reach, b.Max.Z+reach, v.Corner.Z, v.Size, v.Counts[2])
		for z := z0; z < z1; z++ {
			for y := y0; y < y1; y++ {
				for x := x0; x < x1; x++ {
					cube := x + v.Counts[0]*(y+v.Counts[1]*z)
					if m.slots[cube] != 0 {
						continue
					}
					at.P = v.Center(cube)
					if hit, _, err := o.query.Hit(&o.probe, &at, p.shape, &p.pose, reach, nil); hit || err != nil {
						m.slots[cube] = ownCube
						m.own = append(m.own, int32(cube))
					}
				}
			}
		}
	}
}

// overlap returns the cubes along an axis that an interval touches.
func overlap(low, high, corner, size float64, n int) (from, to int) {
	last := float64(n)
	return int(min(max((low-corner)/size, 0), last)), int(min(max((high-corner)/size+1, 0), last))
}

package sim

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Touch is a point at which two parts of a world touch.
type Touch struct {
	A, B   int          // numbers of the parts
	At     spatial.Vec3 // in the world, m
	Normal spatial.Vec3 // unit vector from A to B
	Depth  float64      // m
	Force  spatial.Vec3 // on B, in the axes of the world, N; on A its opposite
}

// Touches appends the points of contact in the last substep to out and returns them, in the order of pairs of parts.
// Points without force are among them.
func (w *World) Touches(out []Touch) []Touch {
	for i := range w.touches {
		t := &w.touches[i]
		p := &w.pairs[t.pair]
		var force spatial.Vec3
		for k := range t.dir {
			force = force.Add(t.dir[k].Scale(t.impulse[k] / w.lasted))
		}
		out = append(out, Touch{A: w.forms[p.a].part, B: w.forms[p.b].part, At: t.at, Normal: t.dir[0], Depth: t.depth, Force: force})
	}
	return out
}

// Hit is where a ray meets a part first.
type Hit struct {
	Part int // its number
	geometry.RayHit
}

// Cast returns where a ray meets a shape of the world first, as of the last Step; ok is false if it meets none. Parts for which skip returns
// true are transparent, as the robot is that carries the scanner; a nil skip skips none. It allocates nothing. The error is [geometry.ErrRay].
func (w *World) Cast(ray geometry.Ray, skip func(part int) bool) (hit Hit, ok bool, err error) {
	skipped, last := false, -1
	for i := range w.forms {
		f := &w.forms[i]
		if f.part != last {
			last, skipped = f.part, skip != nil && skip(f.part)
		}
		if skipped {
			continue
		}
		h, met, err := w.query.Raycast(f.seen, &f.pose, ray)
		if err != nil {
			return Hit{}, false, err
		}
		if met && (!ok || h.Distance < hit.Distance) {
			hit, ok = Hit{f.part, h}, true
			ray.Length = h.Distance
		}
	}
	return hit, ok, nil
}

// Scanner is a planar laser scanner: its beams leave the origin of its frame in the plane z = 0, at angles about z from the x axis.
type Scanner struct {
	Pose     spatial.Pose // in the world
	From, To float64      // angles of the first and the last beam, rad
	Range    float64      // m, beyond which it sees nothing
}

// Scan fills ranges with the distances (m) of one scan, +Inf where a beam meets nothing: beam i of n has the angle From + i (To-From)/(n-1).
// skip is as in [World.Cast]. It allocates nothing. The error is [geometry.ErrRay].
func (w *World) Scan(s Scanner, skip func(part int) bool, ranges []float64) error {
	for i := range ranges {
		angle := s.From
		if i > 0 {
			angle += (s.To - s.From) * float64(i) / float64(len(ranges)-1)
		}
		sin, cos := math.Sincos(angle)
		ray := geometry.Ray{Origin: s.Pose.P, Direction: s.Pose.R.MulVec(spatial.Vec3{X: cos, Y: sin}), Length: s.Range}
		hit, ok, err := w.Cast(ray, skip)
		if err != nil {
			return err
		}
		if ranges[i] = math.Inf(1); ok {
			ranges[i] = hit.Distance
		}
	}
	return nil
}

package cover

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Report is how well spheres cover a body.
type Report struct {
	Outside    float64      // greatest distance of a part of the surface from the spheres, m; 0: all of it is proved to be covered
	Where      spatial.Vec3 // the part of the surface that is farthest outside
	Protrusion float64      // the spheres stick out of the body by at most this, m
}

// proofSize is the size of pieces of the surface that count as covered, m, where the spheres around them meet in them.
const proofSize = 1e-7

// Check compares spheres with a body. That they cover it is proved for all of the surface: a triangle whose corners are in one ball is in that ball, and
// one that is not is divided. The protrusion is an upper bound: a ball whose center is as deep in the body as depth sticks out by at most
// radius - depth.
func (f *Fitter) Check(balls []scene.Ball) Report {
	var r Report
	for _, b := range balls {
		if out := f.protrusion(b); out > r.Protrusion {
			r.Protrusion = out
		}
	}
	whole := make([]int32, len(balls))
	for i := range whole {
		whole[i] = int32(i)
	}
	for i := range f.body.triangles {
		r.uncovered(f.body.triangles[i], balls, whole)
	}
	for _, own := range f.body.balls {
		gap := math.Inf(1)
		for _, b := range balls {
			gap = min(gap, own.Center.Sub(b.Center).Norm()+own.Radius-b.Radius)
		}
		if gap > proofSize && gap > r.Outside {
			r.Outside, r.Where = gap, own.Center
		}
	}
	return r
}

// protrusion returns an upper bound of how far a ball sticks out of the body.
func (f *Fitter) protrusion(b scene.Ball) float64 {
	out := math.Inf(1)
	if f.grid != nil {
		out = b.Radius + f.near.distance(b.Center)
		if d := f.depth(b.Center); d > 0 {
			out = b.Radius - d
		}
	}
	for _, own := range f.body.balls {
		out = min(out, b.Center.Sub(own.Center).Norm()+b.Radius-own.Radius)
	}
	return max(out, 0)
}

// uncovered notes the part of a triangle that is farthest outside the balls. near lists the balls that may reach the triangle.
func (r *Report) uncovered(t [3]spatial.Vec3, balls []scene.Ball, near []int32) {
	middle, i, j, length := middle(&t)
	centroid := t[0].Add(t[1]).Add(t[2]).Scale(1.0 / 3)
	_, size := farthest(centroid, t[:])
	gap := math.Inf(1) // of the centroid from the balls
	reach := make([]int32, 0, len(near))
	for _, k := range near {
		b := &balls[k]
		d := centroid.Sub(b.Center).Norm() - b.Radius
		gap = min(gap, d)
		if d > size {
			continue
		}
		if t[0].Sub(b.Center).Norm() <= b.Radius && t[1].Sub(b.Center).Norm() <= b.Radius && t[2].Sub(b.Center).Norm() <= b.Radius {
			return
		}
		reach = append(reach, k)
	}
	if len(reach) == 0 { // no part of it is covered: its farthest corner counts
		for _, p := range t {
			far := math.Inf(1)
			for k := range balls {
				far = min(far, p.Sub(balls[k].Center).Norm()-balls[k].Radius)
			}
			r.note(far, p)
		}
		return
	}
	if gap+size <= r.Outside { // no part of it is farther outside
		return
	}
	if gap > proofSize {
		r.note(gap, centroid)
	}
	if length <= proofSize || length <= 1e-12*centroid.Norm() {
		return
	}
	a, b := t, t
	a[i], b[j] = middle, middle
	r.uncovered(a, balls, reach)
	r.uncovered(b, balls, reach)
}

// note keeps a part of the surface that is farther outside.
func (r *Report) note(gap float64, p spatial.Vec3) {
	if gap > r.Outside {
		r.Outside, r.Where = gap, p
	}
}

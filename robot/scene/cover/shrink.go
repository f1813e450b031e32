package cover

import (
	"cmp"
	"slices"

	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// rounds of shrinking and dropping.
const rounds = 3

// finish drops balls that others cover, shrinks the rest, and grows them to contain all pieces exactly.
func (f *Fitter) finish(list []chosen) []scene.Ball {
	for range rounds {
		list = f.drop(list)
		owner := f.assign(list)
		for i := range list {
			f.shrink(&list[i], owner, int32(i))
		}
		for i := range list {
			list[i].holds = f.held(list[i].ball.Center, list[i].ball.Radius*fitRadius)
		}
	}
	owner := f.assign(list)
	balls := make([]scene.Ball, len(list))
	for i := range list {
		balls[i] = scene.Ball{Center: list[i].ball.Center}
	}
	grow := func(e int32, points []spatial.Vec3) {
		b := &balls[owner[e]]
		_, reach := farthest(b.Center, points)
		b.Radius = max(b.Radius, reach*fitRadius)
	}
	for i := range f.elements {
		grow(int32(i), f.elements[i].points)
	}
	f.grid.pieces(f.body.triangles, func(t *[3]spatial.Vec3) { grow(f.elementOf(t), t[:]) })
	return balls
}

// drop removes balls whose elements others cover, those that cover least first.
func (f *Fitter) drop(list []chosen) []chosen {
	times := make([]int, len(f.elements))
	for i := range list {
		for _, e := range list[i].holds {
			times[e]++
		}
	}
	slices.SortStableFunc(list, func(a, b chosen) int { return cmp.Compare(len(a.holds), len(b.holds)) })
	kept := list[:0]
	for i := range list {
		needed := false
		for _, e := range list[i].holds {
			needed = needed || times[e] == 1
		}
		if needed {
			kept = append(kept, list[i])
			continue
		}
		for _, e := range list[i].holds {
			times[e]--
		}
	}
	slices.Reverse(kept) // the ones that cover most first
	return kept
}

// assign gives each element to the first ball that covers it.
func (f *Fitter) assign(list []chosen) []int32 {
	owner := make([]int32, len(f.elements))
	for i := range owner {
		owner[i] = -1
	}
	for i := range list {
		for _, e := range list[i].holds {
			if owner[e] < 0 {
				owner[e] = int32(i)
			}
		}
	}
	for i := range owner {
		if owner[i] < 0 { // rounding: the ball that has to grow least
			best := 0.0
			for k := range list {
				if _, reach := farthest(list[k].ball.Center, f.elements[i].points); owner[i] < 0 || reach-list[k].ball.Radius < best {
					owner[i], best = int32(k), reach-list[k].ball.Radius
				}
			}
		}
	}
	return owner
}

// shrink makes a ball as small as the elements that it owns allow, and moves it where that makes it stick out less.
func (f *Fitter) shrink(c *chosen, owner []int32, self int32) {
	var points []spatial.Vec3
	for e, o := range owner {
		if o == self {
			points = append(points, f.elements[e].points...)
		}
	}
	if len(points) == 0 {
		return
	}
	_, reach := farthest(c.ball.Center, points)
	c.ball.Radius = reach
	least := around(points)
	if depth := f.depth(least.Center); least.Radius-depth < reach-c.depth {
		c.ball, c.depth = least, depth
	}
}

// depth returns how deep in the body a point is, negative where it may lie outside: less than the distance from the surface nowhere.
func (f *Fitter) depth(p spatial.Vec3) float64 {
	d := f.near.distance(p)
	if f.grid.state[f.grid.index(f.grid.cell(p))] == unknown {
		return d
	}
	return -d
}

package planning

import "math"

// gap is what a repair has to bridge: the free ends of the last path.
type gap struct {
	open  bool // samples are taken there too
	nodes [2]int32
	size  float64 // distance between them
}

// seed grows the trees from start and goals along the last path, from either end up to the first edge that is not free any more. It reports whether that
// connects them: then the repaired path is the path.
func (c *Connect) seed() (connected bool) {
	n := c.path.Len()
	if n < 2 {
		c.path.Reset()
		return false
	}
	a, b := c.trees[0], c.trees[1]
	root, _ := b.Nearest(c.path.At(n - 1))
	first, last := c.entry(a.At(0), 0, n, 1), c.entry(b.At(root), n-1, -1, -1)
	i, k := c.follow(0, 0, first, last+1, 1)
	if k > last {
		// All of it is free; what is missing is the way from its end to a goal.
		c.path.Reset()
		if j := c.join(b, a.At(i), 1); j >= 0 {
			c.connect(i, j, false)
			return true
		}
		return false
	}
	j, _ := c.follow(1, root, last, k-1, -1)
	c.path.Reset()
	c.gap = gap{true, [2]int32{i, j}, c.space.Distance(a.At(i), b.At(j))}
	return false
}

// golden is the part of a turn by which points on a circle are spread most evenly.
const golden = 0.6180339887498949

// around moves a sample into the surroundings of the gap: to a place between its ends, and from there by up to half its size in each value.
func (c *Connect) around() {
	copy(c.step, c.sample)
	for i := range c.step {
		_, lower, upper := c.space.Limits(i)
		c.step[i] = ((c.sample[i]-lower)/(upper-lower) - 0.5) * c.gap.size
	}
	_, u := math.Modf(golden * float64(c.Samples/2))
	c.space.Interpolate(c.trees[0].At(c.gap.nodes[0]), c.trees[1].At(c.gap.nodes[1]), u, c.near)
	c.space.Move(c.near, c.step, c.near)
	if c.space.Outside(c.near) < 0 {
		copy(c.sample, c.near)
	}
}

// entry returns the point of the last path at which a tree with this root joins it: the nearest one, or the next one in the direction if the root is between both,
// as after a part of the path was followed.
func (c *Connect) entry(root []float64, from, end, direction int) (at int) {
	at = from
	nearest := c.space.Distance(root, c.path.At(from))
	for k := from; k != end; k += direction {
		if d := c.space.Distance(root, c.path.At(k)); d < nearest {
			at, nearest = k, d
		}
	}
	if next := at + direction; next != end && c.space.Distance(root, c.path.At(next)) < c.space.Distance(c.path.At(at), c.path.At(next)) {
		return next
	}
	return at
}

// follow grows a tree from a node along the points of the last path from at up to, not including, end. It returns the last node and the point
// that it did not reach.
func (c *Connect) follow(of int, node int32, at, end, direction int) (last int32, missed int) {
	t := c.trees[of]
	before := len(t.parent)
	defer func() { c.widen(of, before) }()
	for ; at != end; at += direction {
		to := c.path.At(at)
		distance := c.space.Distance(t.At(node), to)
		if distance == 0 {
			continue
		}
		i, reached := c.grow(t, node, to, distance, false)
		if i >= 0 {
			node = i
		}
		if !reached {
			return node, at
		}
	}
	return node, at
}

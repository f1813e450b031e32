package planning

import (
	"errors"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/planning/neighbor"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// EET is the exploring/exploiting tree (Rickert, Sieverling and Brock, IEEE Transactions on Robotics 30(6), 2014). It first looks for a tunnel of free
// spheres that leads one link, the hand, from its position at the start to that at the goal. Then a tree grows from the start: steps of the pseudo-inverse
// Jacobian lead the hand to positions around the center of a sphere, normally distributed with sigma × its radius, and to orientations of which half are
// anywhere and half normally distributed with sigma about that of now. Success makes sigma smaller, to exploit the tunnel, and failure makes it greater, to
// explore. A hand that arrives in a sphere goes on to the next one; at a sigma of 1 the sphere before is tried again. In the last sphere every second
// sample is the goal.
//
// The published planner ends where the hand is at its goal; this one at the goal of all joints, so those that the hand leaves free move towards it in the
// null space of the Jacobian.
//
// Where no tunnel exists the tree grows towards samples of the whole space, as [RRT] does; and so it does for 100 samples after each 100 along the tunnel
// that did not lead to a farther sphere. A tunnel that the rest of the robot cannot follow only costs time.
type EET struct {
	Search
	Gamma  float64 // sigma at first, and after each step forwards or backwards, from 0 to 1
	Alpha  float64 // part by which a success or failure changes sigma, 0 to 1
	Step   float64 // longest edge of the Jacobian steps, in the distance of the space
	Radius float64 // least one of the tunnel's spheres, m

	// Grown is the number of samples of the last plan by which the tree grew, each by one edge or by many. The Robotics Library counts only their ends
	// as vertices.
	Grown int

	hand     *hand
	region   geometry.Bounds // of the hand
	explorer *explorer
	tree     *tree
	hands    neighbor.Index // positions of the hand at the nodes
	place    [3]float64
	tried    []bool // nodes from which a way towards the goal was tried
	chance   space.Uniform

	sphere int // of the tunnel, that the hand is led to
	sigma  float64
	spent  int // samples along the tunnel since it led to a farther sphere
	roam   int // samples of the whole space that are still to do
}

const leastSigma = 0.1

// NewEET returns a planner with the arguments of [NewConnect]. Its hand is the link that the most joints of the space move: the last one of a chain, and
// of links that are fixed to one another the one with shapes that is farthest from their joint. The error is also for spaces that move no link.
func NewEET(e scene.Engine, s space.Robots, resolution float64, nodes int) (*EET, error) {
	search, err := newSearch(e, s, resolution, &nodes)
	if err != nil {
		return nil, err
	}
	if !s.Symmetric() {
		return nil, errors.New("make a planner: steps of a hand need ways that lead in all directions; use RRT")
	}
	c := &EET{Search: search, Gamma: 1. / 3, Alpha: 0.01, Step: 1. / 8, tree: newTree(s, nodes), tried: make([]bool, nodes)}
	if c.explorer, err = newExplorer(); err != nil {
		return nil, err
	}
	positions, err := space.NewAxes(space.Axis{Name: "x"}, space.Axis{Name: "y"}, space.Axis{Name: "z"})
	if err != nil {
		return nil, err
	}
	c.hands = neighbor.New(positions, nodes)
	return c, c.Lead("")
}

// Lead chooses the hand by the name of its link, with the prefix of its model; "" is the default of [NewEET]. It sets Radius to 0.005 of the
// diagonal of the box that the hand reaches. It fails for links that do not exist or that the space does not move.
func (c *EET) Lead(link string) error {
	h, err := handOf(c.verifier.engine.Scene(), c.space, link)
	if err != nil {
		return err
	}
	c.hand, c.region = h, h.reach()
	c.Radius = c.region.Max.Sub(c.region.Min).Norm() / 200
	return nil
}

// Tunnel returns the spheres of the last plan, from the start to the goal, valid until the next one: none if the plan needed no samples or no tunnel
// was found.
func (c *EET) Tunnel() []scene.Ball { return c.explorer.tunnel }

// Plan returns a path from start to goal, which are points of Dim values; errors are those of [Planner].
func (c *EET) Plan(start, goal []float64) (*Path, error) {
	c.explorer.tunnel = c.explorer.tunnel[:0]
	if done, err := c.begin(start, goal); done || err != nil {
		return c.found(err)
	}
	c.tree.root(start)
	c.Grown = 0
	c.hands.Reset()
	c.lead(0)
	clear(c.tried)
	c.tried[0] = true
	c.chance.Reset(c.Seed)
	c.explore(start, goal)
	c.sphere, c.sigma, c.spent, c.roam = min(1, len(c.explorer.tunnel)-1), c.Gamma, 0, 0
	for ; c.Samples < c.Iterations; c.Samples++ {
		if c.stopped() {
			return c.towards(c.tree, goal), ErrStopped
		}
		if c.tree.full() {
			return nil, ErrNoPath
		}
		before := len(c.tree.parent)
		done := c.sampled(goal)
		if len(c.tree.parent) > before {
			c.Grown++
		}
		if done {
			c.Samples++
			return c.towards(c.tree, goal), nil
		}
	}
	return nil, ErrNoPath
}

// explore looks for the tunnel.
func (c *EET) explore(start, goal []float64) {
	x := c.explorer
	from, to := c.hand.pose(start).P, c.hand.pose(goal).P
	x.use(c.verifier.engine.Scene())
	x.radius, x.extent = c.Radius, c.hand.extent
	x.region = c.region.Union(geometry.Bounds{Min: from, Max: from}).Union(geometry.Bounds{Min: to, Max: to})
	x.explore(from, to, c.Seed, c.stopped)
}

// sampled grows the tree by a sample, and reports whether it reached the goal.
func (c *EET) sampled(goal []float64) (reached bool) {
	tunnel := c.explorer.tunnel
	before := len(c.tree.parent)
	switch {
	case len(tunnel) == 0 || c.roam > 0:
		c.roam--
		if c.random() >= bias || !c.aim(goal, &reached) {
			c.next()
			near, distance := c.tree.Nearest(c.sample)
			c.extend(c.tree, near, c.sample, distance, false)
		}
		c.lead(before)
		c.advance(before)
		return reached
	case c.sphere < len(tunnel)-1 || c.random() < 0.5 || !c.aim(goal, &reached):
		c.follow(tunnel[c.sphere], goal)
	}
	if c.spent++; c.spent == patience {
		c.roam, c.spent = patience, 0
	}
	c.lead(before)
	c.adapt(before)
	return reached
}

// adapt changes sigma after a sample along the tunnel, and the sphere to which the hand is led.
func (c *EET) adapt(before int) {
	if len(c.tree.parent) > before {
		c.sigma = max(leastSigma, c.sigma*(1-c.Alpha))
		c.advance(before)
		return
	}
	if c.sigma *= 1 + c.Alpha; c.sigma < 1 {
		return
	}
	c.sphere, c.sigma = max(0, c.sphere-1), c.Gamma
}

// advance leads the hand to the sphere behind the last one that new nodes reach, if that is farther than now.
func (c *EET) advance(before int) {
	tunnel := c.explorer.tunnel
	for i := before; i < c.hands.Len(); i++ {
		p := c.hands.At(int32(i))
		at := spatial.Vec3{X: p[0], Y: p[1], Z: p[2]}
		for k := len(tunnel) - 2; k >= c.sphere; k-- {
			if contains(tunnel[k], at) {
				c.sphere, c.sigma, c.spent = k+1, c.Gamma, 0
				break
			}
		}
	}
}

// aim grows the tree from its node nearest to the goal all the way towards it. It reports false if that was tried before.
func (c *EET) aim(goal []float64, reached *bool) bool {
	near, distance := c.tree.Nearest(goal)
	if c.tried[near] {
		return false
	}
	c.tried[near] = true
	before := len(c.tree.parent)
	_, *reached = c.grow(c.tree, near, goal, distance, true)
	for i := before; i < len(c.tree.parent); i++ {
		c.tried[i] = true // all on the same line
	}
	return true
}

// follow leads the hand by Jacobian steps from its position nearest to a sample around the center of a sphere towards this sample, until it is there, comes
// no nearer or is not free.
func (c *EET) follow(sphere scene.Ball, goal []float64) {
	r := c.sigma * sphere.Radius
	at := sphere.Center.Add(c.normal().Scale(r))
	c.place = [3]float64{at.X, at.Y, at.Z}
	near, _ := c.hands.Nearest(c.place[:])
	now := c.hand.pose(c.tree.At(near))
	to := spatial.Pose{R: c.orientation(now.R), P: at}
	left := size(twist(now, to))
	for !c.tree.full() {
		from := c.tree.At(near)
		if !c.toward(from, to, goal) {
			return
		}
		distance := c.space.Distance(from, c.sample)
		if near, _ = c.extend(c.tree, near, c.sample, distance, false); near < 0 {
			return
		}
		d := size(twist(c.hand.pose(c.tree.At(near)), to))
		if d >= left {
			return
		}
		left = d
	}
}

// toward writes a point at most a step away from which the hand is nearer to a pose to the sample, within the limits. It reports false if it does not move.
func (c *EET) toward(from []float64, to spatial.Pose, goal []float64) bool {
	c.hand.towards(from, to, goal, c.step)
	c.space.Move(from, c.step, c.sample)
	if d := c.space.Distance(from, c.sample); d > c.Step {
		for i := range c.step {
			c.step[i] *= c.Step / d
		}
		c.space.Move(from, c.step, c.sample)
	}
	for i := c.space.Outside(c.sample); i >= 0; i = c.space.Outside(c.sample) {
		_, lower, upper := c.space.Limits(i)
		within := min(max(c.sample[i], lower), upper)
		if within == c.sample[i] || within != within {
			return false
		}
		c.sample[i] = within
	}
	return c.space.Distance(from, c.sample) > 1e-3*c.Step
}

// lead adds the positions of the hand at new nodes.
func (c *EET) lead(before int) {
	for i := before; i < len(c.tree.parent); i++ {
		at := c.hand.pose(c.tree.At(int32(i))).P
		c.place = [3]float64{at.X, at.Y, at.Z}
		c.hands.Add(c.place[:])
	}
}

// normal returns a vector of independent samples of the standard normal distribution.
func (c *EET) normal() spatial.Vec3 {
	return spatial.Vec3{X: gauss(&c.chance), Y: gauss(&c.chance), Z: gauss(&c.chance)}
}

// orientation returns one of all orientations with equal probability, or as often one near that of now.
func (c *EET) orientation(now spatial.Mat3) spatial.Mat3 {
	if c.random() < 0.5 {
		return spatial.Exp(c.normal().Scale(c.sigma)).Mul(now)
	}
	var q [4]float64
	c.chance.Next(q[:])
	space.Rotations{}.Scale(q[:])
	return spatial.Quat{X: q[0], Y: q[1], Z: q[2], W: q[3]}.Mat3()
}

// random returns a number from 0 up to, not including, 1.
func (c *EET) random() float64 {
	var u [1]float64
	c.chance.Next(u[:])
	return u[0]
}

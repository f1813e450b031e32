package program

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// chain is a path of the tool through blended moves.
type chain struct {
	path  *trajectory.ToolPath
	spans []span
	tool  tool
	end   spatial.Pose
	blend float64 // at its end
}

// straight appends a moveL or moveC to the chain.
func (c *compiler) straight(k int, t tool) error {
	m := &c.program.Moves[k]
	if c.chain != nil && (c.chain.tool != t || c.chain.blend == 0) {
		if err := c.flush(); err != nil {
			return err
		}
	}
	if c.chain == nil {
		from := c.pose(t, c.q)
		c.chain = &chain{path: trajectory.NewToolPath(from), tool: t, end: from}
	}
	h := c.chain
	goal := m.Pose.Pose
	if m.Pose.KeepRotation {
		goal.R = h.end.R
	}
	next := trajectory.NewToolPath(h.end)
	if m.Kind == MoveC {
		if err := next.ArcTo(m.Via, goal); err != nil {
			return c.fail(k, -1, "start, via and end are on one straight line: move via off the line, or use moveL")
		}
	} else {
		next.LineTo(goal)
	}
	_, length := next.Domain()
	if length == 0 {
		if h.blend = 0; len(h.spans) == 0 {
			c.chain = nil
			c.legsEndBlend()
		}
		return c.mark(k)
	}
	head, err := 0.0, error(nil)
	if h.blend > 0 {
		if head, err = c.blendChain(h, next, length); err != nil {
			return err
		}
	}
	if m.Kind == MoveC {
		if err := h.path.ArcTo(m.Via, goal); err != nil {
			return err
		}
	} else {
		h.path.LineTo(goal)
	}
	_, after := h.path.Domain()
	h.spans = append(h.spans, span{move: k, end: after, head: head})
	h.end, h.blend = goal, m.Blend
	return nil
}

// blendChain sets the blend between the last move of a chain and the next one, which has a path of its own: it begins and ends where the tool's origin is the
// radius away from the corner. It returns what it takes of the next move.
func (c *compiler) blendChain(h *chain, next *trajectory.ToolPath, length float64) (head float64, err error) {
	last := &h.spans[len(h.spans)-1]
	start := 0.0
	if n := len(h.spans); n > 1 {
		start = h.spans[n-2].end
	}
	var d [2]float64
	for k, side := range [...]struct {
		path      *trajectory.ToolPath
		s, length float64
		taken     float64
		name      string
	}{{h.path, last.end, last.end - start, last.head, "the move itself"}, {next, 0, length, 0, "the move after it"}} {
		speed := side.path.Derivative(side.s, 1).Linear.Norm() // m of the tool's origin for each unit of s
		if speed < 1e-9 {
			return 0, c.fail(last.move, -1, "it has a blend, but in %s the tool turns about its origin: leave blend out", side.name)
		}
		way := h.blend
		if bend := side.path.Derivative(side.s, 2).Linear.Norm() / (speed * speed); bend > 0 { // along an arc whose chord is the radius
			way = 2 / bend * math.Asin(min(h.blend*bend/2, 1))
		}
		if d[k] = way / speed; d[k] >= side.length-side.taken {
			rest := ""
			if side.taken > 0 {
				rest = fmt.Sprintf(" and loses %.4g m to the blend at its other end", side.taken*speed)
			}
			return 0, c.fail(last.move, -1, "its blend of %.4g m does not fit into %s, which is %.4g m long%s: blends take less than the whole of a move", h.blend, side.name, side.length*speed, rest)
		}
	}
	h.path.BlendUnequal(d[0], d[1])
	last.tail = d[0]
	return d[1], nil
}

// flush makes a leg of the chain.
func (c *compiler) flush() error {
	h := c.chain
	if h == nil {
		return nil
	}
	c.chain = nil
	_, end := h.path.Domain()
	smooth := slices.ContainsFunc(h.spans, func(x span) bool { return c.program.Moves[x.move].SmoothJerk })
	c.solver.Linear, c.solver.Angular = 1e-9, 1e-9
	if smooth { // third derivatives of the joints are differences of solutions
		c.solver.Linear, c.solver.Angular = 1e-12, 1e-12
	}
	path, err := trajectory.JointPath(h.path, c.solver.Follow(h.tool.link, h.tool.pose), trajectory.JointPathOptions{
		Start: c.q, Lower: c.lower, Upper: c.upper, Step: 0.004, Jump: 0.1, Smooth: smooth,
	})
	if err != nil {
		var e *trajectory.PathError
		if !errors.As(err, &e) {
			return err
		}
		k, s := h.span(e.S)
		const remedy = "move the target, turn the tool, or come with another posture by a moveJ"
		if e.Axis < 0 {
			return c.fail(k, s, "%s; %s", e.Reason, remedy)
		}
		reason := strings.Replace(e.Reason, fmt.Sprintf("joint %d", e.Axis), fmt.Sprintf("joint %q", c.names[e.Axis]), 1)
		return c.failJoint(e.Axis, k, s, "%s; %s", reason, remedy)
	}
	if err := c.checkSingular(h, path.At, end); err != nil {
		return err
	}
	path.At(c.q, end, 0)
	return c.add(leg{path: path, length: end, spans: h.spans, tool: h.tool, smooth: smooth, blend: h.blend})
}

// span returns the move at a place of the chain, and the place along the move.
func (h *chain) span(s float64) (move int, own float64) {
	from := 0.0
	for k, x := range h.spans {
		if s <= x.end || k == len(h.spans)-1 {
			return x.move, s - from
		}
		from = x.end
	}
	return 0, 0
}

// checkSingular measures how near the arm comes to singularities.
func (c *compiler) checkSingular(h *chain, at func(out []float64, s float64, order int), length float64) error {
	steps := min(max(20, int(length/0.005)), 2000)
	q := make([]float64, c.n)
	for k := range steps + 1 {
		s := length * float64(k) / float64(steps)
		at(q, s, 0)
		value := c.singularValue(h.tool, q)
		move, own := h.span(s)
		if r := &c.motion.Report; r.Singularity == 0 || value < r.Singularity {
			r.Singularity, r.SingularMove, r.SingularS = value, move, own
		}
		if value < leastSingularValue {
			return c.fail(move, own, "the arm comes near to a singularity: the least singular value of its Jacobian is %.2g, wants at least %g; go another way, turn the tool, or use a moveJ", value, leastSingularValue)
		}
	}
	return nil
}

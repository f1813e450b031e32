package taskspace

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Region is a set of poses of a tool around a target. Without sizes it is this pose.
type Region struct {
	Target   spatial.Pose // in the scene
	Position spatial.Vec3 // how far the tool may be from the target along each axis of the target, m
	Rotation spatial.Vec3 // each component of the rotation vector from the target by which the tool may be turned, in its axes, rad; infinite: freely
}

// check refuses sizes that make no region.
func (r *Region) check() error {
	for i, size := range [6]float64{r.Position.X, r.Position.Y, r.Position.Z, r.Rotation.X, r.Rotation.Y, r.Rotation.Z} {
		if !(size >= 0) || i < 3 && math.IsInf(size, 1) {
			return fmt.Errorf("size %d of the region is %g, want 0 or more, and finite for a position", i, size)
		}
	}
	return nil
}

// point reports whether the region is a single pose.
func (r *Region) point() bool { return r.Position == spatial.Vec3{} && r.Rotation == spatial.Vec3{} }

// sample returns the pose of the region at a point of the unit cube.
func (r *Region) sample(u *[6]float64) spatial.Pose {
	at := func(size spatial.Vec3, u []float64) spatial.Vec3 {
		return spatial.Vec3{X: size.X * (2*u[0] - 1), Y: size.Y * (2*u[1] - 1), Z: size.Z * (2*u[2] - 1)}
	}
	turns := spatial.Vec3{X: min(r.Rotation.X, math.Pi), Y: min(r.Rotation.Y, math.Pi), Z: min(r.Rotation.Z, math.Pi)}
	return r.Target.Mul(spatial.Pose{R: spatial.Exp(at(turns, u[3:])), P: at(r.Position, u[:3])})
}

// Goals finds points at which a tool of a robot is at a pose or in a region: the goals for [planning.Connect.PlanToAny]. It is the workspace of one goroutine.
//
// Arms with a closed form have all their solutions, those of seven axes at [Goals.Redundancies] values of the redundancy. For others a search starts
// from the given point and from random ones; about axes of the target about which the tool may turn freely it accepts any turn. Joints that do not move the tool keep their values of that point. [planning.Connect.PlanToAny] leaves out what is not free.
type Goals struct {
	Most         int // goals, at most
	Redundancies int // values of the redundancy of an arm with seven axes
	Poses        int // of a region, its middle included
	Starts       int // of a search, for each pose

	space    *space.Joints
	base     spatial.Pose
	inverse  spatial.Pose // of the link in the frame of the tool
	link     int
	name     string
	model    *multibody.Model
	first    int // coordinate of the model in a configuration
	analytic *ik.Analytic
	lower    float64 // of the redundancy
	upper    float64
	solver   *ik.Solver
	task     [1]ik.Task
	halton   space.Halton
	source   *rand.PCG
	random   *rand.Rand
	full     []float64 // configurations of the scene
	q        []float64 // of the model
	seed     []float64
	check    []float64
	held     []float64
	turns    []bool // joints that turn
	points   []float64
	list     [][]float64
}

// NewGoals returns goals for a tool, fixed to a link of a robot in the scene with the prefix of its model; the zero value of tool is the link's
// frame. It fails for a link that no robot has.
func NewGoals(s *scene.Scene, joints *space.Joints, link string, tool spatial.Pose) (*Goals, error) {
	if tool.R == (spatial.Mat3{}) {
		tool.R = spatial.Identity()
	}
	g := &Goals{
		Most: 128, Redundancies: 32, Poses: 8, Starts: 16, space: joints, inverse: tool.Inverse(), name: link, source: rand.NewPCG(0, 0),
		full: make([]float64, s.NQ()),
	}
	for _, m := range s.Models() {
		name, ok := strings.CutPrefix(link, m.Prefix)
		k, err := m.Model.Link(name)
		if !ok || err != nil {
			g.first += m.Model.NQ()
			continue
		}
		n := m.Model.NQ()
		g.model, g.link, g.base = m.Model, k, m.Base
		g.q, g.seed, g.check, g.random = make([]float64, n), make([]float64, n), make([]float64, s.NQ()), rand.New(g.source)
		g.points, g.list = make([]float64, 0, (g.Most+1)*joints.Dim()), make([][]float64, 0, g.Most)
		g.held, g.turns = make([]float64, joints.Dim()), make([]bool, joints.Dim())
		for _, j := range m.Model.Joints() {
			if i := slices.Index(joints.Names, m.Prefix+j.Name); i >= 0 {
				g.turns[i] = j.Type == multibody.Revolute || j.Type == multibody.Continuous
			}
		}
		if g.analytic, err = ik.NewAnalytic(m.Model, k); err != nil {
			g.analytic, g.solver = nil, ik.NewSolver(m.Model)
			g.solver.Attempts = 1
			return g, nil
		}
		g.lower, g.upper = -math.Pi, math.Pi
		if g.analytic.Class() == ik.OffsetWrist {
			if last, err := m.Model.Joint(g.analytic.Joints()[6]); err == nil && last.Limits != nil {
				g.lower, g.upper = max(g.lower, last.Limits.Lower), min(g.upper, last.Limits.Upper)
			}
		}
		return g, nil
	}
	return nil, fmt.Errorf("plan to poses of %q: no robot of the scene has this link", link)
}

// ClosedForm reports whether the arm has a closed form, so that all solutions of a pose are found.
func (g *Goals) ClosedForm() bool { return g.analytic != nil }

// In returns points of the space at which the tool is in the region, nearest to the point near first, at most Most. They are valid until the next
// call. Without any the error wraps the reason of the inverse kinematics for the middle of the region. It fails for sizes that make no region.
func (g *Goals) In(region Region, near []float64) ([][]float64, error) {
	g.points, g.list = g.points[:0], g.list[:0]
	if err := region.check(); err != nil {
		return nil, fmt.Errorf("plan to a pose of %q: %w", g.name, err)
	}
	poses := g.Poses
	if region.point() {
		poses = 1
	}
	var first error
	g.halton.Reset(0)
	g.source.Seed(1, 0)
	for k := range poses {
		target := region.Target
		if k > 0 {
			var u [6]float64
			g.halton.Next(u[:])
			target = region.sample(&u)
		}
		target = g.base.InvMul(target)
		var err error
		if g.analytic != nil {
			err = g.solve(target.Mul(g.inverse), near)
		} else {
			err = g.search(target, &region, near)
		}
		if k == 0 {
			first = err
		}
	}
	n := g.space.Dim()
	if len(g.points) == 0 {
		if first == nil {
			first = errJoints
		}
		return nil, fmt.Errorf("plan to a pose of %q: %w", g.name, first)
	}
	for i := range len(g.points) / n {
		g.list = append(g.list, g.points[i*n:(i+1)*n])
	}
	slices.SortFunc(g.list, func(a, b []float64) int { return cmp.Compare(g.space.Distance2(a, near), g.space.Distance2(b, near)) })
	return g.list, nil
}

// errJoints means that the inverse kinematics moves joints that the space does not have.
var errJoints = errors.New("each solution moves joints that are held or beyond the limits of the plan; plan with all joints of the arm")

// solve adds all solutions of a pose in closed form.
func (g *Goals) solve(target spatial.Pose, near []float64) error {
	g.space.Configuration(near, g.full)
	own := g.full[g.first : g.first+g.model.NQ()]
	values := 1
	if g.analytic.Class().Axes() == 7 {
		values = g.Redundancies + 1
	}
	var first error
	for k := range values {
		redundancy := g.lower + (g.upper-g.lower)*(float64(k)-0.5)/float64(g.Redundancies)
		if k == 0 {
			redundancy = g.analytic.Redundancy(own) // of the point near
		}
		solutions, err := g.analytic.Solve(target, redundancy)
		if k == 0 {
			first = err
		}
		for i := range solutions {
			copy(g.q, own)
			g.analytic.Configuration(&solutions[i], g.q)
			g.add(near)
		}
	}
	return first
}

// search adds the solutions that a search finds for a pose of the tool.
func (g *Goals) search(target spatial.Pose, region *Region, near []float64) error {
	g.space.Configuration(near, g.full)
	copy(g.seed, g.full[g.first:])
	g.task[0] = ik.Reach(g.link, target)
	g.task[0].Tool = g.inverse.Inverse()
	for i, size := range [3]float64{region.Rotation.X, region.Rotation.Y, region.Rotation.Z} {
		if math.IsInf(size, 1) {
			g.task[0].Weight[3+i] = 0
		}
	}
	var first error
	for k := range g.Starts {
		err := g.solver.Solve(g.seed, g.task[:], g.q)
		if err == nil {
			g.add(near)
		} else if k == 0 {
			first = err
		}
		g.model.Random(g.random, g.seed)
	}
	return first
}

// add adds the point of the solution g.q, unless it moves joints that are held, is beyond a limit, or there are as many as wanted.
func (g *Goals) add(near []float64) {
	n, at := g.space.Dim(), len(g.points)
	if at >= g.Most*n {
		return
	}
	g.points = append(g.points, near...)
	p := g.points[at:]
	copy(g.check, g.full)
	copy(g.check[g.first:], g.q)
	g.space.Point(g.check, p)
	for i := range p {
		// The turn that is nearest, if it is within the limits.
		turned := p[i] + 2*math.Pi*math.Round((near[i]-p[i])/(2*math.Pi))
		if g.turns[i] && (g.space.Circle[i] || turned >= g.space.Lower[i] && turned <= g.space.Upper[i]) {
			p[i] = turned
		}
	}
	g.space.Point(g.full, g.held)
	g.space.Configuration(p, g.full)
	moved := false
	for i, x := range g.full {
		d := math.Abs(math.Remainder(x-g.check[i], 2*math.Pi))
		moved = moved || d > 1e-9
	}
	g.space.Configuration(g.held, g.full)
	if moved || g.space.Outside(p) >= 0 {
		g.points = g.points[:at]
	}
}

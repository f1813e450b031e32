package sim

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Robot is a robot of a [World]: a simulator that the world steps, and the shapes of its links.
type Robot struct {
	Name      string                     // before the names of its links; empty means the name of its model
	Simulator *Simulator                 // of the integrator Midpoint; its own substep is not used
	Base      spatial.Pose               // of the root of its model in the world, m
	Shapes    map[string][]geometry.Part // by the name of the link, in its frame, as description.Robot.Shapes returns them
	Material  Material                   // of all links
}

// WorldOptions are the choices of a World. The zero value is a substep of 1 ms and a gravity of 9.81 m/s² downwards.
type WorldOptions struct {
	Substep time.Duration // longest step of integration; 0 means 1 ms
	Gravity *spatial.Vec3 // of free bodies, m/s²; nil: (0, 0, -9.81). A robot has that of its model
}

// World holds robots, free bodies and fixed ones, whose shapes touch each other. The package's documentation describes its method.
//
// Its parts, the links of robots that have shapes and then the bodies, are numbered from 0; see Parts.
//
// The world starts in the states that its simulators and bodies have. Commands go to the simulators, whose Step must no longer be called.
type World struct {
	substep time.Duration
	gravity spatial.Vec3
	robots  []placedRobot
	movers  []mover // of bodies
	parts   []part
	names   []string
	forms   []form
	pairs   []pair

	touches, before []touch // of this substep and of the one before
	rows            []float64
	lasted          float64 // the last substep, s
	query           geometry.Query
	points          []geometry.Contact
}

// placedRobot is a robot of the world.
type placedRobot struct {
	*Simulator
	base  spatial.Pose
	links []linkRows
}

// linkRows is the Jacobian of a link with shapes, 6 × nv in the axes of the model's world.
type linkRows struct {
	link int
	rows []float64
	done bool // in this substep
	at   spatial.Vec3
}

// part is a link with shapes or a body.
type part struct {
	robot, link int // index of the robot and in its links; -1 of a body
	mover       int // -1 of a link
	material    Material
	pose        spatial.Pose
}

// form is a convex shape of a part.
type form struct {
	part   int
	shape  *geometry.Shape // for contacts
	seen   *geometry.Shape // for rays: of a mesh not its hull
	local  spatial.Pose
	pose   spatial.Pose // in the world
	bounds geometry.Bounds
}

// pair is two forms that may touch.
type pair struct {
	a, b     int
	material Material
	warm     geometry.WarmStart
	first, n int // its touches of the substep before
}

// ErrOverlap is among the errors of a world whose parts overlap at the start; there is then nothing else wrong with it.
var ErrOverlap = errors.New("must not overlap by more than 1 mm; move one of them")

// deepest is the overlap (m) at the start beyond which a world is refused.
const deepest = 1e-3

// NewWorld returns a world of robots and bodies. A compound counts as its parts. A mesh counts as its convex hull where it touches,
// as in MuJoCo, and as itself for rays. Links of one robot do not touch each other, nor do fixed bodies.
//
// The error joins everything that is wrong: figures that are not possible, a moving body without mass, robots and bodies without shapes or with shapes
// that cannot move, links that a model does not have, two parts with the same name, a simulator that is missing, used twice or of another
// integrator, and parts that overlap by more than 1 mm at the start. It panics if the substep is negative.
func NewWorld(o WorldOptions, robots []Robot, bodies []Body) (*World, error) {
	if o.Substep < 0 {
		panic(fmt.Sprintf("sim: substep %v of a world: expected at least 0", o.Substep))
	}
	w := &World{substep: o.Substep, gravity: spatial.Vec3{Z: -9.81}}
	if o.Substep == 0 {
		w.substep = time.Millisecond
	}
	if o.Gravity != nil {
		w.gravity = *o.Gravity
	}
	var wrong []error
	if !w.gravity.IsFinite() {
		wrong = append(wrong, fmt.Errorf("gravity is %v: must be finite", w.gravity))
	}
	for i := range robots {
		wrong = append(wrong, w.addRobot(&robots[i])...)
	}
	for i := range bodies {
		wrong = append(wrong, w.addBody(&bodies[i])...)
	}
	if len(w.parts) == 0 && len(wrong) == 0 {
		wrong = append(wrong, errors.New("it has neither robots nor bodies"))
	}
	known := map[string]bool{}
	for _, name := range w.names {
		if known[name] {
			wrong = append(wrong, fmt.Errorf("two parts have the name %q: names must differ", name))
		}
		known[name] = true
	}
	if len(wrong) == 0 {
		w.pair()
		wrong = w.overlaps()
	}
	for i, err := range wrong {
		wrong[i] = fmt.Errorf("sim: make a world: %w", err)
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return w, nil
}

func (w *World) addRobot(r *Robot) (wrong []error) {
	if r.Simulator == nil {
		return []error{fmt.Errorf("robot %q has no simulator: make one with sim.New", r.Name)}
	}
	name := r.Name
	if name == "" {
		name = r.Simulator.model.Name()
	}
	fail := func(format string, args ...any) {
		wrong = append(wrong, fmt.Errorf("robot %q "+format, append([]any{name}, args...)...))
	}
	for i := range w.robots {
		if w.robots[i].Simulator == r.Simulator {
			fail("has the simulator of another robot: make one for each with sim.New")
		}
	}
	if r.Simulator.integrator != Midpoint {
		fail("has a simulator with the integrator Euler: contacts need Midpoint")
	}
	if err := r.Material.check(); err != nil {
		fail("cannot touch anything: %w", err)
	}
	base, err := complete(r.Base)
	if err != nil {
		fail("has an impossible base: %w", err)
	} else if g := r.Simulator.model.Gravity(); base.R.MulVec(g).Sub(w.gravity).Norm() > 1e-6*(1+g.Norm()) {
		fail("feels the gravity %v in the axes of its base, which is not the world's %v there: give its model multibody.WithGravity", g, base.R.TMulVec(w.gravity))
	}
	robot := placedRobot{Simulator: r.Simulator, base: base}
	links := r.Simulator.model.Links()
	for link := range r.Shapes {
		if _, err := r.Simulator.model.Link(link); err != nil {
			fail("has shapes for the link %q, which its model does not have%s", link, nearest.Hint(link, links))
		}
	}
	for i, link := range links {
		if len(r.Shapes[link]) == 0 {
			continue
		}
		body, _ := r.Simulator.model.LinkFrame(i)
		full := name + "/" + link
		w.parts = append(w.parts, part{robot: len(w.robots), link: len(robot.links), mover: -1, material: r.Material})
		w.names = append(w.names, full)
		robot.links = append(robot.links, linkRows{link: i, rows: make([]float64, 6*r.Simulator.model.NV())})
		for _, err := range w.addForms(r.Shapes[link], body != 0) {
			wrong = append(wrong, fmt.Errorf("link %q: %w", full, err))
		}
	}
	if len(robot.links) == 0 {
		fail("has no shapes: nothing could touch it; description.Robot.Shapes returns those of a file")
	}
	w.robots = append(w.robots, robot)
	return wrong
}

func (w *World) addBody(b *Body) (wrong []error) {
	wrong = b.check()
	pose, err := complete(b.Pose)
	if err != nil {
		wrong = append(wrong, fmt.Errorf("body %q: %w", b.Name, err))
	}
	if b.Name == "" {
		wrong = append(wrong, errors.New("a body has no name"))
	}
	w.parts = append(w.parts, part{robot: -1, mover: len(w.movers), material: b.Material})
	w.names = append(w.names, b.Name)
	for _, err := range w.addForms(b.Parts, !b.Fixed) {
		wrong = append(wrong, fmt.Errorf("body %q: %w", b.Name, err))
	}
	if len(wrong) == 0 {
		w.movers = append(w.movers, newMover(b, pose))
	}
	return wrong
}

// addForms adds the shapes of the last part.
func (w *World) addForms(parts []geometry.Part, moves bool) (wrong []error) {
	for i, p := range parts {
		place, err := complete(p.Pose)
		switch {
		case p.Shape == nil:
			err = errors.New("there is none")
		case p.Shape.Kind() == geometry.Plane && moves:
			err = errors.New("a plane cannot move; use a box")
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("shape %d: %w", i+1, err))
			continue
		}
		for _, q := range p.Shape.Parts() {
			hull, err := q.Shape.ConvexHull()
			if err != nil {
				wrong = append(wrong, fmt.Errorf("shape %d: %w", i+1, err))
				continue
			}
			w.forms = append(w.forms, form{part: len(w.parts) - 1, shape: hull, seen: q.Shape, local: place.Mul(q.Pose)})
		}
	}
	return wrong
}

// complete returns the pose with the zero rotation read as none, and an error if it is not one.
func complete(p spatial.Pose) (spatial.Pose, error) {
	if p.R == (spatial.Mat3{}) {
		p.R = spatial.Identity()
	}
	if !p.R.IsRotation(1e-6) || !(math.Abs(p.P.X)+math.Abs(p.P.Y)+math.Abs(p.P.Z) <= geometry.Limit) {
		return p, fmt.Errorf("the pose %v is not finite or its matrix not a rotation", p)
	}
	return p, nil
}

// pair lists the forms that may touch.
func (w *World) pair() {
	for a := range w.forms {
		for b := range a {
			p, q := &w.parts[w.forms[b].part], &w.parts[w.forms[a].part]
			if w.forms[a].part == w.forms[b].part || w.fixed(p) && w.fixed(q) || p.robot >= 0 && p.robot == q.robot {
				continue
			}
			w.pairs = append(w.pairs, pair{a: b, b: a, material: p.material.with(q.material)})
		}
	}
}

// fixed reports whether a part cannot move.
func (w *World) fixed(p *part) bool {
	if p.robot < 0 {
		return w.movers[p.mover].pinned
	}
	r := &w.robots[p.robot]
	body, _ := r.model.LinkFrame(r.links[p.link].link)
	return body == 0
}

// overlaps returns an error for each pair that overlaps too deeply.
func (w *World) overlaps() (wrong []error) {
	w.place()
	for i := range w.pairs {
		p := &w.pairs[i]
		a, b := &w.forms[p.a], &w.forms[p.b]
		c, err := w.query.Distance(a.shape, &a.pose, b.shape, &b.pose, nil)
		if err == nil && c.Distance < -deepest {
			err = fmt.Errorf("overlap by %.3g m at the start: %w", -c.Distance, ErrOverlap)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%q and %q %w", w.names[a.part], w.names[b.part], err))
		}
	}
	return wrong
}

// place computes where all parts and forms are.
func (w *World) place() {
	for i := range w.robots {
		r := &w.robots[i]
		multibody.FK(r.data, r.q)
	}
	for i := range w.parts {
		p := &w.parts[i]
		if p.robot < 0 {
			p.pose = w.movers[p.mover].pose()
			continue
		}
		r := &w.robots[p.robot]
		l := &r.links[p.link]
		pose := r.data.Pose(l.link)
		l.done, l.at = false, pose.P
		p.pose = r.base.Mul(pose)
	}
	for i := range w.forms {
		f := &w.forms[i]
		f.pose = w.parts[f.part].pose.Mul(f.local)
		f.bounds = f.shape.Bounds(&f.pose)
	}
}

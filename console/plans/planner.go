package plans

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/planning/taskspace"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Planner makes the plans of one pane, one at a time.
type Planner struct {
	newest atomic.Int64 // number of the newest request; older ones end
	growth growth

	mu     sync.Mutex
	world  *robots.World
	spaces *spaces
	key    [2]string // kind and engine of the planner
	data   *multibody.Data

	objects []Object // of the scene
	scene   *scene.Scene
	engine  scene.Engine
	exact   *exact.Engine
	judge   *planning.Verifier // by the exact engine
	prover  *proof.Prover      // nil: a joint has several coordinates
	planner planning.Planner
	timer   *planning.Connect // that the motion planner has; the planner itself if it is one

	link  string // whose goals are kept
	goals *taskspace.Goals
	fullQ []float64
}

// prepare makes the scene, the engine and the planner of a problem, and keeps those that fit from the last one.
func (x *Planner) prepare(w *robots.World, q *Problem) error {
	all, err := w.Joints()
	if err != nil {
		return err
	}
	if err := q.check(all.Dim()); err != nil {
		return err
	}
	if x.world != w || !x.spaces.fits(q.Held, q.Start) {
		s, err := newSpaces(w, q.Held, q.Start)
		if err != nil {
			return err
		}
		x.world, x.spaces, x.data = w, s, multibody.NewData(w.Scene.Models()[0].Model)
		x.scene, x.planner, x.goals, x.fullQ = nil, nil, nil, make([]float64, w.Scene.NQ())
	}
	key := [2]string{q.Planner, q.Engine}
	same := x.scene != nil && reflect.DeepEqual(q.Objects, x.objects)
	if x.planner != nil && key == x.key && same {
		return nil
	}
	if !same {
		if err := x.build(w, q.Objects); err != nil {
			x.scene = nil
			return err
		}
	}
	x.engine = exact.New(x.scene)
	if q.Engine != "exact" {
		fast, err := spheres.New(x.scene)
		if err == nil {
			x.engine = fast
		} else if q.Engine == "spheres" {
			x.planner = nil
			return err
		}
	}
	if x.planner != nil && key == x.key {
		for _, v := range []*planning.Verifier{x.planner.Common().Verifier(), x.timer.Verifier()} {
			if err := v.Use(x.engine); err != nil {
				return err
			}
		}
		return nil
	}
	x.key = key
	return x.makePlanner(q.Planner, w.Resolution)
}

// build makes the scene with obstacles, and what examines motions in it.
func (x *Planner) build(w *robots.World, objects []Object) (err error) {
	if x.scene, err = sceneWith(w.Scene, objects); err != nil {
		return err
	}
	x.objects, x.exact, x.goals, x.prover = slices.Clone(objects), exact.New(x.scene), nil, nil
	if x.judge, err = planning.NewVerifier(x.exact, x.spaces.moving, w.Resolution); err != nil || x.spaces.joints == nil {
		return err
	}
	x.prover, err = proof.NewProver(x.scene, x.spaces.joints, proofStep)
	return err
}

// makePlanner makes a planner for the engine.
func (x *Planner) makePlanner(name string, resolution float64) error {
	kinds := planning.Kinds()
	k := kinds[0]
	if i := slices.IndexFunc(kinds, func(k planning.Kind) bool { return k.Name == name }); i >= 0 {
		k = kinds[i]
	}
	planner, err := k.New(x.engine, x.spaces.moving, resolution, nodes)
	if err != nil {
		x.planner = nil
		return err
	}
	timer, ok := planner.(*planning.Connect)
	if !ok {
		if timer, err = planning.NewConnect(x.engine, x.spaces.moving, resolution, 2); err != nil {
			x.planner = nil
			return err
		}
	}
	x.planner, x.timer = planner, timer
	return nil
}

// sceneWith returns the robot of a world among other obstacles than its own.
func sceneWith(own *scene.Scene, objects []Object) (*scene.Scene, error) {
	bodies := map[string]*scene.Body{}
	s := own
	var err error
	for i := range own.Bodies() {
		b := &own.Bodies()[i]
		if !b.Object {
			continue
		}
		bodies[b.Name] = b
		if s, err = s.Remove(b.Name); err != nil {
			return nil, err
		}
	}
	list := make([]scene.Object, len(objects))
	for i := range objects {
		if list[i], err = objects[i].object(bodies); err != nil {
			return nil, err
		}
	}
	return s.Add(list...)
}

// hand returns the position of a link at a point of the space in which it is planned.
func (x *Planner) hand(link int, p []float64) [3]float64 {
	x.spaces.moving.Configuration(p, x.fullQ)
	multibody.FK(x.data, x.fullQ)
	at := identity(x.world.Scene.Models()[0].Base).Mul(x.data.Pose(link)).P
	return [3]float64{at.X, at.Y, at.Z}
}

// contacts returns contacts for pages.
func contacts(list []scene.Contact) []Contact {
	all := []Contact{}
	for _, c := range list {
		all = append(all, contact(c))
	}
	return all
}

func contact(c scene.Contact) Contact {
	point := func(v spatial.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }
	return Contact{A: c.Pair.A, B: c.Pair.B, Distance: c.Distance, PA: point(c.A), PB: point(c.B)}
}

// free reports whether a point of the space in which it is planned is within the limits and free by the exact engine.
func (x *Planner) free(p []float64) bool {
	return x.spaces.moving.Outside(p) < 0 && x.judge.Free(p)
}

// Package scenetest is the conformance suite of scene engines. An engine runs it in its own tests:
//
//	func TestEngineConforms(t *testing.T) {
//		scenetest.Run(t, func(s *scene.Scene) (scene.Engine, error) { return exact.New(s), nil })
//	}
//
// Its judge has no tree, filter or order: it asks package geometry about all parts of all pairs.
package scenetest

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Contact is how near to contact (m) engines may disagree.
const Contact = 1e-5

// Run runs the suite on engines that create returns.
func Run(t *testing.T, create func(*scene.Scene) (scene.Engine, error)) {
	engine := func(t *testing.T, s *scene.Scene) scene.Engine {
		t.Helper()
		e, err := create(s)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	t.Run("answers are those of all pairs of parts", func(t *testing.T) {
		r := random(t)
		for range 40 {
			s := randomScene(t, r)
			e := engine(t, s)
			for range 50 {
				agree(t, e, randomConfiguration(r, s))
			}
		}
	})
	t.Run("lines are their configurations", func(t *testing.T) {
		r := random(t)
		for range 20 {
			s := randomScene(t, r)
			if e, ok := engine(t, s).(scene.LineEngine); ok {
				for range 8 {
					from, step := randomConfiguration(r, s), randomConfiguration(r, s)
					part := r.Float64()
					for i := range step {
						step[i] = part * part * (step[i] - from[i])
					}
					agreeAlong(t, e, from, step, 1+r.IntN(20))
				}
			}
		}
	})
	t.Run("attached objects move with their link", func(t *testing.T) {
		r := random(t)
		for range 20 {
			s := randomScene(t, r)
			s, err := s.Attach("obstacle0", "link3", randomConfiguration(r, s), "link4")
			if err != nil {
				t.Fatal(err)
			}
			e := engine(t, s)
			for range 50 {
				agree(t, e, randomConfiguration(r, s))
			}
		}
	})
	t.Run("refuses coordinates that are not finite", func(t *testing.T) {
		e := engine(t, randomScene(t, random(t)))
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			q := make([]float64, e.Scene().NQ())
			q[len(q)-1] = bad
			_, hit, err := e.Collide(q)
			_, err2 := e.Distance(q)
			_, err3 := e.Contacts(q, nil)
			_, err4 := e.Touching(q, nil)
			if lines, ok := e.(scene.LineEngine); ok {
				along, errFrom := lines.CollideAlong(q, make([]float64, len(q)), 3, 3)
				along2, errStep := lines.CollideAlong(make([]float64, len(q)), q, 3, 3)
				if along || along2 || errFrom == nil || errStep == nil {
					t.Errorf("line with %g: hit %t, %t, errors %v, %v", bad, along, along2, errFrom, errStep)
				}
			}
			if hit || err == nil || err2 == nil || err3 == nil || err4 == nil {
				t.Errorf("q with %g: hit %t, errors %v, %v, %v, %v", bad, hit, err, err2, err3, err4)
			}
		}
	})
	t.Run("queries allocate nothing", func(t *testing.T) {
		r := random(t)
		s := randomScene(t, r)
		e := engine(t, s)
		list := make([]scene.Contact, 0, len(s.Bodies())*len(s.Bodies()))
		pairs := make([]scene.Pair, 0, cap(list))
		q := randomConfiguration(r, s)
		query := func() {
			_, _, err := e.Collide(q)
			_, err2 := e.Contacts(q, list)
			_, err3 := e.Distance(q)
			_, err4 := e.Touching(q, pairs)
			if lines, ok := e.(scene.LineEngine); ok {
				_, err5 := lines.CollideAlong(q, q, 10, 20)
				err4 = errors.Join(err4, err5)
			}
			if err := errors.Join(err, err2, err3, err4); err != nil {
				t.Fatal(err)
			}
		}
		query()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 100 {
			query()
		}
		runtime.ReadMemStats(&after)
		if n := after.Mallocs - before.Mallocs; n > 20 { // other goroutines of the test binary may allocate a few
			t.Errorf("100 rounds of queries made %d allocations", n)
		}
	})
	t.Run("a scene without checked pairs is free", func(t *testing.T) {
		s := randomScene(t, random(t))
		var all []scene.Pair
		for i, a := range s.Bodies() {
			for _, b := range s.Bodies()[:i] {
				all = append(all, scene.Pair{A: a.Name, B: b.Name})
			}
		}
		s, err := s.Allow(all...)
		if err != nil {
			t.Fatal(err)
		}
		e := engine(t, s)
		q := make([]float64, s.NQ())
		_, hit, err := e.Collide(q)
		c, err2 := e.Distance(q)
		if hit || !math.IsInf(c.Distance, 1) || err != nil || err2 != nil {
			t.Errorf("hit %t, distance %g, %v, %v; want no hit at an infinite distance", hit, c.Distance, err, err2)
		}
	})
}

// agree compares an engine with the judge.
func agree(t *testing.T, e scene.Engine, q []float64) {
	t.Helper()
	want, least := judge(t, e.Scene(), q)
	pair, hit, err := e.Collide(q)
	if err != nil {
		t.Fatal(err)
	}
	if d, checked := want[pair]; hit && (!checked || d > Contact) || !hit && least < -Contact {
		t.Errorf("Collide(%v) = %s, %t; the least distance is %g, of this pair %g", q, pair, hit, least, d)
	}
	c, err := e.Distance(q)
	if err != nil || math.Abs(c.Distance-least) > Contact || math.Abs(want[c.Pair]-least) > Contact {
		t.Errorf("Distance(%v) = %g of %s, %v; want %g", q, c.Distance, c.Pair, err, least)
	}
	touching, err := e.Touching(q, nil)
	if err != nil {
		t.Fatal(err)
	}
	for p, d := range want {
		other := scene.Pair{A: p.B, B: p.A}
		if math.Abs(d) > Contact && (slices.Contains(touching, p) != slices.Contains(touching, other)) != (d < 0) {
			t.Errorf("Touching(%v) = %s; the distance of %s is %g", q, touching, p, d)
		}
	}
	list, err := e.Contacts(q, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := map[scene.Pair]bool{}
	for _, c := range list {
		if d, checked := want[c.Pair]; !checked || math.Abs(d-c.Distance) > Contact || found[c.Pair] || found[scene.Pair{A: c.Pair.B, B: c.Pair.A}] {
			t.Errorf("Contacts(%v): %s at %g; want %g, once", q, c.Pair, c.Distance, d)
		}
		found[c.Pair] = true
	}
	for p, d := range want {
		if d < -Contact && !found[p] && !found[scene.Pair{A: p.B, B: p.A}] {
			t.Errorf("Contacts(%v): %s is missing, distance %g", q, p, d)
		}
	}
}

// agreeAlong compares a line of n points with the judge.
func agreeAlong(t *testing.T, e scene.LineEngine, from, step []float64, n int) {
	t.Helper()
	hit, err := e.CollideAlong(from, step, n, n)
	if err != nil {
		t.Fatal(err)
	}
	least := math.Inf(1)
	q := make([]float64, len(from))
	for k := 1; k <= n; k++ {
		for i := range q {
			q[i] = from[i] + float64(k)/float64(n)*step[i]
		}
		_, d := judge(t, e.Scene(), q)
		least = min(least, d)
	}
	if math.Abs(least) > Contact && hit != (least < 0) {
		t.Errorf("CollideAlong(%v, %v, %d) = %t; the least distance is %g", from, step, n, hit, least)
	}
}

// judge returns the distances of all checked pairs, with both orders of the names, and the least of them.
func judge(t *testing.T, s *scene.Scene, q []float64) (of map[scene.Pair]float64, least float64) {
	t.Helper()
	p := scene.NewPlacer(s)
	if err := p.Place(q); err != nil {
		t.Fatal(err)
	}
	var query geometry.Query
	of, least = map[scene.Pair]float64{}, math.Inf(1)
	list := s.Bodies()
	for i := range list {
		for j := range i {
			if !s.Checked(i, j) {
				continue
			}
			d := math.Inf(1)
			for _, x := range list[i].Parts {
				for _, y := range list[j].Parts {
					px, py := p.Poses[i].Mul(x.Pose), p.Poses[j].Mul(y.Pose)
					c, err := query.Distance(x.Shape, &px, y.Shape, &py, nil)
					if err != nil {
						t.Fatal(err)
					}
					d = min(d, c.Distance)
				}
			}
			of[scene.Pair{A: list[i].Name, B: list[j].Name}], of[scene.Pair{A: list[j].Name, B: list[i].Name}] = d, d
			least = min(least, d)
		}
	}
	return of, least
}

// random returns a source with a seed that a failed test prints.
func random(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0))
}

// randomConfiguration returns a configuration within the limits.
func randomConfiguration(r *rand.Rand, s *scene.Scene) (q []float64) {
	for _, m := range s.Models() {
		part := make([]float64, m.Model.NQ())
		m.Model.Random(r, part)
		q = append(q, part...)
	}
	return q
}

// randomScene returns two arms of spheres among obstacles of all kinds; the first obstacle is a sphere.
func randomScene(t *testing.T, r *rand.Rand) *scene.Scene {
	t.Helper()
	must := func(s *geometry.Shape, err error) *geometry.Shape {
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	tree := multibody.Tree{Name: "arm", Links: []multibody.Link{{Name: "link0"}}}
	shapes := map[string][]geometry.Part{}
	for i := 1; i <= 5; i++ {
		a, b := name("link", i-1), name("link", i)
		tree.Links = append(tree.Links, multibody.Link{Name: b})
		j := multibody.Joint{Name: name("joint", i), Parent: a, Child: b, Type: multibody.Revolute, Placement: randomPose(r, 0.3), Axis: spatial.Vec3{Z: 1}}
		switch {
		case i == 4:
			j.Type = multibody.Fixed
		case i == 3 && r.IntN(2) == 0:
			j.Type, j.Limits = multibody.Prismatic, &multibody.Limits{Lower: -0.3, Upper: 0.3, Velocity: 1, Effort: 1}
		case i == 5 && r.IntN(2) == 0:
			j.Mimic = &multibody.Mimic{Joint: name("joint", 1+r.IntN(3)), Multiplier: -0.5, Offset: 0.2}
		}
		if j.Type == multibody.Revolute && r.IntN(2) == 0 {
			j.Axis = spatial.Vec3{X: 0.6, Y: -0.8}
		}
		tree.Joints = append(tree.Joints, j)
		for range 1 + r.IntN(5) {
			ball := must(geometry.NewSphere(0.02 + 0.06*r.Float64()))
			shapes[b] = append(shapes[b], geometry.Part{Shape: ball, Pose: randomPose(r, 0.15)})
		}
	}
	m, err := multibody.NewModel(tree)
	if err != nil {
		t.Fatal(err)
	}
	allowed := []scene.Pair{{A: "link1", B: "link2"}, {A: "link3", B: "link2"}}
	s, err := scene.New(
		scene.Model{Model: m, Shapes: shapes, Allowed: allowed, Base: randomPose(r, 0.5)},
		scene.Model{Model: m, Shapes: shapes, Prefix: "second/", Padding: 0.01},
	)
	if err != nil {
		t.Fatal(err)
	}
	size := func() float64 { return 0.02 + 0.3*r.Float64() }
	kinds := []func() *geometry.Shape{
		func() *geometry.Shape { return must(geometry.NewSphere(size())) },
		func() *geometry.Shape { return must(geometry.NewBox(spatial.Vec3{X: size(), Y: size(), Z: size()})) },
		func() *geometry.Shape { return must(geometry.NewCapsule(size()/2, size())) },
		func() *geometry.Shape { return must(geometry.NewCapsule(size()/2, 0)) },
		func() *geometry.Shape { return must(geometry.NewCylinder(size(), size())) },
		func() *geometry.Shape { return must(geometry.NewCone(size(), size())) },
		func() *geometry.Shape {
			return must(must(geometry.NewBox(spatial.Vec3{X: size(), Y: size(), Z: size()})).Rounded(0.02))
		},
		func() *geometry.Shape {
			points := make([]spatial.Vec3, 1+r.IntN(100))
			for i := range points {
				points[i] = randomPose(r, 0.3).P
			}
			return must(geometry.NewCloud(points, []float64{0.03 * r.Float64()}))
		},
	}
	var objects []scene.Object
	for i, kind := range kinds {
		o := scene.Object{Name: name("obstacle", i), Pose: randomPose(r, 1), Parts: []geometry.Part{{Shape: kind()}}}
		if i > 0 && r.IntN(2) == 0 {
			o.Parts = append(o.Parts, geometry.Part{Shape: kinds[r.IntN(len(kinds))](), Pose: randomPose(r, 0.3)})
		}
		objects = append(objects, o)
	}
	objects = append(objects, scene.Object{Name: "floor", Pose: spatial.Translation(spatial.Vec3{Z: -0.8}), Parts: []geometry.Part{{Shape: geometry.NewPlane()}}})
	if s, err = s.Add(objects...); err != nil {
		t.Fatal(err)
	}
	return s
}

func name(word string, i int) string { return word + string(rune('0'+i)) }

func randomPose(r *rand.Rand, size float64) spatial.Pose {
	v := func(k float64) spatial.Vec3 {
		return spatial.Vec3{X: k * (2*r.Float64() - 1), Y: k * (2*r.Float64() - 1), Z: k * (2*r.Float64() - 1)}
	}
	return spatial.Pose{R: spatial.Exp(v(3)), P: v(size)}
}

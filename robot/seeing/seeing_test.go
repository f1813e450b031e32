package seeing_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
	"github.com/sinew-robotics/sinew/robot/seeing"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// kinect is a camera of 640 × 480 pixels.
var kinect = seeing.Camera{Width: 640, Height: 480, Fx: 525, Fy: 525, Cx: 319.5, Cy: 239.5, Unit: 0.001, Near: 0.3, Far: 4}

// small is the same view with 80 × 60 pixels.
var small = seeing.Camera{Width: 80, Height: 60, Fx: 65.625, Fy: 65.625, Cx: 39.5, Cy: 29.5, Unit: 1, Near: 0.3, Far: 4}

// room are the cubes of the tests: 2 m along each axis, 20 mm each.
var room = geometry.Voxels{Corner: spatial.Vec3{X: -1, Y: -1, Z: -0.5}, Size: 0.02, Counts: [3]int{100, 100, 100}}

// ahead is a camera at x = -1.2, 0.5 m above the origin, that looks along x, as upright as a person.
var ahead = spatial.Pose{R: spatial.Mat3{{0, 0, 1}, {-1, 0, 0}, {0, -1, 0}}, P: spatial.Vec3{X: -1.2, Z: 0.5}}

func must[T any](t testing.TB) func(T, error) T {
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// box returns an object.
func box(t testing.TB, name string, size, at spatial.Vec3) scene.Object {
	return scene.Object{Name: name, Pose: spatial.Translation(at), Parts: []geometry.Part{{Shape: must[*geometry.Shape](t)(geometry.NewBox(size))}}}
}

// render returns the depths (m) that a camera sees of objects; 0 where there is nothing.
func render(t testing.TB, c *seeing.Camera, pose *spatial.Pose, objects ...scene.Object) []float32 {
	t.Helper()
	var q geometry.Query
	depths := make([]float32, c.Width*c.Height)
	for i := range depths {
		ray := c.Ray(i%c.Width, i/c.Width)
		near := math.Inf(1)
		for _, o := range objects {
			for _, p := range o.Parts {
				at := o.Pose.Mul(spatial.IdentityPose())
				if p.Pose.R != (spatial.Mat3{}) {
					at = o.Pose.Mul(p.Pose)
				}
				hit, ok, err := q.Raycast(p.Shape, &at, geometry.Ray{Origin: pose.P, Direction: pose.R.MulVec(ray), Length: 20})
				if err != nil {
					t.Fatal(err)
				}
				if ok {
					near = min(near, hit.Distance/ray.Norm())
				}
			}
		}
		if !math.IsInf(near, 1) {
			depths[i] = float32(near)
		}
	}
	return depths
}

// millimetres returns depths as most cameras deliver them.
func millimetres(depths []float32) []uint16 {
	out := make([]uint16, len(depths))
	for i, d := range depths {
		out[i] = uint16(math.Round(1000 * float64(d)))
	}
	return out
}

func TestMapHoldsTheSurfaceThatACameraSees(t *testing.T) {
	wall, post := box(t, "wall", spatial.Vec3{X: 0.1, Y: 3, Z: 3}, spatial.Vec3{X: 0.75}), box(t, "post", spatial.Vec3{X: 0.1, Y: 0.1, Z: 1}, spatial.Vec3{Z: 0.3})
	m := must[*seeing.Map](t)(seeing.NewMap(room, 0))
	depths := millimetres(render(t, &kinect, &ahead, wall, post))
	depths[0], depths[1], depths[2] = 0, 200, 9000
	counts, err := seeing.SeeDepth(m, &kinect, depths, &ahead, nil, 0)
	if err != nil || counts.Invalid != 1 || counts.Range != 2 || counts.Points < 200_000 || counts.Points+counts.Outside+3 != len(depths) {
		t.Errorf("%+v, %v", counts, err)
	}
	var q geometry.Query
	point := must[*geometry.Shape](t)(geometry.NewSphere(0))
	distance := func(o scene.Object, at spatial.Vec3) float64 {
		here := spatial.Translation(at)
		c, err := q.Distance(point, &here, o.Parts[0].Shape, &o.Pose, nil)
		if err != nil {
			t.Fatal(err)
		}
		return c.Distance
	}
	for _, p := range m.Points(nil) { // a cube is where a surface is, within half a diagonal and the rounding to 1 mm
		if d := min(math.Abs(distance(wall, p)), math.Abs(distance(post, p))); d > room.Radius()+0.001 {
			t.Fatalf("the cube at %v is %g m from what the camera sees", p, d)
		}
	}
	for z := 0.05; z < 0.75; z += 0.01 { // the front of the post, as far as the camera sees it, is covered
		if cube, ok := room.At(spatial.Vec3{X: -0.0499, Z: z}); !ok || !m.Occupied(cube) {
			if behind, _ := room.At(spatial.Vec3{X: -0.0601, Z: z}); !m.Occupied(behind) { // rounding to 1 mm
				t.Errorf("the front of the post is free at %g", z)
			}
		}
	}
	if cube, _ := room.At(spatial.Vec3{X: 0.4, Z: 0.5}); m.Occupied(cube) {
		t.Error("a cube behind the post, which the camera does not see, is occupied")
	}
}

func TestRaysFreeWhatHasGone(t *testing.T) {
	wall, post := box(t, "wall", spatial.Vec3{X: 0.1, Y: 4, Z: 4}, spatial.Vec3{X: 0.76}), box(t, "post", spatial.Vec3{X: 0.1, Y: 0.1, Z: 1}, spatial.Vec3{Z: 0.5})
	m := must[*seeing.Map](t)(seeing.NewMap(room, 0))
	at := func(x float64) bool {
		cube, _ := room.At(spatial.Vec3{X: x, Z: 0.5})
		return m.Occupied(cube)
	}
	see := func(depths []float32) seeing.Counts {
		return must[seeing.Counts](t)(seeing.SeeDepth(m, &small, depths, &ahead, nil, 0))
	}
	with, without := render(t, &small, &ahead, wall, post), render(t, &small, &ahead, wall)
	see(with)
	if !at(-0.0499) {
		t.Error("the post is not seen")
	}
	invalid := make([]float32, len(with))
	for i := range invalid {
		invalid[i] = float32(math.NaN())
	}
	if c := see(invalid); c.Invalid != len(invalid) || c.Cleared != 0 || !at(-0.0499) {
		t.Errorf("an image without valid depths changed the map: %+v", c)
	}
	if c := see(without); c.Cleared == 0 || at(-0.0499) || !at(0.71) {
		t.Errorf("the post has gone: %+v; it is remembered: %t, the wall: %t", c, at(-0.0499), at(0.71))
	}
	for i := range invalid {
		invalid[i] = float32(math.Inf(1)) // nothing within range
	}
	if c := see(invalid); m.Len() != 0 || c.Range != len(invalid) {
		t.Errorf("%d cubes are remembered though nothing is there", m.Len())
	}
}

func TestCubesAreForgottenAfterATime(t *testing.T) {
	m := must[*seeing.Map](t)(seeing.NewMap(room, time.Second))
	post := render(t, &small, &ahead, box(t, "post", spatial.Vec3{X: 0.1, Y: 0.1, Z: 1}, spatial.Vec3{Z: 0.5}))
	blind := make([]float32, len(post))
	must[seeing.Counts](t)(seeing.SeeDepth(m, &small, post, &ahead, nil, 5*time.Second))
	n := m.Len()
	c := must[seeing.Counts](t)(seeing.SeeDepth(m, &small, blind, &ahead, nil, 6*time.Second))
	if n == 0 || m.Len() != n || c.Forgotten != 0 {
		t.Errorf("after 1 s: %d cubes of %d", m.Len(), n)
	}
	if c = must[seeing.Counts](t)(seeing.SeeDepth(m, &small, blind, &ahead, nil, 6*time.Second+1)); m.Len() != 0 || c.Forgotten != n {
		t.Errorf("after more: %d cubes of %d, %+v", m.Len(), n, c)
	}
	must[seeing.Counts](t)(seeing.SeeDepth(m, &small, post, &ahead, nil, 7*time.Second))
	if m.Clear(); m.Len() != 0 {
		t.Error("it is not clear")
	}
}

// arm returns a robot with a link of spheres and one of a box, which a slider moves along y.
func arm(t testing.TB) *scene.Scene {
	m := must[*multibody.Model](t)(multibody.NewModel(multibody.Tree{
		Name: "arm", Links: []multibody.Link{{Name: "base"}, {Name: "hand"}},
		Joints: []multibody.Joint{{
			Name: "slide", Type: multibody.Prismatic, Parent: "base", Child: "hand", Axis: spatial.Vec3{Y: 1}, Limits: &multibody.Limits{Lower: -1, Upper: 1},
		}},
	}))
	ball := must[*geometry.Shape](t)(geometry.NewSphere(0.1))
	hand := must[*geometry.Shape](t)(geometry.NewBox(spatial.Vec3{X: 0.1, Y: 0.1, Z: 0.3}))
	return must[*scene.Scene](t)(scene.New(scene.Model{Model: m, Shapes: map[string][]geometry.Part{
		"base": {{Shape: ball, Pose: spatial.Translation(spatial.Vec3{Z: 0.2})}, {Shape: ball, Pose: spatial.Translation(spatial.Vec3{Z: 0.3})}},
		"hand": {{Shape: hand, Pose: spatial.Translation(spatial.Vec3{X: -0.2, Z: 0.5})}},
	}, Allowed: []scene.Pair{{A: "base", B: "hand"}}}))
}

// bodies returns the bodies of a scene as objects where they are.
func bodies(t testing.TB, s *scene.Scene, q []float64) (list []scene.Object) {
	p := scene.NewPlacer(s)
	if err := p.Place(q); err != nil {
		t.Fatal(err)
	}
	for i, b := range s.Bodies() {
		list = append(list, scene.Object{Name: b.Name, Pose: p.Poses[i], Parts: b.Parts})
	}
	return list
}

func TestRobotIsNoObstacleForItself(t *testing.T) {
	s := arm(t)
	own := must[*seeing.SelfFilter](t)(seeing.NewOwn(s, 0.01))
	wall := box(t, "wall", spatial.Vec3{X: 0.1, Y: 3, Z: 3}, spatial.Vec3{X: 0.75})
	m := must[*seeing.Map](t)(seeing.NewMap(room, 0))
	ring := must[*seeing.Snapshots](t)(seeing.NewSnapshots(m, s, "seen", 2))
	engines := []*exact.Engine{exact.New(ring.Scenes()[0]), exact.New(ring.Scenes()[1])}
	for k, y := range []float64{0, 0.3, 0.32, -0.4} {
		q := []float64{y}
		if err := own.Place(q); err != nil {
			t.Fatal(err)
		}
		c := must[seeing.Counts](t)(seeing.SeeDepth(m, &small, render(t, &small, &ahead, append(bodies(t, s, q), wall)...), &ahead, own, time.Duration(k)))
		i, err := ring.Next()
		if err != nil {
			t.Fatal(err)
		}
		contact, err := engines[i].Distance(q)
		if err != nil || c.Own == 0 || contact.Distance < 0 {
			t.Errorf("at %g: %+v; distance to what is seen %g, %v", y, c, contact.Distance, err)
		}
		if wallAt := 0.7 - 0.1 - 2*room.Radius(); contact.Distance > 0.61 || contact.Distance < wallAt-0.6 {
			t.Errorf("at %g: the nearest obstacle is %g m away; the wall is 0.6 m away", y, contact.Distance)
		}
	}
	if err := own.Place([]float64{math.NaN()}); err == nil {
		t.Error("a configuration of NaN is accepted")
	}
	if _, err := seeing.NewOwn(s, math.NaN()); err == nil {
		t.Error("a padding of NaN is accepted")
	}
}

// TestEnginesMadeBeforeTheFirstImageSeeIt: an engine leaves out obstacles that a link never reaches, but not those that change.
func TestEnginesMadeBeforeTheFirstImageSeeIt(t *testing.T) {
	ball := must[*geometry.Shape](t)(geometry.NewSphere(0.1))
	turning := must[*multibody.Model](t)(multibody.NewModel(multibody.Tree{
		Name: "turning", Links: []multibody.Link{{Name: "base"}, {Name: "hand"}},
		Joints: []multibody.Joint{{Name: "turn", Type: multibody.Revolute, Parent: "base", Child: "hand", Axis: spatial.Vec3{Z: 1}}},
	}))
	s := must[*scene.Scene](t)(scene.New(scene.Model{Model: turning, Shapes: map[string][]geometry.Part{"hand": {{Shape: ball, Pose: spatial.Translation(spatial.Vec3{Z: 0.3})}}}}))
	m := must[*seeing.Map](t)(seeing.NewMap(room, 0))
	ring := must[*seeing.Snapshots](t)(seeing.NewSnapshots(m, s, "seen", 1))
	engines := []scene.Engine{exact.New(ring.Scenes()[0]), must[*spheres.Engine](t)(spheres.New(ring.Scenes()[0]))}
	collide := func(want bool) {
		t.Helper()
		for _, e := range engines {
			if _, hit, err := e.Collide([]float64{0}); hit != want || err != nil {
				t.Errorf("%s: hit %t, %v; want %t", e.Name(), hit, err, want)
			}
		}
	}
	collide(false)
	post := render(t, &small, &ahead, box(t, "post", spatial.Vec3{X: 0.1, Y: 0.1, Z: 1}, spatial.Vec3{Z: 0.4}))
	must[seeing.Counts](t)(seeing.SeeDepth(m, &small, post, &ahead, nil, 0))
	must[int](t)(ring.Next())
	collide(true)
	m.Clear()
	must[int](t)(ring.Next())
	collide(false)
}

func TestSnapshotStaysUntilTheRingIsFull(t *testing.T) {
	s := arm(t)
	m := must[*seeing.Map](t)(seeing.NewMap(room, 0))
	ring := must[*seeing.Snapshots](t)(seeing.NewSnapshots(m, s, "seen", 2))
	distance := func(i int) float64 {
		return must[scene.Contact](t)(exact.New(ring.Scenes()[i]).Distance([]float64{0})).Distance
	}
	first := must[int](t)(ring.Next())
	if d := distance(first); !math.IsInf(d, 1) {
		t.Errorf("nothing is seen, but %g m away", d)
	}
	must[seeing.Counts](t)(seeing.SeeDepth(m, &small, render(t, &small, &ahead, box(t, "post", spatial.Vec3{X: 0.1, Y: 0.1, Z: 1}, spatial.Vec3{X: 0.4, Z: 0.5})), &ahead, nil, 0))
	second := must[int](t)(ring.Next())
	if first == second || !math.IsInf(distance(first), 1) || distance(second) > 0.5 {
		t.Errorf("scenes %d and %d: %g and %g m", first, second, distance(first), distance(second))
	}
	if third := must[int](t)(ring.Next()); third != first || distance(third) != distance(second) {
		t.Errorf("the third scene is %d", third)
	}
	if _, err := seeing.NewSnapshots(m, s, "hand", 2); err == nil || !strings.Contains(err.Error(), "hand") {
		t.Errorf("error %v", err)
	}
}

func TestScansMarkAndFreeTheirPlane(t *testing.T) {
	m := must[*seeing.Map](t)(seeing.NewMap(room, 0))
	for _, lidar := range []seeing.Scanner{
		{Rays: 360, First: -math.Pi, Step: math.Pi / 180, Near: 0.05, Far: 10},
		{Rays: 360, First: math.Pi, Step: -math.Pi / 180, Near: 0.05, Far: 10},
		{Rays: 181, First: -math.Pi / 2, Step: math.Pi / 180, Near: 0.05, Far: 10},
	} {
		if err := lidar.Check(); err != nil {
			t.Error(err)
		}
		m.Clear()
		ranges := make([]float32, lidar.Rays)
		for i := range ranges { // a circular wall
			ranges[i] = 0.5
		}
		pose := spatial.Translation(spatial.Vec3{Z: 0.51})
		c := must[seeing.Counts](t)(seeing.SeeScan(m, &lidar, ranges, &pose, nil, 0))
		n := m.Len()
		if c.Points != lidar.Rays || n < 60 {
			t.Errorf("%+v, %d cubes", c, n)
		}
		for _, p := range m.Points(nil) {
			if d := math.Hypot(p.X, p.Y); math.Abs(d-0.5) > room.Radius() || math.Abs(p.Z-0.51) > 1e-9 {
				t.Fatalf("a cube at %v", p)
			}
		}
		for i := range ranges { // the wall is farther now, but in one direction
			ranges[i] = 0.9
		}
		ranges[100], ranges[101] = float32(math.NaN()), 20
		above := spatial.Translation(spatial.Vec3{Z: 0.61})
		if c = must[seeing.Counts](t)(seeing.SeeScan(m, &lidar, ranges, &above, nil, 0)); c.Cleared != 0 || c.Invalid != 1 || c.Range != 1 {
			t.Errorf("another plane is freed: %+v", c)
		}
		if c = must[seeing.Counts](t)(seeing.SeeScan(m, &lidar, ranges, &pose, nil, 0)); c.Cleared > n-1 || c.Cleared < n-4 {
			t.Errorf("%d of %d cubes are freed", c.Cleared, n)
		}
	}
}

func TestMeasurementsAllocateNothingAfterTheFirst(t *testing.T) {
	s := arm(t)
	q := []float64{0.2}
	wall, post := box(t, "wall", spatial.Vec3{X: 0.1, Y: 3, Z: 3}, spatial.Vec3{X: 0.75}), box(t, "post", spatial.Vec3{X: 0.1, Y: 0.1, Z: 1}, spatial.Vec3{Z: 0.3})
	images := [][]float32{render(t, &small, &ahead, wall, post), render(t, &small, &ahead, append(bodies(t, s, q), wall)...)}
	lidar := seeing.Scanner{Rays: 90, Step: math.Pi / 180, Near: 0.05, Far: 10}
	ranges := make([]float32, lidar.Rays)
	for i := range ranges {
		ranges[i] = 0.5
	}
	m := must[*seeing.Map](t)(seeing.NewMap(room, time.Second))
	own := must[*seeing.SelfFilter](t)(seeing.NewOwn(s, 0.01))
	ring := must[*seeing.Snapshots](t)(seeing.NewSnapshots(m, s, "seen", 2))
	frame := func() {
		for i, image := range images {
			err := own.Place(q)
			_, err2 := seeing.SeeDepth(m, &small, image, &ahead, own, time.Duration(i))
			_, err3 := seeing.SeeScan(m, &lidar, ranges, &ahead, own, time.Duration(i))
			if _, err4 := ring.Next(); err != nil || err2 != nil || err3 != nil || err4 != nil {
				t.Fatal(err, err2, err3, err4)
			}
		}
	}
	frame()
	testkit.NoAllocs(t, 3, frame)
}

func TestBadInputIsRefused(t *testing.T) {
	m := must[*seeing.Map](t)(seeing.NewMap(room, 0))
	bad := ahead
	bad.P.X = math.NaN()
	depths := make([]float32, 80*60)
	lidar := seeing.Scanner{Rays: 4, Step: 1, Near: 0.1, Far: 1}
	_, err := seeing.SeeDepth(m, &small, depths, &bad, nil, 0)
	_, err2 := seeing.SeeDepth(m, &small, depths[1:], &ahead, nil, 0)
	_, err3 := seeing.SeeScan(m, &lidar, depths[:4], &spatial.Pose{}, nil, 0)
	_, err4 := seeing.SeeScan(m, &lidar, depths[:5], &ahead, nil, 0)
	if _, err := seeing.SeeDepth(m, &small, depths, &ahead, must[*seeing.SelfFilter](t)(seeing.NewOwn(arm(t), 0)), 0); err != seeing.ErrOwn {
		t.Error(err)
	}
	if err != seeing.ErrPose || err2 != seeing.ErrSize || err3 != seeing.ErrPose || err4 != seeing.ErrSize {
		t.Error(err, err2, err3, err4)
	}
	if _, err := seeing.NewMap(geometry.Voxels{}, 0); err == nil {
		t.Error("a map without cubes is accepted")
	}
	if _, err := seeing.NewMap(room, -1); err == nil {
		t.Error("a negative time is accepted")
	}
	if _, err := m.Field(); err == nil {
		t.Error("a distance field of nothing is accepted")
	}
	for _, change := range []func(*seeing.Camera){
		func(c *seeing.Camera) { c.Width = 0 }, func(c *seeing.Camera) { c.Height = 1 << 20 }, func(c *seeing.Camera) { c.Fx = 0 },
		func(c *seeing.Camera) { c.Cy = math.NaN() }, func(c *seeing.Camera) { c.Unit = 0 }, func(c *seeing.Camera) { c.Near = 5 },
	} {
		c := kinect
		if change(&c); c.Check() == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
	for _, s := range []seeing.Scanner{
		{Step: 1, Far: 1}, {Rays: 2, Far: 1}, {Rays: 100, Step: 1, Far: 1}, {Rays: 2, Step: math.NaN(), Far: 1}, {Rays: 2, Step: 1}, {Rays: 2, First: 9, Step: 1, Far: 1},
	} {
		if s.Check() == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
	if err := kinect.Check(); err != nil {
		t.Error(err)
	}
}

// BenchmarkDepthFrame measures an image of 640 × 480 pixels with the robot in it, up to the scene in which engines query.
func BenchmarkDepthFrame(b *testing.B) {
	s := arm(b)
	q := []float64{0.2}
	table := box(b, "table", spatial.Vec3{X: 1.4, Y: 1.6, Z: 0.05}, spatial.Vec3{Z: -0.1})
	wall := box(b, "wall", spatial.Vec3{X: 0.1, Y: 3, Z: 3}, spatial.Vec3{X: 0.75})
	objects := append(bodies(b, s, q), wall, table)
	for i := range 8 {
		at := spatial.Vec3{X: 0.1 + 0.15*float64(i%3), Y: -0.6 + 0.15*float64(i), Z: 0.05}
		objects = append(objects, box(b, "thing", spatial.Vec3{X: 0.08, Y: 0.08, Z: 0.25}, at))
	}
	image := millimetres(render(b, &kinect, &ahead, objects...))
	m := must[*seeing.Map](b)(seeing.NewMap(room, time.Second))
	own := must[*seeing.SelfFilter](b)(seeing.NewOwn(s, 0.01))
	ring := must[*seeing.Snapshots](b)(seeing.NewSnapshots(m, s, "seen", 2))
	b.ResetTimer()
	for i := range b.N {
		err := own.Place(q)
		_, err2 := seeing.SeeDepth(m, &kinect, image, &ahead, own, time.Duration(i))
		if _, err3 := ring.Next(); err != nil || err2 != nil || err3 != nil {
			b.Fatal(err, err2, err3)
		}
	}
	b.ReportMetric(float64(m.Len()), "cubes")
}

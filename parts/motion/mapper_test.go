package motion

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// most is the number of cubes of the tests.
const most = 6000

// newMapper looks at the shelf from behind the arm and from the right, with 160 × 120 pixels.
func newMapper() *Mapper {
	return &Mapper{
		URDF: block.NewConst("arm.urdf"), Hand: block.NewConst("hand"), Load: block.NewConst(0.03), LoadAt: block.NewConst([]float64{0, 0, 0.12}), Padding: block.NewConst(0.02),
		Width: block.NewConst(160), Height: block.NewConst(120), Focal: block.NewConst([]float64{110, 110}), Middle: block.NewConst([]float64{79.5, 59.5}),
		Near: block.NewConst(0.2), Far: block.NewConst(4.0), At: block.NewConst([]float64{-0.7, -0.7, 0.75, -math.Pi / 2, 0, 0.45 - math.Pi/2}),
		Corner: block.NewConst([]float64{-0.5, -0.8, 0}), Size: block.NewConst([]float64{1.6, 1.6, 1.6}), Edge: block.NewConst(0.02), Forget: block.NewConst(10.0), Cubes: block.NewConst(most),
	}
}

// image renders what the camera of a mapper sees of a scene at a configuration.
func image(t testing.TB, m *Mapper, s *scene.Scene, q []float64) []float32 {
	t.Helper()
	p := scene.NewPlacer(s)
	if err := p.Place(q); err != nil {
		t.Fatal(err)
	}
	var query geometry.Query
	depths := make([]float32, m.camera.Width*m.camera.Height)
	for i := range depths {
		ray := m.camera.Ray(i%m.camera.Width, i/m.camera.Width)
		near := math.Inf(1)
		for k, b := range s.Bodies() {
			for _, part := range b.Parts {
				at := p.Poses[k].Mul(part.Pose)
				hit, ok, err := query.Raycast(part.Shape, &at, geometry.Ray{Origin: m.pose.P, Direction: m.pose.R.MulVec(ray), Length: 9})
				if err != nil {
					t.Fatal(err)
				}
				if ok {
					near = min(near, hit.Distance/ray.Norm())
				}
			}
		}
		depths[i] = float32(near)
	}
	return depths
}

// watch gives the mapper an image of a scene.
func (m *Mapper) watch(t testing.TB, s *scene.Scene, q []float64, loaded bool) {
	t.Helper()
	m.Depth.Feed(image(t, m, s, q))
	m.Position.Feed(q[:4])
	m.Loaded.Feed(loaded)
	if err := m.Step(clock.Tick{Dt: 33 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
}

// TestArmMovesBetweenStationsThatItOnlySees hides the shelf and a ball from planner and executor: they know them from the images. The true
// obstacles judge.
func TestArmMovesBetweenStationsThatItOnlySees(t *testing.T) {
	c := newCell(t)
	blind := func(w *World) {
		w.Problems, w.Radii, w.Cubes = block.NewConst(""), block.NewConst([]float64(nil)), block.NewConst(most)
	}
	blind(&c.planner.World)
	blind(&c.executor.World)
	m := newMapper()
	for _, b := range []block.Block{c.planner, c.executor, m} {
		if err := start(t, b); err != nil {
			t.Fatal(err)
		}
	}
	visits, last, least := 0, State(AtStation), math.Inf(1)
	for k := 0; visits < 2 && k < 10_000; k++ {
		if k%50 == 0 { // 10 Hz
			q := c.q
			copy(q, stations[:4])
			loaded := false
			if k > 0 {
				copy(q, c.executor.Position.Value())
				loaded = c.executor.Loaded.Value()
			}
			c.world.place(away)
			copy(q[4:], away)
			i := 0
			if loaded {
				i = 1
			}
			m.watch(t, c.world.scenes[i], q, loaded)
			c.executor.Seen.Feed(m.Seen.Value())
			c.planner.Seen.Feed(m.Seen.Value())
		}
		if err := c.executor.Step(c.tick); err != nil {
			t.Fatal(err)
		}
		if n := *inspect.PortOf(&c.executor.Request).Count(); n != c.asked {
			c.asked = n
			c.planner.Request.Feed(c.executor.Request.Value())
			if err := c.planner.Step(c.tick); err != nil {
				t.Fatal(err)
			}
			c.executor.Plan.Feed(c.planner.Plan.Value())
		}
		state := State(c.executor.State.Value())
		if state == AtStation && last != AtStation {
			visits++
		}
		last = state
		least = min(least, c.gap(away))
	}
	t.Logf("%d stations, %d cubes, least distance to the true shelf %.1f mm, last outcome %d", visits, m.Count.Value(), 1000*least, c.planner.Outcome.Value())
	if visits < 2 || least <= 0 {
		t.Errorf("%d stations, least distance %g m", visits, least)
	}
}

func TestMonitorMeasuresToWhatIsSeen(t *testing.T) {
	world := shelf()
	world.Problems, world.Radii, world.Cubes = block.NewConst(""), block.NewConst([]float64(nil)), block.NewConst(most)
	monitor := &Monitor{World: world}
	m := newMapper()
	for _, b := range []block.Block{monitor, m} {
		if err := start(t, b); err != nil {
			t.Fatal(err)
		}
	}
	box, err := geometry.NewBox(spatial.Vec3{X: 0.1, Y: 0.4, Z: 0.4})
	if err != nil {
		t.Fatal(err)
	}
	up := []float64{0, 0, 0, 0}
	world.Cubes = block.NewConst(0)
	bare, err := world.read(examplesOf(t), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	alone := bare.scenes[0]
	truth, err := alone.Add(scene.Object{Name: "box", Pose: spatial.Translation(spatial.Vec3{X: 0.31, Z: 0.9}), Parts: []geometry.Part{{Shape: box}}})
	if err != nil {
		t.Fatal(err)
	}
	measure := func(s *scene.Scene) float64 {
		m.watch(t, s, up, false)
		monitor.Seen.Feed(m.Seen.Value())
		monitor.Position.Feed(up)
		if err := monitor.Step(clock.Tick{Dt: period}); err != nil {
			t.Fatal(err)
		}
		return monitor.Distance.Value()
	}
	if d := measure(alone); d < 0.01 || m.Count.Value() != 0 {
		t.Errorf("the arm alone: %d cubes, distance %g", m.Count.Value(), d)
	}
	got := measure(truth)
	want, err := exact.New(truth).Distance(up)
	if err != nil {
		t.Fatal(err)
	}
	if diagonal := 0.02 * math.Sqrt(3); m.Count.Value() == 0 || got > want.Distance+1e-6 || got < want.Distance-diagonal-1e-3 {
		t.Errorf("%d cubes, distance %g; of the box itself %g", m.Count.Value(), got, want.Distance)
	}
	if before := m.Count.Value(); measure(alone) < got || m.Count.Value() > before/20 { // some may be behind the arm
		t.Errorf("the box has gone: %d of %d cubes", m.Count.Value(), before)
	}
	bad := m.Seen.Value()
	monitor.Seen.Feed(bad[:len(bad)-1])
	monitor.Position.Feed(up)
	if err := monitor.Step(clock.Tick{Dt: period}); err != errSeen {
		t.Errorf("a cube without its z: %v", err)
	}
}

func TestMapperRefusesWhatItCannotUse(t *testing.T) {
	for want, change := range map[string]func(*Mapper){
		"focal has length 1":        func(m *Mapper) { m.Focal = block.NewConst([]float64{70}) },
		"at has length 3":           func(m *Mapper) { m.At = block.NewConst([]float64{0, 0, 1}) },
		"a range from 0.2 to 0.1 m": func(m *Mapper) { m.Far = block.NewConst(0.1) },
		"want 1 to 2048":            func(m *Mapper) { m.Edge, m.Size = block.NewConst(0.002), block.NewConst([]float64{10, 1, 1}) },
		"hand: ":                    func(m *Mapper) { m.Hand = block.NewConst("claw") },
	} {
		m := newMapper()
		change(m)
		if err := start(t, m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	m := newMapper()
	m.Cubes = block.NewConst(10)
	if err := start(t, m); err != nil {
		t.Fatal(err)
	}
	depths := make([]float32, 160*120)
	for i := range depths {
		depths[i] = 1.8
	}
	m.Depth.Feed(depths)
	m.Position.Feed(stations[:4])
	if err := m.Step(clock.Tick{Dt: period}); err != errCubes {
		t.Errorf("error %v, want %v", err, errCubes)
	}
}

func TestStepsAmongSeenObstaclesAllocateNothing(t *testing.T) {
	world := shelf()
	world.Cubes = block.NewConst(most)
	monitor, m := &Monitor{World: world}, newMapper()
	for _, b := range []block.Block{monitor, m} {
		if err := start(t, b); err != nil {
			t.Fatal(err)
		}
	}
	depths := make([]float32, 160*120)
	k := 0
	testkit.NoAllocs(t, 20, func() {
		k++
		for i := range len(depths) / 4 {
			depths[i] = 1.5 + 0.3*float32(math.Sin(float64(k)))
		}
		m.Depth.Feed(depths)
		m.Position.Feed(stations[:4])
		err := m.Step(clock.Tick{Dt: 20 * time.Second})
		monitor.Seen.Feed(m.Seen.Value())
		monitor.Position.Feed(stations[:4])
		if err2 := monitor.Step(clock.Tick{Dt: period}); err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
	})
	if m.Count.Value() < 100 {
		t.Errorf("%d cubes: the test shows too little", m.Count.Value())
	}
}

package motion

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// elbowUp is a posture of the Panda in which its elbow can turn about the line from shoulder to wrist; the last element is the gripper's.
var elbowUp = []float64{0, -0.3, 0, -2.2, 0, 1.9, 0.785, 0.02}

func newAvoider() *Avoider {
	return &Avoider{
		World: World{URDF: block.NewConst("models/panda/panda.urdf"), SRDF: block.NewConst("examples/cooperate/panda.srdf"), Radii: block.NewConst([]float64{0.06}), Load: block.NewConst(0.03), LoadAt: block.NewConst([]float64{0, 0, 0})},
		Link:  block.NewConst("panda_hand_tcp"), Task: block.NewConst("pose"), AccelerationLimit: block.NewConst(10.0), Own: block.NewConst(0.03),
		Clearance: block.NewParam(0.1), Influence: block.NewParam(0.3), Recoil: block.NewParam(0.5), Return: block.NewParam(2.0), Stiffness: block.NewParam(10.0),
	}
}

// startAtRoot builds and starts a block with the files of the repository.
func startAtRoot(t testing.TB, b block.Block) error {
	t.Helper()
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: period})
	d.Add("b", b, diagram.Place{Thread: "main", Given: port.Given{Files: system.Folder(filepath.Clean(testkit.Root(t)))}})
	if _, err := d.Build(); err != nil {
		return err
	}
	if s, ok := b.(block.Starter); ok {
		return s.Start()
	}
	return nil
}

// yield is one cycle; it returns the place of the link panda_link4, the elbow.
func yield(t testing.TB, a *Avoider, desired, velocity, ball []float64) spatial.Vec3 {
	t.Helper()
	a.Places.Feed(ball)
	a.Desired.Feed(desired)
	a.DesiredVelocity.Feed(velocity)
	if err := a.Step(clock.Tick{Dt: period}); err != nil {
		t.Fatal(err)
	}
	return elbow(t, a)
}

func elbow(t testing.TB, a *Avoider) spatial.Vec3 {
	t.Helper()
	link, err := a.data.Model().Link("panda_link4")
	if err != nil {
		t.Fatal(err)
	}
	multibody.FK(a.data, a.configuration(a.law.Position(), a.q))
	return a.data.Pose(link).P
}

var still = make([]float64, 8)

// A ball comes to the elbow from the side: the elbow yields, the hand stays, the joints keep their limits, and all return when the ball leaves.
func TestAvoiderYieldsWithTheElbow(t *testing.T) {
	a := newAvoider()
	if err := startAtRoot(t, a); err != nil {
		t.Fatal(err)
	}
	at := yield(t, a, elbowUp, still, away)
	testkit.AllNear(t, "positions at first", a.Position.Value(), elbowUp, 1e-12)
	least, off, turn := math.Inf(1), 0.0, 0.0
	before := append([]float64{}, a.Velocity.Value()...)
	for k := range 3000 {
		y := at.Y - 0.6 + min(float64(k)*0.002*0.15, 0.45) // 0.15 m/s to 0.15 m beside where the elbow was
		yield(t, a, elbowUp, still, []float64{at.X, y, at.Z})
		least, off, turn = min(least, a.Distance.Value()), max(off, a.Offset.Value()), max(turn, a.Turn.Value())
		for i, v := range a.Velocity.Value() {
			if math.Abs(v) > 2.61 || math.Abs(v-before[i]) > 10*0.002+1e-6 {
				t.Fatalf("joint %d: velocity %g after %g", i, v, before[i])
			}
			before[i] = v
		}
	}
	moved := elbow(t, a).Sub(at).Norm()
	t.Logf("the elbow yields by %.0f mm, at least %.0f mm from the ball; the hand is at most %.3f mm and %.2g rad off", 1000*moved, 1000*least, 1000*off, turn)
	if moved < 0.08 || least < 0.1 || off > 2e-4 || turn > 1e-3 {
		t.Errorf("the elbow yields by %g m, at least %g m from the ball; the hand is up to %g m and %g rad off", moved, least, off, turn)
	}
	for range 4000 {
		yield(t, a, elbowUp, still, away)
	}
	testkit.AllNear(t, "positions after the ball has left", a.Position.Value(), elbowUp, 1e-2)
}

// A ball at the hand: the task holds it, nothing else can help, and the outputs report it.
func TestAvoiderReportsThatTheTaskLeavesNoFreedom(t *testing.T) {
	a := newAvoider()
	if err := startAtRoot(t, a); err != nil {
		t.Fatal(err)
	}
	a.Influence.Set(0.2)
	yield(t, a, elbowUp, still, away)
	at := a.data.Pose(a.link).P
	for range 500 {
		yield(t, a, elbowUp, still, []float64{at.X, at.Y, at.Z - 0.1})
	}
	if a.Freedom.Value() > 0.05 || a.Offset.Value() > 1e-4 || a.Distance.Value() > 0.08 {
		t.Errorf("freedom %g, offset %g m, distance %g m", a.Freedom.Value(), a.Offset.Value(), a.Distance.Value())
	}
}

// Where the orientation alone is the task, as with a box that stays level, the hand leaves a ball without turning.
func TestAvoiderKeepsTheOrientationAlone(t *testing.T) {
	a := newAvoider()
	a.Task = block.NewConst("orientation")
	if err := startAtRoot(t, a); err != nil {
		t.Fatal(err)
	}
	yield(t, a, elbowUp, still, away)
	multibody.FK(a.data, a.configuration(elbowUp, a.q))
	at := a.data.Pose(a.link).P
	ball := []float64{at.X, at.Y, at.Z - 0.1}
	yield(t, a, elbowUp, still, ball)
	first, turn := a.Distance.Value(), 0.0
	for range 1000 {
		yield(t, a, elbowUp, still, ball)
		turn = max(turn, a.Turn.Value())
	}
	if a.Distance.Value() < first+0.05 || turn > 1e-3 || a.Offset.Value() != 0 {
		t.Errorf("from %g m to %g m away, turned by up to %g rad, an offset of %g m", first, a.Distance.Value(), turn, a.Offset.Value())
	}
}

// The cubes of a Mapper are obstacles like balls; others than its own are refused.
func TestAvoiderYieldsToCubes(t *testing.T) {
	a := newAvoider()
	a.Radii, a.Cubes = block.NewConst([]float64{}), block.NewConst(4)
	if err := startAtRoot(t, a); err != nil {
		t.Fatal(err)
	}
	seen := make(cubes, 0, cubesLen(4))
	step := func() {
		a.Desired.Feed(elbowUp)
		a.Seen.Feed(seen)
		if err := a.Step(clock.Tick{Dt: period}); err != nil {
			t.Fatal(err)
		}
	}
	step()
	at := elbow(t, a)
	seen = seen.of([]spatial.Vec3{{X: at.X, Y: at.Y - 0.2, Z: at.Z}}, 0.02)
	step()
	first := a.Distance.Value()
	for range 1000 {
		step()
	}
	if moved := elbow(t, a).Y - at.Y; moved < 0.03 || a.Distance.Value() < first+0.02 {
		t.Errorf("the elbow yields by %g m, from %g m to %g m", moved, first, a.Distance.Value())
	}
	a.Seen.Feed(seen[:3])
	a.Desired.Feed(elbowUp)
	if err := a.Step(clock.Tick{Dt: period}); err != errSeen {
		t.Errorf("a cube without its z: %v", err)
	}
}

// The gradients are the finite differences of the engine's distances.
func TestAvoiderComputesTheGradientOfDistances(t *testing.T) {
	a := newAvoider()
	if err := startAtRoot(t, a); err != nil {
		t.Fatal(err)
	}
	a.world.place([]float64{0.3, 0.25, 0.6})
	r := testkit.Rand(t)
	tried := 0
	for range 40 {
		q := make([]float64, 8)
		for i := range q {
			q[i] = elbowUp[i] + 0.2*r.NormFloat64()
		}
		q[7] = 0.02
		distance := func() (float64, string) {
			a.world.joints.Configuration(q, a.q)
			a.near, _ = a.engines[0].Near(a.q, 1, a.near[:0])
			for _, c := range a.near {
				if c.Pair.A == "panda_link4" || c.Pair.B == "panda_link4" {
					clear(a.gradient)
					if link, ok := a.links[c.Pair.A]; ok {
						a.add(link, c.A, c.Normal.Neg())
					}
					if link, ok := a.links[c.Pair.B]; ok {
						a.add(link, c.B, c.Normal)
					}
					return c.Distance, c.Pair.String()
				}
			}
			return math.Inf(1), ""
		}
		d, pair := distance()
		if math.IsInf(d, 1) || d < 0.01 {
			continue
		}
		gradient := append([]float64{}, a.gradient...)
		for i := range q {
			q[i] += 1e-6
			up, same := distance()
			q[i] -= 2e-6
			down, _ := distance()
			q[i] += 1e-6
			if same == pair {
				testkit.Near(t, "∂d/∂q", gradient[i], (up-down)/2e-6, 1e-4)
				tried++
			}
		}
	}
	if tried < 50 {
		t.Errorf("%d derivatives: the test shows too little", tried)
	}
}

// With a moving source and no obstacle the block hands the motion through; it starts again at rest after an interruption, and bad numbers are refused.
func TestAvoiderFollowsItsSource(t *testing.T) {
	a := newAvoider()
	if err := startAtRoot(t, a); err != nil {
		t.Fatal(err)
	}
	a.Desired.Feed(elbowUp)
	if err := a.Step(clock.Tick{Dt: period}); err != nil || *inspect.PortOf(&a.Position).Count() != 0 {
		t.Fatalf("the block writes before it knows where the ball is: %v", err)
	}
	q, v := append([]float64{}, elbowUp...), make([]float64, 8)
	for k := range 1000 {
		for i := range 7 {
			v[i] = 0.2 * math.Sin(float64(k)*0.002+float64(i)) * min(float64(k)*0.01, 1)
			q[i] += 0.002 * v[i]
		}
		yield(t, a, q, v, away)
	}
	testkit.AllNear(t, "positions", a.Position.Value(), q, 5e-3)
	if err := a.Step(clock.Tick{Dt: 1e9}); err != nil {
		t.Fatal(err)
	}
	for i, x := range a.Velocity.Value() {
		if math.Abs(x) > 10*0.1 {
			t.Errorf("joint %d begins again with %g rad/s", i, x)
		}
	}
	a.Places.Feed([]float64{0, math.NaN(), 0})
	if err := a.Step(clock.Tick{Dt: period}); err != errBalls {
		t.Errorf("a ball nowhere: %v", err)
	}
	a.Places.Feed(away)
	a.Desired.Feed([]float64{math.Inf(1), 0, 0, 0, 0, 0, 0, 0})
	if err := a.Step(clock.Tick{Dt: period}); err != errDesired {
		t.Errorf("a desired position that is not finite: %v", err)
	}
}

func TestAvoiderAllocatesNothing(t *testing.T) {
	a := newAvoider()
	if err := startAtRoot(t, a); err != nil {
		t.Fatal(err)
	}
	at := yield(t, a, elbowUp, still, away)
	k := 0
	ball := make([]float64, 3)
	testkit.NoAllocs(t, 500, func() {
		k++
		ball[0], ball[1], ball[2] = at.X, at.Y-0.2-0.15*math.Sin(float64(k)*0.05), at.Z
		a.Places.Feed(ball)
		a.Desired.Feed(elbowUp)
		if err := a.Step(clock.Tick{Dt: period}); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAvoiderExplainsWhatIsWrong(t *testing.T) {
	for want, change := range map[string]func(*Avoider){
		`task is "pos": wants pose, position or orientation`: func(a *Avoider) { a.Task = block.NewConst("pos") },
		`hand_link: `: func(a *Avoider) { a.Link = block.NewConst("claw") },
		"none.urdf":   func(a *Avoider) { a.URDF = block.NewConst("none.urdf") },
	} {
		a := newAvoider()
		change(a)
		if err := startAtRoot(t, a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func BenchmarkAvoider(b *testing.B) {
	a := newAvoider()
	if err := startAtRoot(b, a); err != nil {
		b.Fatal(err)
	}
	at := yield(b, a, elbowUp, still, away)
	a.Places.Feed([]float64{at.X, at.Y - 0.2, at.Z})
	for b.Loop() {
		a.Desired.Feed(elbowUp)
		if err := a.Step(clock.Tick{Dt: period}); err != nil {
			b.Fatal(err)
		}
	}
}

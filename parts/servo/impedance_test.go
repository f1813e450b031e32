package servo

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// held is an impedance of two joints whose inputs a test feeds, and which it steps by hand.
func held(t *testing.T) (*Impedance, func(q, v []float64) []float64) {
	c := &Impedance{N: block.NewConst(2), Stiffness: block.NewParam([]float64{100, 50}), Damping: block.NewParam([]float64{0.5})}
	r := newRig(t)
	r.add("c", c)
	r.start()
	return c, func(q, v []float64) []float64 {
		c.Position.Feed(q)
		c.Velocity.Feed(v)
		c.Gravity.Feed([]float64{3, -4})
		c.Inertia.Feed([]float64{4, 2})
		if err := c.Step(clock.Tick{N: 1, Dt: period}); err != nil {
			t.Fatal(err)
		}
		return c.Torque.Value()
	}
}

// Where nobody says otherwise it holds the first position, as a spring and a damper.
func TestImpedanceIsASpringWithADamper(t *testing.T) {
	_, step := held(t)
	testkit.AllNear(t, "first", step([]float64{1, 2}, []float64{0, 0}), []float64{3, -4}, 1e-12)
	testkit.AllNear(t, "displaced", step([]float64{1.1, 1.8}, []float64{0.5, 0}), []float64{3 - 100*0.1 - 2*0.5*20*0.5, -4 + 50*0.2}, 1e-9)
}

// What is desired may come late or from elsewhere, be no number, and the operator may ask for an offset: the target goes at
// a bounded speed, and in the end is where it should be.
func TestImpedanceNeverJumps(t *testing.T) {
	c, step := held(t)
	q, still := []float64{1, 2}, []float64{0, 0}
	last := []float64{1, 2}
	run := func(n int) {
		t.Helper()
		for range n {
			step(q, still)
			for i, x := range c.Target.Value() {
				if !(math.Abs(x-last[i]) <= 0.5*period.Seconds()+1e-12) {
					t.Fatalf("target %d goes from %g to %g in a step", i, last[i], x)
				}
				last[i] = x
			}
		}
	}
	run(10)
	c.Desired.Feed([]float64{0.5, 2.5})
	run(150)
	testkit.AllNear(t, "desired", c.Target.Value(), []float64{0.5, 2.5}, 1e-12)
	c.Offset.Set([]float64{0, 0.25})
	c.Desired.Feed([]float64{math.NaN(), 2.5})
	c.DesiredVelocity.Feed([]float64{math.Inf(1), 0})
	run(150)
	testkit.AllNear(t, "offset", c.Target.Value(), []float64{0.5, 2.75}, 1e-12)
	for i, tau := range c.Torque.Value() {
		if tau-tau != 0 {
			t.Errorf("torque %d is %g", i, tau)
		}
	}
	// after an interruption it begins where the robot is
	c.Position.Feed([]float64{-1, -1})
	if err := c.Step(clock.Tick{N: 2, Dt: 1e9}); err != nil {
		t.Fatal(err)
	}
	if x := c.Target.Value()[0]; x < -1 || x > -0.4 {
		t.Errorf("after an interruption the target is %g, the joint at -1", x)
	}
}

// The tour goes round, without a jump, rests when it is switched off, and goes on.
func TestTourGoesRound(t *testing.T) {
	g := &Tour{Generator: Generator{N: block.NewConst(2)}, Poses: block.NewConst([]float64{1, 0, 0, 1}),
		Times: block.NewConst([]float64{0.2, 0.4}), Touring: block.NewParam(true)}
	r := newRig(t)
	r.add("g", g)
	at := map[int][]float64{0: {0, 1}, 20: {1, 0}, 60: {0, 1}, 80: {1, 0}, 200: {1, 0}}
	r.run(201, func(k int) {
		if k == 75 {
			g.Touring.Set(false)
		}
	}, func(k int) {
		if want, ok := at[k]; ok {
			testkit.AllNear(t, "pose", g.Position.Value(), want, 1e-9)
		}
		for _, v := range g.Velocity.Value() {
			if math.Abs(v) > 1.875/0.2+1e-9 {
				t.Errorf("step %d: velocity %g", k, v)
			}
		}
	})
}

// The robot's brakes hold it until torques come, and when they have become old; while they hold it does not move.
func TestBrakesHoldWithoutTorques(t *testing.T) {
	robot := &TorqueRobot{URDF: block.NewConst("janus.urdf"), Initial: block.NewConst([]float64{1, 1}), Patience: block.NewParam(0.02)}
	r := newRig(t)
	r.add("robot", robot)
	r.run(50, func(k int) {
		if k >= 10 && k <= 30 {
			robot.Torque.Feed([]float64{0, math.NaN()})
		}
	}, func(k int) {
		if want := k < 10 || k > 32; robot.Braking.Value() != want && k != 32 {
			t.Errorf("step %d: braking is %v", k, robot.Braking.Value())
		}
		if k == 9 {
			testkit.AllNear(t, "braked", robot.Position.Value(), []float64{1, 1}, 0)
		}
		if q := robot.Position.Value()[0]; k == 29 && !(math.Abs(q-1) > 0.01) {
			t.Errorf("limp for 0.2 s it is at %g", q)
		}
	})
}

// Files and figures that cannot be.
func TestTorqueBlocksRefuse(t *testing.T) {
	for want, b := range map[string]block.Block{
		"none.urdf": &TorqueRobot{URDF: block.NewConst("none.urdf")},
		"initial has 1 elements: wants one for each of the robot's 2 joints": &TorqueRobot{URDF: block.NewConst("janus.urdf"), Initial: block.NewConst([]float64{1})},
		"wants finite positions":   &TorqueRobot{URDF: block.NewConst("janus.urdf"), Initial: block.NewConst([]float64{1, math.Inf(1)})},
		`no link "tail"`:           &TorqueRobot{URDF: block.NewConst("janus.urdf"), Pushed: block.NewConst("tail")},
		"stiffness has 3 elements": &Impedance{N: block.NewConst(2), Stiffness: block.NewParam([]float64{1, 2, 3})},
		"damping has 0 elements":   &Drives{N: block.NewConst(2), Damping: block.NewParam([]float64{})},
		"poses is empty":           &Tour{Generator: Generator{N: block.NewConst(2)}},
		"wants 2 positions":        &Tour{Generator: Generator{N: block.NewConst(2)}, Poses: block.NewConst([]float64{1, 2, 3}), Times: block.NewConst([]float64{1})},
		"pose 2: moveTo: duration": &Tour{Generator: Generator{N: block.NewConst(1)}, Poses: block.NewConst([]float64{1, 2}), Times: block.NewConst([]float64{1, 0})},
		`rotor for joint "torso1"`: &RobotModel{URDF: block.NewConst("janus/janus.urdf"), SRDF: block.NewConst("torso/torso.srdf")},
	} {
		r := newRig(t)
		if _, ok := b.(*RobotModel); ok {
			r.files = os.DirFS(filepath.Join(testkit.Root(t), "models"))
		}
		r.add("b", b)
		if _, err := r.d.Build(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, expected %q", err, want)
		}
	}
}

// Drives pass on what comes, and short-circuit the motors without power.
func TestDrives(t *testing.T) {
	d := &Drives{N: block.NewConst(2), Power: block.NewParam(true), Damping: block.NewParam([]float64{10})}
	r := newRig(t)
	r.add("d", d)
	r.start()
	step := func() {
		if err := d.Step(tick); err != nil {
			t.Fatal(err)
		}
	}
	d.MeasuredPosition.Feed([]float64{1, 2})
	d.MeasuredVelocity.Feed([]float64{0.5, -0.5})
	step()
	testkit.AllNear(t, "position", d.Position.Value(), []float64{1, 2}, 0)
	testkit.AllNear(t, "velocity", d.Velocity.Value(), []float64{0.5, -0.5}, 0)
	if n := *block.PortOf(&d.Torque).Count(); n != 0 {
		t.Errorf("%d torques without a command", n)
	}
	d.Command.Feed([]float64{7, 8})
	step()
	testkit.AllNear(t, "torque", d.Torque.Value(), []float64{7, 8}, 0)
	d.Power.Set(false)
	d.Command.Feed([]float64{7, 8})
	step()
	testkit.AllNear(t, "without power", d.Torque.Value(), []float64{-5, 5}, 0)
	step() // the controller is silent
	if n := *block.PortOf(&d.Torque).Count(); n != 2 {
		t.Errorf("%d torques for two commands", n)
	}
}

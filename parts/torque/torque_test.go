package torque

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
)

// held is an impedance of two joints whose inputs a test feeds, and which it steps by hand.
func held(t *testing.T) (*Impedance, func(q, v []float64) []float64) {
	c := &Impedance{N: block.NewConst(2), Stiffness: block.NewParam([]float64{100, 50}), Damping: block.NewParam([]float64{0.5})}
	start(t, c)
	return c, func(q, v []float64) []float64 {
		c.Position.Feed(q)
		c.Velocity.Feed(v)
		c.Gravity.Feed([]float64{3, -4})
		c.Inertia.Feed([]float64{4, 0, 0, 2})
		if err := c.Step(clock.Tick{N: 1, Dt: period}); err != nil {
			t.Fatal(err)
		}
		return c.Torque.Value()
	}
}

// Without desired positions it holds the first position, as a spring and a damper.
func TestImpedanceIsASpringWithADamper(t *testing.T) {
	_, step := held(t)
	testkit.AllNear(t, "first", step([]float64{1, 2}, []float64{0, 0}), []float64{3, -4}, 1e-12)
	testkit.AllNear(t, "displaced", step([]float64{1.1, 1.8}, []float64{0.5, 0}), []float64{3 - 100*0.1 - 2*0.5*20*0.5, -4 + 50*0.2}, 1e-9)
}

// The desired pose may come late or from elsewhere, be no number, and the operator may ask for an offset: the target goes at
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

// The robot's brakes hold it until torques come, and when they have become old; while they hold it does not move.
func TestBrakesHoldWithoutTorques(t *testing.T) {
	robot := &Robot{URDF: block.NewConst("janus/janus.urdf"), Initial: block.NewConst([]float64{1, 1}), Patience: block.NewParam(0.02)}
	run(t, robot, 50, func(k int) {
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

// A force acts while the input push has one; released, or not finite, it is 0.
func TestPushLastsAsLongAsItsInput(t *testing.T) {
	end := func(push func(k int, in *block.In[[3]float64])) []float64 {
		robot := &Robot{URDF: block.NewConst("janus/janus.urdf"), Pushed: block.NewConst("camera")}
		run(t, robot, 20, func(k int) {
			robot.Torque.Feed([]float64{0, 0})
			push(k, &robot.Push)
		}, func(int) {})
		return slices.Clone(robot.Position.Value())
	}
	free := end(func(int, *block.In[[3]float64]) {})
	testkit.AllNear(t, "not a number", end(func(_ int, in *block.In[[3]float64]) { in.Feed([3]float64{math.NaN(), math.Inf(1), 0}) }), free, 0)
	testkit.AllNear(t, "released", end(func(_ int, in *block.In[[3]float64]) {
		in.Feed([3]float64{5, 5, 5})
		in.Release()
	}), free, 0)
	if pushed := end(func(_ int, in *block.In[[3]float64]) { in.Feed([3]float64{5, 5, 5}) }); !(math.Abs(pushed[0]-free[0])+math.Abs(pushed[1]-free[1]) > 1e-6) {
		t.Errorf("pushed it ends at %v, free at %v", pushed, free)
	}
}

// A torque that exceeds a joint's effort is applied up to it and shown.
func TestRobotShowsWhatItCutsOffTorques(t *testing.T) {
	robot := &Robot{URDF: block.NewConst("../bench/robots/panda.urdf")}
	run(t, robot, 3, func(int) { robot.Torque.Feed([]float64{100, -90, 87, 5, math.NaN(), 13, -12.5}) }, func(k int) {
		testkit.AllNear(t, "cut", robot.Cut.Value(), []float64{13, -3, 0, 0, 0, 1, -0.5}, 1e-12)
	})
}

// A robot's fingers are locked: they have no elements.
func TestLockedJointsHaveNoElements(t *testing.T) {
	for _, b := range []block.Block{
		&Robot{URDF: block.NewConst("../bench/robots/panda.urdf"), Locked: block.NewConst([]string{"panda_joint3", "panda_joint7=0.5"})},
		&RobotModel{URDF: block.NewConst("../bench/robots/panda.urdf"), Locked: block.NewConst([]string{"panda_joint3", "panda_joint7=0.5"}), Groups: block.NewConst([]int{2, 3})},
	} {
		net, err := build(t, b)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range net.Blocks[0].Ports {
			if p.Name == "position" && p.Len() != 5 || p.Name == "inertia" && p.Len() != 4+9 {
				t.Errorf("%T: %s has length %d", b, p.Name, p.Len())
			}
		}
	}
}

// Files and figures that a block rejects.
func TestSetupRejectsWrongFilesAndLengths(t *testing.T) {
	for want, b := range map[string]block.Block{
		"none.urdf": &Robot{URDF: block.NewConst("none.urdf")},
		"initial has length 1: wants one element for each of the robot's joints (2)": &Robot{URDF: block.NewConst("janus/janus.urdf"), Initial: block.NewConst([]float64{1})},
		"initial[1] is +Inf rad: wants":                                              &Robot{URDF: block.NewConst("janus/janus.urdf"), Initial: block.NewConst([]float64{1, math.Inf(1)})},
		`no link "tail"`:                                                             &Robot{URDF: block.NewConst("janus/janus.urdf"), Pushed: block.NewConst("tail")},
		"stiffness has length 3":                                                     &Impedance{N: block.NewConst(2), Stiffness: block.NewParam([]float64{1, 2, 3})},
		`locked: lock joint "elbow": the robot has no such joint; there is joint1, joint2`: &Robot{URDF: block.NewConst("janus/janus.urdf"), Locked: block.NewConst([]string{"elbow"})},
		"groups have 3 joints together: there are 2":                                       &RobotModel{URDF: block.NewConst("janus/janus.urdf"), Groups: block.NewConst([]int{3})},
		"damping has length 0":     &Drives{N: block.NewConst(2), Damping: block.NewParam([]float64{})},
		`rotor for joint "torso1"`: &RobotModel{URDF: block.NewConst("janus/janus.urdf"), SRDF: block.NewConst("torso/torso.srdf")},
		`initial: position 1 is -9, but joint "joint2" is limited to`: &Robot{URDF: block.NewConst("janus/janus.urdf"), Initial: block.NewConst([]float64{1, -9})},
	} {
		if _, err := build(t, b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, expected %q", err, want)
		}
	}
}

// Drives pass on states and commands, and short-circuit the motors without power.
func TestDrivesBrakeWithoutPower(t *testing.T) {
	d := &Drives{N: block.NewConst(2), Power: block.NewParam(true), Damping: block.NewParam([]float64{10})}
	start(t, d)
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
	if n := *inspect.PortOf(&d.Torque).Count(); n != 0 {
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
	if n := *inspect.PortOf(&d.Torque).Count(); n != 2 {
		t.Errorf("%d torques for two commands", n)
	}
}

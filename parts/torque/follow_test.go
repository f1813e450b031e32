package torque

import (
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Pendulums of a robot that is held by each controller: nothing jumps at the beginning, and the error decays.
func TestControllersBeginWithoutAJumpAndFollow(t *testing.T) {
	type controller struct {
		b                                   block.Stepper
		position, velocity, desired, change *block.In[[]float64]
		torque, off                         *block.Out[[]float64]
	}
	law := &ComputedTorque{URDF: block.NewConst("janus/janus.urdf"), Bandwidth: block.NewParam([]float64{20}), Damping: block.NewParam([]float64{1}), Speed: block.NewParam(0.5)}
	pid := &PID{N: block.NewConst(2), Kp: block.NewParam([]float64{60, 20}), Ki: block.NewParam([]float64{100, 40}), Kd: block.NewParam([]float64{6, 2}), Speed: block.NewParam(0.5)}
	for name, c := range map[string]controller{
		"computed torque": {law, &law.Position, &law.Velocity, &law.Desired, &law.DesiredVelocity, &law.Torque, &law.Error},
		"PID":             {pid, &pid.Position, &pid.Velocity, &pid.Desired, &pid.DesiredVelocity, &pid.Torque, &pid.Error},
	} {
		robot := &Robot{URDF: block.NewConst("janus/janus.urdf"), Initial: block.NewConst([]float64{0.5, -0.3}), Patience: block.NewParam(1.0)}
		start(t, robot)
		start(t, c.b)
		tick := clock.Tick{Dt: 1e6}
		last := 0.0
		for k := range 8000 {
			tick.N = uint64(k)
			robot.Torque.Feed(c.torque.Value())
			if err := robot.Step(tick); err != nil {
				t.Fatal(err)
			}
			c.position.Feed(robot.Position.Value())
			c.velocity.Feed(robot.Velocity.Value())
			if k == 4000 {
				c.desired.Feed([]float64{1, 0.2}) // comes late, and from elsewhere
			}
			if k == 4001 {
				c.change.Feed([]float64{0, math.NaN()})
			}
			if err := c.b.Step(tick); err != nil {
				t.Fatal(err)
			}
			if jump := math.Abs(c.torque.Value()[1] - last); k > 0 && jump > 2.1 {
				t.Fatalf("%s: in cycle %d the torque jumps by %v N m", name, k, jump)
			}
			last = c.torque.Value()[1]
		}
		testkit.AllNear(t, name, robot.Position.Value(), []float64{1, 0.2}, 2e-3)
		testkit.AllNear(t, name+": error", c.off.Value(), []float64{0, 0}, 2e-3)
		testkit.NoAllocs(t, 100, func() {
			if err := c.b.Step(tick); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// At rest the base of an arm that stands upright bears its weight, and each joint's torque is the part of its wrench along the axis.
func TestComputedTorqueShowsWhatTheJointsBear(t *testing.T) {
	law := &ComputedTorque{
		URDF:   block.NewConst("../bench/robots/panda.urdf"),
		Joints: block.NewConst([]string{"panda_joint1", "panda_joint4", "panda_joint6"}), Bandwidth: block.NewParam([]float64{20}), Damping: block.NewParam([]float64{1}),
	}
	start(t, law)
	law.Position.Feed([]float64{0.3, -0.4, 0.5, -1.2, 0.4, 1.5, 0.2})
	law.Velocity.Feed(make([]float64, 7))
	step := func() {
		if err := law.Step(clock.Tick{N: 1, Dt: period}); err != nil {
			t.Fatal(err)
		}
	}
	step()
	wrenches, torque := law.Wrenches.Value(), law.Torque.Value()
	if len(wrenches) != 18 {
		t.Fatalf("%d numbers, expected 6 for each of 3 joints", len(wrenches))
	}
	for i := range torque {
		testkit.Near(t, "moment along the axis", wrenches[6*i+5], torque[i], 1e-12)
	}
	const mass = 16.822132 // the masses in the file of all links after the base, kg
	testkit.AllNear(t, "weight on joint 1", wrenches[:3], []float64{0, 0, 9.81 * mass}, 1e-10)
	testkit.NoAllocs(t, 100, step)
}

func TestControllersReject(t *testing.T) {
	for want, b := range map[string]block.Block{
		"bandwidth has length 3":     &ComputedTorque{URDF: block.NewConst("janus/janus.urdf"), Bandwidth: block.NewParam([]float64{1, 2, 3})},
		"none.urdf":                  &ComputedTorque{URDF: block.NewConst("none.urdf")},
		`lock joint "x"`:             &ComputedTorque{URDF: block.NewConst("janus/janus.urdf"), Locked: block.NewConst([]string{"x"})},
		"ki has length 0":            &PID{N: block.NewConst(2), Ki: block.NewParam([]float64{})},
		"kp[0] is -1 N m/rad: wants": &PID{Kp: block.NewParam([]float64{-1})},
	} {
		if _, err := build(t, b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, expected %q", err, want)
		}
	}
	pid := &PID{N: block.NewConst(1), Kp: block.NewParam([]float64{1})}
	start(t, pid)
	pid.Position.Feed([]float64{math.NaN()})
	if err := pid.Step(tick); err != errNotFinite {
		t.Errorf("a position that is no number: %v", err)
	}
}

package torque

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
)

// Computed torque of some joints of the Panda knows where the others are: each error decays, while an impedance holds the others.
func TestJointsAreControlledInTwoParts(t *testing.T) {
	last, first := []string{"panda_joint6", "panda_joint4", "panda_joint5", "panda_joint7"}, []string{"panda_joint1", "panda_joint2", "panda_joint3"}
	urdf := block.NewConst("panda.urdf")
	robot := &Robot{URDF: urdf, Initial: block.NewConst([]float64{0.1, -0.7854, 0, -2.3562, 0, 1.5708, 0.7854}), Patience: block.NewParam(1.0)}
	law := &ComputedTorque{URDF: urdf, Joints: block.NewConst(last), Bandwidth: block.NewParam([]float64{20}), Damping: block.NewParam([]float64{1}), Speed: block.NewParam(0.5)}
	model := &RobotModel{URDF: urdf, Joints: block.NewConst(first)}
	springs := &Impedance{URDF: urdf, Joints: block.NewConst(first), Stiffness: block.NewParam([]float64{3000}), Damping: block.NewParam([]float64{0.7}), Speed: block.NewParam(0.5)}
	d := diagram.New("parts")
	d.Thread(diagram.Thread{Name: "main", Period: time.Millisecond})
	at := diagram.Place{Thread: "main", Given: port.Given{Files: os.DirFS(filepath.Join(testkit.Root(t), "bench/robots"))}}
	for name, b := range map[string]block.Block{"robot": robot, "law": law, "model": model, "springs": springs} {
		d.Add(name, b, at)
	}
	for _, l := range []string{"robot.position -> law.position", "robot.velocity -> law.velocity", "robot.position -> model.position",
		"robot.position -> springs.position", "robot.velocity -> springs.velocity", "model.gravity -> springs.gravity", "model.inertia -> springs.inertia"} {
		d.Link(l)
	}
	if _, err := d.Build(); err != nil {
		t.Fatal(err)
	}
	tick := clock.Tick{Dt: time.Millisecond}
	goal := []float64{1.8, -2, 0.3, 0.5} // of joints 6, 4, 5 and 7
	for k := range 3000 {
		tick.N = uint64(k)
		tau, other := law.Torque.Value(), springs.Torque.Value()
		robot.Torque.Feed([]float64{other[0], other[1], other[2], tau[1], tau[2], tau[0], tau[3]})
		for _, b := range []block.Stepper{robot, law, model, springs} {
			if err := b.Step(tick); err != nil {
				t.Fatal(err)
			}
			law.Position.Feed(robot.Position.Value())
			law.Velocity.Feed(robot.Velocity.Value())
			model.Position.Feed(robot.Position.Value())
			springs.Position.Feed(robot.Position.Value())
			springs.Velocity.Feed(robot.Velocity.Value())
			springs.Gravity.Feed(model.Gravity.Value())
			springs.Inertia.Feed(model.Inertia.Value())
		}
		if k == 1 {
			law.Desired.Feed(goal)
		}
	}
	q := robot.Position.Value()
	testkit.AllNear(t, "commanded to a goal", []float64{q[5], q[3], q[4], q[6]}, goal, 1e-3)
	testkit.AllNear(t, "held", q[:3], []float64{0.1, -0.7854, 0}, 1e-2)
	if math.Abs(law.Error.Value()[0]) > 1e-3 {
		t.Errorf("error is %v", law.Error.Value())
	}
}

// Blocks that need no description take names only with one.
func TestJointsNeedADescription(t *testing.T) {
	names := block.NewConst([]string{"joint1"})
	for want, b := range map[string]block.Block{
		"give its urdf":                        &PID{Joints: names},
		"srdf, locked and joints are about":    &Impedance{Locked: names},
		`no joint "joint3"; did you mean`:      &PID{URDF: block.NewConst("janus/janus.urdf"), Joints: block.NewConst([]string{"joint3"})},
		`joint "joint1" is fixed or locked`:    &ComputedTorque{URDF: block.NewConst("janus/janus.urdf"), Joints: names, Locked: names},
		`its SRDF file no group of that name;`: &RobotModel{URDF: block.NewConst("torso/torso.urdf"), SRDF: block.NewConst("torso/torso.srdf"), Joints: block.NewConst([]string{"left_amr"})},
	} {
		if _, err := build(t, b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, expected %q", err, want)
		}
	}
}

// The gravity and inertia of a group are those parts of the whole robot's.
func TestModelOfAGroupIsAPartOfTheRobots(t *testing.T) {
	urdf, srdf := block.NewConst("torso/torso.urdf"), block.NewConst("torso/torso.srdf")
	whole := &RobotModel{URDF: urdf, SRDF: srdf}
	arm := &RobotModel{URDF: urdf, SRDF: srdf, Joints: block.NewConst([]string{"left_arm"})}
	start(t, whole)
	start(t, arm)
	q := make([]float64, 43)
	for i := range q {
		q[i] = 0.1 * float64(i%5)
	}
	for _, m := range []*RobotModel{whole, arm} {
		m.Position.Feed(q)
		if err := m.Step(tick); err != nil {
			t.Fatal(err)
		}
	}
	testkit.AllNear(t, "gravity", arm.Gravity.Value(), whole.Gravity.Value()[3:10], 1e-12) // the order of torso.yaml: torso, left arm, …
	for i := range 7 {
		testkit.AllNear(t, "inertia", arm.Inertia.Value()[7*i:7*i+7], whole.Inertia.Value()[43*(3+i)+3:43*(3+i)+10], 1e-12)
	}
}

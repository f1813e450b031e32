package servo

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
)

// janusRig is the simulated Janus with its cards and joints; the joints are triggered to act in every activation.
func janusRig(t testing.TB) (*rig, *SimRobot, [2]*Joint) {
	r := newRig(t)
	robot := &SimRobot{
		URDF: block.NewConst("janus.urdf"), Drives: block.NewConst("drives.yaml"), Initial: block.NewConst([]float64{0.3, -0.2}),
	}
	r.add("robot", robot)
	r.add("sampler", &Sampler{})
	var joints [2]*Joint
	for i, sign := range []float64{1, -1} {
		joints[i] = &Joint{
			PeerName: block.NewConst(fmt.Sprintf("card%d", i+1)), GearRatio: block.NewParam(100.0), Resolution: block.NewParam(2000.0),
			ActuatorSign: block.NewParam(sign), SensorSign: block.NewParam(sign), InitialPos: block.NewParam(robot.Initial.Value()[i]),
		}
		r.add(joints[i].PeerName.Value(), &Card{Robot: block.NewConst("robot"), Axis: block.NewConst(i + 1)})
		joint := fmt.Sprintf("joint%d", i+1)
		r.add(joint, joints[i], "sampler.sample -> "+joint+".sample", "sampler.sample -> "+joint+".act")
	}
	return r, robot, joints
}

// The joints measure where the robot truly is, to a count, in whatever sense its motors are mounted.
func TestJointsMeasureTheTruth(t *testing.T) {
	r, robot, joints := janusRig(t)
	const count = 2 * math.Pi / 200_000
	r.run(300, func(k int) {
		joints[0].Voltage.Feed(4)
		joints[1].Voltage.Feed(-3)
	}, func(k int) {
		for i, j := range joints {
			if d := math.Abs(j.Position.Value() - robot.Position.Value()[i]); d > 1.01*count {
				t.Errorf("step %d: joint %d measures %v, true is %v", k, i+1, j.Position.Value(), robot.Position.Value()[i])
			}
		}
	})
	if q := robot.Position.Value(); q[0] < 1 || q[1] > -1 {
		t.Errorf("4 V and -3 V moved the joints to %v", q)
	}
	if *inspect.PortOf(&joints[0].Index).Count() == 0 {
		t.Error("the index mark was never seen")
	}
}

// At 0 V the robot sags; with the brakes on it stays exactly where it is; it is left with the brakes on.
func TestBrakesHoldTheRobot(t *testing.T) {
	r, robot, joints := janusRig(t)
	var held []float64
	r.run(400, func(k int) {
		for _, j := range joints {
			j.Voltage.Feed(0)
		}
		if k == 200 {
			serve(t, r, "joint1", "brakeApply")
			serve(t, r, "joint2", "brakeApply")
		}
	}, func(k int) {
		if k == 250 {
			held = append(held, robot.Position.Value()...)
		}
	})
	if held[0] < 0.35 {
		t.Errorf("without brakes it sagged to %v only", held)
	}
	testkit.AllNear(t, "held by the brakes", robot.Position.Value(), held, 0)
	if err := robot.Step(tick); err == nil {
		t.Error("a stopped robot went on")
	}
}

func TestJointWithBrakeFalseRejectsAnAppliedBrake(t *testing.T) {
	r, _, joints := janusRig(t)
	joints[0].Brake = block.NewConst(false)
	faults := r.run(3, nil, nil)
	if len(faults) != 1 || !strings.Contains(faults[0].String(), `block "joint1"`) || !strings.Contains(faults[0].Why, "set its parameter brake to true") {
		t.Errorf("faults %v", faults)
	}
}

func TestRobotHasNoSuchAxis(t *testing.T) {
	r, _, _ := janusRig(t)
	r.add("card3", &Card{Robot: block.NewConst("robot"), Axis: block.NewConst(3)})
	r.add("joint3", &Joint{PeerName: block.NewConst("card3")})
	if _, err := r.try(1, nil, nil); err == nil || !strings.Contains(err.Error(), `"joint3"`) || !strings.Contains(err.Error(), errNoAxis.Error()) {
		t.Errorf("got %v", err)
	}
}

func TestRobotAndCardRejectWrongSettings(t *testing.T) {
	robot := func(q ...float64) *SimRobot {
		return &SimRobot{URDF: block.NewConst("janus.urdf"), Drives: block.NewConst("drives.yaml"), Initial: block.NewConst(q)}
	}
	for _, c := range []struct {
		want string
		b    block.Block
	}{
		{"initial has length 1", robot(1)},
		{"initial: position 1 is 9, but joint", robot(1, 9)},
		{"initial[1] is NaN", robot(1, math.NaN())},
		{"initial[1] is +Inf rad: wants at most 1e+30", robot(1, math.Inf(1))},
		{"robot is not given", &Card{}},
		{"axis is 0: wants at least 1", &Card{Robot: block.NewConst("robot"), Axis: block.NewConst(0)}},
	} {
		if got := buildError(t, c.b); !strings.Contains(got, c.want) {
			t.Errorf("got %q, expected %q", got, c.want)
		}
	}
}

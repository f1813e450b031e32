package servo

import (
	"errors"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
)

var tick = clock.Tick{Dt: period, N: 1}

// Every step of every block, in the order of a cycle, with inputs that are new each time.
func TestNoStepAllocates(t *testing.T) {
	r, robot, joints := janusRig(t)
	sampler := &Sampler{}
	sensor, demux := newMux(2), newDemux(2)
	controller, pids := newNPIDFF(2), [2]*PID{{Kp: block.NewParam(5.0)}, {Kp: block.NewParam(5.0)}}
	model := &InverseDynamics{URDF: block.NewConst("janus.urdf")}
	motors := &MotorInverse{Drives: block.NewConst("drives.yaml"), Joints: block.NewConst([]string{"joint1", "joint2"})}
	generator, bridge := &Generator{N: block.NewConst(2)}, &BridgeRef{N: block.NewConst(2)}
	r.add("cycle", sampler, "cycle.sample -> joint1.sample", "cycle.sample -> joint2.sample")
	r.add("sensor", sensor, "cycle.sample -> sensor.sample")
	r.link("joint1.position -> sensor.position1", "joint2.position -> sensor.position2")
	r.link("joint1.displacement -> sensor.displacement1", "joint2.displacement -> sensor.displacement2")
	r.add("generator", generator)
	r.add("bridge", bridge, "generator.position -> bridge.position", "generator.velocity -> bridge.velocity",
		"generator.acceleration -> bridge.acceleration")
	r.add("controller", controller, "cycle.sample -> controller.sample", "sensor.sensor -> controller.sensor", "bridge.reference -> controller.reference")
	r.add("pid1", pids[0], "controller.ref1 -> pid1.ref", "controller.sen1 -> pid1.sen", "pid1.out -> controller.out1")
	r.add("pid2", pids[1], "controller.ref2 -> pid2.ref", "controller.sen2 -> pid2.sen", "pid2.out -> controller.out2")
	r.add("model", model, "controller.in_model -> model.reference")
	r.add("motors", motors, "model.tau -> motors.tau", "controller.in_model -> motors.reference", "motors.voltage -> controller.out_model")
	r.add("demux", demux, "cycle.sample -> demux.sample", "controller.act -> demux.act")
	r.link("demux.voltage1 -> joint1.voltage", "demux.voltage2 -> joint2.voltage")
	r.link("demux.acted -> joint1.act", "demux.acted -> joint2.act")
	r.start()
	order := []func(clock.Tick) error{
		robot.Step, sampler.Step, joints[0].Sense, joints[1].Sense, sensor.Step, generator.Step, bridge.Step, controller.Sense,
		pids[0].Step, pids[1].Step, model.Step, motors.Step, controller.Control, demux.Step, joints[0].Control, joints[1].Control,
	}
	cycles := uint64(0)
	cycle := func() {
		cycles++
		for _, step := range order {
			if err := step(tick); err != nil {
				t.Fatal(err)
			}
		}
	}
	testkit.NoAllocs(t, 200, cycle)
	if n := *inspect.PortOf(&demux.Acted).Count(); uint64(n) != cycles {
		t.Errorf("the joints acted %d times in %d cycles: the test shows too little", n, cycles)
	}
	target := []float64{1, -1}
	testkit.NoAllocs(t, 50, func() {
		target[0]++
		if _, err := generator.moveTo(Move{target, 1}); err != nil {
			t.Fatal(err)
		}
		cycle()
	})
	testkit.NoAllocs(t, 10, func() {
		_, readErr := joints[0].read()
		if err := errors.Join(readErr, joints[0].Stop(), joints[0].motorOn()); err != nil {
			t.Fatal(err)
		}
	})
}

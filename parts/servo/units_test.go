package servo

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/thread"
)

// valve is the chain around an axis that slides: position in m, command in Pa. wrong names the block that is left in rad and V.
func valve(t *testing.T, wrong string) *rig {
	units := func(name string) (coordinate, command block.Const[string]) {
		if name == wrong {
			return
		}
		return block.NewConst("m"), block.NewConst("Pa")
	}
	joint, sensor, controller, pid, actuator := &Joint{}, newMux(1), newNPID(1), &PID{}, newDemux(1)
	generator, bridge := &Generator{}, &BridgeRef{}
	joint.Coordinate, joint.Command = units("joint")
	sensor.Coordinate, _ = units("sensor")
	controller.Coordinate, controller.Command = units("controller")
	pid.Coordinate, pid.Command = units("pid")
	_, actuator.Command = units("actuator")
	generator.Coordinate, _ = units("generator")
	bridge.Coordinate, _ = units("bridge")
	r := newRig(t)
	r.add("card", &portCard{})
	r.add("sampler", &Sampler{})
	r.add("joint", joint, "card.counts -> joint.displacement_sensor", "sampler.sample -> joint.sample")
	r.add("sensor", sensor, "sampler.sample -> sensor.sample", "joint.position -> sensor.position1", "joint.displacement -> sensor.displacement1")
	r.add("generator", generator)
	r.add("bridge", bridge, "generator.position -> bridge.position", "generator.velocity -> bridge.velocity", "generator.acceleration -> bridge.acceleration")
	r.add("controller", controller, "sampler.sample -> controller.sample", "sensor.sensor -> controller.sensor", "bridge.reference -> controller.reference")
	r.add("pid", pid, "controller.ref1 -> pid.ref", "controller.sen1 -> pid.sen", "pid.out -> controller.out1")
	r.add("actuator", actuator, "sampler.sample -> actuator.sample", "controller.act -> actuator.act")
	r.link("actuator.voltage1 -> joint.voltage", "actuator.acted -> joint.act")
	return r
}

func TestUnitsAreCheckedOverTheWholeChain(t *testing.T) {
	if _, err := valve(t, "").d.Build(); err != nil {
		t.Errorf("a chain in m and Pa: %v", err)
	}
	for wrong, ends := range map[string][]string{
		"joint":      {"joint.position is in rad, but sensor.position1 is in m", "actuator.voltage1 is in Pa, but joint.voltage is in V"},
		"sensor":     {"joint.position is in m, but sensor.position1 is in rad", "sensor.sensor is in rad, but controller.sensor is in m"},
		"controller": {"sensor.sensor is in m, but controller.sensor is in rad", "controller.act is in V, but actuator.act is in Pa"},
		"pid":        {"controller.ref1 is in m, but pid.ref is in rad", "pid.out is in V, but controller.out1 is in Pa"},
		"actuator":   {"controller.act is in Pa, but actuator.act is in V", "actuator.voltage1 is in V, but joint.voltage is in Pa"},
		"generator":  {"generator.velocity is in rad/s, but bridge.velocity is in m/s"},
		"bridge":     {"generator.acceleration is in m/s², but bridge.acceleration is in rad/s²"},
	} {
		_, err := valve(t, wrong).d.Build()
		for _, end := range ends {
			if err == nil || !strings.Contains(err.Error(), end) {
				t.Errorf("%s in rad and V: %v; expected %q", wrong, err, end)
			}
		}
	}
}

// The descriptions of a chain in m and Pa have no rad and no V, those of operations and vectors neither.
func TestOperationsAndVectorsHaveTheUnitsOfTheChain(t *testing.T) {
	r := valve(t, "")
	net, err := r.d.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range net.Blocks {
		for _, op := range b.Operations {
			if want := map[string]string{"motorSet": "Pa", "moveTo": "m"}[op.Name]; op.Unit != want || strings.Contains(op.Doc, "0 V") {
				t.Errorf("%s.%s is in %q, expected %q: %s", b.Name, op.Name, op.Unit, want, op.Doc)
			}
		}
		for _, p := range b.Ports {
			if strings.Contains(p.Doc, "rad") || strings.Contains(p.Doc, "[V]") {
				t.Errorf("%s.%s: %s", b.Name, p.Name, p.Doc)
			}
		}
	}
	card, joint := &fakeCard{}, &Joint{Coordinate: block.NewConst("m"), Command: block.NewConst("Pa")}
	r = jointRig(t, joint, card)
	if net, err = r.d.Build(); err != nil {
		t.Fatal(err)
	}
	for _, b := range net.Blocks {
		if op := b.Operation("sensorRead"); b.Name == "joint" && op.Unit != "m" {
			t.Errorf("sensorRead returns %q, expected m", op.Unit)
		}
	}
	generator := &Generator{Coordinate: block.NewConst("m")}
	r = newRig(t)
	r.add("generator", generator)
	if _, err := r.d.Build(); err != nil {
		t.Fatal(err)
	}
	if _, err := generator.moveTo(Move{[]float64{math.NaN()}, 1}); err == nil || !strings.HasSuffix(err.Error(), " m") {
		t.Errorf("a target that is none: %v", err)
	}
}

// 4 mm in a turn of the spindle, which a gear of 5 drives: 2000 counts in a turn of the motor.
// Tools show the operations of a chain in the units of its positions and commands.
func TestOperationsTakeTheUnitsOfTheUser(t *testing.T) {
	net, err := valve(t, "").d.Build()
	if err != nil {
		t.Fatal(err)
	}
	st, err := admin.NewLocal(thread.New(net, thread.Options{}).Front(), nil).Structure(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	units := map[string]string{}
	for _, b := range st.Blocks {
		for _, o := range b.Operations {
			for _, a := range o.Args {
				units[b.Name+"."+o.Name+" "+a.Name] = a.Unit
			}
		}
	}
	for arg, want := range map[string]string{"generator.moveTo positions": "m", "generator.moveTo duration": "s", "joint.motorSet value": "Pa"} {
		if got, ok := units[arg]; !ok || got != want {
			t.Errorf("%s is in %q, want %q", arg, got, want)
		}
	}
}

func TestJointThatSlidesMovesByItsPitch(t *testing.T) {
	card, joint := &portCard{}, &Joint{
		Coordinate: block.NewConst("m"), PerTurn: block.NewParam(0.004), GearRatio: block.NewParam(5.0), Resolution: block.NewParam(2000.0),
	}
	portRig(t, joint, card).run(10, func(k int) { card.counts = int64(1000 * k) }, func(k int) {
		testkit.Near(t, "position", joint.Position.Value(), 0.004*float64(k)/10, 1e-15)
	})
	if unit := inspect.PortOf(&joint.Velocity).Unit; unit != "m/s" {
		t.Errorf("the velocity is in %s", unit)
	}
	if turn := (&Joint{PerTurn: block.NewParam(2 * math.Pi)}).PerTurn.Value(); turn/(2*math.Pi) != 1 {
		t.Error("the default movement in a turn is not 2π to the last bit")
	}
}

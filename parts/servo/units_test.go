package servo

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
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
	joint.PerTurn = block.NewParam(0.004)
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
	card, joint := &fakeCard{}, &Joint{Coordinate: block.NewConst("m"), Command: block.NewConst("Pa"), PerTurn: block.NewParam(0.004)}
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

// liftFiles are a robot of one joint that slides.
var liftFiles = fstest.MapFS{
	"lift.urdf": {Data: []byte(`<robot name="lift"><link name="foot"/><link name="cabin"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="lift" type="prismatic"><parent link="foot"/><child link="cabin"/><axis xyz="0 0 1"/><limit lower="0" upper="0.4" effort="1" velocity="1"/></joint></robot>`)},
	"drives.yaml": {Data: []byte(`robot: lift
drives:
  lift:
    motor: {resistance: 1, torque_constant: 0.1, rotor_inertia: 1e-6}
    gear: {ratio: 100, efficiency: 1}
    encoder: {lines: 500}
    amplifier: {supply: 24, bits: 12}
    brake: {torque: 100}
`)},
	"up.yaml": {Data: []byte("moves:\n  - moveJ: {lift: 0.2}\n")},
}

// lift is all blocks that read a description, of a robot whose joint slides, with what they are linked to; wrong names the block that is left in rad.
func lift(t *testing.T, wrong string) *rig {
	m := func(name string) (unit block.Const[string]) {
		if name == wrong {
			return unit
		}
		return block.NewConst("m")
	}
	urdf := block.NewConst("lift.urdf")
	r := newRig(t)
	r.files = liftFiles
	r.add("robot", &SimRobot{URDF: urdf, Drives: block.NewConst("drives.yaml"), Coordinate: m("robot")})
	r.add("program", &Program{URDF: urdf, Programs: block.NewConst([]string{"up.yaml"}), Coordinate: m("program")}, "robot.position -> program.measured")
	r.add("yields", &Admittance{Coordinate: m("yields")}, "program.position -> yields.desired", "program.velocity -> yields.desired_velocity")
	r.add("bridge", &BridgeRef{Coordinate: m("bridge")}, "yields.position -> bridge.position", "yields.velocity -> bridge.velocity", "program.acceleration -> bridge.acceleration")
	r.add("model", &InverseDynamics{URDF: urdf, Coordinate: m("model")}, "bridge.reference -> model.reference")
	r.d.Join(diagram.Link{From: diagram.End{Block: "model", Port: "tau"}, To: diagram.End{Block: "yields", Port: "force"}, Delay: true})
	r.add("motors", &MotorInverse{Drives: block.NewConst("drives.yaml"), Joints: block.NewConst([]string{"lift"}), Coordinate: m("motors")}, "bridge.reference -> motors.reference", "model.tau -> motors.tau")
	r.add("tool", &Kinematics{URDF: urdf, Link: block.NewConst("cabin"), Coordinate: m("tool"), PositionOnly: block.NewConst(true)}, "robot.position -> tool.joints")
	r.add("target", &target{}, "target.p -> tool.target_position")
	return r
}

// target is where a tool has to go.
type target struct {
	P block.Out[[3]float64] `unit:"m"`
}

func (g *target) Step(clock.Tick) error {
	g.P.Write([3]float64{})
	return nil
}

func TestBlocksOfARobotThatSlidesHaveNoAngles(t *testing.T) {
	net, err := lift(t, "").d.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range net.Blocks {
		for _, p := range b.Ports {
			if (strings.Contains(p.Unit+p.Doc, "rad") || strings.Contains(p.Unit, "N m")) && !slices.Contains([]string{"tool.angle", "tool.velocity", "tool.jacobian"}, b.Name+"."+p.Name) {
				t.Errorf("%s.%s is in %q: %s", b.Name, p.Name, p.Unit, p.Doc)
			}
		}
		for _, p := range b.Params {
			if (strings.Contains(p.Unit, "rad") || strings.Contains(p.Unit, "N m")) && p.Name != "angular" {
				t.Errorf("%s.%s is in %q", b.Name, p.Name, p.Unit)
			}
		}
		if op := b.Operation("addPoint"); op != nil && op.Unit != "m" {
			t.Errorf("points of a path are in %q", op.Unit)
		}
	}
	for wrong, end := range map[string]string{
		"robot":   "robot.position is in rad, but program.measured is in m",
		"program": "program.position is in rad, but yields.desired is in m",
		"yields":  "model.tau is in N, but yields.force is in N m",
		"model":   "model.tau is in N m, but motors.tau is in N",
		"motors":  "model.tau is in N, but motors.tau is in N m",
		"tool":    "robot.position is in m, but tool.joints is in rad",
	} {
		if _, err := lift(t, wrong).d.Build(); err == nil || !strings.Contains(err.Error(), end) {
			t.Errorf("%s in rad: %v; expected %q", wrong, err, end)
		}
	}
}

// A robot in which any joint turns has rad: m is an error that names the joint.
func TestUnitThatTheDescriptionContradictsIsAnError(t *testing.T) {
	m, urdf, drives := block.NewConst("m"), block.NewConst("janus.urdf"), block.NewConst("drives.yaml")
	for name, b := range map[string]block.Block{
		"SimRobot":        &SimRobot{URDF: urdf, Drives: drives, Coordinate: m},
		"InverseDynamics": &InverseDynamics{URDF: urdf, Coordinate: m},
		"Kinematics":      &Kinematics{URDF: urdf, Link: block.NewConst("link2"), Coordinate: m},
		"Program":         &Program{URDF: urdf, Programs: block.NewConst([]string{"up.yaml"}), Coordinate: m},
	} {
		if got, want := buildError(t, b), `coordinate is m, but the positions of joint "joint1" are in rad: write coordinate: rad`; !strings.Contains(got, want) {
			t.Errorf("%s: %q, expected %q", name, got, want)
		}
	}
}

// Tools show the operations of a chain in the units of its positions and commands.
func TestOperationsTakeTheUnitsOfTheUser(t *testing.T) {
	units := map[string]string{}
	for _, r := range []*rig{valve(t, ""), lift(t, "")} {
		net, err := r.d.Build()
		if err != nil {
			t.Fatal(err)
		}
		st, err := admin.NewLocal(thread.New(net, thread.Options{}).Front(), nil).Structure(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range st.Blocks {
			for _, o := range b.Operations {
				for _, a := range o.Args {
					units[b.Name+"."+o.Name+" "+a.Name] = a.Unit
				}
			}
		}
	}
	for arg, want := range map[string]string{"program.addPoint positions": "m", "program.addPoint number": "", "generator.moveTo positions": "m", "generator.moveTo duration": "s", "joint.motorSet value": "Pa"} {
		if got, ok := units[arg]; !ok || got != want {
			t.Errorf("%s is in %q, want %q", arg, got, want)
		}
	}
}

// 4 mm in a turn of the spindle, which a gear of 5 drives: 2000 counts in a turn of the motor.
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

// 4 mm in a turn of both spindles, or of each its own, with encoders of 2000 counts, the second mounted the other way round.
func TestCardsOfARobotThatSlides(t *testing.T) {
	on := func(unit string, per ...float64) *CANRobot {
		r := &CANRobot{Address: block.NewConst("can+udp://239.74.163.2:43113?interface=lo"), Nodes: block.NewConst([]int64{1, 2}), Turn: block.NewConst([]float64{2000, -2000}), Coordinate: block.NewConst(unit)}
		if per != nil {
			r.PerTurn = block.NewConst(per)
		}
		return r
	}
	for _, c := range []struct {
		robot *CANRobot
		want  []float64
	}{
		{on("rad"), []float64{2 * math.Pi / 2000, -2 * math.Pi / 2000}},
		{on("m", 0.004), []float64{2e-6, -2e-6}},
		{on("m", 0.004, 0.01), []float64{2e-6, -5e-6}},
	} {
		r := newRig(t)
		r.add("robot", c.robot)
		if _, err := r.d.Build(); err != nil {
			t.Fatal(err)
		}
		testkit.AllNear(t, "scale", c.robot.scale, c.want, 1e-18)
		if unit := inspect.PortOf(&c.robot.Position).Unit; unit != c.robot.Coordinate.Value() {
			t.Errorf("the position is in %s", unit)
		}
	}
	for want, b := range map[string]block.Block{
		"coordinate is m, but per_turn is 2π: give the movement of the joints in a turn of their gears, in m": on("m"),
		"per_turn has length 3: expected one element, or one for each of 2 nodes":                             on("m", 1, 2, 3),
		"coordinate is m, but per_turn is 2π: give the movement of the joint in a turn of its gear, in m":     &Joint{Coordinate: block.NewConst("m")},
	} {
		if got := buildError(t, b); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

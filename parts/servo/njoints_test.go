package servo

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"text/template"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// Feature O3: the same types control any number of joints; N comes from the configuration alone. The robot is a row of
// N pendulums, each with the motor of Janus, written as files for the loader.
func TestOneConfigurationControlsAnyNumberOfJoints(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			dir := t.TempDir()
			joints := make([]string, n)
			for i := range joints {
				joints[i] = fmt.Sprintf("%02d", i+1)
			}
			for name, text := range map[string]string{"row.urdf": rowURDF, "drives.yaml": rowDrives, "row.yaml": rowSystem} {
				var out bytes.Buffer
				number := template.FuncMap{"plus1": func(i int) int { return i + 1 }}
				if err := template.Must(template.New(name).Funcs(number).Parse(text)).Execute(&out, joints); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), out.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			target, reached := rowExperiment(t, filepath.Join(dir, "row.yaml"), n)
			testkit.AllNear(t, "reached", reached, target, 5e-3)
		})
	}
}

// rowExperiment moves every joint somewhere else within 1 s.
func rowExperiment(t *testing.T, path string, n int) (target, reached []float64) {
	s, err := system.Load(path, system.Options{Registry: block.NewRegistry(Blocks())})
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(s.Net, thread.Options{Until: clock.At(2 * time.Second)})
	target, reached = make([]float64, n), make([]float64, n)
	positions := make([]any, n)
	for i := range target {
		target[i] = 0.5 - 0.02*float64(i)
		positions[i] = target[i]
	}
	row := admin.NewLocal(core.Front(), s)
	core.Front().Go(func(p *thread.Participant) {
		ctx := context.Background()
		if _, err := row.As(p).Call(ctx, "generator.moveTo", []any{positions, 1.0}, nil); err != nil {
			t.Error(err)
		}
		if err := p.Wait(clock.At(1900*time.Millisecond), nil); err != nil {
			t.Error(err)
		}
		reading, err := row.As(p).Read(ctx, "sensor.sensor")
		if err != nil {
			t.Error(err)
			return
		}
		for i := range reached {
			reached[i] = reading.Value.([]any)[i].(float64)
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	return target, reached
}

const rowURDF = `<robot name="row">
  <link name="wall"/>
  {{range .}}
  <link name="arm{{.}}"><inertial><origin xyz="0 0 -0.1"/><mass value="0.5"/><inertia ixx="0.002" iyy="0.002" izz="0.0005" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="joint{{.}}" type="revolute"><parent link="wall"/><child link="arm{{.}}"/><axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="17" velocity="10"/></joint>
  {{end}}
</robot>
`

const rowDrives = `robot: row
drives:
  {{range .}}
  joint{{.}}:
    motor: {resistance: 2.32, torque_constant: 0.0235, rotor_inertia: 1.08e-6}
    gear: {ratio: 100, efficiency: 0.72}
    friction: {viscous: 0.05, coulomb: 0.05}
    encoder: {lines: 500}
    amplifier: {supply: 24, bits: 12}
    brake: {torque: 8}
  {{end}}
`

const rowSystem = `system: row
threads:
  servo: {period: 10ms}
blocks:
  robot: {type: servo.SimRobot, thread: servo, params: {urdf: row.urdf, drives: drives.yaml}}
  sampler: {type: servo.Sampler, thread: servo}
  sensor: {type: servo.SensorNMux, thread: servo, params: {n: {{len .}}}}
  controller: {type: servo.ControllerNPIDFF, thread: servo, params: {n: {{len .}}}}
  actuator: {type: servo.ActuatorNDemux, thread: servo, params: {n: {{len .}}}}
  generator: {type: servo.Generator, thread: servo, params: {n: {{len .}}}}
  bridge_ref: {type: servo.BridgeRef, thread: servo, params: {n: {{len .}}}}
  model: {type: servo.InverseDynamics, thread: servo, params: {urdf: row.urdf}}
  motors: {type: servo.MotorInverse, thread: servo, params: {drives: drives.yaml, joints: [{{range .}}joint{{.}}, {{end}}]}}
  {{range $i, $joint := .}}
  card{{$joint}}: {type: servo.Card, thread: servo, params: {robot: robot, axis: {{plus1 $i}}}}
  joint{{$joint}}: {type: servo.Joint, thread: servo, params: {peer_name: card{{$joint}}, gear_ratio: 100, resolution: 2000}}
  pid{{$joint}}: {type: servo.PID, thread: servo, params: {kp: 40, ki: 2, kd: 40}}
  {{end}}
links:
  - generator.position -> bridge_ref.position
  - generator.velocity -> bridge_ref.velocity
  - generator.acceleration -> bridge_ref.acceleration
  - bridge_ref.reference -> controller.reference
  - controller.in_model -> model.reference
  - controller.in_model -> motors.reference
  - model.tau -> motors.tau
  - motors.voltage -> controller.out_model
  - sampler.sample -> sensor.sample
  - sampler.sample -> controller.sample
  - sampler.sample -> actuator.sample
  - sensor.sensor -> controller.sensor
  - controller.act -> actuator.act
  {{range $i, $joint := .}}
  - sampler.sample -> joint{{$joint}}.sample
  - joint{{$joint}}.position -> sensor.position{{plus1 $i}}
  - joint{{$joint}}.displacement -> sensor.displacement{{plus1 $i}}
  - controller.ref{{plus1 $i}} -> pid{{$joint}}.ref
  - controller.sen{{plus1 $i}} -> pid{{$joint}}.sen
  - pid{{$joint}}.out -> controller.out{{plus1 $i}}
  - actuator.voltage{{plus1 $i}} -> joint{{$joint}}.voltage
  - actuator.acted -> joint{{$joint}}.act
  {{end}}
`

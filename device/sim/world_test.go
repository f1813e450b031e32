package sim

import (
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

const flapURDF = `<robot name="flap">
  <link name="base"/>
  <link name="flap">
    <inertial><origin xyz="0.25 0 0"/><mass value="1"/><inertia ixx="0.001" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0.25 0 0"/><geometry><box size="0.5 0.1 0.02"/></geometry></collision>
  </link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="flap"/><axis xyz="0 1 0"/></joint>
</robot>`

const flapDrives = `robot: flap
drives:
  hinge:
    motor: {resistance: 2, torque_constant: 0.02, rotor_inertia: 1e-6}
    gear: {ratio: 10}
    encoder: {lines: 500}
    amplifier: {supply: 24}
world:
  bodies:
    table: {box: [0.2, 0.2, 0.1], at: [0.4, 0, -0.2]}
    ball: {sphere: 0.05, at: [2, 0, 1], mass: 0.5, friction: 0.3}
    can: {cylinder: [0.03, 0.1], at: [2, 0.5, 0], rpy: [0, 1.57, 0], mass: 0.4}
    ground: {plane: -1}
`

func flap(drives string) (*Robot, error) {
	return Load(fstest.MapFS{"r.urdf": {Data: []byte(flapURDF)}, "d.yaml": {Data: []byte(drives)}}, "r.urdf", "d.yaml")
}

func TestRobotTouchesTheWorldOfItsFile(t *testing.T) {
	r, err := flap(flapDrives)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Open(); err != nil {
		t.Fatal(err)
	}
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		if err := r.Step(100 * time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	// the underside of the flap, 0.01 m below its axis, lies on the nearer or farther edge of the table's top at z = -0.15
	q := r.simulator.Position(0)
	lean := math.Inf(1)
	for _, x := range []float64{0.3, 0.5} {
		lean = min(lean, math.Atan2(0.15, x)-math.Asin(0.01/math.Hypot(x, 0.15)))
	}
	if q < lean-0.01 || q > math.Atan2(0.15, 0.3) {
		t.Errorf("the flap leans at %g rad", q)
	}
	if v := r.simulator.Velocity(0); v*v > 1e-12 {
		t.Errorf("the flap moves with %g rad/s", v)
	}
	ball, err := r.World().Part("ball")
	if err != nil {
		t.Fatal(err)
	}
	testkit.Near(t, "height of the ball on the ground", r.World().Pose(ball).P.Z, -0.95, 1e-3)
	testkit.NoAllocs(t, 20, func() { _ = r.Step(time.Millisecond) })
}

func TestWorldOfAFileReportsItsMistakes(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"box: [0.2, 0.2, 0.1]", "box: [0.2, 0.2]", `d.yaml:10:18: expected a list of 3 numbers, found a list`},
		{"box: [0.2, 0.2, 0.1], ", "", `d.yaml:10:5: body table has 0 shapes: expected one of box, cylinder, sphere and plane`},
		{"{sphere: 0.05,", "{sphere: 0.05, plane: 0,", `d.yaml:11:5: body ball has 2 shapes`},
		{"mass: 0.5", "mass: 0", `d.yaml:11:47: 0: must be positive`},
		{"{plane: -1}", "{plane: -1, mass: 3}", `d.yaml:13:5: body ground: find the inertia of a plane`},
		{"rpy", "ryp", `d.yaml:12:51: body can: unknown key "ryp"; did you mean "rpy"?`},
	} {
		_, err := flap(strings.Replace(flapDrives, c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q instead of %q:\n got %v\nwant %s", c.new, c.old, err, c.want)
		}
	}
	r, err := flap(strings.Replace(flapDrives, "at: [0.4, 0, -0.2]", "at: [0.4, 0, 0]", 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Open(); err == nil || !strings.Contains(err.Error(), `d.yaml: sim: make a world: "flap/flap" and "table" overlap`) {
		t.Errorf("opened within the table: %v", err)
	}
	r.Place([]float64{2})
	if err := r.Open(); err != nil {
		t.Errorf("opened beside the table: %v", err)
	}
	if _, err := Load(fstest.MapFS{"r.urdf": {Data: []byte(strings.Replace(flapURDF, "collision", "visual", -1))}, "d.yaml": {Data: []byte(flapDrives)}}, "r.urdf", "d.yaml"); err == nil ||
		!strings.Contains(err.Error(), "has no shapes") {
		t.Errorf("a robot without collision geometry: %v", err)
	}
}

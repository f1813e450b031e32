package description

import (
	"io/fs"
	"math"
	"os"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func readRLText(text string) (*Robot, error) {
	return ReadRL(fstest.MapFS{"m.xml": {Data: []byte(text)}}, "m.xml")
}

const rlPair = `<frame><a idref="w"/><b idref="b"/></frame>`

func TestReadRLKeepsJointsInertiasAndUnits(t *testing.T) {
	robot, err := readRLText(`<rlmdl><model><manufacturer/><name>M</name>
<world id="w"><rotation><z>90</z></rotation><translation><x>1</x></translation><g><z>9.81</z></g></world>
<body id="b"><ignore/><ignore idref="c"/><cm><x>0.5</x></cm><i><xx>1</xx><yy>2</yy><zz>2.5</zz><xy>0.1</xy></i><m>3</m></body>
<body id="c"/><body id="d"/><body id="e"/><body id="f"/><body id="h"/><frame id="unused"/>
<revolute id="turn">` + rlPair + `<axis><y>1</y><z>0</z></axis><max>90</max><min>-90</min><speed>180</speed><offset>30</offset></revolute>
<prismatic id="slide"><frame><a idref="b"/><b idref="c"/></frame><max>2</max><min>0</min></prismatic>
<helical id="screw"><frame><a idref="c"/><b idref="d"/></frame><pitch>0.01</pitch></helical>
<cylindrical id="both"><frame><a idref="d"/><b idref="e"/></frame><max>3</max><max>2</max><min>-3</min><min>0</min></cylindrical>
<spherical id="ball"><frame><a idref="e"/><b idref="f"/></frame></spherical>
<revolute id="endless"><frame><a idref="f"/><b idref="h"/></frame><max>180</max><min>-180</min><wraparound/></revolute>
<home><q unit="deg">90</q><q>0.5</q><q/><q/><q/><q/><q/><q/><q>1</q><q/></home>
</model></rlmdl>`)
	if err != nil {
		t.Fatal(err)
	}
	if *robot.Gravity != (spatial.Vec3{Z: -9.81}) || robot.Home[0] != math.Pi/2 || robot.Home[1] != 0.5 {
		t.Errorf("gravity %v, home %v", *robot.Gravity, robot.Home)
	}
	b := robot.Links[1].Inertial
	if b.Mass != 3 || b.Origin.XYZ.X != 0.5 || b.Inertia != (spatial.Sym3{XX: 1, XY: 0.1, YY: 2, ZZ: 2.5}) {
		t.Errorf("inertial %+v", b)
	}
	turn := robot.Joints[0]
	if l := turn.Limits[0]; l.Lower != -math.Pi/2 || l.Upper != math.Pi/2 || l.Velocity != math.Pi || !math.IsInf(l.Effort, 1) {
		t.Errorf("limits %+v", l)
	}
	want := spatial.Pose{R: spatial.RotZ(math.Pi / 2).Mul(spatial.RotY(math.Pi / 6)), P: spatial.Vec3{X: 1}}
	if got := turn.Origin.Pose(); !near(got, want) {
		t.Errorf("the first joint stands at %v, expected %v", got, want)
	}
	if pitch := robot.Joints[2].Pitch; pitch != 0.01 {
		t.Errorf("pitch %g", pitch)
	}
	if l := robot.Joints[3].Limits; len(l) != 2 || l[0].Upper != 3 || l[1].Upper != 2 {
		t.Errorf("limits of the cylindrical joint: %v", l)
	}
	if e := robot.Joints[5]; e.Type != multibody.Continuous || !math.IsInf(e.Limits[0].Upper, 1) {
		t.Errorf("the joint with wraparound is %v with limits %v", e.Type, e.Limits)
	}
	if len(robot.Disabled) != 2 || robot.Disabled[1].Link2 != "c" || len(robot.Suspects) != 2 {
		t.Errorf("ignored %v, suspects %v", robot.Disabled, robot.Suspects)
	}
	model, err := robot.Model()
	if err != nil {
		t.Fatal(err)
	}
	if model.NV() != 1+1+1+2+3+1 || model.Gravity().Z != -9.81 {
		t.Errorf("%d degrees of freedom, gravity %v", model.NV(), model.Gravity())
	}
}

func TestReadRLReportsAllProblems(t *testing.T) {
	_, err := readRLText(`<rlmdl><model><world id="w"/>
<body id="b"><m>-1</m><cm><x>a</x></cm><ignore idref="bb"/></body>
<revolut id="r"/>
<revolute id="s"/>
<revolute id="r"><frame><a idref="w"/><b idref="c"/></frame><max>1</max><max>2</max><axis><z>0</z></axis></revolute></model></rlmdl>`)
	wantProblems(t, err,
		`m.xml:2:14: the mass of body "b" is negative: -1 kg`,
		`m.xml:2:27: <x>: "a" is not a number`,
		`m.xml:2:40: "b" ignores "bb", which is no part of the model; did you mean "b"?`,
		`m.xml:3:1: <revolut> is no part of a model; did you mean "revolute"?`,
		`m.xml:4:1: joint "s" has no <frame> with <a idref> and <b idref>`,
		`m.xml:5:1: the child "c" of joint "r" is no link`,
		`m.xml:5:85: the axis of joint "r" has length zero`)
	_, err = readRLText(`<rl><plan/></rl>`)
	wantProblems(t, err, `m.xml:1:1: <rl> has neither <mdl> nor <kin>`)
	_, err = readRLText(`<robot name="r"/>`)
	wantProblems(t, err, `m.xml:1:1: the root element of a Robotics Library file is <rlmdl>, <rlkin> or <rl>, here it is <robot>`)
}

func near(a, b spatial.Pose) bool {
	for i := range 3 {
		for k := range 3 {
			if math.Abs(a.R[i][k]-b.R[i][k]) > 1e-12 {
				return false
			}
		}
	}
	return a.P.Sub(b.P).Norm() < 1e-12
}

// TestModelAndKinematicsOfOneRobotAgree reads robots of which the library has both a model and a Denavit–Hartenberg kinematics: both must
// put the sixth link in the same place.
func TestModelAndKinematicsOfOneRobotAgree(t *testing.T) {
	t.Run("puma560", func(t *testing.T) { sameArm(t, os.DirFS("testdata"), "puma560.rlmdl.xml", "puma560.rlkin.xml") })
	t.Run("mitsubishi", func(t *testing.T) {
		sameArm(t, sharedData(t), "rl/rlmdl/mitsubishi-rv6sl.xml", "rl/rlkin/mitsubishi-rv6sl.xml")
	})
}

func sameArm(t *testing.T, data fs.FS, model, kinematics string) {
	t.Helper()
	a, b := rlArm(t, data, model), rlArm(t, data, kinematics)
	random := testkit.Rand(t)
	for range 20 {
		q := make([]float64, 6)
		for i := range q {
			q[i] = random.Float64()*6 - 3
		}
		if pa, pb := placed(t, a, q, "body6"), placed(t, b, q, "link6"); !near(pa, pb) {
			t.Fatalf("at %v the model's tool is at %v, the kinematics' at %v", q, pa, pb)
		}
	}
}

func rlArm(t *testing.T, data fs.FS, name string) *multibody.Model {
	t.Helper()
	robot, err := Read(data, name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := robot.Model()
	if err != nil {
		t.Fatal(err)
	}
	return model
}

func placed(t *testing.T, model *multibody.Model, q []float64, link string) spatial.Pose {
	t.Helper()
	i, err := model.Link(link)
	if err != nil {
		t.Fatal(err)
	}
	workspace := multibody.NewData(model)
	multibody.FK(workspace, q)
	return workspace.Pose(i)
}

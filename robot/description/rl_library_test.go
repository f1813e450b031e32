package description

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// The tests of this file hold what the Robotics Library itself reads from its files, src/rl/mdl/XmlFactory.cpp and the setPosition of its
// joints at 91df9f2.

// rlJoint reads a model of a world and one joint.
func rlJoint(t *testing.T, joint string) (*Robot, error) {
	t.Helper()
	return readRLText(`<rlmdl><model><world id="w"><g><z>9.81</z></g></world><body id="b"><m>1</m><i/></body>` + joint + `</model></rlmdl>`)
}

func mustRLJoint(t *testing.T, joint string) (*Robot, *multibody.Model) {
	t.Helper()
	robot, err := rlJoint(t, joint)
	if err != nil {
		t.Fatal(err)
	}
	model, err := robot.Model()
	if err != nil {
		t.Fatal(err)
	}
	return robot, model
}

func TestReadRLTakesEmptyElementsForTheirDefaults(t *testing.T) {
	robot, _ := mustRLJoint(t, `<revolute id="r">`+rlPair+`<axis><x/><y/><z/></axis><max></max><min/><offset> </offset><speed/></revolute>`)
	if j := robot.Joints[0]; j.Limits[0] != multibody.Unlimited() || j.Axis != (spatial.Vec3{Z: 1}) || j.Origin != (Origin{}) {
		t.Errorf("%+v", j)
	}
	_, err := rlJoint(t, `<revolute id="r">`+rlPair+`<max>x</max></revolute>`)
	wantProblems(t, err, `m.xml:1:147: <max>: "x" is not a number`)
	_, err = rlJoint(t, `<revolute id="r">`+rlPair+`<axis><y>1</y></axis></revolute>`)
	wantProblems(t, err, `m.xml:1:147: the axis of joint "r" has <x> or <y> and no <z>, for which the library reads 1`)
}

func TestReadRLGivesBodiesTheLibrarysMass(t *testing.T) {
	robot, err := readRLText(`<rlmdl><model><world id="w"><rotation><x>90</x></rotation><g><z>10</z></g></world><body id="b"><cm><x>0.5</x></cm></body>
<frame id="f"/><body id="c"><m>0</m><i><xx>0</xx></i></body>
<revolute id="r">` + rlPair + `</revolute><fixed id="k"><frame><a idref="b"/><b idref="f"/></frame></fixed>
<fixed id="l"><frame><a idref="f"/><b idref="c"/></frame></fixed></model></rlmdl>`)
	if err != nil {
		t.Fatal(err)
	}
	if i := robot.Links[1].Inertial; i.Mass != 1 || i.Inertia != (spatial.Sym3{XX: 1, YY: 1, ZZ: 1}) || i.Origin.XYZ.X != 0.5 {
		t.Errorf("a body without a mass has %+v", i)
	}
	if robot.Links[2].Inertial != nil {
		t.Error("a frame has a mass")
	}
	if i := robot.Links[3].Inertial; i.Mass != 0 || i.Inertia != (spatial.Sym3{YY: 1, ZZ: 1}) {
		t.Errorf("a body with a part of its mass has %+v", i)
	}
	wantSuspect(t, robot, `m.xml:1:83: bodies without <m> or <i> have the library's defaults, 1 kg and 1 kg m²: 1, the first is "b"`)
	if g := robot.Gravity.Sub(spatial.Vec3{Y: 10}); g.Norm() > 1e-12 {
		t.Errorf("gravity in a turned world is %v, expected (0 10 0)", *robot.Gravity)
	}
	robot, err = readRLText(`<rlmdl><model><world id="w"/><frame id="b"/><fixed id="k">` + rlPair + `</fixed></model></rlmdl>`)
	if err != nil || *robot.Gravity != (spatial.Vec3{}) {
		t.Errorf("gravity of a model without <g>: %v, %v", robot.Gravity, err)
	}
	wantSuspect(t, robot, `m.xml:1:15: <world> has no <g>: there is no gravity`)
}

func wantSuspect(t *testing.T, robot *Robot, want string) {
	t.Helper()
	for _, s := range robot.Suspects {
		if strings.HasPrefix(s.Error(), want) {
			return
		}
	}
	t.Errorf("missing: %s\nthere are %v", want, robot.Suspects)
}

// TestReadRLHelicalJoint: T(q) = Trans(pitch (q + offset) axis2) Rot(q, axis1), limits as q.
func TestReadRLHelicalJoint(t *testing.T) {
	robot, model := mustRLJoint(t, `<helical id="h">`+rlPair+`<axis><x>0</x><y>1</y><z>0</z></axis><axis><x>0</x><y>-2</y><z>0</z></axis>
<max>7</max><min>-7</min><offset>0.5</offset><speed>3</speed><pitch>0.01</pitch></helical>`)
	if l := robot.Joints[0].Limits[0]; l.Lower != -7 || l.Upper != 7 || l.Velocity != 3 {
		t.Errorf("limits %+v", l)
	}
	want := spatial.Pose{R: spatial.RotY(1.2), P: spatial.Vec3{Y: -0.02 * (1.2 + 0.5)}}
	if got := placed(t, model, []float64{1.2}, "b"); !near(got, want) {
		t.Errorf("at 1.2 rad the body is at %v, expected %v", got, want)
	}
	robot, _ = mustRLJoint(t, `<helical id="h">`+rlPair+`</helical>`)
	if pitch := robot.Joints[0].Pitch; pitch != 1 {
		t.Errorf("pitch by default %g, expected 1", pitch)
	}
}

// TestReadRLCylindricalJoint: T(q) = Trans((q1 + offset1) axis2) Rot(q0 + offset0, axis1).
func TestReadRLCylindricalJoint(t *testing.T) {
	x := `<axis><x>1</x><y>0</y><z>0</z></axis>`
	robot, model := mustRLJoint(t, `<cylindrical id="c">`+rlPair+x+x+`<max>3</max><max>2</max><min>-3</min><min>0</min><offset>0.5</offset><offset>0.2</offset>
<speed>4</speed><speed>5</speed></cylindrical>`)
	if l := robot.Joints[0].Limits; l[0].Upper != 3 || l[0].Velocity != 4 || l[1].Upper != 2 || l[1].Velocity != 5 {
		t.Errorf("limits %+v", l)
	}
	want := spatial.Pose{R: spatial.RotX(0.7 + 0.5), P: spatial.Vec3{X: 0.3 + 0.2}}
	if got := placed(t, model, []float64{0.7, 0.3}, "b"); !near(got, want) {
		t.Errorf("the body is at %v, expected %v", got, want)
	}
	_, err := rlJoint(t, `<cylindrical id="c">`+rlPair+x+`</cylindrical>`)
	wantProblems(t, err, `m.xml:1:87: joint "c" turns about {1 0 0} and slides along {0 0 1}, the library's default for a missing second axis: `+
		`both <axis> of a cylindrical joint must point in one direction`)
}

func TestReadRLFreeJointHasLimitsAndOffsetsOfLengths(t *testing.T) {
	robot, model := mustRLJoint(t, `<sixDof id="s">`+rlPair+`<max>1</max><max>2</max><max>3</max><max>4</max><offset>1</offset><offset>2</offset></sixDof>`)
	if l := robot.Joints[0].Limits; len(l) != 3 || l[2].Upper != 3 {
		t.Errorf("limits %v", l)
	}
	wantSuspect(t, robot, `m.xml:1:87: joint "s" has limits for 4 coordinates, of which 3 are read`)
	if got := placed(t, model, model.Neutral(), "b").P; got != (spatial.Vec3{X: 1, Y: 2}) {
		t.Errorf("the body is at %v", got)
	}
}

func TestReadRLCouplesJoints(t *testing.T) {
	const arm = `<rlmdl><model><world id="w"><g/></world><frame id="b"/><frame id="c"/>
<revolute id="r">` + rlPair + `</revolute><revolute id="s"><frame><a idref="b"/><b idref="c"/></frame></revolute>
<home><q unit="deg">90</q><q>0.5</q></home>`
	robot, err := readRLText(arm + `<gammaPosition><row><col>1</col><col>0</col></row><row><col>-1</col><col>2</col></row></gammaPosition>
<gammaVelocity><row><col>1</col><col>0</col></row><row><col>0</col><col>1</col></row></gammaVelocity></model></rlmdl>`)
	if err != nil {
		t.Fatal(err)
	}
	c := robot.Coupling
	if c == nil || c.Velocity != nil || !slices.Equal(c.Position[1], []float64{-1, 2}) {
		t.Fatalf("coupling %+v", c)
	}
	if want := []float64{math.Pi / 2, 1 - math.Pi/2}; math.Abs(robot.Home[1]-want[1]) > 1e-12 || robot.Home[0] != want[0] {
		t.Errorf("home %v, expected that of the joints, %v", robot.Home, want)
	}
	wantSuspect(t, robot, `m.xml:3:44: <gammaPosition> couples the coordinates y`)

	_, err = readRLText(arm + `<gammaPosition><row><col>1</col></row></gammaPosition>
<gammaVelocity><row><col>1</col><col>0</col></row><row><col>0</col></row></gammaVelocity></model></rlmdl>`)
	wantProblems(t, err, `m.xml:3:44: <gammaPosition> has 1 rows: wants one for each of the joints' 2 coordinates`,
		`m.xml:4:51: row 2 of <gammaVelocity> has 1 columns: wants 2`)
	_, err = readRLText(strings.Replace(arm, `<q>0.5</q>`, ``, 1) + `</model></rlmdl>`)
	wantProblems(t, err, `m.xml:3:1: <home> has 1 numbers: the joints have 2 coordinates`)
}

func TestReadRLRefusesAStylesheetWithItsRemedy(t *testing.T) {
	_, err := readRLText(`<xsl:stylesheet version="1.0"><xsl:param name="length" select="1"/></xsl:stylesheet>`)
	wantProblems(t, err, `m.xml:1:1: the file is a stylesheet that makes a model (--param length 1): apply it, xsltproc FILE.xml FILE.xml > MODEL.xml, and read MODEL.xml`)
}

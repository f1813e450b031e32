package description

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// sameAfterWriting checks that a robot which is written and read again is the same.
func sameAfterWriting(t *testing.T, robot *Robot) {
	t.Helper()
	var b bytes.Buffer
	if err := WriteURDF(&b, robot); err != nil {
		t.Fatal(err)
	}
	again, err := ReadURDF(fstest.MapFS{"again.urdf": {Data: b.Bytes()}}, "again.urdf", Options{})
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, b.Bytes())
	}
	ignore := cmp.Options{cmpopts.IgnoreTypes(Position{}, Resources{}, Problem{}), cmpopts.IgnoreFields(Robot{}, "Suspects")}
	if diff := cmp.Diff(robot, again, ignore); diff != "" {
		t.Errorf("writing and reading changed the robot (-before +after):\n%s", diff)
	}
}

func TestWrittenURDFReadsBackEqual(t *testing.T) {
	robot, err := readURDFText(`<robot name="a &amp; &quot;b&quot;">
  <material name="m"><color rgba="0.1 0.2 0.3 1"/><texture filename="t.png"/></material>
  <link name="o"><visual name="v"><geometry><box size="1 2 3e-7"/></geometry><material name="m"/></visual></link>
  <link name="p"><inertial><origin xyz="0.1 0.2 0.30000000000000004" rpy="-0 1 2"/><mass value="1e-3"/><inertia ixx="1" ixy="2" ixz="3" iyy="4" iyz="5" izz="6"/></inertial></link>
  <link name="q"><collision name="c"><geometry><capsule radius="1" length="2"/></geometry></collision></link>
  <link name="r"><collision><geometry><mesh filename="x y.stl" scale="1 1 -1"/></geometry></collision></link>
  <joint name="op" type="prismatic"><parent link="o"/><child link="p"/><limit upper="1" velocity="1" effort="1.7976931348623157e308"/><calibration falling="0"/></joint>
  <joint name="pq" type="planar"><parent link="p"/><child link="q"/><axis xyz="0 0 2"/></joint>
  <joint name="qr" type="continuous"><parent link="q"/><child link="r"/><mimic joint="op" multiplier="-1"/><safety_controller k_velocity="1"/></joint>
  <transmission name="t"><type>T</type><joint name="op"/><actuator name="m"/></transmission>
</robot>`)
	if err != nil {
		t.Fatal(err)
	}
	if effort := robot.Joints[0].Limits[0].Effort; !math.IsInf(effort, 1) {
		t.Errorf("the largest number became %g, expected infinity", effort)
	}
	sameAfterWriting(t, robot)
}

func TestWriteURDFRejectsJointsThatURDFLacks(t *testing.T) {
	robot := &Robot{
		Links:  []Link{{Name: "a"}, {Name: "b"}},
		Joints: []Joint{{Name: "j", Type: multibody.Spherical, Parent: "a", Child: "b"}},
	}
	wantProblems(t, WriteURDF(&bytes.Buffer{}, robot), `: joint "j": URDF has no spherical joint`)
}

// TestRLModelsWrittenAsURDFReadBackEqual writes a model of the Robotics Library as URDF and checks that its joints move the same.
func TestRLModelsWrittenAsURDFReadBackEqual(t *testing.T) {
	eachShared(t, 4, "rl/rlmdl", []string{"-rv6sl.xml", "-puma560.xml", "planar2.xml", "planar3.xml"}, func(t *testing.T, data fs.FS, name string) {
		robot, err := ReadRL(data, name)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := WriteURDF(&b, robot); err != nil {
			t.Fatal(err)
		}
		again, err := ReadURDF(fstest.MapFS{"a.urdf": {Data: b.Bytes()}}, "a.urdf", Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := robot.Tree()
		want.Gravity = nil // URDF has no word for it
		if diff := cmp.Diff(want, again.Tree()); diff != "" {
			t.Errorf("the tree changed:\n%s", diff)
		}
	})
}

// TestRandomRobotsReadBackEqual checks the law that what is written reads back equal, for robots with numbers of all sizes.
func TestRandomRobotsReadBackEqual(t *testing.T) {
	random := testkit.Rand(t)
	for range 200 {
		sameAfterWriting(t, randomRobot(random))
	}
}

// randomRobot returns a tree of links with something of everything.
func randomRobot(random *rand.Rand) *Robot {
	number := func() float64 { return (random.Float64() - 0.5) * math.Pow(10, float64(random.IntN(30)-15)) }
	vec := func() spatial.Vec3 { return spatial.Vec3{X: number(), Y: number(), Z: number()} }
	origin := func() Origin { return Origin{XYZ: vec(), RPY: vec()} }
	geometry := func() Geometry {
		return []Geometry{Box{vec()}, Cylinder{number(), number()}, Sphere{number()}, Capsule{number(), number()}, Mesh{"a<b>&\"c\".stl", vec()}}[random.IntN(5)]
	}
	robot := &Robot{Name: "random 'robot' <1>"}
	for i := range 1 + random.IntN(8) {
		l := Link{Name: fmt.Sprint("link ", i)}
		if random.IntN(2) == 0 {
			l.Inertial = &Inertial{Origin: origin(), Mass: math.Abs(number()), Inertia: spatial.Sym3{XX: number(), XY: number(), XZ: number(), YY: number(), YZ: number(), ZZ: number()}}
		}
		for range random.IntN(3) {
			l.Visuals = append(l.Visuals, Visual{Origin: origin(), Geometry: geometry(), Material: &Material{Name: "m", Color: &Color{number(), 0, 1, 1}}})
			l.Collisions = append(l.Collisions, Collision{Name: "c", Origin: origin(), Geometry: geometry()})
		}
		robot.Links = append(robot.Links, l)
		if i == 0 {
			continue
		}
		j := Joint{Name: fmt.Sprint("joint ", i), Parent: fmt.Sprint("link ", random.IntN(i)), Child: l.Name, Origin: origin(), Axis: vec(), Dynamics: Dynamics{number(), number()}}
		j.Type = []multibody.JointType{multibody.Fixed, multibody.Revolute, multibody.Continuous, multibody.Prismatic, multibody.Planar, multibody.Floating}[random.IntN(6)]
		if j.Type == multibody.Revolute || j.Type == multibody.Prismatic {
			j.Limits = []multibody.Limits{{Lower: number(), Upper: number(), Velocity: math.Abs(number()), Effort: math.Inf(1)}}
		}
		if random.IntN(3) == 0 {
			rising := number()
			j.Safety, j.Calibration = &Safety{number(), number(), number(), number()}, &Calibration{Rising: &rising}
			j.Mimic = &multibody.Mimic{Joint: "joint 1", Multiplier: number(), Offset: number()}
		}
		robot.Joints = append(robot.Joints, j)
	}
	return robot
}

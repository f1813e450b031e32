package console_test

import (
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// robot stands for a robot of a model.
type robot struct {
	URDF     block.Const[string]
	Torque   block.In[[]float64]  `unit:"N m" show:"joint_torque"`
	Position block.Out[[]float64] `unit:"rad" show:"joint_position"`
}

func (r *robot) Setup(u *block.Setup) error {
	u.Len(2, &r.Position, &r.Torque)
	return nil
}

func (r *robot) Step(clock.Tick) error {
	q := *r.Position.Slot()
	q[0], q[1] = 0.5, -0.25
	if torque, status := r.Torque.Read(); status != block.NoData {
		q[0], q[1] = torque[0], torque[1]
	}
	r.Position.Commit()
	return nil
}

// armURDF is a planar arm of two links of 1 m, whose hand is a mesh.
const armURDF = `<robot name="arm">
  <link name="base"/>
  <link name="upper"><visual><geometry><mesh filename="meshes/upper.stl" scale="0.5 0.5 0.5"/></geometry></visual></link>
  <link name="lower"><visual><geometry><mesh filename="meshes/lost.dae"/></geometry></visual></link>
  <link name="hand"><visual><geometry><mesh filename="package://gripper/hand.obj"/></geometry></visual></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" velocity="1" effort="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" velocity="1" effort="1"/></joint>
  <joint name="wrist" type="fixed"><parent link="lower"/><child link="hand"/><origin xyz="1 0 0"/></joint>
</robot>`

// stillURDF is a lever that no block moves.
const stillURDF = `<robot name="lever"><link name="foot"/><link name="lever"/>
<joint name="tilt" type="continuous"><parent link="foot"/><child link="lever"/><axis xyz="0 1 0"/></joint></robot>`

// figure is a block that only reads a robot.
type figure struct {
	URDF block.Const[string]
	Out  block.Out[float64]
}

func (f *figure) Step(clock.Tick) error { f.Out.Write(0); return nil }

const robotFile = `system: test
threads:
  main: {period: 1ms}
blocks:
  the_arm: {type: console_test.robot, params: {urdf: arm/arm.urdf}}
  reader: {type: console_test.robot, params: {urdf: lost.urdf}}
`

// openArm runs a system with an arm.
func openArm(t testing.TB, change ...func(*console.Options)) (*rig, string) {
	return openRobots(t, robotFile, change...)
}

// openRobots runs a system whose blocks read arm/arm.urdf and arm/still.urdf.
func openRobots(t testing.TB, file string, change ...func(*console.Options)) (*rig, string) {
	local, path := runFile(t, file)
	dir := filepath.Dir(path)
	for name, text := range map[string]string{
		"arm/still.urdf": stillURDF,
		"arm/arm.urdf":   armURDF, "arm/meshes/upper.stl": "solid upper", "arm/meshes/upper.png": "a picture", "arm/meshes/secret.yaml": "secret",
		"secret.txt": "secret", "gripper/hand.obj": "v 0 0 0", "gripper/hand.mtl": "newmtl a",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return open(t, local, append(change, withBlocks)...), dir
}

func TestRobotFilesAreServed(t *testing.T) {
	r, _ := openArm(t)
	p := r.page(aToken + " ann")
	robots := p.want("robot", m{"system": "test"}).(m)["robots"].([]any)
	if len(robots) != 2 {
		t.Fatalf("robots %v", robots)
	}
	arm, lost := robots[0].(m), robots[1].(m)
	if arm["name"] != "the_arm" || fmt.Sprint(arm["position"]) != "[the_arm.position]" || arm["joints"].([]any)[0] != "shoulder" {
		t.Errorf("arm %v", arm)
	}
	if lost["problem"] == nil || !strings.Contains(lost["problem"].(string), "lost.urdf") {
		t.Errorf("a robot without description: %v", lost)
	}
	address := arm["urdf"].(string)
	code, urdf := p.browser.fetch(address)
	if code != http.StatusOK || !strings.Contains(urdf, `name="elbow"`) {
		t.Fatalf("%s: %d %s", address, code, urdf)
	}
	folder := strings.TrimSuffix(address, "/robot.urdf")
	for path, want := range map[string]int{
		"/mesh/0/upper.stl": 200, "/mesh/0/upper.png": 200, "/mesh/2/hand.obj": 200, "/mesh/2/hand.mtl": 200,
		"/mesh/1/lost.dae": 404, "/mesh/3/x.stl": 404, "/mesh/-1/x": 404, "/mesh/x/x": 404, "/mesh/0/secret.yaml": 404, "/mesh/0/none.png": 404,
		"/mesh/0/..%2f..%2fsecret.txt": 404, "/mesh/0/%2e%2e/%2e%2e/secret.png": 404, "/mesh/0/%2fetc%2fpasswd.png": 404, "/arm.urdf": 404,
	} {
		if code, text := p.browser.fetch(folder + path); code != want || strings.Contains(text, "secret") {
			t.Errorf("%s: %d, wants %d: %s", path, code, want, text)
		}
		if strings.HasSuffix(path, ".obj") || strings.HasSuffix(path, ".stl") && want == 200 {
			if !strings.Contains(urdf, folder+path) {
				t.Errorf("the description does not name %s: %s", path, urdf)
			}
		}
	}
	if j := r.journal.String(); strings.Count(j, "mesh=lost.dae") != 1 {
		t.Errorf("the log must name a missing mesh once:\n%s", j)
	}
	if code := r.browser().get(address); code != http.StatusUnauthorized {
		t.Errorf("without a session: %d", code)
	}
}

func TestRobotsOfAnEndedSystemStayUntilItsNextRun(t *testing.T) {
	r, _ := openArm(t)
	p := r.page("")
	before := p.want("robot", m{"system": "test"}).(m)["robots"].([]any)
	p.want("history.span", m{"system": "test"})
	r.gone(p, "test")
	after := p.want("robot", m{"system": "test"}).(m)["robots"].([]any)
	if fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("robots %v, before the end %v", after, before)
	}
	if code, _ := p.browser.fetch(after[0].(m)["urdf"].(string)); code != http.StatusOK {
		t.Errorf("the description after the end: %d", code)
	}
	r.systems.Add("test", run(t, time.Millisecond, "a"))
	testkit.Await(t, "the next run without robots", func() bool {
		return len(p.want("robot", m{"system": "test"}).(m)["robots"].([]any)) == 0
	})
}

func TestPageCalculatesForwardAndInverseKinematics(t *testing.T) {
	r, _ := openArm(t)
	p := r.page("")
	fk := func(q ...float64) m {
		out := m{}
		for _, f := range p.want("fk", m{"system": "test", "robot": "the_arm", "q": q}).(m)["frames"].([]any) {
			out[f.(m)["name"].(string)] = f
		}
		return out
	}
	hand := fk(math.Pi/2, 0)["hand"].(m)
	at := func(f m, i int) float64 { return f["p"].([]any)[i].(float64) }
	if math.Abs(at(hand, 0)) > 1e-12 || math.Abs(at(hand, 1)-2) > 1e-12 {
		t.Errorf("hand at %v", hand)
	}
	ik := func(x, y float64) m {
		return p.want("ik", m{"system": "test", "robot": "the_arm", "link": "hand", "pose": m{"p": []float64{x, y, 0}}, "q": []float64{0.3, 0.4}}).(m)
	}
	answer := ik(1, 1)
	if answer["ok"] != true {
		t.Fatalf("ik %v", answer)
	}
	q := answer["q"].([]any)
	hand = fk(q[0].(float64), q[1].(float64))["hand"].(m)
	if math.Abs(at(hand, 0)-1) > 1e-6 || math.Abs(at(hand, 1)-1) > 1e-6 {
		t.Errorf("hand at %v for %v", hand, q)
	}
	if far := ik(3, 0); far["ok"] != false || far["why"] == "" || len(far["q"].([]any)) != 2 {
		t.Errorf("out of reach: %v", far)
	}
	p.refuse("fk", m{"system": "test", "robot": "the_arm", "q": []float64{1}}, "has 2")
	p.refuse("fk", m{"system": "test", "robot": "th_arm", "q": []float64{1}}, "the_arm")
	p.refuse("ik", m{"system": "test", "robot": "the_arm", "link": "hnad", "pose": m{"p": []float64{1, 1, 0}}, "q": []float64{0, 0}}, "hnad")
	p.refuse("ik", m{"system": "test", "robot": "the_arm", "link": "hand", "pose": m{"p": []float64{1, 1, 0}, "q": []float64{0, 0, 0, 0}}, "q": []float64{0, 0}}, "quaternion")
}

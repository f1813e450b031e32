package motion

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
)

// gantry is a robot of two joints that slide.
const gantry = `<robot name="gantry"><link name="bridge"/><link name="trolley"/>
<link name="hook"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<joint name="along" type="prismatic"><parent link="bridge"/><child link="trolley"/><axis xyz="1 0 0"/><limit lower="0" upper="2" effort="1" velocity="1"/></joint>
<joint name="down" type="prismatic"><parent link="trolley"/><child link="hook"/><axis xyz="0 0 -1"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>`

// Where all joints slide, a chain of the blocks of this package is in m, and a block that is left in rad does not fit into it.
func TestBlocksOfAGantryAreInMetres(t *testing.T) {
	build := func(rad string) (*diagram.Net, error) {
		d := diagram.New("test")
		d.Thread(diagram.Thread{Name: "main", Period: period})
		add := func(name string, w *World, b block.Block) {
			w.URDF = block.NewConst("gantry.urdf")
			if name != rad {
				w.Coordinate = block.NewConst("m")
			}
			d.Add(name, b, diagram.Place{Thread: "main", Given: port.Given{Files: fstest.MapFS{"gantry.urdf": {Data: []byte(gantry)}}}})
		}
		x, p, m, a := &Executor{}, &Planner{}, &Monitor{}, &Avoider{Link: block.NewConst("hook"), Task: block.NewConst("position")}
		x.Stations = block.NewConst([]float64{0, 0, 1, 0.5})
		add("executor", &x.World, x)
		add("planner", &p.World, p)
		add("monitor", &m.World, m)
		add("avoider", &a.World, a)
		for _, l := range []string{"executor.request planner.request", "planner.plan executor.plan", "executor.position avoider.desired", "executor.velocity avoider.desired_velocity", "avoider.position monitor.position"} {
			ends := strings.Fields(l)
			from, to, _ := strings.Cut(ends[0], ".")
			into, at, _ := strings.Cut(ends[1], ".")
			d.Join(diagram.Link{From: diagram.End{Block: from, Port: to}, To: diagram.End{Block: into, Port: at}, Delay: from == "planner"})
		}
		return d.Build()
	}
	net, err := build("")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range net.Blocks {
		for _, p := range b.Ports {
			if strings.HasPrefix(p.Unit, "rad") && p.Name != "turn" {
				t.Errorf("%s.%s is in %s", b.Name, p.Name, p.Unit)
			}
		}
		for _, p := range b.Params {
			if strings.HasPrefix(p.Unit, "rad") {
				t.Errorf("%s.%s is in %s", b.Name, p.Name, p.Unit)
			}
		}
	}
	for rad, want := range map[string]string{
		"executor": "executor.position is in rad, but avoider.desired is in m",
		"avoider":  "avoider.position is in rad, but monitor.position is in m",
		"monitor":  "avoider.position is in m, but monitor.position is in rad",
	} {
		if _, err := build(rad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s in rad: %v, want %q", rad, err, want)
		}
	}
}

// Fingers that another block moves can be locked: the vectors are those of the arm.
func TestLockedJointsAreNotPlanned(t *testing.T) {
	a := newAvoider()
	a.Locked = block.NewConst([]string{"panda_finger_joint1=0.02", "panda_finger_joint2=0.02"})
	if err := startAtRoot(t, a); err != nil {
		t.Fatal(err)
	}
	if a.world.dim != 7 {
		t.Errorf("%d joints move, want 7", a.world.dim)
	}
	far := []float64{0, 0, 5}
	yield(t, a, elbowUp[:7], still[:7], far)
	if d := a.Distance.Value(); d != a.Influence.Value() {
		t.Errorf("the distance is %v", d)
	}
	for want, change := range map[string]func(*Avoider){
		`locked: `: func(a *Avoider) { a.Locked = block.NewConst([]string{"claw"}) },
		`coordinate is m, but the positions of joint "panda_joint1" are in rad`: func(a *Avoider) { a.Coordinate = block.NewConst("m") },
	} {
		a := newAvoider()
		change(a)
		if err := startAtRoot(t, a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

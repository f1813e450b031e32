package description_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// gripper is a turning wrist with two fingers, one of which follows the other.
const gripper = `<robot name="gripper"><link name="base"/><link name="hand"/><link name="left"/><link name="right"/>
<joint name="wrist" type="revolute"><parent link="base"/><child link="hand"/><origin xyz="0 0 1" rpy="0.3 -0.2 0.5"/><axis xyz="0 2 0"/><limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
<joint name="finger" type="prismatic"><parent link="hand"/><child link="left"/><origin xyz="0.1 0 0" rpy="0 0 1"/><axis xyz="0 1 0"/><limit lower="0.01" upper="0.04" velocity="1" effort="1"/></joint>
<joint name="other" type="prismatic"><parent link="hand"/><child link="right"/><axis xyz="0 -1 0"/><limit lower="0" upper="0.04" velocity="1" effort="1"/><mimic joint="finger" multiplier="0.5"/></joint></robot>`

func readGripper(t *testing.T) *description.Robot {
	t.Helper()
	r, err := description.Read(fstest.MapFS{"g.urdf": {Data: []byte(gripper)}}, "g.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A locked robot is where the free one is with the same positions, also after it was written and read.
func TestLockedJointsStayWhereTheyAre(t *testing.T) {
	free, _ := readGripper(t).Model()
	data := multibody.NewData(free)
	multibody.FK(data, []float64{0.7, 0.03})
	for _, c := range []struct {
		locked []string
		q      []float64
	}{{[]string{"finger=0.03"}, []float64{0.7}}, {[]string{"wrist = 0.7"}, []float64{0.03}}, {[]string{"wrist=0.7", "finger=0.03"}, nil}} {
		robot := readGripper(t)
		if err := robot.Lock(c.locked...); err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := description.WriteURDF(&text, robot); err != nil {
			t.Fatal(err)
		}
		again, err := description.Read(fstest.MapFS{"g.urdf": {Data: text.Bytes()}}, "g.urdf", description.Options{})
		if err != nil {
			t.Fatal(err)
		}
		model, err := again.Model()
		if err != nil || model.NQ() != len(c.q) {
			t.Fatalf("%v: %d coordinates, %v", c.locked, model.NQ(), err)
		}
		moved := multibody.NewData(model)
		multibody.FK(moved, c.q)
		for i, name := range free.Links() {
			k, _ := model.Link(name)
			a, b := data.Pose(i), moved.Pose(k)
			d := a.P.Sub(b.P)
			turn, _ := a.InvMul(b).R.AngleAxis()
			testkit.AllNear(t, fmt.Sprint(c.locked, " ", name), []float64{d.X, d.Y, d.Z, turn}, make([]float64, 4), 1e-7)
		}
	}
}

func TestLockRejects(t *testing.T) {
	for want, locked := range map[string]string{
		`lock joint "fingr": the robot has no such joint; did you mean "finger"?`: "fingr",
		`"wide" is no position`: "finger=wide",
		`lock joint "finger" at 0: its limits are 0.01 to 0.04: give a position within them, as in finger=0.01`: "finger",
	} {
		robot := readGripper(t)
		if err := robot.Lock("wrist", locked); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, expected %q", err, want)
		}
		if m, _ := robot.Model(); m.NQ() != 2 {
			t.Errorf("%s: the robot was changed", locked)
		}
	}
}

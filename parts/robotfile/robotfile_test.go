package robotfile

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// reader is a block that reads a robot.
type reader struct {
	constants Constants
	robot     *Robot
}

func (r *reader) Setup(s *block.Setup) (err error) {
	r.robot, err = Read(s, r.constants)
	return err
}

func (*reader) Step(clock.Tick) error { return nil }

const arm = `<robot name="arm"><link name="base"/><link name="upper"/><link name="lower"/>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>`

var files = fstest.MapFS{
	"arm.urdf": {Data: []byte(arm)},
	"arm.srdf": {Data: []byte(`<robot name="arm"><group name="below"><joint name="elbow"/></group></robot>`)},
}

func read(c Constants) (*Robot, error) {
	r := &reader{constants: c}
	_, errs := (&inspect.Inspector{}).Inspect("r", r, port.Given{Files: files})
	return r.robot, errors.Join(errs...)
}

func TestRobotIsReadWithItsGroupsAndLockedJoints(t *testing.T) {
	r, err := read(Constants{URDF: "arm.urdf", SRDF: "arm.srdf", Locked: []string{"shoulder"}, Joints: []string{"below"}})
	if err != nil {
		t.Fatal(err)
	}
	model, err := r.Model()
	if err != nil || model.NV() != 1 || !slices.Equal(r.Joints, []string{"elbow"}) {
		t.Errorf("%v: %v, joints %v", err, model, r.Joints)
	}
}

func TestMistakesNameTheConstant(t *testing.T) {
	for param, c := range map[string]Constants{
		"locked: arm.urdf: locked: ": {URDF: "arm.urdf", Locked: []string{"sholder"}},
		"joints: arm.urdf: joints: ": {URDF: "arm.urdf", SRDF: "arm.srdf", Joints: []string{"bellow"}},
	} {
		_, err := read(c)
		var p *port.ParamError
		if !errors.As(err, &p) || !strings.HasPrefix(p.Param+": "+p.Error(), param) || !strings.Contains(p.Error(), "did you mean") {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, c := range []Constants{{SRDF: "arm.srdf"}, {Locked: []string{"elbow"}}, {Joints: []string{"elbow"}}} {
		var p *port.ParamError
		if given, err := c.Given(); given || !errors.As(err, &p) || p.Param != "urdf" {
			t.Errorf("%+v: %v, %v", c, given, err)
		}
	}
	if given, err := (Constants{}).Given(); given || err != nil {
		t.Error("a block without a robot has one")
	}
}

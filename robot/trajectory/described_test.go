package trajectory

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/description"
)

func TestLimitsOfJointsWithoutVelocityAreRejected(t *testing.T) {
	joint := func(name, parent, child, limit string) string {
		return `<link name="` + child + `"/><joint name="` + name + `" type="revolute"><parent link="` + parent + `"/><child link="` + child + `"/><limit lower="-1" upper="1" effort="1" ` + limit + `/></joint>`
	}
	robot, err := description.Read(fstest.MapFS{"x.urdf": {Data: []byte(`<robot name="x"><link name="a"/>` + joint("slow", "a", "b", `velocity="0.5"`) + joint("none", "b", "c", `velocity="0"`) + "</robot>")}}, "x.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := robot.Model()
	if err != nil {
		t.Fatal(err)
	}
	given := Limits{Acceleration: 2, Jerk: 3}
	if got, err := LimitsOf(m, []string{"slow"}, given); err != nil || got[0] != (Limits{Velocity: 0.5, Acceleration: 2, Jerk: 3}) {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = LimitsOf(m, []string{"none", "slow"}, given)
	if unlimited := (*UnlimitedError)(nil); !errors.As(err, &unlimited) || unlimited.Joint != "none" || strings.Contains(err.Error(), "slow") {
		t.Errorf("got %v", err)
	}
	given.Velocity = 4
	if got, err := LimitsOf(m, []string{"none", "slow"}, given); err != nil || got[0].Velocity != 4 || got[1].Velocity != 4 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := LimitsOf(m, []string{"nowhere"}, given); err == nil {
		t.Error("a joint that does not exist has limits")
	}
}

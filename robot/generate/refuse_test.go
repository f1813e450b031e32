package generate

import (
	"strings"
	"testing"
)

func TestImpossiblePackagesAreRejected(t *testing.T) {
	m := load(t, "ur5.urdf", false)
	for _, o := range []Options{{Name: "no name", Tool: "tool0"}, {Name: "_", Tool: "tool0"}, {Name: "robot", Tool: "nothing"}} {
		if _, err := Package(m, o); err == nil || !strings.Contains(err.Error(), m.Name()) {
			t.Errorf("%+v: error %v, want one that names the robot", o, err)
		}
	}
}

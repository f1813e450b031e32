package robots

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/description"
)

// A robot without visuals is drawn by its collision geometry, and its capsules as what browsers can draw.
func TestRobotsWithoutVisualsAreVisible(t *testing.T) {
	const bare = `<robot name="r"><link name="a">
<collision><geometry><sphere radius="0.5"/></geometry></collision>
<collision><origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/><geometry><capsule radius="0.1" length="0.4"/></geometry></collision>
</link></robot>`
	for _, c := range []struct {
		name, text string
		want       []string
		without    string
	}{
		{"bare", bare, []string{`<sphere radius="0.5"/>`, `<cylinder radius="0.1" length="0.4"/>`, `xyz="1.2 0 `, `xyz="0.8 0 `}, ""},
		{"with a visual", strings.Replace(bare, "<collision>", "<visual><geometry><box size=\"1 2 3\"/></geometry></visual><collision>", 1), []string{`<box size="1 2 3"/>`}, `<cylinder`},
	} {
		d, err := description.Read(fstest.MapFS{"r.urdf": {Data: []byte(c.text)}}, "r.urdf", description.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := newRobot("s", "b", d)
		if err != nil {
			t.Fatal(err)
		}
		urdf := string(r.urdf)
		for _, want := range c.want {
			if !strings.Contains(urdf, want) {
				t.Errorf("%s: %q is missing in\n%s", c.name, want, urdf)
			}
		}
		if c.without != "" && strings.Contains(urdf, c.without) {
			t.Errorf("%s: %q is drawn although the robot has visuals:\n%s", c.name, c.without, urdf)
		}
	}
}

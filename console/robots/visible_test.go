package robots

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/description"
)

// A robot without visuals is drawn by its collision geometry, one without that by its visuals also where collision shapes are drawn, and capsules as what
// browsers can draw.
func TestRobotsHaveVisualsAndCollisionShapesThatBrowsersDraw(t *testing.T) {
	const ball = `<collision><geometry><sphere radius="0.5"/></geometry></collision>`
	const capsule = `<collision><origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/><geometry><capsule radius="0.1" length="0.4"/></geometry></collision>`
	const crate = `<visual><geometry><box size="1 2 3"/></geometry></visual>`
	round := []string{`<sphere radius="0.5"/>`, `<cylinder radius="0.1" length="0.4"/>`, `xyz="1.2 0 `, `xyz="0.8 0 `}
	box := []string{`<box size="1 2 3"/>`}
	for _, c := range []struct {
		name, shapes       string
		visual, collision  []string
		visuals, colliders int
	}{
		{"without visuals", ball + capsule, round, round, 4, 4},
		{"with both", crate + ball + capsule, box, round, 1, 4},
		{"without collision shapes", crate, box, box, 1, 1},
	} {
		d, err := description.Read(fstest.MapFS{"r.urdf": {Data: []byte(`<robot name="r"><link name="a">` + c.shapes + `</link></robot>`)}}, "r.urdf", description.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := newRobot("s", "b", d, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []struct {
			element string
			want    []string
			count   int
		}{{"visual", c.visual, c.visuals}, {"collision", c.collision, c.colliders}} {
			found := regexp.MustCompile(`(?s)<`+kind.element+`.*?</`+kind.element+`>`).FindAllString(string(r.urdf), -1)
			all := strings.Join(found, "\n")
			if len(found) != kind.count {
				t.Errorf("a robot %s has %d elements %s, want %d:\n%s", c.name, len(found), kind.element, kind.count, all)
			}
			for _, want := range kind.want {
				if !strings.Contains(all, want) {
					t.Errorf("a robot %s: %q is missing in\n%s", c.name, want, all)
				}
			}
		}
	}
}

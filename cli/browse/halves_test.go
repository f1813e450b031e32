package browse

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// module has the four vectors of MCA.
type module struct {
	Measured  block.In[float64]  `part:"sense"`
	Position  block.Out[float64] `part:"sense"`
	Wanted    block.In[float64]  `part:"control"`
	Commanded block.Out[float64] `part:"control"`
}

// lift has an operation with a unit.
type lift struct {
	To block.Operation[float64, float64] `unit:"m" doc:"go there"`
}

func (l *lift) Setup(*block.Setup) error {
	l.To.Handle(func(h float64) (float64, error) { return h, nil })
	return nil
}

func TestOperationsAreShownWithTheirUnits(t *testing.T) {
	var out strings.Builder
	b := browserOf(t, map[string]block.Block{"lift": &lift{}})
	if err := b.ls(&out, []string{"lift"}); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`operation +to +\(value: float64 m\) → float64 m +go there`).MatchString(out.String()) {
		t.Errorf("no operation in\n%s", out.String())
	}
}

// camera writes images that are old, with the number of each; what it stores at the first step rests.
type camera struct {
	Image  block.Out[float64]
	Number block.Out[float64]
	Stored block.Out[float64]
}

const (
	imageAge  = 70 * time.Millisecond
	storedAge = time.Minute
)

func (c *camera) Step(t clock.Tick) error {
	c.Image.WriteAt(1, t.Time.Add(-imageAge))
	c.Number.Write(float64(t.N))
	if t.N == 0 {
		c.Stored.WriteAt(1, t.Time.Add(-storedAge))
	}
	return nil
}

// viewer reads what a camera writes.
type viewer struct {
	Image  block.In[float64]
	Number block.In[float64]
	Stored block.In[float64]
	Other  block.In[float64]
}

func (v *viewer) Step(clock.Tick) error { return nil }

// TestOldValuesAreShownWithTheirAges checks that values of inputs and outputs that are older than their threads make them have their ages, and no others.
func TestOldValuesAreShownWithTheirAges(t *testing.T) {
	b := browserOf(t, map[string]block.Block{"camera": &camera{}, "viewer": &viewer{}},
		"camera.image -> viewer.image", "camera.number -> viewer.number", "camera.stored -> viewer.stored")
	for _, name := range []string{"camera", "viewer"} {
		testkit.Await(t, "the ages of "+name, func() bool { // of a thread that has slipped, all values are old for one activation
			var out strings.Builder
			if err := b.ls(&out, []string{name}); err != nil {
				t.Fatal(err)
			}
			shown := func(row string) bool { return regexp.MustCompile(row).MatchString(out.String()) }
			return shown(`put +image .* [0-9.]+ms old`) && shown(`put +stored .* [0-9.m]+s old`) && !shown(`put +(number|other) .* old`)
		})
	}
}

func (m *module) Sense(clock.Tick) error   { return nil }
func (m *module) Control(clock.Tick) error { return nil }

func TestPortsAreShownWithTheirHalves(t *testing.T) {
	var out strings.Builder
	b := browserOf(t, map[string]block.Block{"arm": &module{}})
	if err := b.ls(&out, []string{"arm"}); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"sense input +measured", "sense output +position", "control input +wanted", "control output +commanded"} {
		if !regexp.MustCompile(`(?m)^ +` + row + ` `).MatchString(out.String()) {
			t.Errorf("no row %q in\n%s", row, out.String())
		}
	}
}

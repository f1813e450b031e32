package browse

import (
	"regexp"
	"strings"
	"testing"

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

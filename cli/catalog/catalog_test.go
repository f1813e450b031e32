package catalog

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Wave is a type of these tests.
type Wave struct {
	N      block.Const[int]       `default:"1" min:"1" doc:"how many"`
	Gain   block.Param[float64]   `default:"2" min:"0" max:"10" unit:"V" doc:"its height"`
	Curve  block.Param[[]float64] `min:"0" doc:"a list"`
	In     []block.In[float64]    `trigger:"yes" unit:"rad" doc:"what comes"`
	Out    block.Out[float64]     `unit:"V" doc:"what goes"`
	Resets block.Operation[block.None, block.None]
	Lift   block.Operation[float64, block.None] `unit:"m" doc:"lift it"`
}

func (w *Wave) Setup(s *block.Setup) error {
	s.Omit("it is calm", &w.Lift)
	w.In = make([]block.In[float64], w.N.Value())
	return nil
}

func (w *Wave) Step(clock.Tick) error {
	w.Out.Write(0)
	return nil
}

const sources = `package wave

// Wavelet is another type.
type Wavelet struct{}

// Wave is [clock.Tick] in a drawing, with | and *stars*.
//
//	x = a
//
//	y = b
//
// The end.
type Wave struct {
	X int
}
`

func described(t *testing.T) Type {
	t.Helper()
	e := block.Of[Wave]("a wave")
	e.Type = "mine.Wave"
	e.Sources = fstest.MapFS{"wave.go": {Data: []byte(sources)}, "wave_test.go": {Data: []byte("package wave\n\n// Wrong.\ntype Wave struct {}\n")}}
	return Describe(e)
}

func TestDescriptionHasDefaultsBoundsAndTwoOfACount(t *testing.T) {
	d := described(t)
	if !strings.HasPrefix(d.About, "Wave is [clock.Tick]") || !strings.HasSuffix(d.About, "The end.") {
		t.Errorf("about: %q", d.About)
	}
	want := []Param{
		{"n", "int", "1", "from 1", "", true, "how many"},
		{"gain", "float64", "2", "0 to 10", "V", false, "its height"},
		{"curve", "[]float64", "", "from 0", "", false, "a list"},
	}
	for i, w := range want {
		if i >= len(d.Params) || d.Params[i] != w {
			t.Errorf("parameters are %+v, want %+v", d.Params, want)
			break
		}
	}
	if len(d.Ports) != 3 || d.Ports[0].Name != "in1" || d.Ports[1].Name != "in2" || !d.Ports[1].Trigger || d.Ports[2].Name != "out" {
		t.Errorf("ports are %+v", d.Ports)
	}
	if want := []Operation{{Name: "resets"}, {"lift", "m", "lift it; absent by default: it is calm"}}; !slices.Equal(d.Operations, want) {
		t.Errorf("operations are %+v, want %+v", d.Operations, want)
	}
}

// Equations and drawings, also with empty lines between them, are one fenced block of the page: viewers keep its columns.
func TestPageFencesEquations(t *testing.T) {
	var page, text strings.Builder
	d := described(t)
	d.Markdown(&page)
	for _, want := range []string{
		"\n## mine.Wave\n\nWave is clock.Tick in a drawing, with | and \\*stars\\*.\n\n```text\nx = a\n\ny = b\n```\n\nThe end.\n",
		"| `n` | int, constant | `1` | from 1 |  | how many |\n", "| `curve` | []float64 |  | from 0 |  | a list |\n",
		"| `in1` | input, trigger | float64 | rad | what comes |\n", "| `lift` | m | lift it; absent by default: it is calm |\n",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page has no %q:\n%s", want, &page)
		}
	}
	d.Text(&text)
	for _, want := range []string{"mine.Wave: a wave\n\nWave is clock.Tick", "\n\tx = a\n\n\ty = b\n", "\nparameters\n  n ", "\nports\n  in1 ", "\noperations\n  resets"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text has no %q:\n%s", want, &text)
		}
	}
}

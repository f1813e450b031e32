package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestTicksAreRoundAndFew(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		n      int
		want   string
	}{
		{-1.03, 1.03, 7, "−1.0 −0.5 0.0 0.5 1.0"}, {-0.55, 1.4, 7, "−0.5 0.0 0.5 1.0"}, {0, 0.012, 7, "0.000 0.002 0.004 0.006 0.008 0.010 0.012"},
		{-31, 29, 7, "−30 −20 −10 0 10 20"}, {0, 62, 8, "0 10 20 30 40 50 60"}, {3.2e-7, 9e-7, 4, "400 600 800 ×10⁻⁹"},
		{0, 2.5e6, 6, "0.0 0.5 1.0 1.5 2.0 2.5 ×10⁶"}, {100000.1, 100000.4, 4, "100.0001 100.0002 100.0003 100.0004 ×10³"},
	} {
		ticks, step := ticksAndStep(c.lo, c.hi, c.n)
		texts, exponent := labels(ticks, step)
		if exponent != 0 {
			texts = append(texts, "×"+superscript(exponent))
		}
		if got := strings.Join(texts, " "); got != c.want {
			t.Errorf("from %g to %g: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

func TestTicksCoverAnyRange(t *testing.T) {
	r := testkit.Rand(t)
	for range 10_000 {
		lo := math.Copysign(math.Pow(10, r.Float64()*600-300), r.Float64()-0.5)
		hi := math.Copysign(math.Pow(10, r.Float64()*600-300), r.Float64()-0.5)
		lo, hi = span([][]float64{{lo, hi}}, 0.05)
		n := 2 + r.IntN(10)
		ticks := Ticks(lo, hi, n)
		if len(ticks) == 0 || len(ticks) > n {
			t.Fatalf("%d ticks from %g to %g, want 1 … %d", len(ticks), lo, hi, n)
		}
		for i, v := range ticks {
			if slack := 1e-6 * (hi/2 - lo/2); v < lo-slack || v > hi+slack || i > 0 && v <= ticks[i-1] {
				t.Fatalf("ticks %g from %g to %g", ticks, lo, hi)
			}
		}
	}
}

// wave returns a line of n points.
func wave(n int, f func(x float64) float64) Line {
	l := Line{Name: "wave", Color: Palette()[0], Width: 0.9}
	for i := range n {
		x := float64(i) / float64(n)
		l.X, l.Y = append(l.X, x), append(l.Y, f(x))
	}
	return l
}

func drawn(t *testing.T, format string, plots ...Plot) []byte {
	t.Helper()
	f, err := New(format, 16, 6*float64(len(plots)))
	if err != nil {
		t.Fatal(err)
	}
	f.Column("A title", plots)
	var b bytes.Buffer
	if n, err := f.WriteTo(&b); err != nil || n != int64(b.Len()) {
		t.Fatalf("%d bytes of %d, %v", n, b.Len(), err)
	}
	return b.Bytes()
}

// texts returns the horizontal texts of an SVG and their positions: x of the middle, y, half the width.
func texts(t *testing.T, svg []byte) (list []struct {
	text       string
	x, y, half float64
}) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
	}
	font, err := newTypeface()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`<text x="([^"]*)" y="([^"]*)" font-size="([^"]*)"( text-anchor="(\w+)")?>([^<]*)</text>`).FindAllSubmatch(svg, -1) {
		var v [3]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(string(m[i+1]), 64); err != nil {
				t.Fatal(err)
			}
		}
		half := font.textWidth(string(m[6]), v[2]) / 2
		x := v[0] + map[string]float64{"": half, "middle": 0, "end": -half}[string(m[5])]
		list = append(list, struct {
			text       string
			x, y, half float64
		}{string(m[6]), x, v[1], half})
	}
	return list
}

func TestLabelsNeitherOverlapNorLeaveThePaper(t *testing.T) {
	many := Plot{X: Axis{Label: "time", Unit: "s"}, Y: Axis{Unit: "rad"}}
	for i := range 30 {
		l := wave(10, func(x float64) float64 { return x * float64(i) })
		l.Name = "a_block_with_a_long_name.position[" + strconv.Itoa(i) + "]"
		many.Lines = append(many.Lines, l)
	}
	offset := wave(100, math.Sin)
	for i := range offset.X {
		offset.X[i] = 100_000 + offset.X[i]/10
	}
	for name, p := range map[string]Plot{
		"many signals": many, "a late time": {Lines: []Line{offset}}, "one value": {Lines: []Line{wave(1, math.Cos)}},
		"nothing": {}, "no numbers": {Lines: []Line{wave(9, func(float64) float64 { return math.NaN() })}},
		"small": {Lines: []Line{wave(9, func(x float64) float64 { return -x * 1e-9 })}},
		"huge":  {Lines: []Line{wave(9, func(x float64) float64 { return 4 * (x - 0.5) * 8e307 })}},
	} {
		t.Run(name, func(t *testing.T) {
			svg := drawn(t, "svg", p, p)
			if bad := regexp.MustCompile(`NaN|Inf`).Find(svg); bad != nil {
				t.Errorf("the drawing contains %s", bad)
			}
			list := texts(t, svg)
			for i, a := range list {
				if a.x-a.half < 0 || a.x+a.half > 16*pointsPerCM || a.y < tickSize/2 || a.y > 12*pointsPerCM {
					t.Errorf("%q leaves the paper", a.text)
				}
				for _, b := range list[:i] {
					if math.Abs(a.y-b.y) < tickSize*0.8 && math.Abs(a.x-b.x) < a.half+b.half {
						t.Errorf("%q and %q overlap", a.text, b.text)
					}
				}
			}
			if _, err := png.Decode(bytes.NewReader(drawn(t, "png", p, p))); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestNarrowPeakIsVisible(t *testing.T) {
	l := wave(1_000, func(x float64) float64 { return 0 })
	l.Y[321] = 1
	picture, err := png.Decode(bytes.NewReader(drawn(t, "png", Plot{Lines: []Line{l}, Y: Axis{Min: -0.2, Max: 1.2}})))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			if c := color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA); c.B > c.R+60 {
				rows++
				break
			}
		}
	}
	if rows < picture.Bounds().Dy()/3 {
		t.Errorf("the peak is seen in %d rows of %d", rows, picture.Bounds().Dy())
	}
}

// TestManyShortPiecesAreNotThicker compares a straight line of two points with one of thousands.
func TestManyShortPiecesAreNotThicker(t *testing.T) {
	darkness := func(n int) (sum int) {
		c := newCoverage(400, 200)
		var points []point
		for i := range n {
			s := float64(i) / float64(n-1)
			points = append(points, point{20 + 350*s, 30 + 120*s})
		}
		c.addLine(points, 1.3)
		for _, v := range c.mask.Pix {
			sum += int(v)
		}
		return sum
	}
	if two, many := darkness(2), darkness(5000); math.Abs(float64(many-two)) > 0.01*float64(two) {
		t.Errorf("a line of 5000 points has %d of ink, one of two has %d", many, two)
	}
	length, want := math.Hypot(350, 120)+1.3*math.Pi/2, 2*1.3*255.0
	if got := float64(darkness(2)) / length; math.Abs(got/want-1) > 0.02 {
		t.Errorf("the line is %.3f of its width", got/want)
	}
}

func TestDashesKeepTheLineAndItsGaps(t *testing.T) {
	list := dashes([]point{{0, 0}, {7, 0}, {7, 20}}, 4, 2)
	sum := 0.0
	for _, piece := range list {
		for i := range piece[1:] {
			sum += math.Hypot(piece[i+1].x-piece[i].x, piece[i+1].y-piece[i].y)
		}
	}
	if len(list) != 5 || math.Abs(sum-(4*4+3)) > 1e-9 {
		t.Errorf("%d dashes of %g together: %v", len(list), sum, list)
	}
}

func TestFormatsAndSizesAreChecked(t *testing.T) {
	if _, err := New("gif", 1, 1); err == nil {
		t.Error("gif is drawn")
	}
	if _, err := New("png", 1e6, 1e6); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("a picture of a square kilometre: %v", err)
	}
}

// TestDrawForTheEye writes pictures for visual inspection to the folder in SINEW_FIGURES.
func TestDrawForTheEye(t *testing.T) {
	dir := os.Getenv("SINEW_FIGURES")
	if dir == "" {
		t.Skip("SKIPPED: SINEW_FIGURES names no folder")
	}
	noise := wave(4000, func(x float64) float64 { return math.Sin(9*x) + 0.3*math.Sin(7919*x*x) })
	noise.Name = "noise"
	steps := wave(300, func(x float64) float64 { return math.Floor(4*x) * 2e-6 })
	steps.Name, steps.Color, steps.Dashed = "steps", Palette()[1], true
	gap := wave(500, func(x float64) float64 {
		return 1e-6 * math.Sqrt(math.Abs(x-0.5)) / (x - 0.5) * math.Log(math.Abs(x-0.25)-0.1)
	})
	gap.Name, gap.Color = "gap", Palette()[2]
	for _, format := range []string{"png", "svg"} {
		b := drawn(t, format, Plot{X: Axis{Label: "time", Unit: "s"}, Y: Axis{Unit: "rad"}, Lines: []Line{noise}}, Plot{Y: Axis{Unit: "m"}, Lines: []Line{steps, gap}})
		if err := os.WriteFile(dir+"/eye."+format, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

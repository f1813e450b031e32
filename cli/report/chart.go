package report

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/cli/figure"
)

// Size of a chart on the page, in units of its SVG.
const (
	chartWidth  = 860.0
	chartHeight = 240.0
	marginLeft  = 64.0
	marginRight = 150.0 // for the legend
	marginTop   = 12.0
	marginBelow = 34.0
)

// frame maps values to positions in an SVG.
type frame struct {
	x0, x1, y0, y1 float64
	height         float64
	b              strings.Builder
}

func newFrame(x0, x1, y0, y1, height float64) *frame {
	if !(x1 > x0) {
		x1 = x0 + 1
	}
	if !(y1 > y0) {
		y0, y1 = y0-0.5, y1+0.5
	}
	f := &frame{x0: x0, x1: x1, y0: y0, y1: y1, height: height}
	fmt.Fprintf(&f.b, `<svg viewBox="0 0 %g %g" role="img">`, chartWidth, height)
	return f
}

func (f *frame) x(v float64) float64 {
	return marginLeft + (v-f.x0)/(f.x1-f.x0)*(chartWidth-marginLeft-marginRight)
}

func (f *frame) y(v float64) float64 {
	return f.height - marginBelow - (v-f.y0)/(f.y1-f.y0)*(f.height-marginTop-marginBelow)
}

func (f *frame) text(class string, x, y float64, text string) {
	fmt.Fprintf(&f.b, `<text class="%s" x="%.1f" y="%.1f">%s</text>`, class, x, y, html.EscapeString(text))
}

func (f *frame) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&f.b, `<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, class, x1, y1, x2, y2)
}

func (f *frame) end() template.HTML {
	f.b.WriteString("</svg>")
	return template.HTML(f.b.String())
}

func short(v float64) string { return strconv.FormatFloat(v+0, 'g', 4, 64) } // + 0 makes 0 of -0

// axes draws both axes with their ticks and labels.
func (f *frame) axes(xLabel, yLabel string) {
	for _, v := range figure.Ticks(f.y0, f.y1, 5) {
		f.line("grid", marginLeft, f.y(v), chartWidth-marginRight, f.y(v))
		f.text("tick end", marginLeft-6, f.y(v)+3.5, short(v))
	}
	for _, v := range figure.Ticks(f.x0, f.x1, 10) {
		f.line("axis", f.x(v), f.height-marginBelow, f.x(v), f.height-marginBelow+4)
		f.text("tick middle", f.x(v), f.height-marginBelow+16, short(v))
	}
	f.line("axis", marginLeft, f.height-marginBelow, chartWidth-marginRight, f.height-marginBelow)
	f.text("label middle", (marginLeft+chartWidth-marginRight)/2, f.height-3, xLabel)
	fmt.Fprintf(&f.b, `<text class="label middle" transform="translate(12 %.1f) rotate(-90)">%s</text>`, (f.height-marginBelow+marginTop)/2, html.EscapeString(yLabel))
}

// lines draws signals over time. The signals whose index is true in dashed are dashed.
func lines(signals []Signal, dashed map[int]bool) template.HTML {
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	unit := ""
	for i, s := range signals {
		signals[i] = thin(s, 500)
		for k, v := range signals[i].Values {
			if finite(v) {
				x0, x1 = math.Min(x0, signals[i].Time[k]), math.Max(x1, signals[i].Time[k])
				y0, y1 = math.Min(y0, v), math.Max(y1, v)
			}
		}
		unit = s.Unit
	}
	if math.IsInf(x0, 1) {
		return "<p class=\"missing\">The log has no values of these signals.</p>"
	}
	pad := (y1 - y0) * 0.04
	f := newFrame(x0, x1, y0-pad, y1+pad, chartHeight)
	label := ""
	if unit != "" {
		label = "[" + unit + "]"
	}
	f.axes("time [s]", label)
	for i, s := range signals {
		class := fmt.Sprintf("curve c%d", i%len(figure.Palette()))
		if dashed[i] {
			class += " dashed"
		}
		for _, piece := range s.pieces() {
			fmt.Fprintf(&f.b, `<polyline class="%s" points="`, class)
			for k := range piece.Time {
				fmt.Fprintf(&f.b, "%.1f,%.1f ", f.x(piece.Time[k]), f.y(piece.Values[k]))
			}
			f.b.WriteString(`"/>`)
		}
		y := marginTop + 8 + 16*float64(i)
		f.line(class, chartWidth-marginRight+10, y, chartWidth-marginRight+28, y)
		f.text("legend", chartWidth-marginRight+33, y+3.5, s.Name)
	}
	return f.end()
}

package figure

import (
	"image"
	"image/color"
	"math"
)

// Plot is the content between two axes.
type Plot struct {
	Title string
	X, Y  Axis
	Lines []Line
	Dots  []Dots
	Image image.Image // behind everything else, over the whole area; nil: none
}

// Axis is one of the two axes of a plot.
type Axis struct {
	Label    string  // name of the quantity
	Unit     string  // unit of the values
	Min, Max float64 // range; if equal, the range of the lines' values
}

// Line joins points. It is interrupted where a coordinate is NaN or infinite.
type Line struct {
	Name   string    // in the legend; "": no entry
	X, Y   []float64 // in the units of the axes; as many of both
	Color  color.RGBA
	Width  float64 // points
	Dashed bool
}

// Dots are discs.
type Dots struct {
	X, Y   []float64 // of the centres, in the units of the axes; as many of both
	Color  color.RGBA
	Radius float64 // points
}

// Palette returns the palette of Okabe and Ito (2008), which is distinguishable with any color vision.
func Palette() []color.RGBA {
	return []color.RGBA{
		{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
		{230, 159, 0, 255}, {86, 180, 233, 255}, {0, 0, 0, 255},
	}
}

// rgb is a color as 0xrrggbb.
type rgb uint32

// RGBA implements [color.Color].
func (c rgb) RGBA() (r, g, b, a uint32) {
	return color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255}.RGBA()
}

// Style of plots; lengths in points.
const (
	ink     rgb = 0x222529
	axisInk rgb = 0x5a6068
	gridInk rgb = 0xe2e5e9

	axisWidth = 0.6
	gridWidth = 0.5

	titleSize = 11.0
	labelSize = 9.0
	tickSize  = 8.0
	tickMark  = 3.0 // length
	tickGap   = 2.5 // from a mark to its label

	xTickRoom = 56.0 // minimum for a tick on the x axis
	yTickRoom = 26.0 // minimum for a tick on the y axis
)

// scale maps the values of an axis to positions on the paper.
type scale struct {
	min, max float64
	from, to float64 // points
	ticks    []float64
	texts    []string
	title    string
}

func (s *scale) at(v float64) float64 {
	return s.from + (v/2-s.min/2)/(s.max/2-s.min/2)*(s.to-s.from) // halves: the difference of two large numbers may be infinite
}

// newScale sets the ticks of an axis so that their labels do not touch; room is the minimum distance of two ticks.
func newScale(a *Axis, from, to, room float64, width func(string) float64) scale {
	s := scale{min: a.Min, max: a.Max, from: from, to: to}
	for n := int(math.Abs(to-from)/room) + 1; ; n-- {
		ticks, step := ticksAndStep(s.min, s.max, n)
		texts, exponent := labels(ticks, step)
		s.ticks, s.texts, s.title = ticks, texts, a.title(exponent)
		widest := 0.0
		for _, text := range texts {
			widest = math.Max(widest, width(text))
		}
		if n <= 2 || len(ticks) < 2 || widest+tickSize <= math.Abs(s.at(ticks[1])-s.at(ticks[0])) {
			return s
		}
	}
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// span returns the range of an axis for values, with a margin at both ends; 0 … 1 without values.
func span(values [][]float64, pad float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, list := range values {
		for _, v := range list {
			if finite(v) {
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
		}
	}
	if lo > hi {
		return 0, 1
	}
	if most := math.Max(math.Abs(lo), math.Abs(hi)); hi-lo <= most*1e-12 { // a constant
		half := math.Max(most*0.05, 1e-300)
		if most == 0 {
			half = 1
		}
		return lo - half, hi + half
	}
	extra := math.Min((hi/2-lo/2)*2*pad, math.MaxFloat64/4)
	return math.Max(lo-extra, -math.MaxFloat64), math.Min(hi+extra, math.MaxFloat64)
}

// fit sets the ranges of axes that have none.
func (p *Plot) fit() {
	var x, y [][]float64
	for _, l := range p.Lines {
		x, y = append(x, l.X), append(y, l.Y)
	}
	if p.X.Min == p.X.Max {
		p.X.Min, p.X.Max = span(x, 0)
	}
	if p.Y.Min == p.Y.Max {
		p.Y.Min, p.Y.Max = span(y, 0.05)
	}
}

// draw draws a plot whose data have an area, and the labels of the y axis a width. Unless low is set, the x axis has
// no labels.
func (f *Figure) draw(p *Plot, area rect, x, y scale, left float64, low bool) {
	if p.Image != nil {
		f.image(area, p.Image)
	}
	grid := stroke{color: gridInk, width: gridWidth}
	for _, v := range x.ticks {
		f.line([]point{{x.at(v), area.top}, {x.at(v), area.bottom}}, grid)
	}
	for _, v := range y.ticks {
		f.line([]point{{area.left, y.at(v)}, {area.right, y.at(v)}}, grid)
	}
	f.axes(area, x, y, left, low)
	for i := range p.Lines {
		l := &p.Lines[i]
		for _, piece := range pieces(l, x, y) {
			f.line(piece, stroke{l.Color, l.Width, l.Dashed})
		}
	}
	for _, d := range p.Dots {
		for i := range d.X {
			f.line([]point{{x.at(d.X[i]), y.at(d.Y[i])}}, stroke{color: d.Color, width: 2 * d.Radius})
		}
	}
}

// axes draws both axes with ticks, labels and titles.
func (f *Figure) axes(area rect, x, y scale, left float64, low bool) {
	s := stroke{color: axisInk, width: axisWidth}
	f.line([]point{{area.left, area.top}, {area.left, area.bottom}, {area.right, area.bottom}}, s)
	for i, v := range x.ticks {
		f.line([]point{{x.at(v), area.bottom}, {x.at(v), area.bottom + tickMark}}, s)
		if low {
			f.text(point{x.at(v), area.bottom + tickMark + tickGap + 0.8*tickSize}, x.texts[i], tickSize, middle, false)
		}
	}
	for i, v := range y.ticks {
		f.line([]point{{area.left - tickMark, y.at(v)}, {area.left, y.at(v)}}, s)
		f.text(point{area.left - tickMark - tickGap, y.at(v) + 0.36*tickSize}, y.texts[i], tickSize, end, false)
	}
	f.text(point{area.left - left + 0.8*labelSize, (area.top + area.bottom) / 2}, y.title, labelSize, middle, true)
	if low {
		f.text(point{(area.left + area.right) / 2, area.bottom + belowAxis - 0.25*labelSize}, x.title, labelSize, middle, false)
	}
}

// belowAxis is the height of the x axis's marks, labels and title.
const belowAxis = tickMark + tickGap + tickSize + 4 + labelSize

// leftOf returns the width of the y axis's marks, labels and title.
func (f *Figure) leftOf(y scale) float64 {
	widest := 0.0
	for _, text := range y.texts {
		widest = math.Max(widest, f.textWidth(text, tickSize))
	}
	return tickMark + 2.8*tickGap + widest + labelSize
}

// pieces splits a line at non-finite values and converts it to paper coordinates.
func pieces(l *Line, x, y scale) (list [][]point) {
	var piece []point
	for i := range l.X {
		if finite(l.X[i]) && finite(l.Y[i]) {
			piece = append(piece, point{x.at(l.X[i]), y.at(l.Y[i])})
			continue
		}
		if piece != nil {
			list = append(list, piece)
		}
		piece = nil
	}
	if piece != nil {
		list = append(list, piece)
	}
	return list
}

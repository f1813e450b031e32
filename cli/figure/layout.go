package figure

import (
	"fmt"
	"math"
)

// Room around plots, in points.
const (
	edge       = 8.0
	titleRoom  = titleSize + 8
	legendRoom = 13.0 // height of a row
	legendMark = 14.0 // length of its line sample
	legendGap  = 16.0 // between two entries
	plotGap    = 9.0
	leastPlot  = 30.0 // height
	layouts    = 2    // passes: the room for labels depends on their number, and vice versa
)

// Column draws plots one below the other that share the x axis, with a title above.
func (f *Figure) Column(title string, plots []Plot) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range plots {
		plots[i].fit()
		lo, hi = math.Min(lo, plots[i].X.Min), math.Max(hi, plots[i].X.Max)
	}
	top := edge
	if title != "" {
		f.text(point{f.width / 2, edge + 0.8*titleSize}, title, titleSize, middle, false)
		top += titleRoom
	}
	bottom := f.height - edge - belowAxis
	right := f.width - edge - 6 // half of a label may extend beyond the axis
	left, labels, height := 0.0, 0.0, (bottom-top)/float64(len(plots))
	legends, ys := make([][][]entry, len(plots)), make([]scale, len(plots))
	for range layouts {
		labels = 0
		for i := range plots {
			ys[i] = newScale(&plots[i].Y, height, 0, yTickRoom, func(string) float64 { return 0 })
			labels = math.Max(labels, f.leftOf(ys[i]))
		}
		left = edge + labels
		room := bottom - top - float64(len(plots)-1)*plotGap
		for i := range plots {
			most := (room/float64(len(plots)) - leastPlot) / legendRoom
			legends[i] = f.legend(plots[i].Lines, right-left, max(1, int(most)))
			room -= legendRoom * float64(len(legends[i]))
		}
		height = math.Max(room/float64(len(plots)), leastPlot)
	}
	for i := range plots {
		p := &plots[i]
		f.drawLegend(legends[i], left, top)
		top += legendRoom * float64(len(legends[i]))
		p.X.Min, p.X.Max = lo, hi
		p.X.Label, p.X.Unit = plots[0].X.Label, plots[0].X.Unit
		area := rect{left, top, right, top + height}
		x := newScale(&p.X, left, right, xTickRoom, func(s string) float64 { return f.textWidth(s, tickSize) })
		ys[i].from, ys[i].to = area.bottom, area.top
		f.draw(p, area, x, ys[i], labels, i == len(plots)-1)
		top += height + plotGap
	}
}

// Row draws plots side by side in squares of equal size, with a title above.
func (f *Figure) Row(title string, plots []Plot) {
	top := edge
	if title != "" {
		f.text(point{f.width / 2, edge + 0.8*titleSize}, title, titleSize, middle, false)
		top += titleRoom
	}
	const above = labelSize + 8 // the title of a plot
	column := (f.width - 2*edge) / float64(len(plots))
	size := f.height - edge - belowAxis - top - above
	widths := func(s string) float64 { return f.textWidth(s, tickSize) }
	for range layouts {
		for i := range plots {
			plots[i].fit()
			size = math.Min(size, column-edge-f.leftOf(newScale(&plots[i].Y, size, 0, yTickRoom, func(string) float64 { return 0 })))
		}
	}
	for i := range plots {
		p := &plots[i]
		y := newScale(&p.Y, size, 0, yTickRoom, func(string) float64 { return 0 })
		left := edge + float64(i)*column + f.leftOf(y) + (column-f.leftOf(y)-edge-size)/2
		area := rect{left, top + above, left + size, top + above + size}
		y.from, y.to = area.bottom, area.top
		f.text(point{(area.left + area.right) / 2, top + labelSize}, p.Title, labelSize+1, middle, false)
		f.draw(p, area, newScale(&p.X, area.left, area.right, yTickRoom, widths), y, f.leftOf(y), true)
	}
}

// entry is an entry of a legend.
type entry struct {
	line *Line // nil: text only
	text string
	x    float64 // from the left
}

// legend arranges the names of lines in at most `most` rows of a width, and counts those that do not fit.
func (f *Figure) legend(lines []Line, width float64, most int) (rows [][]entry) {
	x := math.Inf(1)
	for i := range lines {
		l := &lines[i]
		if l.Name == "" {
			continue
		}
		own := legendMark + 4 + f.textWidth(l.Name, tickSize)
		if x+own > width {
			if len(rows) == most {
				last := &rows[most-1][len(rows[most-1])-1]
				*last = entry{text: fmt.Sprintf("… and %d more", len(lines)-i+1), x: last.x}
				return rows
			}
			rows, x = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], entry{l, l.Name, x})
		x += own + legendGap
	}
	return rows
}

func (f *Figure) drawLegend(rows [][]entry, left, top float64) {
	for k, row := range rows {
		y := top + legendRoom*float64(k) + 0.5*legendRoom
		for _, e := range row {
			at := point{left + e.x, y + 0.15*tickSize}
			if e.line != nil {
				f.line([]point{{left + e.x, y - 0.2*tickSize}, {left + e.x + legendMark, y - 0.2*tickSize}}, stroke{e.line.Color, math.Max(e.line.Width, 1.2), e.line.Dashed})
				at.x += legendMark + 4
			}
			f.text(at, e.text, tickSize, start, false)
		}
	}
}

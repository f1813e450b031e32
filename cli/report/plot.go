package report

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// palette is that of Okabe and Ito (2008), which people with any color vision can tell apart.
var palette = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{230, 159, 0, 255}, {86, 180, 233, 255}, {0, 0, 0, 255},
}

// PlotOptions say how a plot looks.
type PlotOptions struct {
	Title         string
	Width, Height float64 // in cm; 0: 16 wide, and 6 for each panel
}

const (
	plotWidth   = 16.0
	panelHeight = 6.0
	plotDPI     = 200
	maxPoints   = 4000 // of a line; more are thinned out, keeping the extremes
)

// Plot draws signals as format "png" or "svg". Signals of one unit share a panel; the panels share the time axis.
func Plot(w io.Writer, format string, signals []Signal, o PlotOptions) error {
	panels := byUnit(signals)
	if o.Width == 0 {
		o.Width = plotWidth
	}
	if o.Height == 0 {
		o.Height = panelHeight * float64(len(panels))
	}
	canvas, err := newCanvas(format, vg.Length(o.Width)*vg.Centimeter, vg.Length(o.Height)*vg.Centimeter)
	if err != nil {
		return err
	}
	if err := drawPanels(draw.New(canvas), panels, o.Title); err != nil {
		return err
	}
	_, err = canvas.WriteTo(w)
	return err
}

type canvas interface {
	vg.CanvasSizer
	io.WriterTo
}

func newCanvas(format string, width, height vg.Length) (canvas, error) {
	switch format {
	case "png":
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(plotDPI), vgimg.UseBackgroundColor(color.White))}, nil
	case "svg":
		return vgsvg.New(width, height), nil
	}
	return nil, fmt.Errorf("no format %q: wants png or svg", format)
}

// byUnit groups signals by their unit, in the order of their first ones.
func byUnit(signals []Signal) [][]Signal {
	var panels [][]Signal
	at := map[string]int{}
	for _, s := range signals {
		i, ok := at[s.Unit]
		if !ok {
			i = len(panels)
			at[s.Unit] = i
			panels = append(panels, nil)
		}
		panels[i] = append(panels[i], s)
	}
	return panels
}

func drawPanels(dc draw.Canvas, panels [][]Signal, title string) error {
	from, to := math.Inf(1), math.Inf(-1)
	var plots [][]*plot.Plot
	for i, signals := range panels {
		p, err := newPanel(signals)
		if err != nil {
			return err
		}
		if i == 0 {
			p.Title.Text = title
		}
		if i == len(panels)-1 {
			p.X.Label.Text = "time [s]"
		}
		from, to = math.Min(from, p.X.Min), math.Max(to, p.X.Max)
		plots = append(plots, []*plot.Plot{p})
	}
	for _, row := range plots {
		row[0].X.Min, row[0].X.Max = from, to
	}
	tiles := draw.Tiles{Rows: len(panels), Cols: 1, PadTop: vg.Points(6), PadBottom: vg.Points(4), PadLeft: vg.Points(4), PadRight: vg.Points(8), PadY: vg.Points(10)}
	for i, row := range plot.Align(plots, tiles, dc) {
		plots[i][0].Draw(row[0])
	}
	return nil
}

// newPanel draws signals of one unit over time.
func newPanel(signals []Signal) (*plot.Plot, error) {
	p := plot.New()
	p.Title.TextStyle.Font.Size = vg.Points(11)
	p.Title.Padding = vg.Points(4)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.LineStyle.Width = vg.Points(0.6)
		axis.Tick.LineStyle.Width = vg.Points(0.6)
		axis.Tick.Label.Font.Size = vg.Points(8)
		axis.Label.TextStyle.Font.Size = vg.Points(9)
		axis.Tick.Marker = plot.TickerFunc(roundTicks)
	}
	if unit := signals[0].Unit; unit != "" {
		p.Y.Label.Text = "[" + unit + "]"
	}
	p.Legend.Top = true
	p.Legend.TextStyle.Font.Size = vg.Points(8)
	p.Legend.ThumbnailWidth = vg.Points(14)
	p.Legend.YOffs = vg.Points(2)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{225}, color.Gray{225}
	grid.Vertical.Width, grid.Horizontal.Width = vg.Points(0.4), vg.Points(0.4)
	p.Add(grid)
	for i, s := range signals {
		pieces := split(thin(s, maxPoints))
		for k, points := range pieces {
			line, err := plotter.NewLine(points)
			if err != nil {
				return nil, fmt.Errorf("plot %s: %w", s.Name, err)
			}
			line.Color = palette[i%len(palette)]
			line.Width = vg.Points(0.9)
			if i >= len(palette) {
				line.Dashes = []vg.Length{vg.Points(4), vg.Points(2)}
			}
			p.Add(line)
			if k == 0 {
				p.Legend.Add(s.Name, line)
			}
		}
		if len(pieces) == 0 {
			p.Legend.Add(s.Name + " (no numbers)")
		}
	}
	// Room for the legend, so that it covers no curve.
	span := p.Y.Max - p.Y.Min
	if !finite(span) {
		p.Y.Min, p.Y.Max, p.X.Min, p.X.Max = 0, 1, 0, 1
	} else {
		p.Y.Max += span * 0.13 * float64(len(signals))
	}
	return p, nil
}

// roundTicks puts a label at each of some round numbers.
func roundTicks(lo, hi float64) []plot.Tick {
	var list []plot.Tick
	for _, v := range ticks(lo, hi, 8) {
		list = append(list, plot.Tick{Value: v, Label: short(v)})
	}
	return list
}

// split cuts a signal into the pieces between values that are no numbers.
func split(s Signal) (pieces []plotter.XYs) {
	var piece plotter.XYs
	for i, v := range s.Values {
		if finite(v) {
			piece = append(piece, plotter.XY{X: s.Time[i], Y: v})
			continue
		}
		if len(piece) > 0 {
			pieces = append(pieces, piece)
		}
		piece = nil
	}
	if len(piece) > 0 {
		pieces = append(pieces, piece)
	}
	return pieces
}

// thin leaves about n points of a signal: the extremes of each stretch, so that no peak is lost.
func thin(s Signal, n int) Signal {
	if len(s.Values) <= n {
		return s
	}
	out := Signal{Name: s.Name, Unit: s.Unit}
	stretch := (len(s.Values)*2 + n - 1) / n
	for i := 0; i < len(s.Values); i += stretch {
		end := min(i+stretch, len(s.Values))
		lo, hi := i, i
		for k := i; k < end; k++ {
			if !finite(s.Values[k]) {
				lo, hi = k, k
				break
			}
			if s.Values[k] < s.Values[lo] {
				lo = k
			}
			if s.Values[k] > s.Values[hi] {
				hi = k
			}
		}
		first, second := min(lo, hi), max(lo, hi)
		out.Time = append(out.Time, s.Time[first])
		out.Values = append(out.Values, s.Values[first])
		if second != first {
			out.Time = append(out.Time, s.Time[second])
			out.Values = append(out.Values, s.Values[second])
		}
	}
	return out
}

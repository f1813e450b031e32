package picture

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Workspace is what a tool reaches, seen along the three axes of the world.
type Workspace struct {
	Title   string
	Points  []spatial.Vec3    // where the tool was found, m
	Outline [][2]spatial.Vec3 // the robot as lines between its joints, m
	Tool    spatial.Vec3      // of the robot that the outline shows, m
}

// plane is a view of the workspace: which coordinates go to the right and up.
type plane struct {
	title, right, up string
	x, y             func(spatial.Vec3) float64
}

func planes() []plane {
	x := func(p spatial.Vec3) float64 { return p.X }
	y := func(p spatial.Vec3) float64 { return p.Y }
	z := func(p spatial.Vec3) float64 { return p.Z }
	return []plane{{"from above", "x", "y", x, y}, {"from the side", "x", "z", x, z}, {"from ahead", "y", "z", y, z}}
}

// The size of the picture, cm; all three views have one scale.
const (
	width    = 27.0
	height   = 10.2
	dpi      = 150
	cells    = 150 // along the edge of a view
	darkness = 0.85
)

// Write draws the workspace as format "png" or "svg".
func (s *Workspace) Write(w io.Writer, format string) error {
	c, err := newCanvas(format, width*vg.Centimeter, height*vg.Centimeter)
	if err != nil {
		return err
	}
	if err := s.draw(draw.New(c)); err != nil {
		return err
	}
	_, err = c.WriteTo(w)
	return err
}

type canvas interface {
	vg.CanvasSizer
	io.WriterTo
}

func newCanvas(format string, width, height vg.Length) (canvas, error) {
	switch format {
	case "png":
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))}, nil
	case "svg":
		return vgsvg.New(width, height), nil
	}
	return nil, fmt.Errorf("no format %q: wants png or svg", format)
}

// extent is the cube that all views show: one scale for all, and room at the edge.
func (s *Workspace) extent() (lo spatial.Vec3, edge float64) {
	lo, hi := spatial.Vec3{}, spatial.Vec3{} // the world's origin is always in sight
	include := func(p spatial.Vec3) {
		lo = spatial.Vec3{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = spatial.Vec3{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
	}
	for _, p := range s.Points {
		include(p)
	}
	for _, line := range s.Outline {
		include(line[0])
		include(line[1])
	}
	size := hi.Sub(lo)
	edge = 1.08 * max(size.X, size.Y, size.Z)
	if edge == 0 {
		edge = 1
	}
	middle := lo.Add(hi).Scale(0.5)
	return middle.Sub(spatial.Vec3{X: edge / 2, Y: edge / 2, Z: edge / 2}), edge
}

func (s *Workspace) draw(dc draw.Canvas) error {
	lo, edge := s.extent()
	var row []*plot.Plot
	for _, view := range planes() {
		p, err := s.view(view, view.x(lo), view.y(lo), edge)
		if err != nil {
			return err
		}
		row = append(row, p)
	}
	title := text(12)
	title.XAlign, title.YAlign = draw.XCenter, draw.YTop
	dc.FillText(title, vg.Point{X: dc.Center().X, Y: dc.Max.Y - vg.Points(8)}, s.Title)
	below := draw.Crop(dc, 0, 0, 0, -vg.Points(24))
	tiles := draw.Tiles{Rows: 1, Cols: len(row), PadTop: vg.Points(2), PadBottom: vg.Points(6), PadLeft: vg.Points(8), PadRight: vg.Points(12), PadX: vg.Points(16)}
	for i, c := range plot.Align([][]*plot.Plot{row}, tiles, below)[0] {
		row[i].Draw(square(row[i], c))
	}
	return nil
}

// square crops a canvas so that a metre is as long upward as to the right.
func square(p *plot.Plot, c draw.Canvas) draw.Canvas {
	inner := p.DataCanvas(c)
	w, h := inner.Max.X-inner.Min.X, inner.Max.Y-inner.Min.Y
	if w > h {
		return draw.Crop(c, (w-h)/2, -(w-h)/2, 0, 0)
	}
	return draw.Crop(c, 0, 0, (h-w)/2, -(h-w)/2)
}

func text(size float64) draw.TextStyle {
	return draw.TextStyle{Color: color.Black, Font: font.From(plot.DefaultFont, vg.Points(size)), Handler: plot.DefaultTextHandler}
}

// view draws one of the three planes.
func (s *Workspace) view(v plane, left, bottom, edge float64) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = v.title
	p.Title.TextStyle.Font.Size = vg.Points(10)
	p.Title.Padding = vg.Points(4)
	p.X.Label.Text, p.Y.Label.Text = v.right+" [m]", v.up+" [m]"
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = left, left+edge, bottom, bottom+edge
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Padding = 0
		axis.LineStyle.Width = vg.Points(0.6)
		axis.Tick.LineStyle.Width = vg.Points(0.6)
		axis.Tick.Label.Font.Size = vg.Points(8)
		axis.Tick.Marker = plot.TickerFunc(roundTicks)
		axis.Label.TextStyle.Font.Size = vg.Points(9)
	}
	p.Add(plotter.NewImage(s.density(v, left, bottom, edge), left, bottom, left+edge, bottom+edge))
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{215}, color.Gray{215}
	grid.Vertical.Width, grid.Horizontal.Width = vg.Points(0.3), vg.Points(0.3)
	p.Add(grid)
	if err := s.robot(p, v); err != nil {
		return nil, err
	}
	return p, nil
}

// roundTicks labels multiples of 1, 2 or 5 times a power of ten, seven at most.
func roundTicks(lo, hi float64) []plot.Tick {
	const most = 7
	step := math.Pow(10, math.Floor(math.Log10((hi-lo)/most)))
	for _, k := range []float64{2, 2.5, 2} { // 1, 2, 5, 10
		if (hi-lo)/step <= most {
			break
		}
		step *= k
	}
	var list []plot.Tick
	for i := math.Ceil(lo / step); i*step <= hi; i++ {
		list = append(list, plot.Tick{Value: i * step, Label: strconv.FormatFloat(i*step+0, 'g', 4, 64)})
	}
	return list
}

// density counts the points in each cell of a view and paints them: the more points, the darker.
func (s *Workspace) density(v plane, left, bottom, edge float64) image.Image {
	count := make([]int, cells*cells)
	most := 0
	for _, p := range s.Points {
		i, k := int((v.x(p)-left)/edge*cells), int((v.y(p)-bottom)/edge*cells)
		if i < 0 || i >= cells || k < 0 || k >= cells {
			continue
		}
		count[k*cells+i]++
		most = max(most, count[k*cells+i])
	}
	picture := image.NewNRGBA(image.Rect(0, 0, cells, cells))
	for at, n := range count {
		if n == 0 {
			continue
		}
		// the logarithm keeps single points in sight beside the middle, where thousands lie
		part := 0.2 + (darkness-0.2)*math.Log1p(float64(n))/math.Log1p(float64(most))
		picture.SetNRGBA(at%cells, cells-1-at/cells, color.NRGBA{0, 114, 178, uint8(255 * part)})
	}
	return picture
}

// robot draws the outline: lines between the joints, dots at them, and the tool.
func (s *Workspace) robot(p *plot.Plot, v plane) error {
	var joints plotter.XYs
	for _, line := range s.Outline {
		ends := plotter.XYs{{X: v.x(line[0]), Y: v.y(line[0])}, {X: v.x(line[1]), Y: v.y(line[1])}}
		joints = append(joints, ends...)
		l, err := plotter.NewLine(ends)
		if err != nil {
			return fmt.Errorf("draw the robot: %w", err)
		}
		l.Color, l.Width = color.Gray{40}, vg.Points(1.8)
		p.Add(l)
	}
	for _, dots := range []struct {
		at     plotter.XYs
		radius float64
		color  color.Color
	}{{joints, 2, color.Gray{40}}, {plotter.XYs{{X: v.x(s.Tool), Y: v.y(s.Tool)}}, 3.2, color.RGBA{213, 94, 0, 255}}} {
		if len(dots.at) == 0 {
			continue
		}
		d, err := plotter.NewScatter(dots.at)
		if err != nil {
			return fmt.Errorf("draw the robot: %w", err)
		}
		d.Shape, d.Color, d.Radius = draw.CircleGlyph{}, dots.color, vg.Points(dots.radius)
		p.Add(d)
	}
	return nil
}

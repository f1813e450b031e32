package picture

import (
	"image"
	"image/color"
	"io"
	"math"

	"github.com/sinew-robotics/sinew/cli/figure"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Workspace is the set of points that a tool reaches, drawn in projections along the three axes of the world.
type Workspace struct {
	Title   string
	Points  []spatial.Vec3    // sampled positions of the tool, m
	Outline [][2]spatial.Vec3 // the robot as lines between its joints, m
	Tool    spatial.Vec3      // position of the tool in the outline, m
}

// plane is a projection of the workspace: it selects the coordinates to the right and up.
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

// Size of the picture, cm; all three views have the same scale.
const (
	width    = 27.0
	height   = 10.2
	cells    = 150 // along the edge of a view
	darkness = 0.85
)

// Write draws the workspace to w in format "png" or "svg". It fails for other formats and without points.
func (s *Workspace) Write(w io.Writer, format string) error {
	f, err := figure.New(format, width, height)
	if err != nil {
		return err
	}
	lo, edge := s.extent()
	var row []figure.Plot
	for _, view := range planes() {
		row = append(row, s.view(view, view.x(lo), view.y(lo), edge))
	}
	f.Row(s.Title, row)
	_, err = f.WriteTo(w)
	return err
}

// extent returns the cube that all views show, with a margin, so that they have the same scale.
func (s *Workspace) extent() (lo spatial.Vec3, edge float64) {
	lo, hi := spatial.Vec3{}, spatial.Vec3{} // the world's origin is always visible
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

// view returns the plot of one of the three projections.
func (s *Workspace) view(v plane, left, bottom, edge float64) figure.Plot {
	gray := color.RGBA{40, 40, 40, 255}
	p := figure.Plot{
		Title: v.title, Image: s.density(v, left, bottom, edge),
		X: figure.Axis{Label: v.right, Unit: "m", Min: left, Max: left + edge},
		Y: figure.Axis{Label: v.up, Unit: "m", Min: bottom, Max: bottom + edge},
	}
	joints := figure.Dots{Color: gray, Radius: 2}
	for _, line := range s.Outline {
		x, y := []float64{v.x(line[0]), v.x(line[1])}, []float64{v.y(line[0]), v.y(line[1])}
		p.Lines = append(p.Lines, figure.Line{X: x, Y: y, Color: gray, Width: 1.8})
		joints.X, joints.Y = append(joints.X, x...), append(joints.Y, y...)
	}
	tool := figure.Dots{X: []float64{v.x(s.Tool)}, Y: []float64{v.y(s.Tool)}, Color: color.RGBA{213, 94, 0, 255}, Radius: 3.2}
	p.Dots = []figure.Dots{joints, tool}
	return p
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
		// The logarithm keeps single points visible beside the middle, which has thousands.
		part := 0.2 + (darkness-0.2)*math.Log1p(float64(n))/math.Log1p(float64(most))
		picture.SetNRGBA(at%cells, cells-1-at/cells, color.NRGBA{0, 114, 178, uint8(255 * part)})
	}
	return picture
}

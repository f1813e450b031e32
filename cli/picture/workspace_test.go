package picture

import (
	"bytes"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

func ball(n int) *Workspace {
	w := &Workspace{Title: "a ball", Outline: [][2]spatial.Vec3{{{}, {Z: 0.5}}}, Tool: spatial.Vec3{Z: 0.5}}
	for i := range n {
		h, a := 2*float64(i)/float64(n)-1, float64(i)*2.4
		r := math.Sqrt(1 - h*h)
		w.Points = append(w.Points, spatial.Vec3{X: r * math.Cos(a), Y: r * math.Sin(a), Z: h})
	}
	return w
}

func TestWorkspaceIsWrittenAsPNGAndSVG(t *testing.T) {
	var svg bytes.Buffer
	if err := ball(1000).Write(&svg, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"from above", "from the side", "from ahead", "x [m]", "z [m]", "a ball"} {
		if !strings.Contains(svg.String(), text) {
			t.Errorf("the SVG does not contain %q", text)
		}
	}
	var picture bytes.Buffer
	if err := ball(1000).Write(&picture, "png"); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&picture); err != nil {
		t.Error(err)
	}
	if err := ball(1).Write(&picture, "gif"); err == nil {
		t.Error("gif was written")
	}
	if err := new(Workspace).Write(&picture, "png"); err != nil {
		t.Errorf("an empty workspace: %v", err)
	}
}

// TestViewsShowEverythingInOneScale checks the cube that all views share.
func TestViewsShowEverythingInOneScale(t *testing.T) {
	w := &Workspace{Points: []spatial.Vec3{{X: -1, Y: 4, Z: 2}, {X: 3, Y: 5}}, Outline: [][2]spatial.Vec3{{{}, {Z: -2}}}}
	lo, edge := w.extent()
	for _, p := range append(w.Points, w.Outline[0][1], spatial.Vec3{}) {
		for _, at := range []float64{p.X - lo.X, p.Y - lo.Y, p.Z - lo.Z} {
			if at <= 0 || at >= edge {
				t.Errorf("%v is not in the cube of %g from %v", p, edge, lo)
			}
		}
	}
}

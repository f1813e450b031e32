package mesh_test

import (
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/mesh"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// bracketVolume is that of an L of 0.3 by 0.2 by 0.05 m, without a corner of 0.2 by 0.1 m.
const bracketVolume = (0.3*0.2 - 0.2*0.1) * 0.05

func read(t *testing.T, file string) *mesh.Surface {
	t.Helper()
	s, err := mesh.Read(os.DirFS("testdata"), file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// text reads a surface from a text.
func text(name, content string) (*mesh.Surface, error) {
	return mesh.Read(fstest.MapFS{name: {Data: []byte(content)}}, name)
}

func bounds(s *mesh.Surface) (low, high spatial.Vec3) {
	low, high = s.Points[0], s.Points[0]
	for _, p := range s.Points {
		low = spatial.Vec3{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
		high = spatial.Vec3{X: max(high.X, p.X), Y: max(high.Y, p.Y), Z: max(high.Z, p.Z)}
	}
	return low, high
}

func TestAllFormatsHoldTheSameBracket(t *testing.T) {
	for _, c := range []struct {
		file string
		yUp  bool
	}{
		{"bracket.stl", false}, {"bracket_binary.stl", false}, {"bracket.obj", false}, {"bracket.ply", false}, {"bracket_binary.ply", false},
		{"bracket.dae", true}, {"bracket.gltf", true}, {"bracket.glb", true},
	} {
		t.Run(c.file, func(t *testing.T) {
			s := read(t, c.file)
			if len(s.Points) != 12 || len(s.Triangles) != 20 {
				t.Fatalf("%d points and %d triangles, want 12 and 20", len(s.Points), len(s.Triangles))
			}
			q := s.Check()
			if !q.Closed() || q.Flat != 0 || q.String() != "closed" {
				t.Errorf("the surface is %v", q)
			}
			testkit.Near(t, "volume", q.Volume, bracketVolume, 1e-9)
			low, high := bounds(s)
			wantLow, wantHigh := spatial.Vec3{}, spatial.Vec3{X: 0.3, Y: 0.2, Z: 0.05}
			if c.yUp {
				wantLow, wantHigh = spatial.Vec3{Y: -0.05}, spatial.Vec3{X: 0.3, Z: 0.2}
			}
			if low.Sub(wantLow).Norm() > 1e-7 || high.Sub(wantHigh).Norm() > 1e-7 {
				t.Errorf("bounds %v and %v, want %v and %v", low, high, wantLow, wantHigh)
			}
		})
	}
}

func TestUnitAndUpwardAxisAreHonoured(t *testing.T) {
	dae, err := os.ReadFile("testdata/bracket.dae")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		unit, up  string
		low, high spatial.Vec3
	}{
		{`meter="1"`, "Z_UP", spatial.Vec3{}, spatial.Vec3{X: 0.3, Y: 0.2, Z: 0.05}},
		{`meter="0.001"`, "Z_UP", spatial.Vec3{}, spatial.Vec3{X: 0.0003, Y: 0.0002, Z: 0.00005}},
		{`meter="0.0254"`, "Y_UP", spatial.Vec3{Y: -0.05 * 0.0254}, spatial.Vec3{X: 0.3 * 0.0254, Z: 0.2 * 0.0254}},
		{`meter="1"`, "X_UP", spatial.Vec3{X: -0.2, Y: -0.05}, spatial.Vec3{Z: 0.3}}, // right is -y, in is z
	} {
		changed := strings.NewReplacer(`meter="1"`, c.unit, "Y_UP", c.up).Replace(string(dae))
		s, err := text("a.dae", changed)
		if err != nil {
			t.Fatal(err)
		}
		if low, high := bounds(s); low.Sub(c.low).Norm() > 1e-7 || high.Sub(c.high).Norm() > 1e-7 {
			t.Errorf("%s, %s: bounds %v and %v, want %v and %v", c.unit, c.up, low, high, c.low, c.high)
		}
		if q := s.Check(); !q.Closed() || q.Volume <= 0 {
			t.Errorf("%s, %s: the surface is %v", c.unit, c.up, q)
		}
	}
}

func TestNegativeScaleKeepsTheOutside(t *testing.T) {
	s := read(t, "bracket.stl")
	s.Transform(spatial.Mat3{{-2, 0, 0}, {0, 1, 0}, {0, 0, 1}}, spatial.Vec3{Z: 1})
	testkit.Near(t, "volume", s.Check().Volume, 2*bracketVolume, 1e-12)
	if low, _ := bounds(s); low != (spatial.Vec3{X: -0.6, Z: 1}) {
		t.Errorf("the least corner is %v", low)
	}
}

func TestConcavePolygonsAreFilledOnce(t *testing.T) {
	// the L as one polygon, in each plane and both directions
	l := [][2]float64{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {0, 2}}
	for axis := range 3 {
		for _, backwards := range []bool{false, true} {
			var points []spatial.Vec3
			var corners []int
			for i, c := range l {
				x := [3]float64{}
				x[(axis+1)%3], x[(axis+2)%3], x[axis] = c[0], c[1], 7
				points = append(points, spatial.Vec3{X: x[0], Y: x[1], Z: x[2]})
				corners = append(corners, i)
				if backwards {
					corners[i] = len(l) - 1 - i
				}
			}
			list, err := mesh.Triangulate(points, corners)
			if err != nil || len(list) != 4 {
				t.Fatalf("%d triangles, %v", len(list), err)
			}
			var area spatial.Vec3
			sum := 0.0
			for _, c := range list {
				n := points[c[1]].Sub(points[c[0]]).Cross(points[c[2]].Sub(points[c[0]])).Scale(0.5)
				area = area.Add(n)
				sum += n.Norm()
			}
			testkit.Near(t, "area with sides", area.Norm(), 4, 1e-12)
			testkit.Near(t, "area without sides", sum, 4, 1e-12) // no triangle is turned or overlaps another one
		}
	}
}

func TestConvexSurfacesAreSolid(t *testing.T) {
	s := read(t, "bracket.stl")
	shape, err := s.Shape()
	if err != nil || shape.Kind() != geometry.Mesh {
		t.Fatalf("the bracket is a %v, %v", shape.Kind(), err)
	}
	cube := cubeOBJ
	for _, c := range []struct {
		name, content string
		kind          geometry.Kind
	}{
		{"cube", cube, geometry.Hull},
		{"inside out", strings.ReplaceAll(strings.ReplaceAll(cube, "f 1 3 4 2", "f 2 4 3 1"), "f 5 6 8 7", "f 7 8 6 5"), geometry.Mesh}, // sides disagree
		{"without a lid", strings.Replace(cube, "f 5 6 8 7\n", "", 1), geometry.Mesh},
	} {
		s, err := text("a.obj", c.content)
		if err != nil {
			t.Fatal(err)
		}
		if shape, err := s.Shape(); err != nil || shape.Kind() != c.kind {
			t.Errorf("%s: a %v, want a %v; %v", c.name, shape.Kind(), c.kind, err)
		}
	}
}

const cubeOBJ = `# a cube of 1 m
v 0 0 0
v 1 0 0
v 0 1 0
v 1 1 0
v 0 0 1
v 1 0 1
v 0 1 1
v 1 1 1
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f -7 -5 -1 -3
`

func TestCheckCountsWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"closed", "", "", "closed"},
		{"open", "f 5 6 8 7\n", "", "4 open edges"},
		{"turned", "f 5 6 8 7", "f 7 8 6 5", "4 edges between an outside and an inside"},
		{"twice", "f 5 6 8 7", "f 5 6 8 7\nf 5 6 8 7", "5 edges of more than two triangles"},
		{"flat", "f 5 6 8 7", "f 5 6 8 7\nf 1 1 2", "1 triangles without area"},
	} {
		s, err := text("a.obj", strings.Replace(cubeOBJ, c.from, c.to, 1))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Check().String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	s, err := text("a.obj", cubeOBJ)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range s.Triangles {
		s.Triangles[i] = [3]int{c[0], c[2], c[1]}
	}
	if q := s.Check(); q.String() != "inside out" || math.Abs(q.Volume+1) > 1e-12 {
		t.Errorf("%v of %g m³, want inside out", q, q.Volume)
	}
}

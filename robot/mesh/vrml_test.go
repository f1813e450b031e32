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

// vrml reads a file with this content, beside which other files lie.
func vrml(content string, others ...string) (*mesh.Graph, error) {
	files := fstest.MapFS{"a.wrl": {Data: []byte("#VRML V2.0 utf8\n" + content)}}
	for i := 0; i+1 < len(others); i += 2 {
		files[others[i]] = &fstest.MapFile{Data: []byte("#VRML V2.0 utf8\n" + others[i+1])}
	}
	return mesh.ReadVRML(files, "a.wrl")
}

func TestVRMLPlacesNamedNodes(t *testing.T) {
	g, err := vrml(`DEF robot Transform { translation 1 0 0 rotation 0 0 1 1.5707963267948966 children [
  DEF link-1 Transform { translation 2 0 0, scale 2 2 2 children [
    DEF ball Shape { appearance Appearance { material Material { diffuseColor 1 0 0 } } geometry Sphere { radius 0.5 } } # a comment
    Transform { translation 0 1 0 children Shape { geometry Cylinder { height 3 } } }
    USE ball
  ] }
  DEF marker Viewpoint { description "a \"view\"" }
] }
ROUTE a.b TO c.d
DEF box Shape { geometry Box {} }
DEF cone Transform { center 1 0 0 rotation 0 1 0 3.141592653589793 children Shape { geometry Cone {} } }`)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Find("robot", "link-1")
	if err != nil || len(p.Parts) != 3 {
		t.Fatalf("%+v, %v", p, err)
	}
	// a quarter turn about z takes x to y
	if d := p.Pose.P.Sub(spatial.Vec3{X: 1, Y: 2}).Norm(); d > 1e-12 || math.Abs(p.Pose.R[1][0]-1) > 1e-12 {
		t.Errorf("pose %v", p.Pose)
	}
	ball, rod := p.Parts[0], p.Parts[1]
	if ball.Shape.Kind() != geometry.Sphere || ball.Shape.Radius() != 1 || p.Parts[2].Shape.Kind() != geometry.Sphere {
		t.Errorf("the ball is a %v of %g m", ball.Shape.Kind(), ball.Shape.Radius())
	}
	if b := rod.Shape.Bounds(&rod.Pose); rod.Shape.Kind() != geometry.Cylinder || b.Min.Sub(spatial.Vec3{X: -2, Y: -1, Z: -2}).Norm() > 1e-12 || b.Max.Sub(spatial.Vec3{X: 2, Y: 5, Z: 2}).Norm() > 1e-12 {
		t.Errorf("the rod reaches from %v to %v", b.Min, b.Max)
	}
	if p, err = g.Find("box"); err != nil || len(p.Parts) != 1 || p.Parts[0].Shape.Bounds(&p.Parts[0].Pose).Max.X != 1 {
		t.Errorf("box: %+v, %v", p, err)
	}
	if p, err = g.Find("cone"); err != nil || p.Pose.P.Sub(spatial.Vec3{X: 2}).Norm() > 1e-12 {
		t.Errorf("cone: %+v, %v", p, err)
	}
	tip := p.Parts[0].Pose.Apply(spatial.Vec3{Z: 1}) // the tip of a cone of package geometry; in VRML it points along y
	if tip.Sub(spatial.Vec3{Y: 1}).Norm() > 1e-12 {
		t.Errorf("the tip is at %v", tip)
	}
	if _, err = g.Find("robot", "link-2"); err == nil || !strings.Contains(err.Error(), `find robot/link-2: no node has the name "link-2"; there are ball, link-1`) {
		t.Errorf("error %v", err)
	}
	if all, err := g.Find(); err != nil || len(all.Parts) != 5 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestVRMLReadsFaceSetsAndGrids(t *testing.T) {
	g, err := vrml(`DEF cube Shape { geometry IndexedFaceSet { coord Coordinate { point [0 0 0, 1 0 0, 0 1 0, 1 1 0, 0 0 1, 1 0 1, 0 1 1, 1 1 1] }
 coordIndex [0 2 3 1 -1 4 5 7 6 -1 0 1 5 4 -1 2 6 7 3 -1 0 4 6 2 -1 1 3 7 5] solid FALSE } }
DEF ground Shape { geometry ElevationGrid { xDimension 3 zDimension 2 xSpacing 0.5 height [0 1 0 0 2 0] } }
DEF lines Shape { geometry IndexedLineSet { coord Coordinate { point [0 0 0, 1 1 1] } coordIndex [0 1] } }
DEF flat Transform { scale 1 2 3 children [ Shape { geometry Box { size 1 1 1 } } ] }`)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]geometry.Kind{"cube": geometry.Hull, "ground": geometry.Mesh} {
		if p, err := g.Find(name); err != nil || len(p.Parts) != 1 || p.Parts[0].Shape.Kind() != want {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	p, err := g.Find("ground")
	if err != nil {
		t.Fatal(err)
	}
	if b := p.Parts[0].Shape.Bounds(&p.Pose); b.Max.Sub(spatial.Vec3{X: 1, Y: 2, Z: 1}).Norm() > 1e-12 {
		t.Errorf("the ground reaches to %v", b.Max)
	}
	if len(g.Notes) != 1 || !strings.Contains(g.Notes[0], "a.wrl:5:11: Shape: IndexedLineSet has no surface") {
		t.Errorf("notes %q", g.Notes)
	}
	if p, err := g.Find(); err != nil || len(p.Parts) != 3 || p.Parts[2].Shape.Kind() != geometry.Hull {
		t.Errorf("%v, %v", p, err)
	}
}

func TestVRMLIncludesFiles(t *testing.T) {
	g, err := vrml(`Transform { children [ DEF a Inline { url "sub/Part.WRL" } DEF b Inline { url ["sub/part.wrl"] } ] }`,
		"sub/part.wrl", `DEF inner Inline { url "../ball.wrl" }`, "ball.wrl", `DEF ball Shape { geometry Sphere {} }`)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := g.Find("b", "ball"); err != nil || len(p.Parts) != 1 {
		t.Errorf("%v, %v", p, err)
	}
	if len(g.Notes) != 1 || g.Notes[0] != `a.wrl:2:30: Inline: Inline names "sub/Part.WRL", the file is part.wrl: correct the case of its letters` {
		t.Errorf("notes %q", g.Notes)
	}
}

func TestBrokenVRMLIsRefusedWithItsPlace(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"missing file", `Inline { url "none.wrl" }`, `a.wrl:2:1: Inline: Inline names "none.wrl": there is no file none.wrl`},
		{"circle", `Group { children Inline { url "b.wrl" } }`, "b.wrl:2:1: Inline: Inline: a.wrl includes itself: a.wrl > b.wrl > a.wrl"},
		{"outside", `Inline { url "../a.wrl" }`, `there is no file ../a.wrl`},
		{"never closed", "Group {\n children [", `the field children has no value here: there is ""`},
		{"no brace", "Group [ ]", `a.wrl:2:7: "[" follows "Group": want {`},
		{"unknown name", "Group { children [ USE x ] }", `a.wrl:2:24: USE x: no DEF`},
		{"itself", "DEF x Group { children [ USE x ] }", `USE x: no DEF`},
		{"number", "Shape { geometry Sphere { radius 1.x } }", `a.wrl:2:34: "1.x" is not a number`},
		{"infinite", "Shape { geometry Sphere { radius 1e999 } }", `"1e999" is not a number`},
		{"negative", "Shape { geometry Sphere { radius -1 } }", `a.wrl:2:18: Sphere: make a sphere: radius is -1`},
		{"index", "Shape { geometry IndexedFaceSet { coord Coordinate { point [0 0 0] } coordIndex [0 1 2] } }", "coordIndex 1 is 1: want 0 to 0"},
		{"points", "Shape { geometry IndexedFaceSet { coord Coordinate { point [0 0] } } }", "a.wrl:2:41: Coordinate: point has 2 numbers"},
		{"extrusion", "Shape { geometry Extrusion { } }", "a.wrl:2:18: Extrusion: it is no geometry that is read"},
		{"prototype", "PROTO A [ ] { }", "a.wrl:2:1: prototypes are not read"},
		{"rotation", "Transform { rotation 0 0 1 }", "a.wrl:2:13: rotation has 3 numbers"},
		{"uneven scale of a ball", "Transform { scale 1 2 1 children Shape { geometry Sphere { } } }", "round shapes cannot be scaled so"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := vrml(c.content, "b.wrl", `Inline { url "a.wrl" }`)
			if err == nil {
				_, err = g.Find()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
	files := fstest.MapFS{"a.wrl": {Data: []byte("#VRML V1.0 ascii\n")}}
	if _, err := mesh.ReadVRML(files, "a.wrl"); err == nil || !strings.Contains(err.Error(), "a.wrl:1:1: the file does not begin with") {
		t.Errorf("VRML 1: %v", err)
	}
}

// TestRoboticsLibraryScenesHaveTheirShapes compares with the numbers of the word geometry in the files of the library's scenes.
func TestRoboticsLibraryScenesHaveTheirShapes(t *testing.T) {
	root := os.DirFS(testkit.SharedData(t, "rl", "rlsg"))
	for _, c := range []struct {
		file, model string
		want        map[geometry.Kind]int
	}{
		{"boxes.wrl", "", map[geometry.Kind]int{geometry.Box: 8}},
		{"maze.wrl", "", map[geometry.Kind]int{geometry.Box: 25}},
		{"box-6d-300505_maze.wrl", "maze", map[geometry.Kind]int{geometry.Box: 25}},
		{"box-6d-300505_maze.wrl", "box-6d-300505", map[geometry.Kind]int{geometry.Box: 1}},
		{"planar3.wrl", "", map[geometry.Kind]int{geometry.Box: 4, geometry.Cylinder: 3}},
		{"unimation-puma560_boxes.convex.wrl", "unimation-puma560", map[geometry.Kind]int{geometry.Hull: 7}},
		{"unimation-puma560_boxes.wrl", "unimation-puma560", map[geometry.Kind]int{geometry.Mesh: 7}},
	} {
		g, err := mesh.ReadVRML(root, c.file)
		if err != nil {
			t.Error(err)
			continue
		}
		p, err := g.Find(c.model)
		if err != nil {
			t.Error(err)
			continue
		}
		got := map[geometry.Kind]int{}
		for _, part := range p.Parts {
			got[part.Shape.Kind()]++
		}
		if len(got) != len(c.want) || len(g.Notes) > 0 {
			t.Errorf("%s, %s: %v and %q", c.file, c.model, got, g.Notes)
		}
		for kind, n := range c.want {
			if got[kind] != n {
				t.Errorf("%s, %s: %v, want %v", c.file, c.model, got, c.want)
			}
		}
	}
}

func FuzzVRML(f *testing.F) {
	f.Add([]byte("#VRML V2.0 utf8\nDEF a Transform { translation 1 2 3 children [ Shape { geometry Box { } } USE b Inline { url \"a.wrl\" } ] } ROUTE a TO b"))
	f.Add([]byte("#VRML V2.0 utf8\nShape { geometry IndexedFaceSet { coord Coordinate { point [0 0 0, 1 0 0, 0 1 0] } coordIndex [0 1 2 -1] } }"))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := mesh.ReadVRML(fstest.MapFS{"a.wrl": {Data: data}}, "a.wrl")
		if err == nil {
			_, _ = g.Find() // a negative size is refused
		}
	})
}

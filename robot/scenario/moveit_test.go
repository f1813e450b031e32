package scenario_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// inScene returns the shape of an object of one shape with its pose in the scene, at which the object itself is.
func inScene(t *testing.T, o scene.Object) geometry.Part {
	t.Helper()
	if len(o.Parts) != 1 || o.Parts[0].Pose != spatial.IdentityPose() {
		t.Fatalf("%s has %+v", o.Name, o.Parts)
	}
	return geometry.Part{Shape: o.Parts[0].Shape, Pose: o.Pose}
}

func TestMoveItScenesOfMotionBenchMakerAreRead(t *testing.T) {
	w, err := scenario.ReadMoveIt(os.DirFS("testdata"), "scene_box.yaml")
	if err != nil || w.Frame != "base_link" || len(w.Objects) != 2 {
		t.Fatalf("%+v, %v", w, err)
	}
	can, lid := inScene(t, w.Objects[0]), inScene(t, w.Objects[1])
	if b := can.Shape.Bounds(&can.Pose); can.Shape.Kind() != geometry.Cylinder || b.Max.Sub(spatial.Vec3{X: 0.83, Y: 0.03, Z: 0.62}).Norm() > 1e-12 {
		t.Errorf("the can reaches to %v", b.Max)
	}
	if z := lid.Pose.R.MulVec(spatial.Vec3{Z: 1}); lid.Shape.Kind() != geometry.Box || z.X < 0.70 || z.X > 0.71 {
		t.Errorf("the lid points to %v", z)
	}
}

const newScene = `a shelf
* the box
1 2 3
0 0 0 1
2
box
0.1 0.2 0.3
0 0 0.5
0 0 0 1
0 0 0 0
mesh
4 4
0 0 0
1 0 0
0 1 0
0 0 1
0 2 1
0 1 3
0 3 2
1 2 3
0 0 0
0 0 0 1
0 0 0 0
1
a frame
0 0 0
0 0 0 1
.
`

const oldScene = `(noname)
* can
1
cylinder
0.03 0.14
0.5 0 0.25
0 0 0 1
0 0 0 0
.
`

func TestMoveItScenesOfBothTextFormatsAreRead(t *testing.T) {
	files := fstest.MapFS{"new.scene": {Data: []byte(newScene)}, "old.scene": {Data: []byte(oldScene)}}
	w, err := scenario.ReadMoveIt(files, "new.scene")
	if err != nil || len(w.Objects) != 1 || w.Objects[0].Name != "the box" || w.Objects[0].Pose.P.Z != 3 || len(w.Objects[0].Parts) != 2 ||
		w.Objects[0].Parts[0].Pose.P.Z != 0.5 || w.Objects[0].Parts[1].Shape.Kind() != geometry.Hull {
		t.Errorf("%+v, %v", w, err)
	}
	w, err = scenario.ReadMoveIt(files, "old.scene")
	if err != nil || len(w.Objects) != 1 || w.Objects[0].Parts[0].Shape.Kind() != geometry.Cylinder || inScene(t, w.Objects[0]).Pose.P.X != 0.5 {
		t.Errorf("%+v, %v", w, err)
	}
}

// meshScene has the fields of shape_msgs/Mesh and shape_msgs/Plane.
const meshScene = `world:
  collision_objects:
    - id: wedge
      header: {frame_id: world}
      meshes:
        - vertices: [{x: 0, y: 0, z: 0}, {x: 1, y: 0, z: 0}, {x: 0, y: 1, z: 0}, {x: 0, y: 0, z: 1}]
          triangles: [{vertex_indices: [0, 2, 1]}, {vertex_indices: [0, 1, 3]}, {vertex_indices: [0, 3, 2]}, {vertex_indices: [1, 2, 3]}]
      mesh_poses: [{position: {x: 2, y: 0, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 1}}]
    - id: wall
      header: {frame_id: world}
      planes: [{coef: [-2, 0, 0, 3]}]
      plane_poses: [{position: {x: 0, y: 0, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 1}}]
`

func TestMeshesAndPlanesOfMoveItAreRead(t *testing.T) {
	text := "(noname)\n* wall\n1\nplane\n-2 0 0 3\n0 0 0\n0 0 0 1\n0 0 0 0\n.\n"
	files := fstest.MapFS{"a.yaml": {Data: []byte(meshScene)}, "a.scene": {Data: []byte(text)}}
	w, err := scenario.ReadMoveIt(files, "a.yaml")
	if err != nil || len(w.Objects) != 2 {
		t.Fatalf("%+v, %v", w, err)
	}
	wedge := inScene(t, w.Objects[0])
	if b := wedge.Shape.Bounds(&wedge.Pose); b.Min != (spatial.Vec3{X: 2}) || b.Max != (spatial.Vec3{X: 3, Y: 1, Z: 1}) {
		t.Errorf("the wedge reaches from %v to %v", b.Min, b.Max)
	}
	old, err := scenario.ReadMoveIt(files, "a.scene")
	if err != nil {
		t.Fatal(err)
	}
	for _, wall := range []geometry.Part{inScene(t, w.Objects[1]), inScene(t, old.Objects[0])} { // -2x + 3 = 0, solid where x > 1.5
		for x, inside := range map[float64]bool{1.4: false, 1.6: true} {
			ball, err := geometry.NewSphere(0.05)
			if err != nil {
				t.Fatal(err)
			}
			at := spatial.Translation(spatial.Vec3{X: x, Y: 7, Z: -3})
			got, _, err := new(geometry.Query).Hit(wall.Shape, &wall.Pose, ball, &at, 0, nil)
			if err != nil || got != inside {
				t.Errorf("a ball at x = %g touches the wall: %v, %v", x, got, err)
			}
		}
	}
}

func TestBrokenMoveItScenesAreRefusedWithTheirPlace(t *testing.T) {
	yaml, err := os.ReadFile("testdata/scene_box.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ file, content, from, to, want string }{
		{"a.yaml", string(yaml), "type: cylinder", "type: pyramid", `a.yaml:3:7: object "Can1": its type is "pyramid"`},
		{"a.yaml", string(yaml), "[0.14, 0.03]", "[0.14]", `object "Can1": a cylinder has 1 dimensions, want 2`},
		{"a.yaml", string(yaml), "[0, 0.383, 0, 0.924]", "[0, 0, 0, 0]", `a.yaml:12:7: object "side_cap": the quaternion [0 0 0 0] has length 0`},
		{"a.yaml", string(yaml), "base_link", "other", `object "side_cap": its frame is "base_link", that of the first object "other"`},
		{"a.yaml", meshScene, "[1, 2, 3]", "[1, 2, 4]", `object "wedge": triangle 3 of mesh 0 names vertex 4: it has 4 vertices`},
		{"a.yaml", meshScene, "[1, 2, 3]", "[1, 2]", "has 2 vertex_indices, want 3"},
		{"a.yaml", meshScene, "mesh_poses", "poses", "it has 1 of kind mesh and 0 mesh_poses"},
		{"a.yaml", meshScene, "[-2, 0, 0, 3]", "[0, 0, 0, 3]", `object "wall": the plane [0 0 0 3] has no normal`},
		{"a.yaml", "world: 3", "", "", `a.yaml:1:8: wants a mapping, as key: value, got "3"`},
		{"a.yaml", "world:\n\tcollision_objects: []\n", "", "", "a.yaml:2:1: not YAML: a tab indents this line"},
		{"a.yaml", "world: {collision_objects: []\n", "", "", "a.yaml:1:8: not YAML: the { that opens here is not closed"},
		{"a.yaml", "world: {}", "", "", "a.yaml: the scene has no objects"},
		{"a.scene", newScene, "mesh", "cube", `a.scene:11:1: "cube" is no shape`},
		{"a.scene", newScene, "1 2 3\n0 0 0\n", "1 2 4\n0 0 0\n", `a.scene:20:1: the number of a point of a triangle is "4"`},
		{"a.scene", newScene, "0.1 0.2 0.3", "0.1 x 0.3", `a.scene:7:1: "x" is no finite number`},
		{"a.scene", oldScene, "\n.\n", "\n", "the file ends without a point"},
		{"a.scene", oldScene, "0 0 0 1", "0 0 0 0", "a.scene:7:1: the quaternion [0 0 0 0] has length 0"},
		{"a.scene", oldScene, "* can", "can", `a.scene:2:1: "can": want an object`},
	} {
		content := strings.Replace(c.content, c.from, c.to, 1)
		_, err := scenario.ReadMoveIt(fstest.MapFS{c.file: {Data: []byte(content)}}, c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q in it", err, c.want)
		}
	}
}

func FuzzReadMoveIt(f *testing.F) {
	yaml, err := os.ReadFile("testdata/scene_box.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][]byte{yaml, []byte(meshScene), []byte(newScene), []byte(oldScene)} {
		f.Add(seed)
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		for _, name := range []string{"a.yaml", "a.scene"} {
			_, _ = scenario.ReadMoveIt(fstest.MapFS{name: {Data: data}}, name)
		}
	})
}

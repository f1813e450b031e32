package description_test

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
)

const shapesURDF = `<robot name="r"><link name="a">
<collision><origin xyz="1 2 3"/><geometry><sphere radius="0.5"/></geometry></collision>
<collision><geometry><box size="1 2 3"/></geometry></collision>
</link><link name="b"><collision><geometry><cylinder radius="1" length="2"/></geometry></collision></link>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>`

func TestShapesAreTheCollisionGeometry(t *testing.T) {
	files := fstest.MapFS{"r.urdf": {Data: []byte(shapesURDF)}}
	robot, err := description.ReadURDF(files, "r.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	shapes, err := robot.Shapes()
	if err != nil {
		t.Fatal(err)
	}
	a, b := shapes["a"], shapes["b"]
	if len(a) != 2 || len(b) != 1 || a[0].Shape.Kind() != geometry.Sphere || a[0].Shape.Radius() != 0.5 || a[0].Pose.P.Y != 2 ||
		a[1].Shape.Kind() != geometry.Box || b[0].Shape.Kind() != geometry.Cylinder {
		t.Errorf("shapes %v", shapes)
	}
	files["m.urdf"] = &fstest.MapFile{Data: []byte(strings.Replace(shapesURDF, `<sphere radius="0.5"/>`, `<mesh filename="a.stl"/>`, 1))}
	if robot, err = description.ReadURDF(files, "m.urdf", description.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := robot.Shapes(); err == nil || !strings.HasPrefix(err.Error(), `m.urdf:2:`) || !strings.Contains(err.Error(), "read the mesh a.stl: a.stl: cannot open the file") {
		t.Errorf("missing mesh: %v", err)
	}
	files["a.stl"] = &fstest.MapFile{Data: []byte("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n")}
	if shapes, err = robot.Shapes(); err != nil || len(shapes["a"]) != 2 || shapes["a"][0].Shape.Kind() != geometry.Mesh || shapes["a"][0].Pose.P.Y != 2 {
		t.Errorf("mesh: %v, %v", shapes, err)
	}
}

// TestMeshesOfRealRobotsAreRead reads the collision geometry of six robots with meshes, STL and COLLADA.
func TestMeshesOfRealRobotsAreRead(t *testing.T) {
	root := os.DirFS(testkit.SharedData(t, "models"))
	for _, file := range []string{
		"panda_description/urdf/panda.urdf", "ur_description/urdf/ur5_robot.urdf", "kinova_description/robots/kinova.urdf",
		"solo_description/robots/solo12.urdf", "talos_data/robots/talos_reduced.urdf", "hyq_description/robots/hyq_no_sensors.urdf",
	} {
		robot, err := description.ReadURDF(root, "example-robot-data/robots/"+file, description.Options{})
		if err != nil {
			t.Fatal(err)
		}
		shapes, err := robot.Shapes()
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		kinds := map[geometry.Kind]int{}
		for _, parts := range shapes {
			for _, p := range parts {
				kinds[p.Shape.Kind()]++
			}
		}
		text, err := fs.ReadFile(root, "example-robot-data/robots/"+file)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, c := range regexp.MustCompile(`(?s)<collision.*?</collision>`).FindAll(text, -1) {
			want += strings.Count(string(c), "<mesh")
		}
		if got := kinds[geometry.Mesh] + kinds[geometry.Hull]; got != want || want == 0 {
			t.Errorf("%s: %v, want %d meshes and hulls", file, kinds, want)
		}
	}
}

func TestAllowedPairsAreThoseThatTheFileDisables(t *testing.T) {
	files := fstest.MapFS{
		"r.urdf": {Data: []byte(shapesURDF)},
		"r.srdf": {Data: []byte(`<robot name="r"><disable_collisions link1="a" link2="b"/><disable_collisions link1="a" link2="c"/>
<disable_default_collisions link="b"/><enable_collisions link1="c" link2="a"/></robot>`)},
	}
	robot, err := description.ReadURDF(files, "r.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := description.ReadSRDF(files, "r.srdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Allowed(robot), []scene.Pair{{A: "a", B: "b"}, {A: "b", B: "a"}}; !slices.Equal(got, want) {
		t.Errorf("allowed %v, want %v", got, want)
	}
}

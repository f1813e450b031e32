package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/simplify"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// simplifyModes are the ways to simplify, by the names of the files written.
var simplifyModes = map[string][]string{
	"primitives": {"--primitives"}, "hulls": {"--hulls"}, "bounding": {"--bounding", "16"}, "spheres": {"--spheres"},
}

// bracket is a robot of an angle bracket, which is not convex, with a scale and a place of its own, and a ball that stays.
func bracket(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	outline := [][2]float64{{0, 0}, {100, 0}, {104, 3}, {104, 20}, {30, 20}, {20, 30}, {20, 110}, {5, 110}, {0, 100}}
	for _, z := range []float64{0, 40} {
		for _, p := range outline {
			fmt.Fprintf(&b, "v %g %g %g\n", p[0], p[1], z)
		}
	}
	n := len(outline)
	for i := range n {
		k := (i + 1) % n
		fmt.Fprintf(&b, "f %d %d %d\nf %d %d %d\n", i+1, k+1, n+k+1, i+1, n+k+1, n+i+1)
	}
	for i := 1; i < n-1; i++ { // both ends: the outline is a star around its first corner
		fmt.Fprintf(&b, "f 1 %d %d\nf %d %d %d\n", i+2, i+1, n+1, n+i+1, n+i+2)
	}
	inertial := `<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>`
	for name, text := range map[string]string{
		"bracket.obj": b.String(),
		"robot.urdf": `<robot name="bracket"><link name="base"/><link name="a b">` + inertial + `
<collision><origin xyz="0.1 -0.2 0.3" rpy="0.4 0.5 -0.6"/><geometry><mesh filename="bracket.obj" scale="0.001 0.002 0.001"/></geometry></collision>
<collision><geometry><sphere radius="0.05"/></geometry></collision></link>
<joint name="j" type="continuous"><parent link="base"/><child link="a b"/></joint></robot>`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "robot.urdf")
}

// vertices returns the vertices of the meshes of each link, in its frame.
func vertices(t *testing.T, file string) map[string][]spatial.Vec3 {
	t.Helper()
	robot, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	robot, _ = robot.Solid()
	list := map[string][]spatial.Vec3{}
	for i := range robot.Links {
		l := &robot.Links[i]
		for k := range l.Collisions {
			if m, ok := l.Collisions[k].Geometry.(description.Mesh); ok {
				surface, err := robot.Surface(m)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range surface.Points {
					list[l.Name] = append(list[l.Name], l.Collisions[k].Origin.Pose().Apply(p))
				}
			}
		}
	}
	return list
}

// simplifyTo runs the command and returns its report.
func simplifyTo(t *testing.T, file, out string, mode ...string) (links []simplify.Link) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := Command(nil, func(*cobra.Command) {})
	cmd.SetOut(&stdout)
	cmd.SetErr(&stderr)
	cmd.SetArgs(append([]string{"simplify", file, "-o", out, "--json"}, mode...))
	if err := cmd.Execute(); err != nil {
		t.Fatalf("%v: %v", mode, err)
	}
	var report struct{ Links []simplify.Link }
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	return report.Links
}

// checkSimplified checks by queries of pairs that each vertex is in a shape of the file that was written, whose shapes are read again.
func checkSimplified(t *testing.T, name, out string, want map[string][]spatial.Vec3, links []simplify.Link) {
	t.Helper()
	robot, err := Read(out)
	if err != nil {
		t.Fatal(err)
	}
	shapes, err := robot.Shapes()
	if err != nil {
		t.Fatal(err)
	}
	dot, err := geometry.NewSphere(0)
	if err != nil {
		t.Fatal(err)
	}
	var q geometry.Query
	for link, points := range want {
		for _, p := range points {
			least := 1.0
			at := spatial.Translation(p)
			for _, part := range shapes[link] {
				c, err := q.Distance(part.Shape, &part.Pose, dot, &at, nil)
				if err != nil {
					t.Fatal(err)
				}
				least = min(least, c.Distance)
			}
			if least > 1e-9 {
				t.Fatalf("%s: a vertex of link %q is outside by %g m", name, link, least)
			}
		}
		for _, part := range shapes[link] {
			if k := part.Shape.Kind(); k > geometry.Hull {
				t.Errorf("%s: link %q has a %v: expected convex shapes", name, link, k)
			} else if n := len(part.Shape.Corners()); name == "bounding" && n > 16 {
				t.Errorf("%s: a hull of link %q has %d corners", name, link, n)
			}
		}
		i := slices.IndexFunc(links, func(l simplify.Link) bool { return l.Link == link })
		if i < 0 {
			t.Errorf("%s: no report of link %q", name, link)
		} else if l := links[i]; !(l.Volume > 0 && l.Protrusion >= 0) || l.HullVolume > l.Volume*(1+1e-9) {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

func TestSimplifiedShapesHoldAllVertices(t *testing.T) {
	file := bracket(t)
	want := vertices(t, file)
	for name, mode := range simplifyModes {
		out := filepath.Join(t.TempDir(), name+".urdf")
		checkSimplified(t, name, out, want, simplifyTo(t, file, out, mode...))
	}
	for _, robot := range []string{"ur_description/urdf/ur5_robot.urdf", "kinova_description/robots/kinova.urdf"} {
		t.Run(filepath.Base(robot), func(t *testing.T) {
			file := testkit.SharedData(t, "models/example-robot-data/robots", robot)
			want := vertices(t, file)
			for name, mode := range simplifyModes {
				if name == "spheres" || name == "primitives" && strings.HasPrefix(robot, "kinova") {
					continue // cover's own tests prove spheres; the second robot's hulls have thousands of corners
				}
				out := filepath.Join(t.TempDir(), name+".urdf")
				checkSimplified(t, name, out, want, simplifyTo(t, file, out, mode...))
			}
		})
	}
}

// MuJoCo reads what is written, with one geom for each shape.
func TestMuJoCoReadsSimplifiedRobots(t *testing.T) {
	if _, err := os.Stat("/usr/include/mujoco/mujoco.h"); err != nil {
		t.Skip("SKIPPED: MuJoCo is absent; apt-get install libmujoco-dev")
	}
	program := filepath.Join(t.TempDir(), "read")
	if text, err := exec.Command("c++", "-o", program, filepath.Join(testkit.Root(t), "bench/peers/wrenches.cpp"), "-lmujoco").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: the reader is not compiled: %v\n%s", err, text)
	}
	file := bracket(t)
	for name, mode := range simplifyModes {
		out := filepath.Join(t.TempDir(), name+".urdf")
		links := simplifyTo(t, file, out, mode...)
		geoms := links[0].Shapes + 1 // and the ball
		if name == "spheres" {
			geoms = links[0].Shapes
		}
		text, err := exec.Command(program, out).CombinedOutput()
		if want := fmt.Sprintf("geoms %d\njoint j\n", geoms); err != nil || string(text) != want {
			t.Errorf("%s: MuJoCo: %v\n%s, expected\n%s", name, err, text, want)
		}
	}
}

func TestSimplifyRejects(t *testing.T) {
	file := bracket(t)
	dir := filepath.Dir(file)
	for want, args := range map[string][]string{
		"wants at least 4 corners":       {file, "--bounding", "3"},
		"want a file with the extension": {file, "--hulls", "-o", filepath.Join(dir, "x.xml")},
		"the file exists":                {file, "--hulls", "-o", file},
		"has no meshes to simplify":      {"../../examples/plan/arm.urdf", "--hulls"},
		"primitives":                     {file}, // cobra names the flags
	} {
		cmd := Command(nil, func(*cobra.Command) {})
		cmd.SetOut(&bytes.Buffer{})
		cmd.SetErr(&bytes.Buffer{})
		cmd.SetArgs(append([]string{"simplify"}, args...))
		if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, expected %q", args, err, want)
		}
	}
}

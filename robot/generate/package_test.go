package generate

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// A generated package must build and pass its own tests.
func TestGeneratedPackagesBuildAndPassTheirTests(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: builds generated packages; run without -short")
	}
	for _, r := range robots {
		t.Run(r.file, func(t *testing.T) {
			t.Parallel()
			dir := write(t, r.file, r.floating, r.tool)
			cmd := exec.Command("go", "test", ".")
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}

// write generates the package of a robot into a folder of this module that is removed after the test.
func write(t *testing.T, file string, floating bool, tool string) (dir string) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(testkit.Root(t), "bench/robots", file))
	if err != nil {
		t.Fatal(err)
	}
	return writeModel(t, load(t, file, floating), Options{Name: "robot", Tool: tool, Source: source, Floating: floating, Batch: true})
}

func writeModel(t *testing.T, m *multibody.Model, o Options) (dir string) {
	t.Helper()
	files, err := Package(m, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("testdata", 0o755); err != nil { // within the module, and no package of it
		t.Fatal(err)
	}
	if dir, err = os.MkdirTemp("testdata", "generated-"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		os.RemoveAll(dir)
		_ = os.Remove("testdata") // the last one
	})
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const gantry = `<robot name="gantry"><link name="w"/>
<link name="a"><inertial><mass value="2"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="x" type="prismatic"><parent link="w"/><child link="a"/><axis xyz="1 0 0"/><limit lower="0" upper="1" effort="5" velocity="1"/></joint>
<joint name="y" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/><limit lower="0" upper="1" effort="5" velocity="1"/></joint></robot>
`

// A robot without rotation has no sines; its package must build nevertheless.
func TestPackageOfAGantryBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: builds a generated package; run without -short")
	}
	robot, err := description.Read(fstest.MapFS{"gantry.urdf": {Data: []byte(gantry)}}, "gantry.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := robot.Model(multibody.IgnoreMimic())
	if err != nil {
		t.Fatal(err)
	}
	dir := writeModel(t, m, Options{Name: "robot", Tool: "b", Source: []byte(gantry), Batch: true})
	cmd := exec.Command("go", "test", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

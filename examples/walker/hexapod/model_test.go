package hexapod

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/parts/hierarchy"
	"github.com/sinew-robotics/sinew/robot/description"
)

var update = flag.Bool("update", false, "write models/walker/walker.urdf again")

// The URDF is the expansion of the xacro file.
func TestURDFIsExpanded(t *testing.T) {
	robot, err := description.Read(os.DirFS("../../.."), urdf+".xacro", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := description.WriteURDF(&want, robot); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("../../../"+urdf, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("../../../" + urdf); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not the expansion of the xacro file beside it (%v): run go test ./examples/walker/hexapod -run URDF -update", urdf, err)
	}
}

// TestUnsuitableModelsAreRejected loads a missing file, and one of another robot.
func TestUnsuitableModelsAreRejected(t *testing.T) {
	for path, want := range map[string]string{
		"models/walker/none.urdf": "none.urdf",
		"models/janus/janus.urdf": "models/janus/janus.urdf is no walking machine as this block knows it: it has 2 joints: wants 18",
	} {
		h, m := hierarchy.New("walker", 3), &Machine{}
		m.Write(h, os.DirFS("../../.."), path)
		if _, err := h.Build(); err == nil || !strings.Contains(strings.Split(err.Error(), "\n")[0], want) {
			t.Errorf("%s: got %v, expected %q first", path, err, want)
		}
	}
}

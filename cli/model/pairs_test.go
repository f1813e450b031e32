package model_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/robot/description"
)

func TestPairsAreWrittenAsSRDF(t *testing.T) {
	file := filepath.Join(t.TempDir(), "arm.srdf")
	args := []string{"model", "pairs", "../../examples/plan/arm.urdf", "-o", file, "--samples", "2000", "--json"}
	var stdout, stderr bytes.Buffer
	if code := cli.Execute(args, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	var o struct {
		Robot string
		Pairs []struct{ Link1, Link2, Reason string }
	}
	if err := json.Unmarshal(stdout.Bytes(), &o); err != nil {
		t.Fatal(err)
	}
	s, err := description.ReadSRDF(os.DirFS(filepath.Dir(file)), "arm.srdf", description.Options{})
	if err != nil || s.Name != "arm" || o.Robot != "arm" || len(s.Disabled) != len(o.Pairs) || len(o.Pairs) == 0 {
		t.Fatalf("%+v and %+v, %v", s, o, err)
	}
	// the neighbours that the author of the example lists
	for _, want := range [][2]string{{"base", "shoulder"}, {"shoulder", "upper_arm"}, {"forearm", "upper_arm"}, {"forearm", "hand"}} {
		if !slices.ContainsFunc(s.Disabled, func(p description.LinkPair) bool {
			return p.Link1 == want[0] && p.Link2 == want[1] && p.Reason != ""
		}) {
			t.Errorf("%v is missing in %+v", want, s.Disabled)
		}
	}
	stdout.Reset()
	if code := cli.Execute(args, &stdout, &stderr); code != 1 || !strings.Contains(stderr.String(), "the file exists, and may hold groups and poses") {
		t.Errorf("the file was replaced: exit code %d, %s", code, stderr.String())
	}
}

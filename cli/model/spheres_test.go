package model_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/robot/description"
)

func TestSpheresAreWrittenAsURDFAndXRDF(t *testing.T) {
	dir := t.TempDir()
	const arm = "../../examples/plan/arm.urdf"
	run := func(want int, args ...string) (string, string) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if code := cli.Execute(append([]string{"model", "spheres"}, args...), &stdout, &stderr); code != want {
			t.Fatalf("%v: exit code %d: %s", args, code, stderr.String())
		}
		return stdout.String(), stderr.String()
	}
	urdf, xrdf := filepath.Join(dir, "arm.urdf"), filepath.Join(dir, "arm.xrdf")
	text, _ := run(0, arm, "--tolerance", "0.05", "-o", urdf, "--json")
	var o struct {
		Spheres int
		Links   []struct{ Outside, Protrusion float64 }
	}
	if err := json.Unmarshal([]byte(text), &o); err != nil || o.Spheres == 0 {
		t.Fatalf("%v in %s", err, text)
	}
	for _, l := range o.Links {
		if l.Outside != 0 || l.Protrusion > 0.06 {
			t.Errorf("%+v", l)
		}
	}
	run(0, arm, "--tolerance", "0.05", "--samples", "500", "-o", xrdf)
	_, wrong := run(1, arm, "-o", xrdf)
	if !strings.Contains(wrong, "the file exists") {
		t.Errorf("the file was replaced: %s", wrong)
	}
	x, err := description.ReadXRDF(os.DirFS(dir), "arm.xrdf")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, list := range x.Spheres {
		n += len(list)
	}
	if n != o.Spheres || len(x.Joints) == 0 || len(x.Ignored) == 0 {
		t.Errorf("%d spheres in the XRDF file, %d before: %+v", n, o.Spheres, x)
	}
	run(0, arm, "--check", xrdf)
	good, err := os.ReadFile(xrdf)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(good), "radius: ")
	if err := os.WriteFile(xrdf, []byte(string(good[:at])+"radius: 0.001 # "+string(good[at:])), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, wrong := run(1, arm, "--check", xrdf); !strings.Contains(wrong, "lies outside its spheres") {
		t.Errorf("a small sphere: %s", wrong)
	}
}

package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/hardware"
	"github.com/sinew-robotics/sinew/parts/mobile"
	"github.com/sinew-robotics/sinew/parts/motion"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

// TestTypesShowNothingOfFilesOutsideTheSystemsFolder asks what each ready-made block would be, with files in each of its texts that a candidate may not
// read: `drives: /etc/shadow` of a simulated robot must not show a line of it.
func TestTypesShowNothingOfFilesOutsideTheSystemsFolder(t *testing.T) {
	const word = "only-some-may-read-this"
	secret := filepath.Join(t.TempDir(), "outside.yaml")
	if err := os.WriteFile(secret, []byte(word+": [1, 2]\nrobot: "+word+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	here := admin.LocalChecker{Registry: block.NewRegistry(flow.Blocks(), servo.Blocks(), torque.Blocks(), motion.Blocks(), hardware.Blocks(), mobile.Blocks())}
	ask := func(folder, typ string, named map[string]any) (admin.BlockType, string) {
		v, err := here.Ask(t.Context(), admin.Question{Kind: admin.AskTypes, File: filepath.Join(folder, "system.yaml"), Type: typ, Named: named})
		if err != nil || len(v.Types) != 1 {
			t.Fatalf("%s: %d types, %v", typ, len(v.Types), err)
		}
		text, _ := json.Marshal(v.Types[0])
		return v.Types[0], string(text)
	}
	root := testkit.Root(t)
	var tried []string
	for _, typ := range here.Registry.Types() {
		described, _ := ask(root, typ, needed(typ))
		for _, p := range described.Params {
			if p.Type != "string" {
				continue
			}
			for _, path := range []string{"/etc/shadow", secret} {
				named := map[string]any{}
				maps.Copy(named, needed(typ))
				named[p.Name] = path
				got, text := ask(root, typ, named)
				if strings.Contains(text, word) || strings.Contains(text, "root:") {
					t.Errorf("%s with %s: %s shows lines of the file: %s", typ, p.Name, path, text)
				}
				if p.Name == "drives" && !strings.Contains(got.Problem, "outside the folders that a candidate may read") {
					t.Errorf("%s with drives: %s: %q, want the reason why it is not read", typ, path, got.Problem)
				}
				tried = append(tried, typ+"."+p.Name)
			}
		}
	}
	if !slices.Contains(tried, "servo.SimRobot.drives") {
		t.Errorf("the texts that were tried are %v", tried)
	}
	// A file below the system's folder is read: its owner may see what is wrong in it.
	motor := needed("servo.MotorInverse")
	motor["drives"] = secret
	if got, _ := ask(filepath.Dir(secret), "servo.MotorInverse", motor); !strings.Contains(got.Problem, word) {
		t.Errorf("a file of the system: %q", got.Problem)
	}
}

package arm

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

// The arm follows its motion while another controller holds the fingers, and opens them.
func TestArmAndFingersAreControlledAsGroups(t *testing.T) {
	tryFile(t, "hand.yaml", nil, nil, func(r *trial) {
		worst := 0.0
		for k := range 60 {
			r.until(0.0505 + 0.05*float64(k))
			if k == 30 {
				if err := r.local.SetParams(context.Background(), "grip", map[string]any{"value": []any{0.035}}); err != nil {
					t.Error(err)
					return
				}
			}
			q, want := r.read("robot.position"), r.read("motion.position")
			if len(q) != 8 || len(want) != 7 {
				t.Errorf("robot.position has length %d, motion.position %d", len(q), len(want))
				return
			}
			for i := range want {
				worst = max(worst, math.Abs(q[i]-want[i]))
			}
			if k == 29 {
				testkit.Near(t, "finger", q[7], 0.02, 1e-3)
			}
		}
		testkit.Near(t, "opened finger", r.read("robot.position")[7], 0.035, 1e-3)
		if worst > 0.005 {
			t.Errorf("the arm is %.4f rad off its motion", worst)
		}
	})
}

// A misspelled joint or group is an error at its place, with the nearest name.
func TestMisspelledJointsNameTheNearest(t *testing.T) {
	text, err := os.ReadFile("hand.yaml")
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, misspelled, want string }{
		{"joints: [arm], bandwidth", "joints: [amr], bandwidth", `no joint "amr", and its SRDF file no group of that name; did you mean "arm"?`},
		{"joints: [hand], kp", "joints: [panda_finger_joint], kp", `no joint "panda_finger_joint", and its SRDF file no group of that name; did you mean "panda_finger_joint1"?`},
		{"joints: [hand]}", "joints: [panda_joint77]}", `no joint "panda_joint77"`},
		{"joints: [arm]\n", "joints: [arms]\n", `did you mean "arm"?`},
		{"joints: [hand]}", `locked: ["panda_joint=1"]}`, `lock joint "panda_joint": the robot has no such joint; did you mean "panda_joint1"?`},
	} {
		before, after, found := strings.Cut(string(text), c.old)
		if !found {
			t.Fatalf("hand.yaml has no %q", c.old)
		}
		line := 1 + strings.Count(before, "\n")
		file := filepath.Join(t.TempDir(), "hand.yaml")
		changed := before + c.misspelled + after
		changed = strings.ReplaceAll(changed, "../../models", filepath.Join(here, "../../models"))
		changed = strings.ReplaceAll(changed, "srdf: panda.srdf", "srdf: "+filepath.Join(here, "panda.srdf"))
		if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := system.Load(file, system.Options{Registry: block.NewRegistry(flow.Blocks(), servo.Blocks(), torque.Blocks())})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "hand.yaml:"+strconv.Itoa(line)+":") {
			t.Errorf("%s: got %v, expected %q in line %d", c.misspelled, err, c.want, line)
		}
	}
}

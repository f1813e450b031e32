package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/cli/catalog"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/hardware"
	"github.com/sinew-robotics/sinew/parts/mobile"
	"github.com/sinew-robotics/sinew/parts/motion"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

// blocks runs the verb blocks with the ready-made types.
func blocks(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	code = Execute(append([]string{"blocks"}, args...), &o, &e, flow.Blocks(), servo.Blocks(), torque.Blocks())
	return o.String(), e.String(), code
}

func TestBlocksListsTypesAndDescribesOne(t *testing.T) {
	out, _, code := blocks(t)
	if code != 0 || !strings.Contains(out, "flow.Integrator ") || !strings.Contains(out, "torque.Impedance ") {
		t.Errorf("exit %d, list:\n%s", code, out)
	}
	out, _, code = blocks(t, "flow.Saturation")
	for _, want := range []string{"out = min(max(in, lower), upper),   cut = in - out", "parameters\n  lower", "[]float64", "ports\n  in", "what the bounds cut off"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit %d, no %q in\n%s", code, want, out)
		}
	}
	if _, errs, code := blocks(t, "flow.Saturaton"); code == 0 || !strings.Contains(errs, `did you mean "flow.Saturation"`) {
		t.Errorf("a misspelled type: exit %d, %s", code, errs)
	}
	out, _, _ = blocks(t, "--json", "flow.Mux")
	var one catalog.Type
	if err := json.Unmarshal([]byte(out), &one); err != nil || len(one.Ports) != 3 || !one.Ports[0].Trigger || !strings.Contains(one.About, "out = [in1 … inN]") {
		t.Errorf("%v in %s", err, out)
	}
}

// Each ready-made type has a doc comment that begins with its name.
func TestEveryBlockTypeHasItsDocComment(t *testing.T) {
	for _, list := range [][]block.Entry{flow.Blocks(), servo.Blocks(), torque.Blocks(), motion.Blocks(), hardware.Blocks(), mobile.Blocks()} {
		for _, e := range list {
			if _, name, _ := strings.Cut(e.Type, "."); !strings.HasPrefix(catalog.Describe(e).About, name+" ") && !strings.HasPrefix(catalog.Describe(e).About, name+"s ") {
				t.Errorf("%s: its description is %q", e.Type, catalog.Describe(e).About)
			}
		}
	}
}

func TestHelpGroupsVerbs(t *testing.T) {
	var out, errs bytes.Buffer
	Execute([]string{"--help"}, &out, &errs, flow.Blocks())
	for _, group := range []string{"Build a system:\n  blocks ", "Run it:\n", "Watch and steer it while it runs:\n", "Evaluate what was recorded:\n"} {
		if !strings.Contains(out.String(), group) {
			t.Errorf("no group %q in\n%s", group, out.String())
		}
	}
	if strings.Contains(out.String(), "Additional Commands") {
		t.Errorf("a verb is in no group:\n%s", out.String())
	}
}

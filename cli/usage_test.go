package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/parts/flow"
)

// Wrong arguments and flags, and files that are not there, are reported with what is wanted.
func TestCommandNamesTheRemedyOfWrongArguments(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("demo.yaml", "system: demo\nscript: moves.star\nthreads: {t: {period: 10ms}}\nblocks: {wave: {type: flow.Wave}}\n")
	write("named.yaml", "sytem: demo\nthreads: {t: {period: 10ms}}\n")
	write("moves.star", "if true\n  wait(1)\n")
	write("robot.urdf", "<robot/>\n")
	for _, test := range []struct{ args, want string }{
		{"run demo.yaml --fats", "sinew: run: unknown flag: --fats; did you mean --fast?"},
		{"run demo.yaml --for 10", "a time has a unit, as 10s or 500ms"},
		{"run demo.yaml over.yaml", `sinew: run: wants FILE, got ["demo.yaml" "over.yaml"]; sinew run --help describes it`},
		{"frobnicate demo.yaml", "sinew: sinew has no verb \"frobnicate\"; sinew --help lists all\n"},
		{"chekc demo.yaml", "sinew: sinew has no verb \"chekc\"; did you mean \"check\"?\n"},
		{"demo.yaml", "sinew: sinew has no verb \"demo.yaml\"; sinew run demo.yaml runs a system\n"},
		{"check", "sinew: check: wants FILE, got nothing"},
		{"check demoo.yaml", `read demoo.yaml: no such file or directory; did you mean "demo.yaml"?`},
		{"check demo.yaml --overlay dem.yaml", `read dem.yaml: no such file or directory; did you mean "demo.yaml"?`},
		{"check .", "is a directory: name a file in it, as demo.yaml"},
		{"check robot.urdf", "robot.urdf:1:1: not a system file, but the description of a robot, which blocks take as a parameter: sinew model show robot.urdf describes it"},
		{"check named.yaml", `named.yaml:1:1: a system file has no key "sytem"; did you mean "system"?`},
		{"check demo.yaml", "moves.star:1:8: got newline, want ':'"},
		{"param set wave.frequency 3", `"wave.frequency 3": wants block.param=value, as wave.frequency=3`},
		{"run demo.yaml --scrpit x", "sinew: run: unknown flag: --scrpit; did you mean --script?"},
		{"run demo.yaml --begin x", "sinew: run: unknown flag: --begin; sinew run --help lists its flags"},
		{"join", "sinew: sinew has no verb \"join\"; sinew --help lists all\n"},
		{"set wave.frequency=3", "sinew has no verb \"set\"; did you mean \"sinew param set\"?"},
		{"ik robot.urdf", "sinew has no verb \"ik\"; did you mean \"sinew model ik\"?"},
		{"events demo", "sinew has no verb \"events\"; did you mean \"sinew browse\"?"},
		{"emulate pb9", "emulate pb9: at least one of the flags in the group [pty listen] is required; sinew emulate pb9 --help describes them"},
		{"dev demo.yaml --for 1s", "dev: unknown flag: --for; flags of run follow --, as in sinew dev FILE -- --for"},
		{"model ik robot.urdf", "sinew: model ik: --to is missing: target position (and rotation) of the link in the world"},
		{"model check robot.urdf", "sinew model has no verb \"check\"; sinew model --help lists all"},
		{"run demo.yaml --script demo.yaml", "demo.yaml is a YAML file, where a script is wanted: its name ends in .star"},
		{"model show none.urdf", "none.urdf: cannot open the file: no such file or directory"},
	} {
		var out, errs bytes.Buffer
		if code := cli.Execute(strings.Fields(test.args), &out, &errs, flow.Blocks()); code != 1 || !strings.Contains(errs.String(), test.want) {
			t.Errorf("sinew %s: exit code %d and %q, want %q", test.args, code, errs.String(), test.want)
		}
	}
}

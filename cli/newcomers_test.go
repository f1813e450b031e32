package cli_test

import (
	"bytes"
	"cmp"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

// The bar for messages about mistakes: an error has a position, a reason and a remedy, a point each.
const (
	leastPoints = 2 // of each message
	meanPoints  = 2.8
)

// mistake is what a newcomer does wrong, and what the message about it has to have: patterns of where it is, what is wrong there, and
// what to do. All three are looked for in the same line.
type mistake struct {
	name                     string
	system                   string   // text of demo.yaml, after its head; "": that of goodSystem
	args                     []string // of the command; nil: check demo.yaml
	position, reason, remedy string
	blocks                   []block.Entry // further types
}

const (
	head       = "system: demo\nthreads: {main: {period: 10ms}}\n"
	goodSystem = "blocks:\n  wave: {type: flow.Wave}\n  gain: {type: flow.Gain}\nlinks:\n  - wave.out -> gain.in\n"
)

// newcomersFiles are the files beside demo.yaml.
var newcomersFiles = map[string]string{
	"overlay.yaml": "blocks: {gian: {params: {gain: 3}}}\n",
	"block.star":   "gian.gain = 3\n",
	"empty.yaml":   "{}\n",
	"func.star":    "wiat(1)\n",
	"syntax.star":  "if True\n  wait(1)\n",
	"late.star":    "wait_for(lambda: False, timeout = 0.5)\n",
	"arm.urdf": `<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="10" velocity="1"/></joint>
</robot>
`,
	"robots/readme.txt": "a folder\n",
	"reversed.urdf":     strings.Replace(armOf, "LIMIT", `<limit lower="1" upper="-1" effort="10" velocity="1"/>`, 1),
	"unlimited.urdf":    strings.Replace(armOf, "LIMIT", "", 1),
	"slow.urdf":         strings.Replace(armOf, "LIMIT", `<limit lower="-1" upper="1" effort="10" velocity="0"/>`, 1),
	"weightless.urdf":   strings.Replace(strings.Replace(armOf, "LIMIT", `<limit lower="-1" upper="1" effort="10" velocity="1"/>`, 1), `"1"`, `"0"`, 4),
	"idle.urdf":         strings.Replace(armOf, "LIMIT", `<limit lower="-1" upper="1" effort="0" velocity="1"/>`, 1),
	"kilograms.urdf":    strings.Replace(armOf, `mass value="1"`, `mass value="1 kg"`, 1),
	"utf16.yaml":        "\xff\xfes\x00y\x00s\x00t\x00e\x00m\x00",
	"latin1.yaml":       "system: demo\ndescription: Gr\xfc\xdfe\n",
	"square.yaml":       "program: square\nmoves:\n  - moveJ: [0.5]\n",
	"small.yaml":        "program: small\nmoves:\n  - movej: [0.5]\n",
}

// armOf is a description whose joint has no limits yet.
const armOf = `<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>LIMIT</joint>
</robot>
`

var mistakes = append(engineersMistakes, []mistake{
	// In a system file.
	{name: "misspelled block type", system: "blocks: {a: {type: flow.Gian}}\n",
		position: `demo\.yaml:3:20: `, reason: `no block type "flow.Gian"`, remedy: `did you mean "flow.Gain"\?`},
	{name: "misspelled block in a link", system: strings.Replace(goodSystem, "gain.in", "gian.in", 1),
		position: `demo\.yaml:7:5: `, reason: `no block "gian"`, remedy: `did you mean "gain"\?`},
	{name: "misspelled port", system: strings.Replace(goodSystem, "gain.in", "gain.inn", 1),
		position: `demo\.yaml:7:5: `, reason: `has no port "inn"`, remedy: `did you mean "in"\?`},
	{name: "misspelled parameter", system: "blocks: {a: {type: flow.Gain, params: {gian: 3}}}\n",
		position: `demo\.yaml:3:46: `, reason: `flow.Gain has no parameter "gian"`, remedy: `did you mean "gain"\?`},
	{name: "misspelled key", system: "blocsk: {a: {type: flow.Gain}}\n",
		position: `demo\.yaml:3:1: `, reason: `has no key "blocsk"`, remedy: `did you mean "blocks"\?`},
	{name: "misspelled thread", system: "blocks: {a: {type: flow.Gain, thread: mian}}\n",
		position: `demo\.yaml:3:10: `, reason: `no thread "mian"`, remedy: `did you mean "main"\?`},
	{name: "misspelled unit", system: "blocks: {w: {type: flow.Wave}, g: {type: flow.Gain}}\nlinks: [{link: w.out -> g.in, timeout: 10mss}]\n",
		position: `demo\.yaml:4:40: `, reason: `timeout wants a duration.*got "10mss"`, remedy: `with its unit, as 10ms`},
	{name: "duration without a unit", system: "blocks: {w: {type: flow.Wave}, g: {type: flow.Gain}}\nlinks: [{link: w.out -> g.in, timeout: 10}]\n",
		position: `demo\.yaml:4:40: `, reason: `timeout wants a duration.*got "10"`, remedy: `with its unit, as 10ms`},
	{name: "misspelled tag of a block in Go", blocks: []block.Entry{block.Of[forgetful]("")},
		position: `block type cli_test\.forgetful: `, reason: `has no tag "unti"`, remedy: `did you mean "unit"\?`},
	{name: "rate for a period", system: "blocks: {w: {type: flow.Wave}, g: {type: flow.Gain}}\nlinks: [{link: w.out -> g.in, timeout: 100Hz}]\n",
		position: `demo\.yaml:4:40: `, reason: `wants a duration.*got "100Hz"`, remedy: `: write 10ms`},
	{name: "duration with a space", system: "blocks: {w: {type: flow.Wave}, g: {type: flow.Gain}}\nlinks: [{link: w.out -> g.in, timeout: 10 ms}]\n",
		position: `demo\.yaml:4:40: `, reason: `wants a duration.*got "10 ms"`, remedy: `: write 10ms`},
	{name: "number in quotes", system: "blocks: {a: {type: flow.Gain, params: {gain: \"2\"}}}\n",
		position: `demo\.yaml:3:46: `, reason: `gain wants a list of numbers, got "2"`, remedy: `write 2 without quotes`},
	{name: "degrees", system: "blocks: {a: {type: servo.JerkLimited, params: {max_velocity: 30 deg/s}}}\n",
		position: `demo\.yaml:3:62: `, reason: `max_velocity is in deg/s: wants rad/s`, remedy: `convert it`},
	{name: "elements in a list in brackets", system: "blocks: {w: {type: flow.Wave}, g: {type: flow.Gain}}\nlinks: [w.out[0] -> g.in]\n",
		position: `demo\.yaml:4:18: `, reason: `a text with brackets`, remedy: `stands in quotes, as "wave\.out\[0\] -> gain\.in"`},
	{name: "link between two outputs", system: "blocks: {w: {type: flow.Wave}, g: {type: flow.Gain}}\nlinks: [g.out -> w.out]\n",
		position: `demo\.yaml:4:9: `, reason: `w\.out is an output, and a link ends at an input`, remedy: `name one of those of w`},
	{name: "script that is not there", system: strings.Replace(goodSystem, "blocks:", "script: scripts/start.script\nblocks:", 1),
		position: `demo\.yaml:3:9: `, reason: `scripts/start\.script: no such file`, remedy: `relative to the folder of the file that names it`},
	{name: "description that is not there", system: "blocks: {a: {type: servo.JerkLimited, params: {urdf: ildeness.urdf}}}\n",
		position: `demo\.yaml:3:54: `, reason: `ildeness\.urdf: cannot open the file: no such file`, remedy: `there is |did you mean `},
	{name: "path from the wrong folder", system: "blocks: {a: {type: servo.JerkLimited, params: {urdf: demo/robots/xyz.urdf}}}\n",
		position: `demo\.yaml:3:54: `, reason: `demo/robots/xyz\.urdf: cannot open the file: no such file`, remedy: `a path is relative to the folder of the file`},
	{name: "block and group of one name", system: "blocks: {a: {type: flow.Wave}}\ngroups: {a: {blocks: {w: {type: flow.Wave}}}}\n",
		position: `demo\.yaml:4:10: `, reason: `group "a" has the name of the block at demo\.yaml:3:10`, remedy: `rename one of them`},
	{name: "time-out below zero", system: "blocks: {w: {type: flow.Wave}, g: {type: flow.Gain}}\nlinks: [{link: w.out -> g.in, timeout: -1s}]\n",
		position: `demo\.yaml:4:\d+: `, reason: `time-out -1s is negative`, remedy: `give a time above 0, or leave it out`},
	{name: "bounds exchanged", system: "blocks: {w: {type: flow.Wave}, a: {type: flow.Saturation, params: {upper: -2, lower: 2}}}\nlinks: [w.out -> a.in]\n",
		position: `demo\.yaml:3:87: `, reason: `lower is greater than upper`, remedy: `exchange them`},
	{name: "text for a number", system: "blocks: {a: {type: flow.Wave, params: {frequency: fast}}}\n",
		position: `demo\.yaml:3:51: `, reason: `frequency wants .*, got "fast"`, remedy: `wants a number`},
	{name: "number with its unit", system: "blocks: {a: {type: flow.Wave, params: {frequency: 5Hz}}}\n",
		position: `demo\.yaml:3:51: `, reason: `frequency wants a number, got "5Hz"`, remedy: `write 5 Hz with a space between, or 5`},
	{name: "value outside its range", system: "blocks: {a: {type: flow.Wave, params: {frequency: -1}}}\n",
		position: `demo\.yaml:3:51: `, reason: `frequency is -1 Hz`, remedy: `wants at least 0`},
	{name: "parameter that the system does not have", system: "blocks: {a: {type: flow.Gain, params: {gain: \"${stiffness}\"}}}\n",
		position: `demo\.yaml:3:46: `, reason: `\$\{stiffness\}: the system has no parameters`, remedy: `write params: \{stiffness: value\}`},
	{name: "tab", system: "blocks:\n\ta: {type: flow.Gain}\n",
		position: `demo\.yaml:4:1: `, reason: `a tab indents this line`, remedy: `indented with spaces`},
	{name: "unclosed brace", system: "blocks: {a: {type: flow.Gain}\nlinks: []\n",
		position: `demo\.yaml:3:9: `, reason: `the \{ that opens here`, remedy: `is not closed`},
	{name: "unequal indentation", system: "blocks:\n  a: {type: flow.Gain}\n   b: {type: flow.Gain}\n",
		position: `demo\.yaml:5:4: `, reason: `indented deeper than line 4`, remedy: `begin both in the same column`},
	{name: "no space after a colon", system: "blocks: {a: {type:flow.Gain}}\n",
		position: `demo\.yaml:3:14: `, reason: `has no key "type:flow.Gain"`, remedy: `as type: flow.Gain`},
	{name: "list for a mapping", system: "blocks:\n  - a: {type: flow.Gain}\n",
		position: `demo\.yaml:4:3: `, reason: `blocks wants a mapping, not a list`, remedy: `as name: value, without dashes`},
	{name: "the same name twice", system: "blocks:\n  a: {type: flow.Gain}\n  a: {type: flow.Wave}\n",
		position: `demo\.yaml:5:3: `, reason: `"a" is there twice`, remedy: `first in line 4`},
	{name: "wrong link direction", system: strings.Replace(goodSystem, "wave.out -> gain.in", "gain.in -> wave.out", 1),
		position: `demo\.yaml:7:5: `, reason: `gain.in is an input, and a link begins at an output`, remedy: `write wave.out -> gain.in`},
	{name: "wrong arrow", system: strings.Replace(goodSystem, "->", "=>", 1),
		position: `demo\.yaml:7:5: `, reason: `link "wave.out => gain.in": wants`, remedy: `"block.output -> block.input"`},
	{name: "two sources of an input", system: goodSystem + "  - gain.out -> gain.in\n",
		position: `demo\.yaml:8:5: `, reason: `gain.in is linked already, to wave.out`, remedy: `remove one of the links`},
	{name: "loop without delay", system: "blocks:\n  a: {type: flow.Mux}\n  b: {type: flow.Demux}\nlinks:\n  - a.out -> b.in\n  - b.out1 -> a.in1\n",
		position: `demo\.yaml:7:5: `, reason: `loop without a delay`, remedy: `open it with delay: true`},
	{name: "element that a vector does not have", system: "blocks: {m: {type: flow.Mux, params: {n: 3}}, g: {type: flow.Gain}}\nlinks: [\"m.out[7] -> g.in\"]\n",
		position: `demo\.yaml:4:9: `, reason: `m.out has .*, not 7`, remedy: `elements 0 to 2`},
	{name: "port that a group does not have", system: "groups: {arm: {blocks: {a: {type: flow.Gain}}}}\nblocks: {w: {type: flow.Wave}}\nlinks: [w.out -> arm.in]\n",
		position: `demo\.yaml:5:9: `, reason: `group "arm" has no port "in"`, remedy: `write ports: \{in: block.port\}`},
	{name: "unlinked required input", system: "blocks: {pid: {type: servo.PID}}\n",
		position: `demo\.yaml:3:10: `, reason: `input ref \(desired position\) is not linked`, remedy: `add a link -> pid.ref`},
	{name: "missing urdf", system: "blocks: {robot: {type: torque.Robot}}\n",
		position: `demo\.yaml:3:10: `, reason: `urdf is not given`, remedy: `file of the robot's links and joints: URDF`},
	{name: "urdf that does not exist", system: "blocks: {robot: {type: torque.Robot, params: {urdf: amr.urdf}}}\n",
		position: `demo\.yaml:3:10: `, reason: `amr.urdf: cannot open the file: no such file`, remedy: `did you mean "arm.urdf"`},
	{name: "directory for a urdf", system: "blocks: {robot: {type: torque.Robot, params: {urdf: robots}}}\n",
		position: `demo\.yaml:3:10: `, reason: `robots: cannot read the file: it is a folder`, remedy: `name a file in it`},
	{name: "initial angle outside limits", system: "blocks: {robot: {type: torque.Robot, params: {urdf: arm.urdf, initial: [3]}}}\n",
		position: `demo\.yaml:3:72: `, reason: `position 0 is 3`, remedy: `joint "shoulder" is limited to -1 … 1`},
	{name: "misspelled link of a robot", system: "blocks: {robot: {type: torque.Robot, params: {urdf: arm.urdf, pushed: uper}}}\n",
		position: `demo\.yaml:3:71: `, reason: `pushed: .* has no link "uper"`, remedy: `did you mean "upper"\?`},
	{name: "record pattern without match", system: goodSystem + "record: {file: x.mcap, ports: [gian.*]}\n",
		position: `demo\.yaml:8:32: `, reason: `record "gian\.\*" matches no port`, remedy: `did you mean "gain\.`},
	{name: "watch pattern without match", system: goodSystem + "watch: [gian.*]\n",
		position: `demo\.yaml:8:9: `, reason: `no port has a signal "gian\.\*"`, remedy: `did you mean "gain\.`},
	{name: "included file that does not exist", system: "groups: {arm: {include: overlya.yaml}}\n",
		position: `demo\.yaml:3:25: `, reason: `read overlya.yaml: no such file`, remedy: `did you mean "overlay.yaml"\?`},
	// At the command line.
	{name: "missing file", args: []string{"check", "dmeo.yaml"},
		position: `read dmeo\.yaml: `, reason: `no such file`, remedy: `did you mean "demo.yaml"\?`},
	{name: "robot for a system file", args: []string{"check", "arm.urdf"},
		position: `arm\.urdf:1:1: `, reason: `not a system file, but the description of a robot`, remedy: `sinew model show arm\.urdf`},
	{name: "system file for a robot", args: []string{"model", "show", "demo.yaml"},
		position: `demo\.yaml:1:1: `, reason: `not XML`, remedy: `sinew check demo\.yaml`},
	{name: "system file as its overlay", args: []string{"check", "demo.yaml", "--overlay", "./demo.yaml"},
		position: `demo\.yaml: `, reason: `changes nothing`, remedy: `leave out this --overlay`},
	{name: "the same overlay twice", args: []string{"check", "demo.yaml", "--overlay", "empty.yaml", "--overlay", "empty.yaml"},
		position: `empty\.yaml: `, reason: `changes nothing`, remedy: `leave out this --overlay`},
	{name: "missing file to develop", args: []string{"dev", "dmeo.yaml"},
		position: `read dmeo\.yaml: `, reason: `no such file`, remedy: `did you mean "demo.yaml"\?`},
	{name: "directory to develop", args: []string{"dev", "robots"},
		position: `robots: `, reason: `is a directory`, remedy: `name a file`},
	{name: "overlay with a wrong name", args: []string{"check", "demo.yaml", "--overlay", "overlay.yaml"},
		position: `overlay\.yaml:1:10: `, reason: `there is no block "gian"`, remedy: `did you mean "gain"\?`},
	{name: "wrong form of --param", args: []string{"check", "demo.yaml", "--param", "gain.gain"},
		position: `--param: "gain\.gain"`, reason: `wants `, remedy: `block\.param=value`},
	{name: "wrong form of param set", args: []string{"param", "set", "gain.gain", "3"},
		position: `"gain\.gain 3": `, reason: `wants block.param=value`, remedy: `as gain.gain=3`},
	{name: "param set without a value", args: []string{"param", "set", "gain"},
		position: `param set gain: `, reason: `no value is given`, remedy: `wants block.param=value, as gain.gain=2`},
	{name: "wrong verb", args: []string{"chekc", "demo.yaml"},
		position: `^sinew: `, reason: `no verb "chekc"`, remedy: `did you mean "check"\?`},
	{name: "no verb", args: []string{"demo.yaml"},
		position: `^sinew: `, reason: `no verb "demo.yaml"`, remedy: `sinew run demo.yaml runs a system`},
	{name: "wrong flag", args: []string{"run", "demo.yaml", "--fats"},
		position: `^sinew: run: `, reason: `unknown flag: --fats`, remedy: `did you mean --fast\?`},
	{name: "time without a unit", args: []string{"run", "demo.yaml", "--for", "10"},
		position: `^sinew: run: .*"--for" flag`, reason: `missing unit in duration "10"`, remedy: `a time has a unit, as 10s`},
	{name: "time below zero", args: []string{"run", "demo.yaml", "--for", "-3s"},
		position: `--for -3s: `, reason: `wants a time of more than 0`, remedy: `as 10s`},
	{name: "virtual time without an end", args: []string{"run", "demo.yaml", "--fast"},
		position: `^sinew: virtual time`, reason: `has no end`, remedy: `set one with --for`},
	{name: "name with a space", args: []string{"run", "demo.yaml", "--name", "a b"},
		position: `--name: `, reason: `system name "a b": wants letters`, remedy: `as a_b`},
	{name: "metrics of a run in virtual time", args: []string{"run", "demo.yaml", "--fast", "--for", "1s", "--metrics", "127.0.0.1:0"},
		position: `--metrics 127\.0\.0\.1:0: `, reason: `a run in real time`, remedy: `leave out --fast or --metrics`},
	{name: "log as .mat", args: []string{"run", "demo.yaml", "--fast", "--for", "1s", "--record", "x.mat"},
		position: `record to x\.mat: `, reason: `not as "\.mat"`, remedy: `write x\.mcap`},
	{name: "log in a folder that does not exist", args: []string{"run", "demo.yaml", "--fast", "--for", "1s", "--record", "logs/x.mcap"},
		position: `logs/x\.mcap: `, reason: `no such file or directory`, remedy: `create that folder first`},
	{name: "script that does not exist", args: []string{"run", "demo.yaml", "--fast", "--script", "lat.star"},
		position: `lat\.star: `, reason: `no such file|not exist`, remedy: `did you mean "late.star"`},
	{name: "script with an unknown block", args: []string{"run", "demo.yaml", "--fast", "--script", "block.star"},
		position: `block\.star:1:1: `, reason: `undefined: gian`, remedy: `did you mean "gain"\?`},
	{name: "script with an unknown function", args: []string{"run", "demo.yaml", "--fast", "--script", "func.star"},
		position: `func\.star:1:1: `, reason: `undefined: wiat`, remedy: `did you mean "wait"\?`},
	{name: "script with a syntax error", args: []string{"run", "demo.yaml", "--fast", "--script", "syntax.star"},
		position: `syntax\.star:1:8: `, reason: `got newline`, remedy: `want ':'`},
	{name: "wait_for that times out", args: []string{"run", "demo.yaml", "--fast", "--script", "late.star"},
		position: `late\.star:1:9: `, reason: `the condition was still false after 0\.5 s`, remedy: `as otherwise = False`},
	{name: "address of pages without pages", args: []string{"run", "demo.yaml", "--listen", "127.0.0.1:8080"},
		position: `--listen`, reason: `has no effect without --console`, remedy: `add --console, or leave out --listen`},
	{name: "metrics at a port alone", args: []string{"run", "demo.yaml", "--metrics", "9100"},
		position: `--metrics "9100"`, reason: `wants address:port`, remedy: `as 127\.0\.0\.1:9100`},
	{name: "script of the command line that is not there", args: []string{"run", "demo.yaml", "--script", "squaer.yaml"},
		position: `--script squaer\.yaml`, reason: `no such file in this folder`, remedy: `did you mean "square\.yaml"`},
	{name: "port in use", args: []string{"console", "--listen", busyAddress},
		position: `listen on 127\.0\.0\.1:\d+: `, reason: `address in use`, remedy: `choose another port with --listen`},
	{name: "port without an address", args: []string{"console", "--listen", "8080"},
		position: `--listen "8080": `, reason: `missing port in address`, remedy: `as 127\.0\.0\.1:8080`},
	{name: "log that does not exist", args: []string{"report", "x.mcap"},
		position: `open x\.mcap: `, reason: `no such file`, remedy: `run\.mcap`},
	{name: "system file for a log", args: []string{"report", "demo.yaml"},
		position: `opening log demo\.yaml: `, reason: `not an MCAP file`, remedy: `sinew run demo\.yaml --record`},
	{name: "system file to compare", args: []string{"log", "diff", "demo.yaml", "demo.yaml"},
		position: `opening log demo\.yaml: `, reason: `not an MCAP file`, remedy: `sinew run demo\.yaml --record`},
	{name: "seconds with a unit", args: []string{"plot", "run.mcap", "--from", "5s"},
		position: `^sinew: plot: --from "5s": `, reason: `wants a number`, remedy: `without a unit, as 2\.5`},
	{name: "plot past the end of the log", args: []string{"plot", "run.mcap", "gain.out", "--from", "50"},
		position: `plot run\.mcap: `, reason: `no values from 50 s on`, remedy: `from 0 s to 1 s`},
	{name: "plot before the log", args: []string{"plot", "run.mcap", "gain.out", "--from", "-5", "--to", "-1"},
		position: `--from -5 --to -1: `, reason: `wants `, remedy: `0 ≤ from < to`},
	{name: "page past the end of the log", args: []string{"share", "run.mcap", "--signal", "gain.out", "--from", "50"},
		position: `run\.mcap: `, reason: `no samples from 50 s on`, remedy: `from 0 s to 1 s`},
	{name: "shared log that does not exist", args: []string{"share", "x.mcap"},
		position: `open x\.mcap: `, reason: `no such file`, remedy: `run\.mcap`},
	{name: "no system runs", args: []string{"tap", "gain.out"},
		position: `^sinew: `, reason: `no system runs`, remedy: `start one with sinew run FILE`},
	{name: "missing argument", args: []string{"run"},
		position: `^sinew: run: `, reason: `got nothing`, remedy: `wants FILE`},
}...)

// busyAddress stands for an address that another socket listens at.
const busyAddress = "BUSY"

// TestNewcomersMistakesHavePositionReasonAndRemedy runs the command with each mistake, and counts what its message has.
func TestNewcomersMistakesHavePositionReasonAndRemedy(t *testing.T) {
	testkit.UserFolder(t)
	t.Chdir(t.TempDir())
	writeAll(t, newcomersFiles)
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	writeAll(t, map[string]string{"demo.yaml": head + goodSystem})
	var out, errs bytes.Buffer
	if code := cli.Execute([]string{"run", "demo.yaml", "--fast", "--for", "1s", "--record", "run.mcap", "--quiet"}, &out, &errs, flow.Blocks()); code != 0 {
		t.Fatal(errs.String())
	}
	total := 0
	for _, m := range mistakes {
		writeAll(t, map[string]string{"demo.yaml": head + cmp.Or(m.system, goodSystem)})
		args := slices.Clone(m.args)
		if args == nil {
			args = []string{"check", "demo.yaml"}
		}
		if k := slices.Index(args, busyAddress); k >= 0 {
			args[k] = busy.Addr().String()
		}
		var out, errs bytes.Buffer
		code := cli.Execute(args, &out, &errs, flow.Blocks(), servo.Blocks(), torque.Blocks(), m.blocks)
		points, missing := m.score(errs.String())
		if total += points; code != 1 || points < leastPoints {
			t.Errorf("%s: exit code %d, and %d of 3 points: %q%s", m.name, code, points, errs.String(), missing)
		}
		t.Logf("%d of 3  %s%s", points, m.name, missing)
	}
	mean := float64(total) / float64(len(mistakes))
	t.Logf("mean %.2f of 3 over %d mistakes", mean, len(mistakes))
	if mean < meanPoints {
		t.Errorf("the mean is %.2f, want at least %.1f", mean, meanPoints)
	}
}

// score returns how many of the three parts the best line of a message has, and names those that it lacks.
func (m mistake) score(message string) (points int, missing string) {
	points, missing = -1, ""
	for line := range strings.Lines(message) {
		n, lacks := 0, ""
		for _, part := range []struct{ name, pattern string }{{"position", m.position}, {"reason", m.reason}, {"remedy", m.remedy}} {
			if regexp.MustCompile(part.pattern).MatchString(line) {
				n++
			} else {
				lacks += ", without " + part.name
			}
		}
		if n > points {
			points, missing = n, lacks
		}
	}
	return max(points, 0), missing
}

// writeAll writes files below the working directory.
func writeAll(t *testing.T, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

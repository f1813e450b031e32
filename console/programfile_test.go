package console_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/robot/description"
	moves "github.com/sinew-robotics/sinew/robot/program"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

const programText = "tools: {hand: {link: panda_hand}}\nmoves:\n  - moveJ: [0.5, -0.7854, 0, -2.3562, 0, 1.5708, 0.7854]\n"

// programPage opens the page of a system whose block moves runs the program pick.yaml with a Panda, and returns the folder of its files; other.yaml beside them
// is not one of the system's. params are further parameters of the block, each after a comma.
func programPage(t *testing.T, params string) (dir string, p *page) {
	t.Helper()
	dir = t.TempDir()
	urdf, err := os.ReadFile(filepath.Join(testkit.Root(t), "models/panda/panda.urdf"))
	if err != nil {
		t.Fatal(err)
	}
	file := `system: test
threads: {main: {period: 1ms}}
blocks:
  moves:
    type: servo.Program
    params: {urdf: panda.urdf, locked: [panda_finger_joint1=0.02], programs: [pick.yaml], initial: [0, -0.7854, 0, -2.3562, 0, 1.5708, 0.7854]` + params + "}\n"
	for name, text := range map[string]string{"panda.urdf": string(urdf), "pick.yaml": programText, "other.yaml": programText, "test.yaml": file} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	registry := block.NewRegistry(servo.Blocks())
	local := runSystem(t, filepath.Join(dir, "test.yaml"), system.Options{Registry: registry})
	return dir, open(t, local, func(o *console.Options) { o.Registry, o.Checker = registry, admin.LocalChecker{Registry: registry} }).page(aToken + " bob")
}

// A program that a block reads is listed, read, checked and saved as the other files of a system are.
func TestPageEditsTheProgramOfABlock(t *testing.T) {
	dir, p := programPage(t, "")
	pick := filepath.Join(dir, "pick.yaml")
	got := p.want("net.get", m{"system": "test", "file": pick}).(m)
	want := m{"file": pick, "name": "pick.yaml", "kind": "block", "groups": []any{}, "included": false, "blocks": []any{"moves"}, "format": "program"}
	if files := got["files"].([]any); got["text"] != programText || len(files) != 2 || !reflect.DeepEqual(files[1], want) {
		t.Errorf("got %v, want %v", got, want)
	}
	p.refuse("net.get", m{"system": "test", "file": filepath.Join(dir, "other.yaml")}, "is not a file of")

	misspelt := strings.Replace(programText, "moveJ", "movJ", 1)
	unreachable := programText + "  - moveL: {xyz: [3, 0, 0]}\n"
	for text, want := range map[string]struct {
		line float64
		part string
	}{misspelt: {3, "movJ"}, unreachable: {4, "moveL (move 2) at s = "}, "moves: [": {1, "not YAML"}} {
		errs := p.want("net.check", m{"system": "test", "file": pick, "text": text}).(m)["errors"].([]any)
		if len(errs) != 1 || errs[0].(m)["file"] != pick || errs[0].(m)["line"] != want.line || errs[0].(m)["column"] == 0.0 || !strings.Contains(errs[0].(m)["text"].(string), want.part) {
			t.Errorf("%q: errors %v", text, errs)
		}
		p.refuse("net.put", m{"system": "test", "file": pick, "text": text, "version": got["version"]}, "pick.yaml:", want.part)
	}
	if errs := p.want("net.check", m{"system": "test", "file": pick, "text": programText}).(m)["errors"].([]any); len(errs) != 0 {
		t.Errorf("errors %v", errs)
	}

	now := strings.Replace(programText, "[0.5", "[0.25", 1)
	version := p.want("net.put", m{"system": "test", "file": pick, "text": now, "version": got["version"]}).(m)["version"]
	if text, _ := os.ReadFile(pick); string(text) != now || version == got["version"] {
		t.Errorf("the file is\n%s", text)
	}
	p.refuse("net.put", m{"system": "test", "file": pick, "text": now, "version": got["version"]}, "changed on disk")
}

// A program of a robot without a system is saved by the same rule as that of a block: a text with mistakes is refused.
func TestPageRefusesToSaveAProgramWithMistakes(t *testing.T) {
	d, err := description.Read(os.DirFS(filepath.Join(testkit.Root(t), "models/panda")), "panda.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Lock("panda_finger_joint1=0.02"); err != nil {
		t.Fatal(err)
	}
	w, err := robots.NewWorld(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Start = []float64{0, -0.7854, 0, -2.3562, 0, 1.5708, 0.7854}
	arm := robots.Arm{}
	for i := range 7 {
		arm.Joints = append(arm.Joints, fmt.Sprintf("panda_joint%d", i+1))
		arm.Limits = append(arm.Limits, trajectory.Limits{Velocity: 2, Acceleration: 5, Jerk: 50})
	}
	dir := t.TempDir()
	pick := filepath.Join(dir, "pick.yaml")
	if err := os.WriteFile(pick, []byte(programText), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Programs = []robots.Program{{Name: "pick.yaml", File: pick, Files: os.DirFS(dir), Arm: func(context.Context) (*robots.Arm, error) { return &arm, nil }}}
	p := open(t, nil, func(o *console.Options) { o.Scenes = []console.Scene{{Name: "panda", Robot: d, World: w}} }).page(aToken + " bob")
	ask := func(text, version string) m {
		return m{"system": robots.NoSystem, "robot": "panda", "file": pick, "text": text, "version": version}
	}
	version := p.want("program.get", m{"system": robots.NoSystem, "robot": "panda", "file": pick}).(m)["version"].(string)
	for text, want := range map[string]string{
		strings.Replace(programText, "moveJ", "movJ", 1): `pick.yaml:3:5: there is no move "movJ"`,
		programText + "  - moveL: {xyz: [3, 0, 0]}\n":    "pick.yaml:4:5: moveL (move 2) at s = ",
	} {
		p.refuse("program.put", ask(text, version), want, "the file stays as it is")
	}
	if text, _ := os.ReadFile(pick); string(text) != programText {
		t.Errorf("the file is\n%s", text)
	}
	now := strings.Replace(programText, "[0.5", "[0.25", 1)
	p.want("program.put", ask(now, version))
	if text, _ := os.ReadFile(pick); string(text) != now {
		t.Errorf("the file is\n%s", text)
	}
}

// The times of a path are those of the block that would run it, by its present limits.
func TestPageTimesAPathAsTheBlockRunsIt(t *testing.T) {
	dir, p := programPage(t, ", max_velocity: [0.5]")
	ask := m{"system": "test", "robot": "moves", "start": []float64{0, -0.7854, 0, -2.3562, 0, 1.5708, 0.7854}, "points": [][]float64{{0.6, -0.7854, 0, -2.3562, 0, 1.5708, 0.7854}, {1, -0.5, 0, -2.3562, 0, 1.5708, 0.7854}}}
	got := p.want("plan.time", ask).(m)
	if problems := got["problems"].([]any); len(problems) > 0 || len(got["moves"].([]any)) != 1 {
		t.Fatalf("%v", got)
	}
	d, err := description.Read(os.DirFS(dir), "panda.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Lock("panda_finger_joint1=0.02"); err != nil {
		t.Fatal(err)
	}
	model, err := d.Model()
	if err != nil {
		t.Fatal(err)
	}
	start, points := ask["start"].([]float64), ask["points"].([][]float64)
	path := moves.Through(model, start, append(points[0], points[1]...))
	limits := make([]trajectory.Limits, 7)
	for i := range limits {
		limits[i] = trajectory.Limits{Velocity: 0.5, Acceleration: 5, Jerk: 50}
	}
	motion, err := moves.Compile(path, moves.Robot{Model: model, Limits: limits}, start)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Near(t, "duration", got["duration"].(float64), motion.Duration(), 1e-9)
	if motion.Duration() < 2 {
		t.Errorf("it takes %g s: 1 rad at 0.5 rad/s take 2 s", motion.Duration())
	}

	ask["points"] = [][]float64{{9, 0, 0, -2, 0, 1, 0}}
	if problems := p.want("plan.time", ask).(m)["problems"].([]any); len(problems) != 1 || problems[0].(m)["joint"] != "panda_joint1" {
		t.Errorf("%v", problems)
	}
	p.refuse("plan.time", m{"system": "test", "robot": "moves", "start": start, "points": [][]float64{}}, "wants 1 to 512")
}

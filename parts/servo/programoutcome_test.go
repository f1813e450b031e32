package servo

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
)

// compiled lets a rig run until what was asked for is compiled, and returns the outcome.
func compiled(t *testing.T, p *Program) error {
	t.Helper()
	var fault error
	testkit.Await(t, "the outcome", func() bool {
		if err := p.Step(tick); err != nil {
			t.Fatal(err)
		}
		o, err := p.outcome(block.None{})
		fault = err
		return o.Begun || err != nil
	})
	return fault
}

// turnOnly moves joint 1 from home.
const turnOnly = "tools: {hand: {link: panda_hand}}\nmoves:\n  - moveJ: [0.2, -0.7854, 0, -2.3562, 0, 1.5708, 0.7854]\n"

// A program that was compiled before the start is compiled again if its file, a plan that it names, or a limit has changed since.
func TestProgramRunsTheFileAsItIsNow(t *testing.T) {
	const path = "tools: {hand: {link: panda_hand}}\nmoves:\n  - movePath: plan.json\n"
	plan := func(q string) string {
		return `{"joints": ["panda_joint1", "panda_joint2", "panda_joint3", "panda_joint4", "panda_joint5", "panda_joint6", "panda_joint7"],
			"path": [[0, -0.7854, 0, -2.3562, 0, 1.5708, 0.7854], [` + q + `, -0.7854, 0, -2.3562, 0, 1.5708, 0.7854]]}`
	}
	for name, c := range map[string]struct {
		text   string
		change func(fstest.MapFS, *Program)
		end    float64
		faster bool
	}{
		"nothing": {turnOnly, func(fstest.MapFS, *Program) {}, 0.2, false},
		"the file": {turnOnly, func(f fstest.MapFS, _ *Program) {
			f["x.yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(turnOnly, "[0.2", "[0.3", 1))}
		}, 0.3, false},
		"a plan":  {path, func(f fstest.MapFS, _ *Program) { f["plan.json"] = &fstest.MapFile{Data: []byte(plan("0.4"))} }, 0.4, false},
		"a limit": {turnOnly, func(_ fstest.MapFS, p *Program) { p.VelocityLimit.Value()[0] /= 10 }, 0.2, true},
	} {
		r, p := programRig(t, map[string]string{"x.yaml": c.text, "plan.json": plan("0.2")}, func(p *Program) { p.VelocityLimit = block.NewParam([]float64{2}) })
		r.start()
		before := p.ready[0].player
		c.change(r.files.(fstest.MapFS), p)
		if err := p.Step(tick); err != nil {
			t.Fatal(err)
		}
		if _, err := p.run(ProgramNumber{1}); err != nil {
			t.Fatal(name, err)
		}
		if err := compiled(t, p); err != nil {
			t.Fatal(name, err)
		}
		if (p.player == before) != (name == "nothing") {
			t.Errorf("%s has changed: the motion is that compiled before: %v", name, p.player == before)
		}
		most := 0.0
		for k := 0; p.state != stateEnded && k < 20000; k++ {
			if err := p.Step(tick); err != nil {
				t.Fatal(err)
			}
			most = max(most, p.Velocity.Value()[0])
		}
		testkit.Near(t, "joint 1 after a change of "+name, p.Position.Value()[0], c.end, 1e-9)
		if c.faster && most > 0.2*(1+1e-9) {
			t.Errorf("joint 1 moves at %g rad/s", most)
		}
	}
}

// A motion that cannot be executed has a reason, which callers of run and runPath read.
func TestProgramOutcomeNamesTheReason(t *testing.T) {
	r, p := programRig(t, map[string]string{"x.yaml": turnOnly})
	r.start()
	if _, err := p.outcome(block.None{}); !errors.Is(err, errNoneAsked) {
		t.Errorf("before the first run: %v", err)
	}
	if err := p.Step(tick); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		turnOnly + "  - moveL: {xyz: [3, 0, 0]}\n":    "x.yaml:4:5: moveL (move 2) at s = ",
		strings.Replace(turnOnly, "moveJ", "movJ", 1): `x.yaml:3:5: `,
		turnOnly + "  - set: {vavle: 1}\n":            "x.yaml:4:18: the block has no output",
	} {
		r.files.(fstest.MapFS)["x.yaml"] = &fstest.MapFile{Data: []byte(text)}
		if _, err := p.run(ProgramNumber{1}); err != nil {
			t.Fatal(err)
		}
		if o, err := p.outcome(block.None{}); o.Begun || err != nil {
			t.Errorf("at once: %v, %v", o, err)
		}
		if err := compiled(t, p); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		if p.state != stateFailed {
			t.Errorf("state %d", p.state)
		}
	}
	// A path without a file: joint 4 is measured beyond its limit.
	r, p = programRig(t, map[string]string{"x.yaml": turnOnly}, func(p *Program) { p.Initial = block.NewConst[[]float64](nil) })
	robot := &source{length: 7}
	q := slices.Clone(pandaHome)
	q[3] = 0.1
	robot.write = func(int) { robot.Vector.Write(q) }
	r.add("robot", robot, "robot.vector -> p.measured")
	var fault error
	r.run(2000, func(k int) {
		if k == 3 {
			if _, err := p.addPoint(PathPoint{1, pandaHome}); err != nil {
				t.Fatal(err)
			}
			if _, err := p.runPath(block.None{}); err != nil {
				t.Fatal(err)
			}
		}
		if p.state == stateCompiling {
			time.Sleep(time.Millisecond) // virtual time does not wait for the goroutine
		}
		if k > 3 && fault == nil {
			_, fault = p.outcome(block.None{})
		}
	}, nil)
	if fault == nil || !strings.Contains(fault.Error(), `joint "panda_joint4" at 0.1, beyond its limits`) {
		t.Errorf("got %v", fault)
	}
}

// A moveJ names a state of the block's SRDF file; without one the block refuses the program before the start.
func TestProgramMovesToAState(t *testing.T) {
	const text = "tools: {hand: {link: panda_hand}}\nmoves:\n  - attach: box\n  - moveJ: aside\n  - detach: box\n"
	r, p := programRig(t, map[string]string{"x.yaml": text}, func(p *Program) {
		p.SRDF, p.Autostart = block.NewConst("panda.srdf"), block.NewConst(true)
	})
	r.start()
	for k := 0; p.state != stateEnded && k < 20000; k++ {
		if err := p.Step(tick); err != nil {
			t.Fatal(err)
		}
	}
	testkit.Near(t, "joint 1 at the end", p.Position.Value()[0], 0.2, 1e-9)
	testkit.Near(t, "joint 4 at the end", p.Position.Value()[3], pandaHome[3], 1e-9)

	r, _ = programRig(t, map[string]string{"x.yaml": text})
	if _, err := r.try(1, nil, nil); err == nil || !strings.Contains(err.Error(), "x.yaml") || !strings.Contains(err.Error(), "there is no SRDF file that describes states") {
		t.Error(err)
	}
}

// A block that measures distances knows when the tool carries an object: from the end of the move before attach to that of the move before detach, on
// the way back as well, and in a program that leaves it attached to the end and after it.
func TestProgramReportsWhatTheToolCarries(t *testing.T) {
	at := func(q string) string { return "  - moveJ: [" + q + ", -0.7854, 0, -2.3562, 0, 1.5708, 0.7854]\n" }
	const tool = "tools: {hand: {link: panda_hand}}\nmoves:\n"
	r, p := programRig(t, map[string]string{
		"1.yaml": tool + at("0.1") + "  - attach: box\n" + at("0.2") + "  - detach: box\n" + at("0.3"),
		"2.yaml": tool + at("0.1") + "  - attach: box\n" + at("0.2"),
	})
	r.start()
	run := func(number int64) (states [][2]float64) { // the position and whether it is loaded
		if err := p.Step(tick); err != nil {
			t.Fatal(err)
		}
		if _, err := p.run(ProgramNumber{number}); err != nil {
			t.Fatal(err)
		}
		if err := compiled(t, p); err != nil {
			t.Fatal(err)
		}
		for k := 0; p.state != stateEnded && k < 20000; k++ {
			if err := p.Step(tick); err != nil {
				t.Fatal(err)
			}
			states = append(states, [2]float64{p.Position.Value()[0], map[bool]float64{true: 1}[p.Loaded.Value()]})
		}
		return states
	}
	for _, s := range run(1) {
		if wants := s[0] > 0.1+1e-9 && s[0] < 0.2-1e-9; wants && s[1] == 0 || (s[0] < 0.1-1e-9 || s[0] > 0.2+1e-9) && s[1] == 1 {
			t.Fatalf("at %v rad it is loaded: %v", s[0], s[1] == 1)
		}
	}
	if p.Loaded.Value() {
		t.Error("the object was left, and still counts as carried")
	}
	run(2)
	if !p.Loaded.Value() {
		t.Error("an object that no detach leaves does not count as carried after the program")
	}
}

package servo

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

var pandaHome = []float64{0, -0.7854, 0, -2.3562, 0, 1.5708, 0.7854}

const lines = `
tools: {hand: {link: panda_hand}}
defaults: {moveL: {speed: 300 mm/s, acceleration: 2, jerk: 20, blend: 20 mm}}
moves:
  - moveL: {xyz: [0.45, 0.15, 0.45], rpy: [180 deg, 0, 0]}
  - moveL: {xyz: [0.6, 0.15, 0.45]}
  - set: {valve: 1}
    before: 20 mm
  - moveJ: [0, -45 deg, 0, -135 deg, 0, 90 deg, 45 deg]
`

// programRig returns a rig with a block that has the programs in its folder.
func programRig(t testing.TB, programs map[string]string, change ...func(*Program)) (*rig, *Program) {
	t.Helper()
	urdf, err := os.ReadFile(filepath.Join(testkit.Root(t), "models/panda/panda.urdf"))
	if err != nil {
		t.Fatal(err)
	}
	const srdf = `<robot name="panda"><group name="arm"><chain base_link="panda_link0" tip_link="panda_link8"/></group>
		<group_state name="aside" group="arm"><joint name="panda_joint1" value="0.2"/></group_state></robot>`
	folder := fstest.MapFS{"panda.urdf": {Data: urdf}, "panda.srdf": {Data: []byte(srdf)}}
	p := &Program{
		URDF: block.NewConst("panda.urdf"), Locked: block.NewConst([]string{"panda_finger_joint1=0.02"}), Initial: block.NewConst(pandaHome),
		Names: block.NewConst([]string{"valve"}),
	}
	var names []string
	for name, text := range programs {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
		if strings.HasSuffix(name, ".yaml") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	p.Programs = block.NewConst(names)
	for _, f := range change {
		f(p)
	}
	r := newRig(t)
	r.files = folder
	r.add("p", p)
	return r, p
}

// A program that is paused, goes back and goes on ends where it leads, within the limits of the joints, and sets its outputs.
func TestProgramRunsWithinLimits(t *testing.T) {
	r, p := programRig(t, map[string]string{"lines.yaml": lines}, func(p *Program) { p.Autostart = block.NewConst(true) })
	var v, a []float64
	h := period.Seconds()
	seen := map[int64]bool{}
	r.run(3000, func(k int) {
		var err error
		switch k {
		case 60:
			_, err = p.pause(block.None{})
		case 200:
			_, err = p.back(block.None{})
		case 500:
			_, err = p.override(SpeedShare{0.3})
		case 501:
			_, err = p.resume(block.None{})
		case 700:
			_, err = p.override(SpeedShare{1})
		}
		if err != nil {
			t.Fatal(k, err)
		}
	}, func(k int) {
		for i, x := range p.Velocity.Value() {
			y := p.Acceleration.Value()[i]
			if math.Abs(x) > p.axes.velocity[i] || math.Abs(y) > 5 || len(a) > 0 && math.Abs(y-a[i]) > 50*h*1.0001 {
				t.Fatalf("step %d, joint %d: velocity %v, acceleration %v after %v", k, i, x, y, a[i])
			}
		}
		wanted := 1.0
		if k >= 500 && k < 700 {
			wanted = 0.3
		}
		if got := p.WantedRate.Value(); got != wanted {
			t.Fatalf("step %d: the wanted rate is %v, want %v", k, got, wanted)
		}
		v, a = append(v[:0], p.Velocity.Value()...), append(a[:0], p.Acceleration.Value()...)
		seen[p.State.Value()] = true
	})
	for _, s := range []int64{stateRunning, statePaused, stateBack, stateEnded} {
		if !seen[s] {
			t.Errorf("state %d was never there", s)
		}
	}
	testkit.AllNear(t, "end", p.Position.Value(), []float64{0, -math.Pi / 4, 0, -3 * math.Pi / 4, 0, math.Pi / 2, math.Pi / 4}, 1e-9)
	if got := p.Outputs.Value()[0]; got != 1 {
		t.Errorf("the output is %v, want 1", got)
	}
	if p.Progress.Value() != 1 || p.Number.Value() != 0 {
		t.Errorf("progress %v, move %d at the end", p.Progress.Value(), p.Number.Value())
	}
}

// A program from another place than initial is compiled beside the steps.
func TestProgramCompilesFromWhereTheJointsAre(t *testing.T) {
	r, p := programRig(t, map[string]string{"go.yaml": "moves:\n  - moveJ: {panda_joint1: 0.5}\n    tool: hand\ntools: {hand: {link: panda_hand}}\n"})
	runs := 0
	r.run(4000, func(k int) {
		if p.State.Value() == stateEnded || k == 1 {
			if runs++; runs < 3 {
				if _, err := p.run(ProgramNumber{1}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if p.State.Value() == stateCompiling {
			time.Sleep(time.Millisecond) // virtual time does not wait for the goroutine
		}
	}, nil)
	if runs < 3 {
		t.Fatalf("%d programs ended, state %d", runs-1, p.State.Value())
	}
	testkit.Near(t, "joint 1", p.Position.Value()[0], 0.5, 1e-9)
}

func TestProgramRefusesMistakesBeforeTheSystemStarts(t *testing.T) {
	for text, want := range map[string]string{
		strings.Replace(lines, "valve", "vavle", 1):                  `the block has no output "vavle": add it to its parameter output_names; did you mean "valve"?`,
		strings.Replace(lines, "0.6, 0.15, 0.45", "1.6, 0.15, 0", 1): `x.yaml:6:5: block "p": moveL (move 2) at s = `,
	} {
		r, _ := programRig(t, map[string]string{"x.yaml": text})
		if _, err := r.try(1, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// With joints the program moves those of a group; the fingers, which are not locked, count for measured alone.
func TestProgramMovesTheJointsOfAGroup(t *testing.T) {
	r, p := programRig(t, map[string]string{"lines.yaml": lines}, func(p *Program) {
		p.Locked, p.SRDF, p.Joints = block.NewConst[[]string](nil), block.NewConst("panda.srdf"), block.NewConst([]string{"arm"})
	})
	robot := &source{length: 8}
	robot.write = func(int) { robot.Vector.Write(append(pandaHome[:7:7], 0.03)) }
	r.add("robot", robot, "robot.vector -> p.measured")
	compiled := false
	r.run(3000, func(k int) {
		if k == 2 {
			if _, err := p.run(ProgramNumber{1}); err != nil {
				t.Fatal(err)
			}
		}
		if p.State.Value() == stateCompiling { // the fingers are elsewhere than at the start of the system
			compiled = true
			time.Sleep(time.Millisecond) // virtual time does not wait for the goroutine
		}
	}, nil)
	if p.State.Value() != stateEnded || !compiled {
		t.Errorf("state %d, compiled %v", p.State.Value(), compiled)
	}
	testkit.AllNear(t, "end", p.Position.Value(), []float64{0, -math.Pi / 4, 0, -3 * math.Pi / 4, 0, math.Pi / 2, math.Pi / 4}, 1e-9)
}

// A line of the tool leads to its target from where the joints are that the program does not move: the first of the arm here.
func TestProgramCountsTheOtherJointsWhereTheyAre(t *testing.T) {
	sixth := map[string]string{"lines.yaml": strings.Replace(lines, "moveJ: [0, ", "moveJ: [", 1)}
	r, p := programRig(t, sixth, func(p *Program) {
		p.Joints = block.NewConst([]string{"panda_joint2", "panda_joint3", "panda_joint4", "panda_joint5", "panda_joint6", "panda_joint7"})
		p.Initial = block.NewConst(pandaHome[1:])
	})
	r.start()
	held := append([]float64{0.2}, pandaHome[1:]...)
	limits := make([]trajectory.Limits, 6)
	p.limits(limits)
	player, err := p.compile(p.files, "lines.yaml", pandaHome[1:], held, limits)
	if err != nil {
		t.Fatal(err)
	}
	m := player.Motion()
	s := make([]trajectory.State, 6)
	m.At(m.Parts[1].End, s)
	q := []float64{0.2}
	for _, x := range s {
		q = append(q, x.Position)
	}
	model, err := whole(r)
	if err != nil {
		t.Fatal(err)
	}
	data := multibody.NewData(model)
	multibody.FK(data, q)
	link, err := model.Link("panda_hand")
	if err != nil {
		t.Fatal(err)
	}
	off := data.Pose(link).P.Sub(spatial.Vec3{X: 0.6, Y: 0.15, Z: 0.45}).Norm()
	if off > 0.0201 { // at the end of the line a blend begins 20 mm before the target
		t.Errorf("the tool is %g m away from its target", off)
	}

	r, _ = programRig(t, sixth, func(p *Program) { p.Joints = block.NewConst([]string{"panda_joint3", "panda_joint2"}) })
	if _, err := r.try(1, nil, nil); err == nil || !strings.Contains(err.Error(), "give them in that of") {
		t.Errorf("got the error %v for joints in another order", err)
	}
}

// whole reads the arm with its fingers locked.
func whole(r *rig) (*multibody.Model, error) {
	robot, err := description.Read(r.files, "panda.urdf", description.Options{})
	if err != nil {
		return nil, err
	}
	if err := robot.Lock("panda_finger_joint1=0.02"); err != nil {
		return nil, err
	}
	return robot.Model()
}

func TestProgramStepAllocatesNothing(t *testing.T) {
	r, p := programRig(t, map[string]string{"lines.yaml": lines}, func(p *Program) { p.Autostart = block.NewConst(true) })
	r.start()
	if err := p.Step(tick); err != nil || p.state != stateRunning {
		t.Fatal(p.state, err)
	}
	k := 0
	testkit.NoAllocs(t, 300, func() {
		if k++; k%20 == 0 {
			_, _ = p.override(SpeedShare{float64(k%3) / 2})
		}
		if err := p.Step(tick); err != nil {
			t.Fatal(err)
		}
	})
}

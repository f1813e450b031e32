package console_test

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/parts/servo"
)

const previewFile = `system: test
threads:
  main: {period: 1ms}
blocks:
  the_arm: {type: console_test.robot, params: {urdf: arm.urdf}}
  motion:  {type: MOVER}
`

// moved runs an arm that a block of the type servo.JerkLimited or servo.Generator moves.
func moved(t *testing.T, mover string) *page {
	dir := t.TempDir()
	for name, text := range map[string]string{"test.yaml": strings.Replace(previewFile, "MOVER", mover, 1), "arm.urdf": armURDF,
		"arm.srdf": `<robot name="arm"><group name="both"><joint name="shoulder"/><joint name="elbow"/></group>` +
			`<group name="upper"><joint name="shoulder"/></group><group name="lower"><joint name="elbow"/></group><group name="none"><link name="base"/></group></robot>`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	registry := block.NewRegistry([]block.Entry{block.Of[source]("counts and fails"), block.Of[robot]("a robot of a model")}, servo.Blocks())
	local := runSystem(t, filepath.Join(dir, "test.yaml"), system.Options{Registry: registry})
	p := open(t, local).page("")
	testkit.Await(t, "the first planned position", func() bool {
		return p.want("read", m{"system": "test", "ref": "motion.position"}).(m)["count"].(float64) > 0
	})
	return p
}

// The groups of an SRDF file are listed, also those that no block commands: without a move operation. Groups of all joints, or of none, are left out, and
// so are those of joints that a block has already.
func TestGroupsOfTheSRDFFileAreListed(t *testing.T) {
	p := moved(t, "servo.JerkLimited, params: {urdf: arm.urdf, srdf: arm.srdf, joints: [elbow]}")
	answer := p.want("robot", m{"system": "test"}).(m)
	groups, _ := answer["robots"].([]any)[0].(m)["groups"].([]any)
	want := []any{m{"name": "elbow", "joints": []any{"elbow"}, "move": "motion.moveTo"}, m{"name": "upper", "joints": []any{"shoulder"}}}
	if !reflect.DeepEqual(groups, want) || len(answer["notes"].([]any)) > 0 {
		t.Errorf("got %v and notes %v, want %v", groups, answer["notes"], want)
	}
	q := asked([][]float64{{0.3}}, 0.5)
	q["group"] = "upper"
	p.refuse("preview", q, `group "upper"`, "no block moves it")
}

// A block that commands some joints is a group of the robot, with its own move operation; its goals are those of its joints.
func TestGroupOfJointsIsListedAndPreviewed(t *testing.T) {
	p := moved(t, "servo.JerkLimited, params: {urdf: arm.urdf, joints: [elbow]}")
	answer := p.want("robot", m{"system": "test"}).(m)
	robots := answer["robots"].([]any)
	if len(robots) != 1 || len(answer["notes"].([]any)) > 0 {
		t.Fatalf("listed as %v", answer)
	}
	arm := robots[0].(m)
	groups, _ := arm["groups"].([]any)
	if len(groups) != 1 || arm["move"] != nil {
		t.Fatalf("the robot is %v", arm)
	}
	if g := groups[0].(m); g["name"] != "elbow" || len(g["joints"].([]any)) != 1 || g["move"] != "motion.moveTo" {
		t.Errorf("the group is %v", g)
	}
	q := asked([][]float64{{0.3}}, 0.5)
	q["group"] = "elbow"
	if preview := p.want("preview", q).(m); preview["law"] != "jerk-limited" {
		t.Errorf("preview %v", preview)
	}
}

func asked(goals [][]float64, times ...float64) m {
	return m{"system": "test", "robot": "the_arm", "goals": goals, "times": times}
}

// The preview is the motion that runs: all samples of the block lie on it. A machine that halts the block for longer than 0.1 s ends its
// motion; then the test begins again.
func TestPreviewIsTheMotionThatRuns(t *testing.T) {
	for mover, law := range map[string]string{
		"servo.JerkLimited, params: {urdf: arm.urdf, max_acceleration: [4], max_jerk: [40, 60], speed: 0.8}": "jerk-limited",
		"servo.JerkLimited, params: {urdf: arm.urdf, srdf: arm.srdf, joints: [both]}":                        "jerk-limited",
		"servo.Generator, params: {n: 2}": "minimum jerk",
	} {
		for attempt := 1; !comparePreview(t, mover, law); attempt++ {
			if attempt == 5 {
				t.Fatalf("%s: the motion was interrupted %d times", mover, attempt)
			}
		}
	}
}

// comparePreview compares a preview with the motion, and returns false if the motion was interrupted.
func comparePreview(t *testing.T, mover, law string) bool {
	p := moved(t, mover)
	goal := []float64{0.4, -0.7}
	preview := p.want("preview", asked([][]float64{goal}, 0.5)).(m)
	if preview["law"] != law {
		t.Errorf("law %v", preview["law"])
	}
	times, q, end := preview["times"].([]any), preview["q"].([]any), preview["ends"].([]any)[0].(float64)
	frames, _ := p.watch(m{"system": "test", "signals": []m{{"ref": "motion.position"}}})
	// The first sample may be what the watch has read where nothing came for a while: its time is that of the reading. A thread that was late then goes on
	// from an earlier time, and its motion would be ahead.
	testkit.Await(t, "samples of the thread", func() bool { _, v := frames.values(0); return len(v) > 1 })
	p.want("call", m{"system": "test", "ref": "motion.moveTo", "args": []any{goal, 0.5}})
	at := func(v any, i int) float64 { return v.([]any)[i].(float64) }
	var stamps []float64
	var values []any
	for limit := time.Now().Add(testkit.Patience() / 4); ; time.Sleep(10 * time.Millisecond) {
		stamps, values = frames.values(0)
		if len(values) > 0 && math.Abs(at(values[len(values)-1], 1)-goal[1]) < 1e-9 {
			break
		}
		if time.Now().After(limit) {
			return false
		}
	}
	first := 0
	for first+1 < len(values) && at(values[first+1], 1) == 0 {
		first++
	}
	// The motion has its own time: it begins somewhere between the last sample at rest and the next, and a block that a busy machine halts
	// may go on where it was. So it lies between the preview at this time and at the time less what was missed.
	missed := 0.0
	for k := first; k < len(values); k++ {
		now := (stamps[k] - stamps[first]) * 1e-9
		if k > first {
			gap := (stamps[k] - stamps[k-1]) * 1e-9
			if k == first+1 {
				missed = gap
			} else {
				missed += max(0, gap-1e-3)
			}
		}
		for i := range 2 {
			ahead, behind := between(times, q, i, now), between(times, q, i, max(0, now-missed))
			// The samples of the preview are 1/30 s apart, and interpolated.
			if got := at(values[k], i); got < min(ahead, behind)-0.01 || got > max(ahead, behind)+0.01 {
				t.Fatalf("%s: joint %d is at %.4f after %.3f of %.3f s, the preview at %.4f, or at %.4f less the %.3f s that were missed", mover, i+1, got, now, end, ahead, behind, missed)
			}
		}
	}
	if took := (stamps[len(stamps)-1] - stamps[first]) * 1e-9; took < end-0.05 {
		t.Errorf("%s: it took %.3f s, the preview %.3f s", mover, took, end)
	}
	return true
}

// between interpolates the samples of a preview.
func between(times, q []any, joint int, t float64) float64 {
	value := func(k int) float64 { return q[k].([]any)[joint].(float64) }
	for k := 1; k < len(times); k++ {
		a, b := times[k-1].(float64), times[k].(float64)
		if t <= b && b > a {
			return value(k-1) + (value(k)-value(k-1))*(t-a)/(b-a)
		}
	}
	return value(len(q) - 1)
}

func TestPreviewRestsAtEachGoal(t *testing.T) {
	p := moved(t, "servo.JerkLimited, params: {urdf: arm.urdf}")
	preview := p.want("preview", asked([][]float64{{1, 0}, {1, 1}, {0, 0}}, 0, 2.5, 0)).(m)
	ends, times, q := preview["ends"].([]any), preview["times"].([]any), preview["q"].([]any)
	if len(ends) != 3 || len(times) != len(q) || ends[1].(float64)-ends[0].(float64) != 2.5 {
		t.Fatalf("ends %v, %d times, %d positions", ends, len(times), len(q))
	}
	for i, want := range []float64{1, 1, 0} {
		if got := between(times, q, 0, ends[i].(float64)); math.Abs(got-want) > 1e-9 {
			t.Errorf("at the end of goal %d joint 1 is at %v", i+1, got)
		}
	}
	for k := 1; k < len(times); k++ {
		if times[k].(float64) <= times[k-1].(float64) {
			t.Fatalf("times do not rise: %v", times[k-1:k+1])
		}
	}
	time.Sleep(20 * time.Millisecond)
	if r := p.want("read", m{"system": "test", "ref": "motion.position"}).(m); r["value"].([]any)[0] != 0.0 {
		t.Errorf("a preview has moved the robot to %v", r["value"])
	}
}

func TestPreviewRejectsWhatWouldBeRejected(t *testing.T) {
	p := moved(t, "servo.JerkLimited, params: {urdf: arm.urdf}")
	p.refuse("preview", asked([][]float64{{4, 0}}, 1), "shoulder", "-3 to 3")
	p.refuse("preview", asked([][]float64{{1}}, 1), "goal 1 has length 1", "2 joints")
	p.refuse("preview", asked([][]float64{{1, 1}}, -1), "wants 0 to")
	p.refuse("preview", asked(nil), "1 to 32 goals")
	p.refuse("preview", asked([][]float64{{1, 1}}), "0 times")
	p.refuse("preview", m{"system": "test", "robot": "arm", "goals": [][]float64{{1, 1}}, "times": []float64{1}}, "arm")
	p = moved(t, "servo.Generator, params: {n: 2}")
	p.refuse("preview", asked([][]float64{{1, 1}}, 0), "at least 1e-06 s")
	r, _ := openArm(t)
	r.page("").refuse("preview", asked([][]float64{{1, 1}}, 1), "no block moves it")
}

func TestRobotNamesTorquesAndPush(t *testing.T) {
	r, _ := openArm(t)
	arm := r.page("").want("robot", m{"system": "test"}).(m)["robots"].([]any)[0].(m)
	if list := arm["torque"].([]any); len(list) != 1 || list[0] != "the_arm.torque" || arm["push"] != nil {
		t.Errorf("torque %v, push %v", arm["torque"], arm["push"])
	}
}

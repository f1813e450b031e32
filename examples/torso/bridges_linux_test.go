package torso

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/internal/testkit/hosts"
)

// patience is how long something may take to happen.
const patience = 30 * time.Second

// command is sinew as a user has it, with running systems of its own.
type command struct {
	t    *testing.T
	path string
}

// build makes the command.
func build(t *testing.T) command {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED by -short: processes of its own take some seconds")
	}
	c := command{t, filepath.Join(t.TempDir(), "sinew")}
	if out, err := exec.Command("go", "build", "-o", c.path, "github.com/sinew-robotics/sinew/cmd/sinew").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	runtime, err := os.MkdirTemp("", "rt") // paths of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(runtime) })
	t.Setenv("TMPDIR", runtime)
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Chdir(testkit.Root(t))
	return c
}

func (c command) run(args ...string) (string, error) {
	out, err := exec.Command(c.path, args...).CombinedOutput()
	return string(out), err
}

func (c command) must(args ...string) string {
	c.t.Helper()
	out, err := c.run(args...)
	if err != nil {
		c.t.Fatalf("sinew %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// up starts the system, which is down when the test ends.
func (c command) up(args ...string) {
	c.t.Helper()
	c.t.Cleanup(func() {
		if c.t.Failed() {
			out, _ := c.run("logs", "torso")
			c.t.Logf("logs:\n%s", out[max(0, len(out)-4000):])
		}
		_, _ = c.run("down", "torso")
	})
	begin := time.Now()
	c.must(append([]string{"up"}, args...)...)
	c.t.Logf("up took %v", time.Since(begin))
}

// value reads a port; nil where it cannot be read now.
func (c command) value(process, port string) any {
	var sample struct{ Value any }
	out, err := c.run("tap", "--system", "torso."+process, port, "--count", "1", "--json")
	if err != nil || json.Unmarshal([]byte(out), &sample) != nil {
		return nil
	}
	return sample.Value
}

// eventually waits until something is so.
func (c command) eventually(what string, so func() (bool, string)) {
	c.t.Helper()
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		ok, instead := so()
		if ok {
			return
		}
		if time.Since(begin) > patience {
			c.t.Fatalf("it did not happen in %v that %s; instead: %s", patience, what, instead)
		}
	}
}

// moves waits until joints of the robot have gone some way.
func (c command) moves(joints ...int) {
	c.t.Helper()
	var first any
	c.eventually(fmt.Sprintf("joints %v move", joints), func() (bool, string) {
		q := c.value("simulator", "robot.position")
		if first == nil || q == nil {
			first = q
			return false, "nothing to be read"
		}
		for _, i := range joints {
			if math.Abs(numbers(q)[i]-numbers(first)[i]) < 0.02 {
				return false, fmt.Sprint(q)
			}
		}
		return true, ""
	})
}

// Robot and controller in a process each: while the controller is away the brakes hold the robot, and where it comes back
// the robot goes on from where it is.
func TestTwoProcesses(t *testing.T) {
	c := build(t)
	c.up("examples/torso/torso.yaml", "--deploy", "examples/torso/two-processes.yaml")
	c.moves(5)
	c.must("down", "torso", "controller")
	c.eventually("the brakes hold", func() (bool, string) {
		b := c.value("simulator", "robot.braking")
		return b == true, fmt.Sprint(b)
	})
	before := numbers(c.value("simulator", "robot.position"))
	time.Sleep(time.Second)
	testkit.AllNear(t, "position under brakes", numbers(c.value("simulator", "robot.position")), before, 0)
	c.must("up", "examples/torso/torso.yaml", "--deploy", "examples/torso/two-processes.yaml", "controller")
	c.moves(5)
	for i, v := range numbers(c.value("simulator", "robot.velocity")) {
		if math.Abs(v) > 2 {
			t.Errorf("joint %d rushes with %g rad/s", i, v)
		}
	}
}

// Two arms and two hands, each with a host of its own, over four bridges into one controller.
func TestFourBridges(t *testing.T) {
	n := hosts.Start(t, "robot", "left-arm", "left-hand", "right-arm", "right-hand", "control")
	c := build(t)
	t.Setenv("SINEW_SSH", n.SSH)
	c.up("examples/torso/four-bridges.yaml")
	c.moves(0, 5, 11, 25, 32) // one of each limb
	c.eventually("the four bridges carry packets both ways", func() (bool, string) {
		var list []struct {
			Links []struct {
				Name, From, To string
				Connected      bool
				Packets        uint64
			}
		}
		out := c.must("top", "--json") // a host that is slow to answer is left out
		if err := json.Unmarshal([]byte(out), &list); err != nil {
			t.Fatal(err, out)
		}
		crossing := map[string]bool{}
		for _, l := range list[0].Links {
			if l.Connected && l.Packets > 0 {
				crossing[l.From+" -> "+l.To] = true
			}
		}
		for _, limb := range []string{"left_arm", "left_hand", "right_arm", "right_hand"} {
			if !crossing[limb+" -> control"] || !crossing["control -> "+limb] {
				return false, fmt.Sprintf("no bridge between %s and the controller: %v", limb, crossing)
			}
		}
		return true, ""
	})
}

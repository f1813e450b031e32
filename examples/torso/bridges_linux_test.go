package torso

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/internal/testkit/hosts"
)

// command runs the torso.
type command struct {
	testkit.Command
	t *testing.T
}

// build builds the command, for files of the repository.
func build(t *testing.T) command {
	t.Helper()
	c := command{testkit.Build(t), t}
	t.Chdir(testkit.Root(t))
	return c
}

// value reads a port; it returns nil if that fails.
func (c command) value(process, port string) any {
	var sample struct{ Value any }
	out, err := c.Run("tap", "--system", "torso."+process, port, "--count", "1", "--json")
	if err != nil || json.Unmarshal([]byte(out), &sample) != nil {
		return nil
	}
	return sample.Value
}

// eventually waits until a condition is true.
func (c command) eventually(what string, so func() (bool, string)) {
	c.t.Helper()
	ok, instead := false, ""
	defer func() {
		if !ok {
			c.t.Logf("instead of %s: %s", what, instead)
		}
	}()
	testkit.AwaitEvery(c.t, 100*time.Millisecond, what, func() bool { ok, instead = so(); return ok })
}

// moves waits until each of these joints of the robot has moved.
func (c command) moves(joints ...int) {
	c.t.Helper()
	var first []float64
	gone := make([]float64, len(joints))
	c.eventually(fmt.Sprintf("joints %v move", joints), func() (bool, string) {
		value := c.value("simulator", "robot.position")
		if value == nil {
			return false, "nothing to be read"
		}
		q := numbers(value)
		if first == nil {
			first = q
		}
		for k, i := range joints {
			gone[k] = max(gone[k], math.Abs(q[i]-first[i]))
		}
		return slices.Min(gone) > 0.02, fmt.Sprintf("they went %.3g", gone)
	})
}

// Robot and controller run in separate processes: while the controller is away the brakes hold the robot, and when it
// returns the robot continues from its position.
func TestRobotSurvivesTheLossOfItsController(t *testing.T) {
	c := build(t)
	c.Up("torso", "examples/torso/torso.yaml", "--deploy", "examples/torso/two-processes.yaml")
	c.moves(5)
	c.Must("down", "torso", "controller")
	c.eventually("the brakes hold", func() (bool, string) {
		b := c.value("simulator", "robot.braking")
		return b == true, fmt.Sprint(b)
	})
	before := numbers(c.value("simulator", "robot.position"))
	time.Sleep(time.Second)
	testkit.AllNear(t, "position under brakes", numbers(c.value("simulator", "robot.position")), before, 0)
	c.Must("up", "examples/torso/torso.yaml", "--deploy", "examples/torso/two-processes.yaml", "controller")
	c.moves(5)
	for i, v := range numbers(c.value("simulator", "robot.velocity")) {
		if math.Abs(v) > 2 {
			t.Errorf("joint %d rushes with %g rad/s", i, v)
		}
	}
}

// Two arms and two hands, each on its own host, are connected to one controller by four bridges.
func TestFourBridgesCarryTheLimbs(t *testing.T) {
	hosts.EachWay(t, fourBridgesCarryTheLimbs)
}

func fourBridgesCarryTheLimbs(t *testing.T) {
	n := hosts.Start(t, "robot", "left-arm", "left-hand", "right-arm", "right-hand", "control")
	t.Setenv("TMPDIR", n.User)
	c := build(t)
	t.Setenv("SINEW_SSH", n.SSH)
	c.Up("torso", "examples/torso/four-bridges-slow.yaml")
	c.moves(0, 5, 11, 25, 32) // one of each limb
	// On a busy machine a host may need more than the 10 s that top gives it: no single answer need have all bridges.
	crossing := map[string]bool{}
	c.eventually("the four bridges carry packets both ways", func() (bool, string) {
		var list []struct {
			Links []struct {
				Name, From, To string
				Connected      bool
				Packets        uint64
			}
		}
		out, err := c.Run("top", "--json")
		if json.NewDecoder(strings.NewReader(out)).Decode(&list) != nil || len(list) != 1 {
			return false, fmt.Sprint(err, out)
		}
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

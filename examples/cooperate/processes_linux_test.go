package cooperate

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// command runs the example.
type command struct {
	testkit.Command
	t *testing.T
}

// read reads a vector of the process robot; ok is false if that fails.
func (c command) read(port string) (value []float64, ok bool) {
	out, err := c.Run("tap", "--system", "cooperate.robot", port, "--count", "1", "--json")
	var line struct{ Value []float64 }
	return line.Value, err == nil && json.Unmarshal([]byte(out), &line) == nil && len(line.Value) > 0
}

// eventually waits until a condition holds for the joints' positions and velocities.
func (c command) eventually(what string, holds func(q, v []float64) bool) (q []float64) {
	c.t.Helper()
	testkit.Await(c.t, what, func() bool {
		var readable bool
		q, readable = c.read("robot.position")
		v, also := c.read("robot.velocity")
		return readable && also && holds(q, v)
	})
	return q
}

func fastest(v []float64) float64 { return max(slices.Max(v), -slices.Min(v)) }

// The tracking runs in a process of its own. When it is lost while the elbow yields, the arm stops and holds where it is, with its hand in place; when it is back,
// the arm yields on.
func TestArmHoldsWhileTheTrackingIsLost(t *testing.T) {
	j, c := newJudge(t), command{testkit.Build(t), t}
	files := []string{"cooperate.yaml", "--deploy", "two-processes.yaml"}
	c.Up("cooperate", files...)
	start := c.eventually("the arm rests", func(_, v []float64) bool { return fastest(v) < 1e-3 })
	first, _ := j.measure(start, away)
	put := func() { c.Must("param", "set", "cooperate.tracking", "ball.value=[0.02, -0.1, 0.65]") }
	put()
	c.eventually("the elbow yields", func(q, _ []float64) bool { return fastest([]float64{q[0] - start[0], q[2] - start[2]}) > 0.02 })
	c.Must("down", "cooperate", "tracking")
	logged := func() int {
		return strings.Count(c.Must("logs", "cooperate", "robot"), `block "avoider" rests in its safe output`)
	}
	testkit.Await(t, "the loss of the tracking is reported", func() bool { return logged() > 0 })
	before := make([]float64, len(start))
	held := c.eventually("the arm stays where it is for 0.3 s", func(q, _ []float64) bool {
		for i := range q {
			before[i] -= q[i]
		}
		stays := fastest(before) < 1e-3
		copy(before, q)
		time.Sleep(300 * time.Millisecond)
		return stays
	})
	hand, _ := j.measure(held, away)
	testkit.Near(t, "way of the hand", hand.P.Sub(first.P).Norm(), 0, 0.005)
	c.Must(append(append([]string{"up"}, files...), "tracking")...)
	put()
	c.eventually("the elbow has yielded", func(q, v []float64) bool {
		_, d := j.measure(q, beside)
		return d > 0.1 && fastest(v) < 1e-3
	})
}

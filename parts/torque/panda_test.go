package torque

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/thread"
)

// panda is Franka's arm (bench/robots) at 1 kHz under an impedance; before and after run around each cycle of it.
func panda(t *testing.T, c *Impedance, seconds float64, before, after func(s float64, robot *Robot)) {
	t.Helper()
	given := port.Given{Files: os.DirFS(filepath.Join(testkit.Root(t), "bench/robots"))}
	upright := []float64{0, 0, 0, -1.5, 0, 1.5708, 0} // joints 1 and 3 turn about the same line: each moves almost nothing while the other is free
	robot := &Robot{URDF: block.NewConst("panda.urdf"), Initial: block.NewConst(upright), Pushed: block.NewConst("panda_hand")}
	model := &RobotModel{URDF: block.NewConst("panda.urdf")}
	c.N = block.NewConst(7)
	d := diagram.New("panda")
	d.Thread(diagram.Thread{Name: "main", Period: time.Millisecond})
	at := diagram.Place{Thread: "main", Given: given}
	now := func(f func(float64, *Robot)) block.Block {
		return &cycle{func(k int) { f(float64(k)/1000, robot) }}
	}
	d.Add("before", now(before), at)
	d.Add("robot", robot, at)
	d.Add("model", model, at)
	d.Add("springs", c, at)
	d.Add("after", now(after), at)
	for _, l := range []string{"robot.position -> model.position", "robot.position -> springs.position", "robot.velocity -> springs.velocity",
		"model.gravity -> springs.gravity", "model.inertia -> springs.inertia"} {
		d.Link(l)
	}
	back, err := diagram.ParseLink("springs.torque -> robot.torque")
	if err != nil {
		t.Fatal(err)
	}
	back.Delay = true // until the next cycle, as in a real arm
	d.Join(back)
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	if err := thread.New(net, thread.Options{Until: clock.At(time.Duration(seconds * float64(time.Second)))}).RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// cycle runs a function in each cycle of a net.
type cycle struct{ run func(k int) }

func (c *cycle) Step(t clock.Tick) error {
	c.run(int(t.N))
	return nil
}

// A stiff Panda rests: 600 N m/rad with a damping ratio of 0.7 is what its users begin with.
func TestStiffPandaDoesNotChatter(t *testing.T) {
	c := &Impedance{Stiffness: block.NewParam([]float64{600}), Damping: block.NewParam([]float64{0.7})}
	var last []float64
	worst := 0.0
	panda(t, c, 3, func(s float64, robot *Robot) {
		if s == 1 {
			robot.Push.Feed([3]float64{20, 10, 0})
		}
	}, func(s float64, robot *Robot) {
		tau := c.Torque.Value()
		for i := range last {
			if s > 2 {
				worst = max(worst, math.Abs(tau[i]-last[i]))
			}
		}
		last = append(last[:0], tau...)
	})
	if worst > 0.5 {
		t.Errorf("at rest a torque changes by %.3g N m from one cycle to the next", worst)
	}
}

package hexapod

import (
	"context"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// load returns the machine defined by the system file.
func load(t *testing.T) *diagram.Net {
	t.Helper()
	s, err := system.Load("../walker.yaml", system.Options{Registry: block.NewRegistry(Blocks())})
	if err != nil {
		t.Fatal(err)
	}
	return s.Net
}

// walkAbout executes a net for some seconds, in which the machine stands up and walks in a curve, and returns its
// final position and posture.
func walkAbout(t *testing.T, net *diagram.Net, seconds int) []float64 {
	t.Helper()
	var drive *Locomotion
	var robot *Robot
	for _, b := range net.Blocks {
		switch b := b.Block.(type) {
		case *Locomotion:
			drive = b
		case *Robot:
			robot = b
		}
	}
	drive.state = Rising
	drive.wanted = Velocity{VX: 0.08, YawRate: 0.1}
	core := thread.New(net, thread.Options{Until: clock.At(time.Duration(seconds) * time.Second)})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	return append(append([]float64{}, robot.sim.Q()...), robot.sim.V()...)
}

// The machine built in Go and the one of the system file behave the same to the last bit.
func TestSystemFileMatchesTheMachineInGo(t *testing.T) {
	_, written := build(t)
	a, b := walkAbout(t, written, 8), walkAbout(t, load(t), 8)
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("after 8 s coordinate %d is %v in Go, but %v by the system file", i, a[i], b[i])
		}
	}
	if a[0] < 0.3 {
		t.Errorf("it came only %.3f m far: too little for the test", a[0])
	}
}

// Standing up and walking allocates nothing, neither in any module nor in the simulation.
func TestCyclesAllocateNothing(t *testing.T) {
	testkit.NoAllocsPerCycle(t, 1000, 5000, func(cycles int) uint64 {
		net := load(t)
		return testkit.Mallocs(func() { walkAbout(t, net, cycles/1000) })
	})
}

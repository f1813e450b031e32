package torque

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// period is that of the thread in which tests run a block.
const period = 10 * time.Millisecond

var tick = clock.Tick{Dt: period, N: 1}

// build returns a net of the block alone, which finds its files in models/.
func build(t testing.TB, b block.Block) (*diagram.Net, error) {
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: period})
	d.Add("b", b, diagram.Place{Thread: "main", Given: port.Given{Files: system.Folder(filepath.Join(testkit.Root(t), "models"))}})
	return d.Build()
}

// start builds and starts the block, to be stepped by hand.
func start(t testing.TB, b block.Block) {
	t.Helper()
	if _, err := build(t, b); err != nil {
		t.Fatal(err)
	}
	if s, ok := b.(block.Starter); ok {
		if err := s.Start(); err != nil {
			t.Fatal(err)
		}
	}
}

// run executes n activations in virtual time. before runs ahead of the block in each of them, after behind it; both get
// its number, from 0.
func run(t testing.TB, b block.Block, n int, before, after func(k int)) {
	t.Helper()
	net, err := build(t, b)
	if err != nil {
		t.Fatal(err)
	}
	step := net.Threads[0].Steps[0]
	at := func(f func(k int)) diagram.Step { return diagram.Step{Block: step.Block, Run: probe(f), Every: 1} }
	net.Threads[0].Steps = []diagram.Step{at(before), step, at(after)}
	net.Threads[0].Phases[0].End = 3
	if err := thread.New(net, thread.Options{Until: clock.At(time.Duration(n-1)*period + 1)}).RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// probe looks at the block.
type probe func(k int)

func (p probe) Step(t clock.Tick) error {
	p(int(t.N))
	return nil
}

package servo

import (
	"context"
	"io/fs"
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

// period is that of the thread in which all tests run their blocks.
const period = 10 * time.Millisecond

// rig is a net of one thread under test.
type rig struct {
	t     testing.TB
	d     *diagram.Diagram
	files fs.FS
	net   *diagram.Net
	core  *thread.Core
}

func newRig(t testing.TB) *rig {
	r := &rig{t: t, d: diagram.New("test"), files: os.DirFS(filepath.Join(testkit.Root(t), "models", "janus"))}
	r.d.Thread(diagram.Thread{Name: "main", Period: period})
	return r
}

func (r *rig) add(name string, b block.Block, links ...string) {
	r.d.Add(name, b, diagram.Place{Thread: "main", Given: port.Given{Files: r.files}})
	r.link(links...)
}

func (r *rig) link(links ...string) {
	for _, l := range links {
		r.d.Link(l)
	}
}

// run executes n activations in virtual time and returns the faults. before runs ahead of all blocks in each of them,
// after behind them; both get its number, from 0, and may be nil.
func (r *rig) run(n int, before, after func(k int)) []thread.Fault {
	r.t.Helper()
	faults, err := r.try(n, before, after)
	if err != nil && len(faults) == 0 {
		r.t.Fatal(err)
	}
	return faults
}

func (r *rig) try(n int, before, after func(k int)) ([]thread.Fault, error) {
	r.add("after", &probe{see: after})
	net, err := r.d.Build()
	if err != nil {
		return nil, err
	}
	r.net = net
	steps := net.Threads[0].Steps
	first := diagram.Step{Block: steps[len(steps)-1].Block, Run: &probe{see: before}, Every: 1}
	net.Threads[0].Steps = append([]diagram.Step{first}, steps...)
	for i := range net.Threads[0].Phases {
		net.Threads[0].Phases[i].End++
	}
	r.core = thread.New(net, thread.Options{Until: clock.At(time.Duration(n-1)*period + 1)})
	err = r.core.RunVirtual(context.Background())
	return r.core.Front().Faults(), err
}

// start builds the net and starts its blocks, to be stepped by hand.
func (r *rig) start() {
	r.t.Helper()
	net, err := r.d.Build()
	if err != nil {
		r.t.Fatal(err)
	}
	for _, b := range net.Blocks {
		if s, ok := b.Block.(block.Starter); ok {
			if err := s.Start(); err != nil {
				r.t.Fatal(err)
			}
		}
	}
}

// buildError returns why a net of the block alone cannot be built, or nothing.
func buildError(t testing.TB, b block.Block) string {
	t.Helper()
	r := newRig(t)
	r.add("b", b)
	if _, err := r.d.Build(); err != nil {
		return err.Error()
	}
	return ""
}

// probe looks at the others.
type probe struct{ see func(k int) }

func (p *probe) Step(t clock.Tick) error {
	if p.see != nil {
		p.see(int(t.N))
	}
	return nil
}

// fakeCard is a card that notes what it is asked for.
type fakeCard struct {
	Displacement block.Out[int64]

	ActuatorOn   block.Operation[block.None, block.None]
	ActuatorOff  block.Operation[block.None, block.None]
	ActuatorSet  block.Operation[float64, block.None]
	SensorRead   block.Operation[block.None, Reading]
	BrakeApply   block.Operation[block.None, block.None]
	BrakeRelease block.Operation[block.None, block.None]

	reading Reading
	volts   float64
	failure error // of sensorRead
	log     []string
}

func (c *fakeCard) Setup(*block.Setup) error {
	note := func(what string) func(block.None) (block.None, error) {
		return func(block.None) (block.None, error) {
			c.log = append(c.log, what)
			return block.None{}, nil
		}
	}
	c.ActuatorOn.Handle(note("actuatorOn"))
	c.ActuatorOff.Handle(note("actuatorOff"))
	c.BrakeApply.Handle(note("brakeApply"))
	c.BrakeRelease.Handle(note("brakeRelease"))
	c.ActuatorSet.Handle(func(v float64) (block.None, error) {
		c.volts = v
		if v == 0 {
			c.log = append(c.log, "0 V")
		}
		return block.None{}, nil
	})
	c.SensorRead.Handle(func(block.None) (Reading, error) { return c.reading, c.failure })
	return nil
}

package flow

import (
	"context"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// period is the period of the thread in which all tests run their blocks.
const period = 10 * time.Millisecond

// rig is a net of one thread under test.
type rig struct {
	t    testing.TB
	d    *diagram.Diagram
	last probe
}

func newRig(t testing.TB) *rig {
	r := &rig{t: t, d: diagram.New("test")}
	r.d.Thread(diagram.Thread{Name: "main", Period: period})
	return r
}

func (r *rig) add(name string, b block.Block, links ...string) {
	r.d.Add(name, b, diagram.Place{Thread: "main"})
	for _, l := range links {
		r.d.Link(l)
	}
}

// run executes n activations in virtual time; after all blocks of each, it calls see with the number of the
// activation, from 0. It returns the net.
func (r *rig) run(n int, see func(k int)) *diagram.Net {
	r.t.Helper()
	r.last.see = see
	r.add("probe", &r.last)
	net, err := r.d.Build()
	if err != nil {
		r.t.Fatal(err)
	}
	core := thread.New(net, thread.Options{Until: clock.At(time.Duration(n-1)*period + 1)})
	if err := core.RunVirtual(context.Background()); err != nil {
		r.t.Fatal(err)
	}
	return net
}

// start builds the net and starts its blocks; the test steps it.
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

// probe observes the other blocks.
type probe struct{ see func(k int) }

func (p *probe) Step(t clock.Tick) error {
	p.see(int(t.N))
	return nil
}

// source writes one vector in step k: the result of next.
type source struct {
	Out  block.Out[[]float64]
	next func(k int) []float64
	n    int
}

func (s *source) Setup(b *block.Setup) error {
	b.Len(max(s.n, 1), &s.Out)
	return nil
}

func (s *source) Step(t clock.Tick) error {
	if v := s.next(int(t.N)); v != nil {
		s.Out.Write(v)
	}
	return nil
}

// buildError returns the error of building a net of the block alone, or "".
func buildError(t testing.TB, b block.Block) string {
	t.Helper()
	r := newRig(t)
	r.add("b", b)
	if _, err := r.d.Build(); err != nil {
		return err.Error()
	}
	return ""
}

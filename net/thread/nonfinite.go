package thread

import (
	"fmt"
	"sync/atomic"

	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
)

// How much of a thread's outputs one activation checks for numbers that are not finite.
const (
	checkedPorts = 4   // at most
	checkedBytes = 512 // in CDR, after which it ends
)

// finiteCheck looks for NaN and infinity in the outputs of a thread: a few at the end of each activation, so that all are
// checked in turn and the cost stays the same in nets of any size. A number that is not finite for a shorter time than a turn may
// be missed.
type finiteCheck struct {
	outputs []checkedOutput
	next    int
}

// checkedOutput is an output, and where its thread reports to the front that its value is not finite.
type checkedOutput struct {
	port   *port.Port
	number *float64 // its memory, where it is one number: checked without a call
	size   int      // of its longest value in CDR
	cell   *atomic.Bool
}

// add adds the outputs of a block whose ports report into cells. Values without floating-point numbers are left out, and those that
// a message could not carry.
func (c *finiteCheck) add(b *port.Instance, cells []atomic.Bool) {
	for i, p := range b.Ports {
		if l := p.Layout(); p.Kind == port.Output && l.HasFloats() && l.Size() <= MaxValue {
			c.outputs = append(c.outputs, checkedOutput{p, p.Number(), l.Size(), &cells[i]})
		}
	}
}

// checkFinite checks the next outputs of the thread. It allocates nothing.
func (t *thread) checkFinite() {
	c := &t.finite
	for n, size := 0, 0; n < min(checkedPorts, len(c.outputs)) && size < checkedBytes; n++ {
		o := &c.outputs[c.next]
		if c.next++; c.next == len(c.outputs) {
			c.next = 0
		}
		size += o.size
		var odd bool
		if o.number != nil {
			odd = *o.number-*o.number != 0 // of NaN and the infinities that is NaN
		} else {
			odd = !o.port.Finite()
		}
		if odd != o.cell.Load() {
			o.cell.Store(odd)
		}
	}
}

// NonFinite reports whether the value of an output was NaN or infinite, or had such a number in it, when its thread last checked
// it. A thread checks at most 4 of its outputs in an activation, one after the other.
func (f *Front) NonFinite(p *port.Port) bool {
	h := f.homes[p.Block]
	return h.thread != nil && f.boundary.edges[h.thread.Index].odd[f.firstPort[p.Block]+p.Index].Load()
}

// numberWarning returns the warning that a number which enables blocks is NaN or infinite.
func numberWarning(g *diagram.NumberGate) Warning {
	blocks := fmt.Sprintf("block %q", g.Block)
	if g.Others > 0 {
		blocks += fmt.Sprintf(" and %d more", g.Others)
	}
	return Warning{
		begun: fmt.Sprintf("%s, which enables %s, is not a finite number: while it is NaN nothing there is executed", g.From.Ref(), blocks),
		ended: fmt.Sprintf("%s, which enables %s, is a finite number again", g.From.Ref(), blocks),
	}
}

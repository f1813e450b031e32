package diagram

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/port"
)

// LateInput is a linked input with the tag missing whose first value may come after the first activation of its block: it closes a
// loop, comes from another thread, or follows a block that waits for such a value. Until then the block takes it for Port.Missing.
type LateInput struct {
	Port *port.Port
	Link string // that brings the value
	Why  string // the value may come late
}

// String describes the input as in "sum.in2 counts as 0 until ctrl.out -> sum.in2 brings the first value: the link has a delay".
func (l LateInput) String() string {
	return fmt.Sprintf("%s counts as %s until %s brings the first value: %s", l.Port.Ref(), l.Port.Missing, l.Link, l.Why)
}

// lateness finds which values may be missing in the first activation of a thread.
type lateness struct {
	d    *Diagram
	into map[*placed][]*link
	of   map[half]string // why outputs may be written later than in the first activation; "": they are written then
}

// half is a block, or its Sense or Control.
type half struct {
	block *placed
	part  port.Part
}

// lateInputs sets [port.Port.Late] of all inputs with the tag missing, and returns those of them that are linked.
func (d *Diagram) lateInputs() (list []LateInput) {
	x := &lateness{d: d, into: map[*placed][]*link{}, of: map[half]string{}}
	for _, l := range d.links {
		if b := d.byName[l.To.Block]; b != nil && l.to != nil {
			x.into[b] = append(x.into[b], l)
		}
	}
	for _, b := range d.blocks {
		for _, p := range b.Ports {
			if p.Missing == "" {
				continue
			}
			linked := false
			p.Late = false
			for _, l := range x.into[b] {
				if l.to != p {
					continue
				}
				linked = true
				if why := x.ofLink(l); why != "" && !p.Late {
					p.Late = true
					list = append(list, LateInput{p, l.String(), why})
				}
			}
			p.Late = p.Late || !linked
		}
	}
	return list
}

// ofLink returns why the first value of a link may come later than in the first activation of its target; "": it comes then.
func (x *lateness) ofLink(l *link) string {
	from, to := x.d.byName[l.From.Block], x.d.byName[l.To.Block]
	switch {
	case l.from == nil || from == nil:
		return "it comes from a program"
	case l.Delay:
		return "the link has a delay"
	case from.thread != to.thread:
		return fmt.Sprintf("it comes from thread %q", from.thread.Name)
	case l.Every > 1:
		return "the link carries only some values"
	}
	return x.ofOutput(half{from, l.from.Part})
}

// ofOutput returns why outputs may be written later than in the first activation of their thread. Those of Sense do not wait for inputs of
// Control. An input with the tag missing holds them up only where none is on time.
func (x *lateness) ofOutput(h half) (why string) {
	if known, done := x.of[h]; done {
		return known
	}
	x.of[h] = "" // a loop adds nothing
	b := h.block
	if b.Every > 1 && b.Offset > 0 {
		why = fmt.Sprintf("block %q runs first in activation %d", b.Name, b.Offset)
	}
	optional, onTime := "", false
	for _, l := range x.into[b] {
		if h.part == port.Sense && l.to.Part == port.Control {
			continue
		}
		reason := x.ofLink(l)
		switch {
		case l.to.Block.IsGate(l.to) && l.to != b.Trigger:
			why = fmt.Sprintf("block %q runs while it is enabled", b.Name)
		case l.to == b.Trigger:
			why = fmt.Sprintf("block %q runs when its group is triggered", b.Name)
		case l.to.Missing != "" && reason == "":
			onTime = true
		case reason == "":
		case l.to.Missing != "":
			optional = reason
		case why == "":
			why = fmt.Sprintf("block %q may wait for %s: %s", b.Name, l.to.Name, reason)
		}
	}
	if why == "" && optional != "" && !onTime {
		why = fmt.Sprintf("block %q may have no input: %s", b.Name, optional)
	}
	x.of[h] = why
	return why
}

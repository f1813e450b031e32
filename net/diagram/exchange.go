package diagram

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/port"
)

// Exchange states which values an activation reads over a link.
type Exchange string

// The kinds of exchange.
const (
	SameActivation     Exchange = "activation" // within a thread: what its source wrote in this activation, or holds
	PreviousActivation Exchange = "previous"   // within a thread: what its source held at the end of the previous activation
	ByTick             Exchange = "tick"       // between threads that keep one time: what the sender completed a period before
	DirectTick         Exchange = "direct"     // between such threads: the value of the same tick, for which the reader waits
	NewestValue        Exchange = "newest"     // between other threads, or by choice: what is there
	EachValue          Exchange = "buffered"   // all values, in order
	EachEvent          Exchange = "event"      // all events, in order
)

// exchange returns which values a link carries: how many of them before which.
func (d *Diagram) exchange(l *link, g *exchange.Grid) Exchange {
	from, to := d.byName[l.From.Block], d.byName[l.To.Block]
	switch {
	case l.from != nil && l.from.Kind == port.Event:
		return EachEvent
	case l.Buffer > 0:
		return EachValue
	case g != nil && g.Direct:
		return DirectTick
	case g != nil:
		return ByTick
	case from == nil || to == nil || from.thread != to.thread:
		return NewestValue
	case l.Delay:
		return PreviousActivation
	}
	return SameActivation
}

// Ticks returns how many periods of its reader old the values are that a link by tick carries; 0 where that is not one whole number.
func (l *LinkPlan) Ticks() int {
	if l.Grid == nil || l.Grid.Direct {
		return 0
	}
	if least, most := l.Grid.Delay(); least == most && least%l.Grid.Reader.Period == 0 {
		return int(least / l.Grid.Reader.Period)
	}
	return 0
}

// Reads describes which values an activation reads over the link, how old they are, how they are encoded, and with which priority between hosts.
func (l *LinkPlan) Reads() string {
	text := l.chosen()
	if l.Encode != nil {
		text += "; encoded: " + l.Encode.String()
	}
	if l.Priority > 0 {
		text += fmt.Sprintf("; priority %d", l.Priority)
	}
	return text
}

// chosen describes which values an activation reads over the link, and how old they are.
func (l *LinkPlan) chosen() string {
	switch l.Exchange {
	case EachEvent:
		return "each event, in order"
	case EachValue:
		return fmt.Sprintf("each value, in order; at most %d wait", l.Buffer)
	case SameActivation:
		return "the value of this activation"
	case PreviousActivation:
		return "the value of the previous activation"
	case DirectTick:
		return fmt.Sprintf("direct: of the same tick, %s; the reader waits at most %v", l.age(), l.Grid.Wait)
	case ByTick:
		return "by tick: " + l.age()
	}
	return "the newest value"
}

// age describes how old the values of a link by tick are when they are read.
func (l *LinkPlan) age() string {
	least, most := l.Grid.Delay()
	switch n := l.Ticks(); {
	case most > least:
		return fmt.Sprintf("%v to %v old", least, most)
	case n == 1:
		return fmt.Sprintf("%v old (1 tick of its reader)", least)
	case n > 1:
		return fmt.Sprintf("%v old (%d ticks of its reader)", least, n)
	}
	return fmt.Sprintf("%v old", least)
}

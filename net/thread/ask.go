package thread

import (
	"encoding/binary"
	"fmt"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// SetParams asks to change parameters of one block, all of them between the same two steps or none. The values are
// CDR, each of its parameter's layout, and were checked against the bounds by the caller.
func (f *Front) SetParams(b *block.Instance, values map[*block.Parameter][]byte) *Request {
	var payload []byte
	for i, p := range b.Params {
		if v, ok := values[p]; ok {
			payload = binary.LittleEndian.AppendUint16(payload, uint16(i))
			payload = binary.LittleEndian.AppendUint32(payload, uint32(len(v)))
			payload = append(payload, v...)
		}
	}
	return f.ask(b, askSetParams, 0, payload)
}

// Param asks for the present value of a parameter that is not fixed.
func (f *Front) Param(b *block.Instance, p *block.Parameter) *Request {
	for i, q := range b.Params {
		if q == p {
			return f.ask(b, askGetParam, i, nil)
		}
	}
	panic(fmt.Sprintf("thread: %q is no parameter of %q", p.Name, b.Name))
}

// Call asks to run an operation with arguments in CDR.
func (f *Front) Call(b *block.Instance, op *block.OperationInfo, args []byte) *Request {
	for i, o := range b.Operations {
		if o == op {
			return f.ask(b, askCall, i, args)
		}
	}
	panic(fmt.Sprintf("thread: %q is no operation of %q", op.Name, b.Name))
}

// Feed asks to give a port a value by hand: an input or output keeps it until it is released, an event happens, a handler gets
// one. An error of its block releases an output.
func (f *Front) Feed(p *block.Port, cdr []byte) *Request {
	return f.ask(p.Block, askFeed, p.Index, cdr)
}

// Release asks to end what Feed began.
func (f *Front) Release(p *block.Port) *Request { return f.ask(p.Block, askRelease, p.Index, nil) }

// Read asks for the present value of a port. The answer is the port's count in 8 bytes, then the value in CDR.
func (f *Front) Read(p *block.Port) *Request { return f.ask(p.Block, askRead, p.Index, nil) }

// Reset asks to let a block that is in error run again.
func (f *Front) Reset(b *block.Instance) *Request { return f.ask(b, askReset, 0, nil) }

// Sample is one value of a tapped port.
type Sample struct {
	Port  *block.Port
	Time  clock.Time // nominal time of the activation
	Count uint32     // of values at the port so far: a gap shows what was left out
	CDR   []byte     // valid during the call
}

// Tap is a port whose values the front gets. End it when they are not needed any longer.
type Tap struct {
	front  *Front
	port   *block.Port
	sink   func(Sample)
	thread int
	place  int
}

// Tap makes sink get what is new at a port, at most once in every activations; of events it gets all since then, at most
// [block.MaxPendingEvents]. With log the samples take the
// recorder's ring, and sink runs on the recorder's goroutine; else it runs on the goroutine that moves messages and
// must be quick. What finds no room in the ring is lost and counted.
func (f *Front) Tap(p *block.Port, every int, log bool, sink func(Sample)) (*Tap, error) {
	h, ok := f.homes[p.Block]
	if !ok {
		panic(fmt.Sprintf("thread: port %s is not of this net", p.Ref()))
	}
	t := &Tap{front: f, port: p, sink: sink, thread: h.thread.Index}
	f.mu.Lock()
	list := f.taps[t.thread]
	for t.place < len(list) && list[t.place] != nil {
		t.place++
	}
	if t.place == MaxTaps {
		f.mu.Unlock()
		return nil, fmt.Errorf("tap %s: thread %q has %d taps already", p.Ref(), h.thread.Name, MaxTaps)
	}
	if t.place == len(list) {
		list = append(list, nil)
	}
	list[t.place] = t
	f.taps[t.thread] = list
	f.mu.Unlock()
	f.ask(p.Block, askTap, p.Index, newTapOrder(t.place, uint32(every), log))
	return t, nil
}

// End ends the tap. A sample that is under way may still come.
func (t *Tap) End() {
	t.front.ask(t.port.Block, askUntap, t.place, nil)
	t.front.mu.Lock()
	defer t.front.mu.Unlock()
	t.front.taps[t.thread][t.place] = nil
}

// pollSamples gives the samples of a ring to their taps.
func (f *Front) pollSamples(thread int, ring *lockfree.Ring) (any bool) {
	for {
		s := sample(ring.Next())
		if s == nil {
			return any
		}
		any = true
		f.mu.Lock()
		var k *Tap
		if list := f.taps[thread]; s.tap() < len(list) {
			k = list[s.tap()]
		}
		f.mu.Unlock()
		if k != nil {
			k.sink(Sample{Port: k.port, Time: s.time(), Count: s.count(), CDR: s.cdr()})
		}
		ring.Release()
	}
}

// pollLog gives the recorder what waits for it.
func (f *Front) pollLog() {
	for i, e := range f.boundary.edges {
		f.pollSamples(i, e.log)
	}
}

// logIsFilling reports whether a ring of the log is more than a quarter full.
func (f *Front) logIsFilling() bool {
	for _, e := range f.boundary.edges {
		if e.log.Fill() > 0.25 {
			return true
		}
	}
	return false
}

package thread

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// SetParams requests a change of parameters of one block: either all change between the same two steps, or none. The values are
// CDR in the layout of each parameter; the caller has checked them against the bounds. [FormerParams] reads the answer.
func (f *Front) SetParams(b *port.Instance, values map[*port.Parameter][]byte) *Request {
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

// FormerParams returns the values that the parameters of a block had before SetParams, from its answer.
func FormerParams(b *port.Instance, answer []byte) map[*port.Parameter][]byte {
	former := map[*port.Parameter][]byte{}
	for len(answer) >= paramHeader {
		index, n := int(binary.LittleEndian.Uint16(answer)), int(binary.LittleEndian.Uint32(answer[2:]))
		answer = answer[paramHeader:]
		if index >= len(b.Params) || n > len(answer) {
			return former // no answer of a sound core
		}
		former[b.Params[index]], answer = answer[:n], answer[n:]
	}
	return former
}

// Param requests the present value of a parameter that is not fixed, in CDR.
func (f *Front) Param(b *port.Instance, p *port.Parameter) *Request {
	for i, q := range b.Params {
		if q == p {
			return f.ask(b, askGetParam, i, nil)
		}
	}
	panic(fmt.Sprintf("thread: %q is no parameter of %q", p.Name, b.Name))
}

// Call asks to run an operation with arguments in CDR.
func (f *Front) Call(b *port.Instance, op *port.Operation, args []byte) *Request {
	for i, o := range b.Operations {
		if o == op {
			return f.ask(b, askCall, i, args)
		}
	}
	panic(fmt.Sprintf("thread: %q is no operation of %q", op.Name, b.Name))
}

// Feed requests that a port take a value: an input or output keeps it until it is released, an event is emitted once, a handler
// receives one event. An output is also released when its block goes into error.
func (f *Front) Feed(p *port.Port, cdr []byte) *Request {
	return f.ask(p.Block, askFeed, p.Index, cdr)
}

// FeedFor is Feed for a limited time: the thread releases the port unless it is fed again within that time, even if the front
// has ended. The answer is one byte, 1 if the port was not held by a FeedFor before. At most [MaxHeld] ports of a thread can be
// held; more are an error.
func (f *Front) FeedFor(p *port.Port, cdr []byte, lasts time.Duration) *Request {
	return f.askFor(p.Block, askFeed, p.Index, cdr, max(lasts, 1))
}

// OnRelease calls released for every port that is released because its time expired, on the goroutine that moves messages:
// released must not block.
func (f *Front) OnRelease(released func(*port.Port)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.released = append(f.released, released)
}

// noteRelease notifies the watchers of OnRelease that a thread has let go of a port.
func (f *Front) noteRelease(blocks []*port.Instance, r reply) {
	if int(r.number()) >= len(blocks) || len(r.payload()) != 4 {
		f.wrong.Add(1)
		return
	}
	ports, i := blocks[r.number()].Ports, int(binary.LittleEndian.Uint32(r.payload()))
	if i >= len(ports) {
		f.wrong.Add(1)
		return
	}
	f.mu.Lock()
	released := f.released
	f.mu.Unlock()
	for _, notify := range released {
		notify(ports[i])
	}
}

// Release requests that a port no longer hold the value of Feed or FeedFor.
func (f *Front) Release(p *port.Port) *Request { return f.ask(p.Block, askRelease, p.Index, nil) }

// Read requests the present value of a port. The answer is the port's count and the value's age in ns, 8 bytes each, then the value in CDR.
func (f *Front) Read(p *port.Port) *Request { return f.ask(p.Block, askRead, p.Index, nil) }

// Reset requests that a block in error run again.
func (f *Front) Reset(b *port.Instance) *Request { return f.ask(b, askReset, 0, nil) }

// Sample is one value of a tapped port.
type Sample struct {
	Port  *port.Port
	Time  clock.Time // nominal time of the activation
	Since clock.Time // when the value of an input or output was acquired or written; of another port, Time
	Count uint32     // of values at the port so far: a gap shows what was left out
	CDR   []byte     // valid during the call
}

// Tap is a subscription to the values of a port. End it when they are no longer needed.
type Tap struct {
	front  *Front
	port   *port.Port
	sink   func(Sample)
	thread int
	place  int
	ended  bool // the front is locked
}

// Tap calls sink with new values of a port, at most once in every activations; of an event, with all since the last call, at
// most [port.MaxPendingEvents]. If log is true the samples go through the recorder's ring and sink runs on the recorder's
// goroutine; otherwise it runs on the goroutine that moves messages and must not block. Of samples that find a full ring,
// those of the log are dropped and counted, others only where a newer value has taken their place: see [Losses]. It
// fails if the thread has [MaxTaps] taps.
func (f *Front) Tap(p *port.Port, every int, log bool, sink func(Sample)) (*Tap, error) {
	h, ok := f.homes[p.Block]
	if !ok {
		panic(fmt.Sprintf("thread: port %s is not of this net", p.Ref()))
	}
	t := &Tap{front: f, port: p, sink: sink, thread: h.thread.Index}
	if f.activity != nil {
		return t, f.activity.tap(h, t)
	}
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
	if r := f.ask(p.Block, askTap, p.Index, newTapOrder(t.place, uint32(every), log)); r.Ready() {
		if _, err := r.Result(); err != nil && !errors.Is(err, ErrStopped) {
			t.drop()
			return nil, fmt.Errorf("tap %s: %w", p.Ref(), err)
		}
	}
	return t, nil
}

// End ends the tap. A sample that is already on its way may still arrive.
func (t *Tap) End() {
	f := t.front
	if f.activity != nil {
		f.activity.untap(t)
		return
	}
	f.mu.Lock()
	ended := t.ended
	t.ended = true
	f.mu.Unlock()
	if ended || t.untap() {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ending = append(f.ending, t)
	f.untapping.Store(true)
}

// untap requests that the thread forget the tap, and frees its place. It reports false if the thread's mailbox is full: the thread
// would go on sampling, so the tap keeps its place until the request is taken.
func (t *Tap) untap() bool {
	if r := t.front.ask(t.port.Block, askUntap, t.place, nil); r.Ready() {
		if _, err := r.Result(); errors.Is(err, errFull) {
			return false
		}
	}
	t.drop()
	return true
}

// retryUntaps ends the taps whose threads had a full mailbox.
func (f *Front) retryUntaps() {
	f.mu.Lock()
	list := f.ending
	f.ending = nil
	f.untapping.Store(false)
	f.mu.Unlock()
	list = slices.DeleteFunc(list, (*Tap).untap)
	if len(list) == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ending = append(f.ending, list...)
	f.untapping.Store(true)
}

// drop frees the tap's place in the front.
func (t *Tap) drop() {
	t.front.mu.Lock()
	defer t.front.mu.Unlock()
	t.front.taps[t.thread][t.place] = nil
}

// pollSamples gives the samples of a ring to their taps.
func (f *Front) pollSamples(thread int, ring *lockfree.Ring) (any bool) {
	for range maxPolled {
		s := sample(ring.Next())
		if s == nil {
			return any
		}
		any = true
		if k := f.tapOf(thread, s); k != nil {
			k.sink(Sample{Port: k.port, Time: s.time(), Since: s.since(), Count: s.count(), CDR: s.cdr()})
		}
		ring.Release()
	}
	return any
}

// tapOf returns the tap that a sample is for, or nil: it may have ended, or the sample is none of a sound core.
func (f *Front) tapOf(thread int, s sample) *Tap {
	if len(s) < sampleHeader {
		f.wrong.Add(1)
		return nil
	}
	place := s.tap()
	f.mu.Lock()
	defer f.mu.Unlock()
	if place >= len(f.taps[thread]) || f.taps[thread][place] == nil {
		return nil
	}
	k := f.taps[thread][place]
	if k.ended {
		return nil
	}
	if k.port.Layout().Check(s.cdr()) != nil {
		f.wrong.Add(1)
		return nil
	}
	return k
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
		if !e.log.Empty() && e.log.Fill() > 0.25 {
			return true
		}
	}
	return false
}

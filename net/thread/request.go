package thread

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// How long the front waits for a thread, and how much of a thread's mailbox is for what cannot wait.
const (
	requestPatience = 5 * time.Second       // or the thread's watchdog, and a period, until the thread refuses what it has not begun
	requestSlack    = 50 * time.Millisecond // and another period, until the front knows that it does
	ordinaryFill    = 0.75                  // of a mailbox; beyond it only taps and urgent requests are taken
	tapFill         = 0.9                   // of a mailbox, where MaxTaps find room; beyond it only urgent requests are taken
)

var errFull = errors.New("is full: ask again when it runs")

// admission returns how full a mailbox may be for a request, and whether the request is also sent to a thread that hangs: what makes a
// robot safe, and taps, which hold for good. Every user may tap, so taps leave room for the others.
func admission(kind uint8) (fill float64, whileHung bool) {
	switch kind {
	case askFeed, askRelease, askReset, askUntapAll:
		return 1, true
	case askTap, askUntap:
		return tapFill, true
	}
	return ordinaryFill, false
}

// Request is a request to a thread; its answer may still be on the way.
type Request struct {
	done   chan struct{}
	value  []byte
	err    error
	front  *Front
	key    openKey
	thread string
	until  clock.Time // of the system, when it is given up; 0: never
}

// openKey names a request that is under way.
type openKey struct {
	thread int
	number uint32
}

// Done returns a channel that is closed when the answer has arrived.
func (r *Request) Done() <-chan struct{} { return r.done }

// Ready reports whether the answer has arrived.
func (r *Request) Ready() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// Result waits for the answer and returns it: a value in CDR, nothing, or an error.
func (r *Request) Result() ([]byte, error) {
	<-r.done
	return r.value, r.err
}

// Await waits for the answer as Result does, until the context ends.
func (r *Request) Await(ctx context.Context) ([]byte, error) {
	select {
	case <-r.done:
		return r.value, r.err
	case <-ctx.Done():
		r.front.forget(r.key)
		return nil, fmt.Errorf("no answer from thread %q: %w", r.thread, ctx.Err())
	}
}

// ask sends a request to the thread of a block.
func (f *Front) ask(b *port.Instance, kind uint8, item int, payload []byte) *Request {
	return f.askFor(b, kind, item, payload, 0)
}

// askFor is ask for a value by hand that lasts for a time.
func (f *Front) askFor(b *port.Instance, kind uint8, item int, payload []byte, lasts time.Duration) *Request {
	h, ok := f.homes[b]
	if !ok {
		panic(fmt.Sprintf("thread: block %q is not of this net", b.Name))
	}
	if f.activity != nil {
		r := &Request{done: make(chan struct{}), front: f, thread: h.thread.Name}
		message := newRequest(kind, 0, h.index, item, payload)
		message.setLasts(lasts)
		r.finish(f.activity.answer(h, message))
		return r
	}
	now := f.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next++
	r := &Request{done: make(chan struct{}), front: f, key: openKey{h.thread.Index, f.next}, thread: h.thread.Name}
	e := f.boundary.edges[h.thread.Index]
	message := newRequest(kind, f.next, h.index, item, payload)
	message.setLasts(lasts)
	if kind != askTap && kind != askUntap { // those hold for good
		until := now.Add(max(f.patience, h.thread.Patience()) + h.thread.Period)
		message.setUntil(until)
		r.until = until.Add(requestSlack + h.thread.Period) // the nominal time of the thread may be a period behind
	}
	code := e.counters.hung.Load()
	fill, whileHung := admission(kind)
	switch {
	case f.isHalted():
		r.finish(nil, ErrStopped)
	case len(payload) > largestValue(h.thread):
		r.finish(nil, fmt.Errorf("%d bytes are too many: a value has at most %d", len(payload), largestValue(h.thread)))
	case hangs(code) && !whileHung:
		r.finish(nil, fmt.Errorf("%s: it answers nothing until it goes on", hang(h.thread, code)))
	case e.mailbox.Fill() > fill, !e.mailbox.Put(message):
		r.finish(nil, fmt.Errorf("the mailbox of thread %q %w", h.thread.Name, errFull))
	default:
		f.open[r.key] = r
		f.asked.Store(true)
		if h.thread.Triggered {
			e.wake.Wake()
		}
	}
	return r
}

func (r *Request) finish(value []byte, err error) {
	r.value, r.err = value, err
	close(r.done)
}

func (f *Front) forget(k openKey) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.open, k)
}

// giveUp ends the requests whose deadline has passed; their threads reject them as well.
func (f *Front) giveUp(now clock.Time) (any bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for key, r := range f.open {
		if r.until == 0 || now <= r.until {
			continue
		}
		why := fmt.Sprintf("thread %q", r.thread)
		if code := f.boundary.edges[key.thread].counters.hung.Load(); code != 0 {
			why = hang(f.net.Threads[key.thread], code)
		}
		r.finish(nil, fmt.Errorf("%s: no answer in time; what the thread has not begun is dropped", why))
		delete(f.open, key)
		any = true
	}
	f.asked.Store(len(f.open) > 0)
	return any
}

func (f *Front) pollReplies(thread int) (any bool) {
	replies, plan := f.boundary.edges[thread].replies, f.net.Threads[thread]
	for range maxPolled {
		r := reply(replies.Next())
		if r == nil {
			return any
		}
		any = true
		switch {
		case len(r) < replyHeader:
			f.wrong.Add(1)
		case r.kind() == noteFault:
			if n := r.number(); int(n) < len(plan.Blocks) {
				f.note(Fault{Block: plan.Blocks[n].Name, Time: f.Now(), Why: string(r.payload())})
			} else {
				f.wrong.Add(1)
			}
		case r.kind() == noteTrouble && int(r.number()) < len(plan.Blocks):
			f.noteTrouble(plan.Blocks[r.number()].Name, string(r.payload()))
		case r.kind() == noteLine:
			f.noteLine(thread, r.payload())
		case r.kind() == noteRelease:
			f.noteRelease(plan.Blocks, r)
		default:
			f.finishRequest(thread, r)
		}
		replies.Release()
	}
	return any
}

// maxPolled bounds how many records of a ring the front takes at once, so that a core that goes on writing does not hold it.
const maxPolled = 1 << 16

func (f *Front) finishRequest(thread int, r reply) {
	key := openKey{thread, r.number()}
	f.mu.Lock()
	open := f.open[key]
	delete(f.open, key)
	f.mu.Unlock()
	switch {
	case open == nil: // no caller waits for it
	case r.kind() == answerOK:
		open.finish(append([]byte(nil), r.payload()...), nil)
	default:
		open.finish(nil, errors.New(strings.ToValidUTF8(string(r.payload()), "?")))
	}
}

package thread

import (
	"context"
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
)

// Request is a question that a thread has not answered yet.
type Request struct {
	done   chan struct{}
	value  []byte
	err    error
	front  *Front
	key    openKey
	thread string
}

// openKey names a request that is under way.
type openKey struct {
	thread int
	number uint32
}

// Done returns a channel that is closed when the answer is there.
func (r *Request) Done() <-chan struct{} { return r.done }

// Ready reports whether the answer is there.
func (r *Request) Ready() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// Result returns the answer: a value in CDR, or nothing, or an error. It waits until there is one.
func (r *Request) Result() ([]byte, error) {
	<-r.done
	return r.value, r.err
}

// Await is Result with an end: the context's, or that of the system.
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
func (f *Front) ask(b *block.Instance, kind uint8, item int, payload []byte) *Request {
	h, ok := f.homes[b]
	if !ok {
		panic(fmt.Sprintf("thread: block %q is not of this net", b.Name))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next++
	r := &Request{done: make(chan struct{}), front: f, key: openKey{h.thread.Index, f.next}, thread: h.thread.Name}
	e := f.boundary.edges[h.thread.Index]
	switch {
	case f.isHalted():
		r.finish(nil, ErrStopped)
	case len(payload) > MaxValue:
		r.finish(nil, fmt.Errorf("%d bytes are too many: a value has at most %d", len(payload), MaxValue))
	case !e.mailbox.Put(newRequest(kind, f.next, h.index, item, payload)):
		r.finish(nil, fmt.Errorf("the mailbox of thread %q is full: ask again when it runs", h.thread.Name))
	default:
		f.open[r.key] = r
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

func (f *Front) pollReplies(thread int) (any bool) {
	replies, plan := f.boundary.edges[thread].replies, f.net.Threads[thread]
	for {
		r := reply(replies.Next())
		if r == nil {
			return any
		}
		any = true
		switch r.kind() {
		case noteFault:
			f.note(Fault{Block: plan.Blocks[r.number()].Name, Time: f.Now(), Why: string(r.payload())})
		default:
			f.finishRequest(thread, r)
		}
		replies.Release()
	}
}

func (f *Front) finishRequest(thread int, r reply) {
	key := openKey{thread, r.number()}
	f.mu.Lock()
	open := f.open[key]
	delete(f.open, key)
	f.mu.Unlock()
	switch {
	case open == nil: // nobody waits any longer
	case r.kind() == answerOK:
		open.finish(append([]byte(nil), r.payload()...), nil)
	default:
		open.finish(nil, errors.New(string(r.payload())))
	}
}

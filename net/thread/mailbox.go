package thread

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// What a thread answers to a request that makes no sense. The front checks before it asks, so these show a mistake
// in the front or a system that changed meanwhile.
var (
	errNoSuchItem = errors.New("the thread does not know this block, port, parameter or operation")
	errTooMany    = errors.New("too many taps in this thread")
)

// serveMail answers at most n requests.
func (t *thread) serveMail(n int) {
	for range n {
		r := request(t.edge.mailbox.Next())
		if r == nil {
			return
		}
		n, err := t.answer(r)
		number := r.number()
		t.edge.mailbox.Release()
		if err != nil {
			putText(t.edge.replies, answerError, number, err.Error())
		} else {
			putReply(t.edge.replies, answerOK, number, t.scratch[:n])
		}
	}
}

// answer does what a request asks and leaves the value it asks for in t.scratch.
func (t *thread) answer(r request) (n int, err error) {
	if r.kind() == askUntapAll {
		t.taps.removeAll()
		return 0, nil
	}
	if r.block() >= len(t.states) {
		return 0, errNoSuchItem
	}
	s := &t.states[r.block()]
	switch r.kind() {
	case askReset:
		t.reset(s)
		return 0, nil
	case askSetParams:
		return 0, t.setParams(s.inst, r.payload())
	case askGetParam:
		if r.item() >= len(s.inst.Params) {
			return 0, errNoSuchItem
		}
		return s.inst.Params[r.item()].Encode(t.scratch), nil
	case askCall:
		return t.call(s.inst, r)
	case askUntap:
		t.taps.remove(r.item())
		return 0, nil
	}
	if r.item() >= len(s.inst.Ports) {
		return 0, errNoSuchItem
	}
	p := s.inst.Ports[r.item()]
	switch r.kind() {
	case askFeed, askRelease:
		err = t.feed(s, p, r)
	case askRead:
		binary.LittleEndian.PutUint64(t.scratch, *p.Count())
		n = 8 + p.Encode(t.scratch[8:])
	case askTap:
		err = t.taps.add(r.payload(), p)
	}
	return n, err
}

// feed gives a port a value by hand, or releases it. A panic in a function that handles an event at once puts the block in error.
func (t *thread) feed(s *blockState, p *block.Port, r request) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = errHandlerPanicked
			t.fault(s, fmt.Sprintf("panic while an event was given by hand: %v (%s)", v, panicSite()))
		}
	}()
	if r.kind() == askRelease {
		p.Release()
	} else if err = p.Feed(r.payload()); err != nil {
		return err
	}
	t.tellHands(s)
	t.lookAtAll(s)
	if p == s.inst.Enable {
		s.tellEnabled(s.inst.Enabled())
	}
	return nil
}

var errHandlerPanicked = errors.New("the handler of the event panicked: the block is in error")

// lookAtAll looks again at the steps of a block.
func (t *thread) lookAtAll(s *blockState) {
	for i := range t.steps {
		if t.steps[i].state == s {
			t.lookAgain(&t.steps[i])
		}
	}
}

// serveCalls runs the operations that blocks of other threads and processes call. A panic in one puts its block in error.
func (t *thread) serveCalls() {
	for i := range t.plan.Requests {
		t.serveCall(&t.plan.Requests[i])
	}
}

func (t *thread) serveCall(r *diagram.Request) {
	defer func() {
		if p := recover(); p != nil {
			for i := range t.states {
				if t.states[i].inst == r.Block {
					t.fault(&t.states[i], fmt.Sprintf("panic in an operation: %v (%s)", p, panicSite()))
				}
			}
		}
	}()
	r.Serve()
}

// call runs an operation. A panic in it puts the block in error.
func (t *thread) call(b *block.Instance, r request) (n int, err error) {
	if r.item() >= len(b.Operations) {
		return 0, errNoSuchItem
	}
	defer func() {
		if p := recover(); p != nil {
			n, err = 0, errOperationPanicked
			t.fault(&t.states[r.block()], "panic in an operation: "+panicSite())
		}
	}()
	return b.Operations[r.item()].Serve(r.payload(), t.scratch)
}

var errOperationPanicked = errors.New("the operation panicked: the block is in error")

// setParams sets several parameters at once: for each its index (2 bytes), the length of its value (4 bytes) and the
// value in CDR. Where one of them, or the block's own check, refuses, none is changed.
func (t *thread) setParams(b *block.Instance, payload []byte) error {
	err := t.exchangeParams(b, payload)
	if err == nil {
		if checker, ok := b.Block.(block.ParamChecker); ok {
			if err = checker.CheckParams(); err != nil {
				_ = t.exchangeParams(b, payload) // what was there before was accepted before
			}
		}
	}
	return err
}

// paramHeader precedes each value in the payload of askSetParams.
const paramHeader = 6

// exchangeParams puts the values of the payload into the parameters and the parameters' former values into the
// payload: once more takes it back.
func (t *thread) exchangeParams(b *block.Instance, payload []byte) error {
	for rest := payload; len(rest) > 0; {
		if len(rest) < paramHeader {
			return errNoSuchItem
		}
		index, n := int(binary.LittleEndian.Uint16(rest)), int(binary.LittleEndian.Uint32(rest[2:]))
		if index >= len(b.Params) || paramHeader+n > len(rest) || n > len(t.scratch) {
			return errNoSuchItem
		}
		p, value := b.Params[index], rest[paramHeader:paramHeader+n]
		if p.Fixed || p.Layout.Size() != n {
			return errNoSuchItem
		}
		p.Encode(t.scratch)
		if err := p.Decode(value); err != nil {
			return err
		}
		copy(value, t.scratch[:n])
		rest = rest[paramHeader+n:]
	}
	return nil
}

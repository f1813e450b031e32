package thread

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/internal/panics"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
)

// The answers of a thread to requests that make no sense. The front checks before it asks, so these show a mistake
// in the front or a system that changed meanwhile.
var (
	errNoSuchItem = errors.New("the thread does not know this block, port, parameter or operation")
	errTooMany    = errors.New("too many taps in this thread")
	errTooLarge   = errors.New("the value is larger than an answer may be: link the port instead of asking for it")
	errTooLate    = errors.New("the thread came to the request too late: nothing was done")
)

const readHead = 16 // bytes before a port's value in an answer

// serveMail answers at most n requests. Those whose time is over at now are refused.
func (t *thread) serveMail(n int, now clock.Time) {
	for range n {
		if t.edge.mailbox.Empty() {
			return
		}
		r, ok := t.takeMail()
		if !ok {
			return
		}
		if r == nil {
			continue
		}
		n, err := 0, errTooLate
		if until := r.until(); until == 0 || now <= until {
			t.serving = 1 + r.block()
			n, err = t.answer(r, now)
			t.serving = 0
		}
		if err != nil {
			putText(t.edge.replies, answerError, r.number(), err.Error())
		} else {
			putReply(t.edge.replies, answerOK, r.number(), t.scratch[:n])
		}
	}
}

// takeMail takes the next message out of the memory that the front may write to at any time; ok is false if there is none,
// and the message is nil where it has an impossible length.
func (t *thread) takeMail() (r request, ok bool) {
	box := t.edge.mailbox
	b := box.Next()
	if b == nil {
		if n := box.Damaged(); n != t.damaged {
			t.counters.damaged.Add(n - t.damaged)
			t.damaged = n
		}
		return nil, false
	}
	if len(b) >= requestHeader && len(b) <= len(t.mail) {
		r = t.mail[:copy(t.mail, b)]
	} else {
		t.counters.damaged.Add(1)
	}
	box.Release()
	return r, true
}

// answer does what a request asks and leaves the value it asks for in t.scratch.
func (t *thread) answer(r request, now clock.Time) (n int, err error) {
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
		if err := t.setParams(s, r.payload()); err != nil {
			return 0, err
		}
		return copy(t.scratch, r.payload()), nil
	case askGetParam:
		if r.item() >= len(s.inst.Params) || s.inst.Params[r.item()].Layout == nil {
			return 0, errNoSuchItem
		}
		if s.inst.Params[r.item()].Layout.Size() > len(t.scratch) {
			return 0, errTooLarge
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
		return t.feed(s, p, r, now)
	case askExcite:
		runs, err := t.beginExcitation(s, p, r, now)
		t.scratch[0] = 0
		if runs {
			t.scratch[0] = 1
		}
		return 1, err
	case askRead:
		if p.Size() > len(t.scratch)-readHead {
			return 0, errTooLarge
		}
		binary.LittleEndian.PutUint64(t.scratch, *p.Count())
		binary.LittleEndian.PutUint64(t.scratch[8:], uint64(p.Age()))
		n = readHead + p.Encode(t.scratch[readHead:])
	case askTap:
		err = t.taps.add(r.payload(), p)
	}
	return n, err
}

// feed gives a port a value by hand, or releases it. The answer to a value that lasts for a time is one byte: 1 where it was
// not held the port yet. A panic in a function that handles an event at once puts the block in error.
func (t *thread) feed(s *blockState, p *port.Port, r request, now clock.Time) (n int, err error) {
	defer func() {
		if v := recover(); v != nil {
			n, err = 0, errHandlerPanicked
			t.fault(s, panicText("panic while an event was given by hand", v))
		}
	}()
	lasts := r.lasts()
	if lasts > 0 && !t.canHold(p) {
		return 0, errTooManyHeld
	}
	if r.kind() == askRelease {
		p.Release()
	} else if err = p.Feed(r.payload()); err != nil {
		return 0, err
	}
	t.handsChanged(s, p)
	if lasts == 0 {
		t.forget(p)
		return 0, nil
	}
	t.scratch[0] = 0
	if t.hold(s, p, now.Add(lasts)) {
		t.scratch[0] = 1
	}
	return 1, nil
}

// handsChanged is what follows when a port was given a value by hand, or was released.
func (t *thread) handsChanged(s *blockState, p *port.Port) {
	t.reportHands(s)
	t.lookAtAll(s)
	if s.inst.IsGate(p) && p != s.inst.Trigger {
		s.reportEnabled(s.inst.Enabled())
	}
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
	for i := range t.plan.Services {
		t.serving = t.callees[i]
		t.serveCall(&t.plan.Services[i])
		t.serving = 0
	}
}

func (t *thread) serveCall(s *diagram.Service) {
	defer func() {
		if p := recover(); p != nil {
			for i := range t.states {
				if t.states[i].inst == s.Block {
					t.fault(&t.states[i], panicText("panic in an operation", p))
				}
			}
		}
	}()
	s.Serve()
}

// call runs an operation. A panic in it puts the block in error.
func (t *thread) call(b *port.Instance, r request) (n int, err error) {
	if r.item() >= len(b.Operations) {
		return 0, errNoSuchItem
	}
	op := b.Operations[r.item()]
	if op.Result.Size() > len(t.scratch) {
		return 0, errTooLarge
	}
	if err := op.Admits(r.payload()); err != nil {
		return 0, err
	}
	defer func() {
		if p := recover(); p != nil {
			n, err = 0, errOperationPanicked
			t.fault(&t.states[r.block()], panicText("panic in an operation", p))
		}
	}()
	return op.Serve(r.payload(), t.scratch)
}

var errOperationPanicked = errors.New("the operation panicked: the block is in error")

// setParams sets several parameters at once, in their order: for each its index (2 bytes), the length of its value (4 bytes)
// and the value in CDR. If one of them, or the block's own check, is rejected, none is changed. Otherwise the payload holds the former
// values afterwards.
func (t *thread) setParams(s *blockState, payload []byte) error {
	if err := admitParams(s.inst, payload, len(t.scratch)); err != nil {
		return err
	}
	err := t.exchangeParams(s.inst, payload)
	if err == nil {
		if err = t.checkParams(s); err != nil {
			_ = t.exchangeParams(s.inst, payload) // what was there before was accepted before
		}
	}
	return err
}

// checkParams runs the block's own check. A panic in it puts the block in error.
func (t *thread) checkParams(s *blockState) (err error) {
	checker, ok := s.inst.Block.(block.ParamChecker)
	if !ok {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = errCheckPanicked
			t.fault(s, fmt.Sprintf("panic while checking parameters: %v (%s)", p, panics.Site()))
		}
	}()
	return checker.CheckParams()
}

var errCheckPanicked = errors.New("the block's check of its parameters panicked: the block is in error, its parameters are as before")

// paramHeader precedes each value in the payload of askSetParams.
const paramHeader = 6

// admitParams checks the payload of askSetParams: its form, and the values by the bounds of their parameters.
func admitParams(b *port.Instance, payload []byte, most int) error {
	least := 0
	for len(payload) > 0 {
		if len(payload) < paramHeader {
			return errNoSuchItem
		}
		index, n := int(binary.LittleEndian.Uint16(payload)), int(binary.LittleEndian.Uint32(payload[2:]))
		payload = payload[paramHeader:]
		if index < least || index >= len(b.Params) || n > len(payload) || n > most || b.Params[index].Fixed {
			return errNoSuchItem
		}
		if err := b.Params[index].Admits(payload[:n]); err != nil {
			return err
		}
		least, payload = index+1, payload[n:]
	}
	return nil
}

// exchangeParams puts the values of an admitted payload into the parameters and the parameters' former values into the
// payload: once more takes it back.
func (t *thread) exchangeParams(b *port.Instance, payload []byte) error {
	for len(payload) > 0 {
		p := b.Params[binary.LittleEndian.Uint16(payload)]
		value := payload[paramHeader:][:p.Layout.Size()]
		p.Encode(t.scratch)
		if err := p.Decode(value); err != nil {
			return err
		}
		copy(value, t.scratch)
		payload = payload[paramHeader+len(value):]
	}
	return nil
}

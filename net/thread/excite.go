package thread

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// Excite requests that a thread feed a waveform to a port of one float64, a value in each activation, and release the port at
// its end, or before, unless [Front.RenewExcitation] comes within lasts, even if the front has ended. Another value by hand
// ends it.
func (f *Front) Excite(p *port.Port, e port.Excitation, lasts time.Duration) *Request {
	h := f.homes[p.Block]
	err := e.Check()
	switch {
	case err != nil:
	case !p.IsExcitable():
		err = fmt.Errorf("the port is an %v of type %v: only an input or output of one float64 can be excited", p.Kind, p.Type)
	case h.thread != nil && h.thread.Period > 0 && e.Shape != port.Step && e.To > 0.5/h.thread.Period.Seconds():
		err = fmt.Errorf("%v Hz is too fast: thread %q has %v activations a second, so at most %v Hz", e.To, h.thread.Name,
			1/h.thread.Period.Seconds(), 0.5/h.thread.Period.Seconds())
	}
	if err != nil {
		r := &Request{done: make(chan struct{}), front: f}
		r.finish(nil, err)
		return r
	}
	return f.askFor(p.Block, askExcite, p.Index, e.Bytes(), max(lasts, 1))
}

// RenewExcitation makes the waveform that a port has last longer, at most to its end. The answer is one byte: 0 where it is
// over.
func (f *Front) RenewExcitation(p *port.Port, lasts time.Duration) *Request {
	return f.askFor(p.Block, askExcite, p.Index, nil, max(lasts, 1))
}

var errNotExcitable = errors.New("only an input or output of one float64 can be excited")

// beginExcitation begins a waveform, or renews the one that the port has. It reports whether the port has one.
func (t *thread) beginExcitation(s *blockState, p *port.Port, r request, now clock.Time) (runs bool, err error) {
	payload, until := r.payload(), now.Add(max(r.lasts(), 0))
	if len(payload) == 0 {
		i := t.heldIndex(p)
		if i < 0 || !t.held[i].excited() {
			return false, nil
		}
		t.held[i].until = min(until, t.held[i].end())
		t.nextLetGo()
		return true, nil
	}
	if len(payload) != port.ExcitationSize || !p.IsExcitable() {
		return false, errNotExcitable
	}
	e := port.ExcitationOf(payload)
	if err := e.Check(); err != nil {
		return false, err
	}
	if !t.canHold(p) {
		return false, errTooManyHeld
	}
	if err := t.feedExcitation(p, e.At(0)); err != nil {
		return false, err
	}
	t.hold(s, p, until)
	h := &t.held[t.heldIndex(p)]
	h.wave, h.since = e, now
	h.until = min(h.until, h.end())
	t.nextLetGo()
	t.handsChanged(s, p)
	return true, nil
}

// excite feeds the present values of all waveforms. One whose port was released in the meantime, by an error of its block, has
// ended.
func (t *thread) excite(now clock.Time) {
	for i := range t.held {
		h := &t.held[i]
		switch {
		case !h.excited():
		case !h.port.ByHand():
			h.wave, h.until = port.Excitation{}, now
		default:
			_ = t.feedExcitation(h.port, h.wave.At(now.Sub(h.since).Seconds())) // within the limits: they were checked
		}
	}
	t.nextLetGo()
}

// feedExcitation feeds a number to a port of one float64: the last 8 bytes of its CDR.
func (t *thread) feedExcitation(p *port.Port, x float64) error {
	cdr := t.scratch[:p.Encode(t.scratch)]
	binary.LittleEndian.PutUint64(cdr[len(cdr)-8:], math.Float64bits(x))
	return p.Feed(cdr)
}

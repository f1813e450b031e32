package thread

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// MaxHeld is the maximum number of ports of one thread that FeedFor holds at the same time.
const MaxHeld = 256

const never clock.Time = math.MaxInt64

var errTooManyHeld = errors.New("too many ports of this thread have values that last for a time: release some")

// held is a port with a value by hand that lasts for a time: as the dead man's switch of a machine it must be pressed again
// and again. The thread itself lets go of it, so that the value ends also when the front or the network that brought it is gone.
type held struct {
	state *blockState
	port  *port.Port
	until clock.Time
	wave  port.Excitation // that the thread feeds; without a shape: none
	since clock.Time      // when it began
}

// excited reports whether the thread feeds a waveform.
func (h *held) excited() bool { return h.wave.Shape != 0 }

// end returns when the waveform is over.
func (h *held) end() clock.Time {
	return h.since.Add(time.Duration(h.wave.Duration * float64(time.Second)))
}

// canHold reports whether there is room for one more port, or the port is held already.
func (t *thread) canHold(p *port.Port) bool {
	return len(t.held) < cap(t.held) || t.heldIndex(p) >= 0
}

// hold makes the value by hand of a port last until a time. It reports whether it did not have one for a time yet.
func (t *thread) hold(s *blockState, p *port.Port, until clock.Time) (began bool) {
	if i := t.heldIndex(p); i >= 0 {
		t.held[i].until, t.held[i].wave = until, port.Excitation{}
	} else {
		t.held = append(t.held, held{state: s, port: p, until: until})
		began = true
	}
	t.nextLetGo()
	return began
}

// forget makes a value by hand last until it is released, or forgets that it was.
func (t *thread) forget(p *port.Port) {
	if i := t.heldIndex(p); i >= 0 {
		t.held[i] = t.held[len(t.held)-1]
		t.held = t.held[:len(t.held)-1]
		t.nextLetGo()
	}
}

// letGo releases the ports whose time is over, and notifies the front.
func (t *thread) letGo(now clock.Time) {
	for i := len(t.held) - 1; i >= 0; i-- {
		h := t.held[i]
		if h.until > now {
			continue
		}
		t.held[i] = t.held[len(t.held)-1]
		t.held = t.held[:len(t.held)-1]
		h.port.Release()
		t.handsChanged(h.state, h.port)
		t.noteRelease(h)
	}
	t.nextLetGo()
}

func (t *thread) noteRelease(h held) {
	for i := range t.states {
		if &t.states[i] == h.state {
			binary.LittleEndian.PutUint32(t.scratch, uint32(h.port.Index))
			putReply(t.edge.replies, noteRelease, uint32(i), t.scratch[:4])
		}
	}
}

func (t *thread) heldIndex(p *port.Port) int {
	for i := range t.held {
		if t.held[i].port == p {
			return i
		}
	}
	return -1
}

func (t *thread) nextLetGo() {
	t.letGoAt, t.exciting = never, false
	for i := range t.held {
		t.letGoAt = min(t.letGoAt, t.held[i].until)
		t.exciting = t.exciting || t.held[i].excited()
	}
}

package wire

import (
	"bytes"
	"fmt"
)

// Player is a channel to a device that answers as in a recording. It gives what was received once the driver has sent all that was sent
// before, at whatever time. When everything is given, or the driver sends something else, the channel is lost.
type Player struct {
	recording Recording
	kind      Kind
	faults    *faults
	fault     *Fault

	next, part int // the exchange from which the driver reads, and how much of it is read
	sent       int // bytes that the driver has sent
	wanted     []byte
	before     []int // bytes sent before each exchange
	difference string
}

// NewPlayer returns a channel that plays a recording of a channel of the given kind. Open begins at its beginning.
func NewPlayer(name string, r Recording, kind Kind) *Player {
	f := newFaults(name)
	p := &Player{recording: r, kind: kind, faults: f, fault: &f.closed}
	for _, x := range r {
		p.before = append(p.before, len(p.wanted))
		if x.Sent {
			p.wanted = append(p.wanted, x.Data...)
		}
	}
	return p
}

// Open implements [Wire].
func (p *Player) Open() error {
	p.fault, p.next, p.part, p.sent = nil, 0, 0, 0
	return nil
}

// Close implements [Wire].
func (p *Player) Close() error {
	p.fault = &p.faults.closed
	return nil
}

// String implements [Wire].
func (p *Player) String() string { return p.faults.closed.Wire }

// Difference describes where the driver sent something else than in the recording; it is empty if it did not.
func (p *Player) Difference() string { return p.difference }

// Read implements [Wire].
func (p *Player) Read(b []byte) (int, error) {
	if p.fault != nil {
		return 0, p.fault
	}
	for p.next < len(p.recording) && p.recording[p.next].Sent {
		p.next++
	}
	if p.next == len(p.recording) {
		if p.sent < len(p.wanted) {
			return 0, nil
		}
		p.fault = &p.faults.ended
		return 0, p.fault
	}
	if p.sent < p.before[p.next] || len(b) == 0 {
		return 0, nil
	}
	n := copy(b, p.recording[p.next].Data[p.part:])
	if p.part += n; p.part == len(p.recording[p.next].Data) || p.kind != Bytes {
		p.next, p.part = p.next+1, 0
	}
	return n, nil
}

// Write implements [Wire].
func (p *Player) Write(b []byte) (int, error) {
	if p.fault != nil {
		return 0, p.fault
	}
	rest := p.wanted[p.sent:]
	if n := min(len(b), len(rest)); n < len(b) || !bytes.Equal(b, rest[:n]) {
		at := 0
		for at < n && b[at] == rest[at] {
			at++
		}
		p.difference = fmt.Sprintf("byte %d that was sent: % x, recorded: % x", p.sent+at, b[at:], rest[at:min(len(rest), len(b))])
		p.fault = &p.faults.ended
		return 0, p.fault
	}
	p.sent += len(b)
	return len(b), nil
}

package thread

import (
	"encoding/binary"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/port"
)

// taps are the ports of a thread whose values the front wants to see.
type taps struct {
	list   []tap
	active int // how many entries at the head of list may be in use
}

// tap sends what is new at a port, at most once in every activations.
type tap struct {
	port     *port.Port // nil: free
	count    *uint64
	seen     uint64
	every    uint32
	wait     uint32
	log      bool // for the recorder, not for tools
	event    bool // each of the last events is a sample
	due      bool // a sample has found no room: that with count dueCount, of an event those after seen up to it
	dueCount uint64
}

// tapOrder is the payload of askTap: place in the list (4 bytes), every (4 bytes), log (1 byte).
type tapOrder []byte

const tapOrderSize = 9

func newTapOrder(place int, every uint32, log bool) tapOrder {
	o := make(tapOrder, tapOrderSize)
	binary.LittleEndian.PutUint32(o, uint32(place))
	binary.LittleEndian.PutUint32(o[4:], every)
	if log {
		o[8] = 1
	}
	return o
}

func (ts *taps) init() { ts.list = make([]tap, MaxTaps) }

func (ts *taps) add(o tapOrder, p *port.Port) error {
	if len(o) != tapOrderSize {
		return errNoSuchItem
	}
	place := int(binary.LittleEndian.Uint32(o))
	if place >= MaxTaps {
		return errTooMany
	}
	k := tap{
		port: p, count: p.Count(), every: max(binary.LittleEndian.Uint32(o[4:]), 1), log: o[8] == 1,
		event: p.Kind == port.Event || p.Kind == port.Handler,
	}
	if k.event { // what happened before is over
		k.seen = *k.count
	}
	ts.list[place] = k
	ts.active = max(ts.active, place+1)
	return nil
}

func (ts *taps) remove(place int) {
	if place < len(ts.list) {
		ts.list[place] = tap{}
	}
	for ts.active > 0 && ts.list[ts.active-1].port == nil {
		ts.active--
	}
}

func (ts *taps) removeAll() {
	clear(ts.list)
	ts.active = 0
}

// emitSamples sends what is new at the tapped ports: their values, and all events of which the port still knows. Samples for tools that find no room
// are sent later: the value of a port that rests is not lost. Those that have been replaced until then are.
func (t *thread) emitSamples() {
	for i := range t.taps.list[:t.taps.active] {
		k := &t.taps.list[i]
		if k.port == nil {
			continue
		}
		if k.wait > 0 {
			k.wait--
			continue
		}
		if k.count = k.port.Count(); *k.count == k.seen {
			continue
		}
		first := *k.count
		if k.event {
			first = max(k.seen, *k.count-min(*k.count, port.MaxPendingEvents)) + 1
		}
		k.wait = k.every - 1
		ring := t.edge.live
		if k.log {
			ring = t.edge.log
		}
		if k.due {
			ring.Lose(k.overtaken(first))
			k.due = false
		}
		for k.seen = first - 1; k.seen != *k.count; k.seen++ {
			if t.emit(ring, i, k, k.seen+1) {
				continue
			}
			if !k.log {
				k.due, k.dueCount = true, *k.count
				break
			}
			ring.Lose(1)
		}
	}
}

// overtaken returns how many of the samples that have found no room can no longer be sent: the next one is that with count first.
func (k *tap) overtaken(first uint64) uint64 {
	switch {
	case k.event:
		return min(first-1, k.dueCount) - k.seen
	case first != k.dueCount:
		return 1
	}
	return 0
}

// emit sends the value of a port, or event n of it; it returns false without room, which it does not count.
func (t *thread) emit(ring *lockfree.Ring, place int, k *tap, n uint64) bool {
	b := ring.TryReserve(sampleHeader + k.port.Size())
	if b == nil {
		return false
	}
	binary.LittleEndian.PutUint32(b, uint32(place))
	binary.LittleEndian.PutUint32(b[4:], uint32(n))
	binary.LittleEndian.PutUint64(b[8:], uint64(t.now))
	binary.LittleEndian.PutUint64(b[16:], uint64(t.now.Add(-k.port.Age())))
	if k.event {
		k.port.EncodeEvent(n, b[sampleHeader:])
	} else {
		k.port.Encode(b[sampleHeader:])
	}
	ring.Commit()
	return true
}

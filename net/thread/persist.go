package thread

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/port"
)

// keeper hands the values of a thread's blocks that outlive the run to the front, after each activation: all of one moment. A block in
// error is left out: its last values from before count.
//
// The packet has for each value its length (4 bytes) and its CDR, in the order of [persistent].
type keeper struct {
	values []keptValue
	packet []byte
	cell   *lockfree.Latest
}

// keptValue is one value, and where it lies in the packet.
type keptValue struct {
	state *blockState
	info  *port.Parameter
	at    int
}

// keptHeader precedes each value in a packet.
const keptHeader = 4

// newKeeper returns the keeper of a thread; nil where it has nothing to keep.
func newKeeper(t *thread) *keeper {
	if t.edge.kept == nil {
		return nil
	}
	k := &keeper{packet: make([]byte, t.plan.KeptBytes(keptHeader)), cell: t.edge.kept}
	at := 0
	for i := range t.states {
		for _, p := range t.states[i].inst.Persistent {
			k.values = append(k.values, keptValue{&t.states[i], p, at + keptHeader})
			at += keptHeader + p.Layout.Size()
		}
	}
	return k
}

// publish passes the present values on. It does not allocate.
func (k *keeper) publish() {
	if k == nil {
		return
	}
	for i := range k.values {
		v := &k.values[i]
		if v.state.faulted {
			continue
		}
		n := v.info.Encode(k.packet[v.at:])
		binary.LittleEndian.PutUint32(k.packet[v.at-keptHeader:], uint32(n))
	}
	copy(k.cell.Slot(), k.packet)
	k.cell.Publish()
}

// publishKept passes on the values of all threads but those that hang, when their blocks are at rest.
func (c *Core) publishKept(hung []*thread) {
	for _, t := range c.threads {
		if !slices.Contains(hung, t) {
			t.keeper.publish()
		}
	}
}

// KeptValue is a value of a block that outlives the run.
type KeptValue struct {
	Block *port.Instance
	Of    *port.Parameter // the parameter, or the state field
	CDR   []byte          // nil: the block has been in error from the start, or its slice has changed its length
}

// Kept returns the values that outlive the run as they were after the latest activation of each thread, and whether one of them may
// have changed since the last call. Before a thread was activated its values are missing. One goroutine at a time may call it.
func (f *Front) Kept() (list []KeptValue, changed bool) {
	for i, plan := range f.net.Threads {
		cell := f.boundary.edges[i].kept
		if cell == nil {
			continue
		}
		packet, fresh := cell.Fetch()
		copied := slices.Clone(packet)
		if len(copied) < plan.KeptBytes(keptHeader) || !cell.Holds(packet) {
			continue
		}
		changed = changed || fresh
		for _, b := range plan.Blocks {
			for _, p := range b.Persistent {
				v := KeptValue{Block: b, Of: p}
				size := p.Layout.Size()
				if n := binary.LittleEndian.Uint32(copied); n > 0 && n <= math.MaxInt32 && int(n) <= size {
					v.CDR = copied[keptHeader:][:n]
				}
				copied = copied[keptHeader+size:]
				list = append(list, v)
			}
		}
	}
	return list, changed
}

package diagram

import (
	"fmt"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/port"
)

// The limits of a net. They are checked before anything is allocated.
const (
	MaxThreads      = 256
	MaxBlocks       = 50_000
	MaxLinks        = 200_000
	MaxPorts        = 400_000   // of all blocks, with the input enable of each
	MaxForeign      = 1000      // blocks that are programs of their own
	MaxForeignPorts = 1000      // of one such block
	MaxSelected     = 1 << 20   // elements that all links together choose in brackets
	MaxBuffer       = 1 << 20   // values in the queue of a link
	MaxValue        = 64 << 20  // bytes of the value of a port
	MaxPersistent   = 64 << 10  // bytes of the values of a block that outlive the run
	MaxMemory       = 512 << 20 // bytes of all ports, queues and exchanges together

	MinPeriod = 10 * time.Microsecond // of a thread
	MaxPeriod = time.Hour
	MaxEvery  = 1_000_000      // of a block or a link
	MaxAge    = 24 * time.Hour // that a time-out or the pause of a link may last
	MaxCPU    = 4096           // number of a processor
)

// portBytes is what one port takes beside its value: its field in the block, description and layout.
const portBytes = 1 << 10

// memory counts bytes. It never overflows: more than can be counted is the largest number.
type memory int64

func (m *memory) add(n int64) {
	if n < 0 || n > math.MaxInt64-int64(*m) {
		*m = math.MaxInt64
		return
	}
	*m += memory(n)
}

// product multiplies what is not negative; an overflow gives the largest number.
func product(a, b int64) int64 {
	if a != 0 && b > math.MaxInt64/a {
		return math.MaxInt64
	}
	return a * b
}

// times is a duration n times; an overflow gives the longest.
func times(d time.Duration, n int) time.Duration { return time.Duration(product(int64(d), int64(n))) }

// queueBytes returns what a queue of depth values takes.
func queueBytes(value int64, depth int) int64 {
	if value > MaxValue || depth > MaxBuffer {
		return math.MaxInt64
	}
	return int64(lockfree.QueueSize(int(value), depth))
}

// countBlock counts the ports of a block that was added, and its memory as far as it is known. Where that is too much no
// further block is looked at.
func (d *Diagram) countBlock(b *placed) {
	d.ports += len(b.Ports)
	for _, p := range b.Ports {
		d.memory.add(portMemory(p))
	}
	persistent := 0
	for _, p := range b.Persistent {
		persistent += p.Layout.Size()
	}
	switch {
	case persistent > MaxPersistent:
		d.fail(b.Source, "block %q keeps %s bytes for later runs: at most %s are possible", b.Name, grouped(persistent), grouped(MaxPersistent))
	case d.ports > MaxPorts:
		d.fail(b.Source, "block %q has %s ports: with them the net has more than %s", b.Name, grouped(len(b.Ports)), grouped(MaxPorts))
	case d.memory > MaxMemory:
		d.failMemory(b.Source, fmt.Sprintf("block %q", b.Name))
	default:
		return
	}
	d.full = true
}

// portMemory returns the bytes that a port takes.
func portMemory(p *port.Port) int64 { return portBytes + product(p.ValueBytes(), int64(p.Copies())) }

func (d *Diagram) failMemory(source, what string) {
	d.fail(source, "%s: with it the ports, queues and exchanges of the net take more than %d MiB; use smaller values or buffers, or fewer of them",
		what, MaxMemory>>20)
}

// checkMemory counts what the net will allocate, and reports whether that is allowed.
func (d *Diagram) checkMemory() bool {
	var sum memory
	for _, b := range d.blocks {
		for _, p := range b.Ports {
			if p.ValueBytes() > MaxValue {
				d.fail(b.Source, "port %s of block %q: a value of %s bytes is larger than %d MiB", p.Name, b.Name, grouped(int(p.ValueBytes())), MaxValue>>20)
				return false
			}
			sum.add(portMemory(p))
		}
		if sum > MaxMemory {
			d.failMemory(b.Source, fmt.Sprintf("block %q", b.Name))
			return false
		}
	}
	exchanged := map[exchangeKey]bool{}
	for _, l := range d.links {
		if sum.add(d.linkMemory(l, exchanged)); sum > MaxMemory {
			what := fmt.Sprintf("link %v", l)
			if l.Buffer > 0 {
				what += fmt.Sprintf(", buffer of %s values", grouped(l.Buffer))
			}
			d.failMemory(l.Source, what)
			return false
		}
	}
	return true
}

// exchangeKey is what one thread hands to another.
type exchangeKey struct {
	source *port.Port
	to     *thread // nil: another process
}

// linkMemory returns the bytes that a link takes beside its ports. Memory that several links share is counted once.
func (d *Diagram) linkMemory(l *link, exchanged map[exchangeKey]bool) int64 {
	p := l.from
	if p == nil {
		p = l.to
	}
	if p == nil {
		return 0 // between two foreign blocks
	}
	value := p.ValueBytes()
	from, to := d.byName[l.From.Block], d.byName[l.To.Block]
	key := exchangeKey{source: p}
	if to != nil {
		key.to = to.thread
	}
	switch {
	case from != nil && from.thread == nil || to != nil && to.thread == nil:
		return 0 // the thread is missing, which is an error already
	case l.isForeign() || from.thread != to.thread && from.thread.Process != to.thread.Process:
		depth := max(l.Buffer, 1)
		if p.Kind == port.Event || p.Kind == port.Handler {
			depth = port.MaxPendingEvents
		}
		if g := d.grid(l); g != nil {
			depth = max(depth, waiting(g))
		}
		return 4*value + 2*queueBytes(value, depth) // packets and shadows, and a queue at each end
	case p.Kind == port.Event && from.thread != to.thread:
		return queueBytes(value, port.MaxPendingEvents)
	case p.Kind == port.Event:
		return 0
	case l.Buffer > 0:
		return queueBytes(value, l.Buffer)
	case from.thread != to.thread && !exchanged[key]:
		exchanged[key] = true
		return value + int64(exchange.ChannelSize(int(value), d.grid(l))) // the shadow and the exchange
	}
	return 0
}

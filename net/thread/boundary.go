package thread

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"sync/atomic"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/pace"
	"github.com/sinew-robotics/sinew/net/port"
)

// The limits of the boundary between core and front. The rings of a thread with large ports are larger: see sampleBytes.
const (
	MailboxBytes = 1 << 18 // waiting requests of one thread
	ReplyBytes   = 1 << 18 // waiting answers of one thread
	LiveBytes    = 1 << 20 // waiting samples for tools
	LogBytes     = 1 << 22 // waiting samples for the recorder
	MaxMessages  = 16      // requests that a thread serves in one activation
	MaxTaps      = 4096    // ports of one thread that may be tapped at once
	MaxValue     = 1 << 15 // bytes of one value in a request or answer, unless the thread has a larger port
	MaxText      = 400     // bytes of a message about an error
	maxReport    = 1 << 13 // bytes of the core's notices, and of the error it ended with
)

// Boundary is all that the core and the front of a net share: one piece of plain memory, of this process or of two.
//
//	head                     what the core is doing, how often a front has attached
//	for each thread, a wake, the counters, the states of its blocks and ports, the rings mailbox, replies, live, log
//	and misses, and its values that outlive the run
//	for each end of a link to another process, its state
type Boundary struct {
	head  *head
	edges []*edge
	links []linkCell // of the net's outlets, then of its inlets
	own   bool       // no other process can write into it
}

// head is the part of a boundary that belongs to the whole net. The core writes it, except where noted.
type head struct {
	magic    uint64
	digest   uint64        // of the net: both sides must have built the same one
	state    atomic.Uint32 // coreStarting, …
	stop     atomic.Uint32 // stopAsked asks the core to end; either side writes it
	base     atomic.Int64  // of system time, on the machine's clock; the core has its own and only writes this one
	fronts   atomic.Uint32 // how many fronts have attached; fronts write it
	starting atomic.Uint32 // 1 + the block whose Start runs; 0: none
	started  atomic.Int64  // when it began to, on the machine's clock
	pace     pace.Counters // of a process that follows a leader
	notices  report
	failure  report
}

// The states of a core.
const (
	coreStarting uint32 = iota
	coreRunning
	coreEnded
)

// stopAsked in head.stop asks the core to end; no other word does, for a damaged process may write any.
const stopAsked = 0x504f5453

const boundaryMagic = 0x39306863_6e797332 // of this layout

// report is a text in shared memory, written once.
type report struct {
	n    atomic.Uint32
	text [maxReport]byte
}

func (r *report) set(text string) { r.n.Store(uint32(copy(r.text[:], text))) }

func (r *report) String() string { return string(r.text[:min(r.n.Load(), maxReport)]) }

// edge is what one thread shares with the front.
type edge struct {
	wake                        *rt.Wake // of a triggered thread
	counters                    *counters
	mailbox, replies, live, log *lockfree.Ring
	misses                      *lockfree.Ring
	kept                        *lockfree.Latest // values that outlive the run; nil where the thread has none
	blocks                      []blockCell      // of the thread's blocks
	hands                       []atomic.Bool    // of all their ports: which have values given by hand
	odd                         []atomic.Bool    // of all their ports: which outputs have values that are not finite
}

// NewBoundary returns a boundary of this process.
func NewBoundary(net *diagram.Net) *Boundary {
	b, err := LayBoundary(net, lockfree.Memory(BoundarySize(net)))
	if err != nil {
		panic("thread: fresh memory was refused: " + err.Error())
	}
	b.own = true
	return b
}

// BoundarySize returns the memory that the boundary of a net needs, in bytes.
func BoundarySize(net *diagram.Net) int {
	l := layer{}
	l.lay(net)
	return l.used
}

// LayBoundary places the boundary of a net in shared memory of at least [BoundarySize] bytes. If the other side has done so
// already, it returns an error unless both sides have built the same net.
func LayBoundary(net *diagram.Net, mem []byte) (*Boundary, error) {
	if need := BoundarySize(net); len(mem) < need {
		return nil, fmt.Errorf("the shared memory of core and front has %d bytes, and this net needs %d: the system's files have changed since it was started", len(mem), need)
	}
	l := layer{mem: mem}
	b := l.lay(net)
	if b.head.magic == 0 {
		b.head.digest, b.head.magic = digest(net), boundaryMagic
	}
	if b.head.magic != boundaryMagic {
		return nil, errors.New("the shared memory of core and front was laid out by another version of sinew")
	}
	if b.head.digest != digest(net) {
		return nil, errors.New("core and front have built different nets: the system's files have changed since it was started")
	}
	return b, nil
}

// layer cuts memory into the parts of a boundary. Without memory it counts what they need.
type layer struct {
	mem  []byte
	used int
}

const layerAlign = 128 // parts that different threads write lie on lines of their own

func (l *layer) take(n int) []byte {
	at := l.used
	l.used += (n + layerAlign - 1) &^ (layerAlign - 1)
	if l.mem == nil {
		return nil
	}
	return l.mem[at : at+n : at+n]
}

func (l *layer) lay(net *diagram.Net) *Boundary {
	b := &Boundary{head: (*head)(unsafe.Pointer(unsafe.SliceData(l.take(int(unsafe.Sizeof(head{}))))))}
	for _, plan := range net.Threads {
		e := &edge{}
		wake := l.take(rt.WakeBytes)
		counted := l.take(int(unsafe.Sizeof(fixedCounters{})))
		steps := l.take(len(plan.Steps) * int(unsafe.Sizeof(stepCounters{})))
		blocks := l.take(len(plan.Blocks) * int(unsafe.Sizeof(blockCell{})))
		ports := countPorts(plan.Blocks)
		hands := l.take(ports * int(unsafe.Sizeof(atomic.Bool{})))
		odd := l.take(ports * int(unsafe.Sizeof(atomic.Bool{})))
		if l.mem != nil {
			e.wake = rt.WakeAt(wake)
			e.counters = &counters{
				fixedCounters: (*fixedCounters)(unsafe.Pointer(unsafe.SliceData(counted))),
				steps:         unsafe.Slice((*stepCounters)(unsafe.Pointer(unsafe.SliceData(steps))), len(plan.Steps)),
			}
			e.blocks = unsafe.Slice((*blockCell)(unsafe.Pointer(unsafe.SliceData(blocks))), len(plan.Blocks))
			e.hands = unsafe.Slice((*atomic.Bool)(unsafe.Pointer(unsafe.SliceData(hands))), ports)
			e.odd = unsafe.Slice((*atomic.Bool)(unsafe.Pointer(unsafe.SliceData(odd))), ports)
		}
		sample := sampleBytes(plan)
		e.mailbox, e.replies = l.ring(max(MailboxBytes, 2*sample)), l.ring(max(ReplyBytes, 2*sample))
		e.live, e.log = l.ring(max(LiveBytes, 2*sample)), l.ring(max(LogBytes, 4*sample))
		e.misses = l.ring(missBytes)
		e.kept = l.latest(plan.KeptBytes(keptHeader), b.head)
		b.edges = append(b.edges, e)
	}
	ends := len(net.Outlets) + len(net.Inlets) + len(net.Recodings)
	if cells := l.take(ends * int(unsafe.Sizeof(linkCell{}))); ends > 0 && l.mem != nil {
		b.links = unsafe.Slice((*linkCell)(unsafe.Pointer(unsafe.SliceData(cells))), ends)
	}
	return b
}

// sampleBytes returns the largest record with the value of one port of a thread. A ring has room for at least two, so that one
// fits wherever the last one ended. Ports above [port.MaxSample] do not count: they are neither shown nor recorded.
func sampleBytes(plan *diagram.ThreadPlan) (largest int) {
	for _, b := range plan.Blocks {
		for _, p := range b.Ports {
			if n := p.Layout().Size(); n <= port.MaxSample {
				largest = max(largest, n)
			}
		}
	}
	return largest + 2*requestHeader
}

// largestValue returns the bytes of the largest value in a request to a thread, or in its answer.
func largestValue(plan *diagram.ThreadPlan) int { return max(MaxValue, sampleBytes(plan)) }

func countPorts(blocks []*port.Instance) (n int) {
	for _, b := range blocks {
		n += len(b.Ports)
	}
	return n
}

func (l *layer) ring(n int) *lockfree.Ring {
	mem := l.take(lockfree.RingSize(n))
	if mem == nil {
		return nil
	}
	return lockfree.NewRing(mem, n)
}

// latest returns where packets of a size are passed on; nil where they are empty. The side that lays the boundary first clears it.
func (l *layer) latest(packet int, h *head) *lockfree.Latest {
	if packet == 0 {
		return nil
	}
	mem := l.take(lockfree.LatestSize(packet))
	switch {
	case mem == nil:
		return nil
	case h.magic == 0:
		return lockfree.NewLatest(mem, packet)
	}
	return lockfree.OpenLatest(mem, packet)
}

// digest identifies what requests and samples refer to by number.
func digest(net *diagram.Net) uint64 {
	h := fnv.New64a()
	say := func(what ...string) {
		for _, w := range what {
			h.Write([]byte(w))
			h.Write([]byte{0})
		}
	}
	number := func(n int) { h.Write(binary.LittleEndian.AppendUint64(nil, uint64(n))) }
	for _, t := range net.Threads {
		say("thread", t.Name)
		number(int(t.Period))
		for _, s := range t.Steps {
			say("step", s.Block.Name)
		}
		for _, b := range t.Blocks {
			describe(b, say, number)
		}
	}
	for _, o := range net.Outlets {
		say("outlet", o.Name)
	}
	for _, i := range net.Inlets {
		say("inlet", i.Name)
	}
	return h.Sum64()
}

func describe(b *port.Instance, say func(...string), number func(int)) {
	say("block", b.Name, b.Type)
	for _, p := range b.Ports {
		say(p.Name, p.Type.Name())
		number(p.Layout().Size())
	}
	for _, p := range b.Params {
		say(p.Name)
		if p.Layout != nil {
			number(p.Layout.Size())
		}
	}
	for _, o := range b.Operations {
		say(o.Name)
	}
	for _, p := range b.Persistent {
		say("kept", p.Name)
		number(p.Layout.Size())
	}
}

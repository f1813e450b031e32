// Package link is the contract of everything that carries the packets of a port from one process to another.
//
// A link has two ends. The [Sender] pushes packets, of one size or up to one; it never waits and does not know its receivers. The
// [Receiver] takes the newest packet, or the next one if the link is buffered. A [Transport] opens ends by the name
// of the link: shared memory on a host (net/link/shm), sealed datagrams between hosts (net/link/remote), which a registered [Carrier]
// carries: net/link/udp, net/link/tcp, or one of a program's own. Ends with the same name connect whenever both exist, in any order, and reconnect after either was
// lost.
//
// A packet is a port's data in the layout of net/schema (CDR). Each end has a digest of the schema text; if the
// digests differ, the link stays closed and both ends report it.
//
// A net sends packets in Outlet.Publish and receives them in Inlet.Fetch of package net/exchange, which package net/thread calls at the
// ends and starts of phases.
//
// Every transport passes the suite of net/link/linktest.
package link

import (
	"errors"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
)

// Spec describes what a link carries. Both ends must use the same Spec.
type Spec struct {
	// Name identifies the link among all links of a system, for example janus.joint1.position: see [IsName].
	Name string
	// Schema is the definition of the packet's type, as written by net/schema.
	Schema string
	// Size is the length of a packet in bytes; where it varies, that of the longest.
	Size int
	// Varies lets each packet have a length of its own, from 1 to Size bytes.
	Varies bool
	// Depth is how many packets the link buffers; 0 keeps only the newest.
	Depth int
	// Overflow selects which packet is dropped when Depth packets are waiting.
	Overflow lockfree.Overflow
	// Priority ranks the link for the [Scheduler] of a carrier that has no room for all: higher first.
	Priority int
}

// IsName reports whether a name can be a link's, which becomes that of a file: letters of ASCII, digits, and the characters . _ - only, 1 to MaxName of
// them, not starting with a dot.
func IsName(name string) bool {
	for i, c := range []byte(name) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' && i > 0) {
			return false
		}
	}
	return name != "" && len(name) <= MaxName
}

// Allows reports whether a packet of n bytes may be sent over the link.
func (s *Spec) Allows(n int) bool { return n == s.Size || s.Varies && n > 0 && n < s.Size }

// Lengths describes the lengths of the packets, as "64 bytes" or "1 to 64 bytes".
func (s *Spec) Lengths() string {
	if s.Varies {
		return fmt.Sprintf("1 to %d bytes", s.Size)
	}
	return fmt.Sprintf("%d bytes", s.Size)
}

// Limits of a Spec.
const (
	MaxName = 200      // bytes of a name
	MaxSize = 64 << 20 // bytes of a packet
)

// Stamp describes a received packet.
type Stamp struct {
	// Size is the length of the packet in bytes.
	Size int
	// Number counts the packets of the sender, from 1. A gap means that packets were lost or overwritten.
	Number uint64
	// Age is the time between Send and reception: exact on one host; between hosts estimated from the difference of
	// the two clocks, never negative.
	Age time.Duration
}

// Sender is the end that packets are put into. One goroutine at a time may use it.
type Sender interface {
	// Send publishes a copy of packet. It panics if the length is not one that the Spec allows. It neither waits nor
	// allocates. An error is one of this package's and means that no receiver can have got the packet; having no
	// receiver is not an error.
	Send(packet []byte) error
	// Forward is Send for a packet that already has this age: it came over another link, or its value was acquired before.
	Forward(packet []byte, age time.Duration) error
	// State returns the link's counters and its current problem. It may be called from any goroutine.
	State() State
	// Close closes the end. The other end notices it.
	Close() error
}

// Filler is a [Sender] whose packets are written into the memory that they are sent from, which saves a copy of large ones.
type Filler interface {
	// Fill is Forward for a packet of size bytes, which fill writes; every byte of it, for there is another packet before.
	Fill(size int, age time.Duration, fill func(packet []byte)) error
}

// Taker is a [Receiver] whose packets are read from the memory that they arrive in, which saves a copy of large ones.
type Taker interface {
	// Take is TryReceive for a packet that use reads; it must not keep it. ok is false also where the link's memory was damaged
	// while use was reading: then what it has read is void.
	Take(use func(packet []byte)) (stamp Stamp, ok bool)
}

// Receiver is the end that packets come out of. One goroutine at a time may use it.
type Receiver interface {
	// TryReceive copies the newest packet (or the next one of a buffered link) into packet, which has room for
	// Spec.Size bytes, and reports whether it is new. If not, packet stays unchanged, unless the link's memory was damaged during the copy. It neither waits nor
	// allocates.
	TryReceive(packet []byte) (Stamp, bool)
	// Receive waits for a packet, at most for the timeout; a negative timeout waits without limit. It returns
	// ErrTimeout or ErrClosed if none came.
	Receive(packet []byte, timeout time.Duration) (Stamp, error)
	// State returns the link's counters and its current problem. It may be called from any goroutine.
	State() State
	// Close closes the end and wakes a waiting Receive.
	Close() error
}

// State is what an end knows about its link; counters start when the end opens. Logs, tools and pages get it as JSON. A
// transport leaves Name, From, To, Outgoing, Late and Clipped empty; net/exchange, or the bridge between hosts, fills them in.
type State struct {
	Name      string  `json:"name"`              // of the link: as in Spec
	From      string  `json:"from"`              // process or host that sends
	To        string  `json:"to"`                // processes or hosts that receive, with ", " between them
	Outgoing  bool    `json:"outgoing"`          // this end sends
	Connected bool    `json:"connected"`         // a peer sent a sign of life within the transport's time limit
	Packets   uint64  `json:"packets"`           // sent, or received for the first time
	Lost      uint64  `json:"lost"`              // missing numbers (receiver), rejected or dropped packets (sender)
	Stale     uint64  `json:"stale"`             // overtaken, repeated or replayed packets that were dropped
	Late      uint64  `json:"late"`              // values that came after the tick that should have taken them (receiver, between threads that keep one time)
	Clipped   uint64  `json:"clipped"`           // packets that the link's encoding could not carry as they are, as outside of its range (sender)
	Rejected  uint64  `json:"rejected"`          // packets of unknown peers, forged or malformed; in shared memory, damage found
	Age       float64 `json:"age_s"`             // seconds since the newest packet was sent (receiver); 0 before the first
	Problem   string  `json:"problem,omitempty"` // why the link is not connected or drops packets; "" if there is no problem
}

// Transport opens the ends of links of one kind. An end can be opened before its peer.
type Transport interface {
	// Send opens the sending end.
	Send(spec Spec) (Sender, error)
	// Receive opens a receiving end. A link may have several receivers.
	Receive(spec Spec) (Receiver, error)
	// Close closes the transport. Close its ends first.
	Close() error
}

// Errors of Send and Receive in operation. They are preallocated, so that the control cycle may return them.
var (
	ErrTimeout  = errors.New("link: no packet arrived in time")
	ErrClosed   = errors.New("link: this end is closed")
	ErrMismatch = errors.New("link: the peer's packets have a different type")
)

// Package link is the contract of everything that carries the packets of a port from one process to another.
//
// A link has two ends. The [Sender] pushes packets of one size, never waits and never learns who listens; the [Receiver]
// takes the newest one, or the next one where the link is buffered. A [Transport] opens ends by the name of the link:
// shared memory on a host (net/link/shm), secured datagrams (net/link/udp) or a stream (net/link/tcp) between hosts.
// Ends of equal name are connected whenever both exist, in whatever order they come, die and return.
//
// A packet is a port's data in the layout of net/schema (CDR). Ends agree on it by a digest of the schema text: where
// the digests differ the link stays closed and both ends say so.
//
// Every transport passes the suite of net/link/linktest.
package link

import (
	"errors"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
)

// Spec says what a link carries. Both ends state it.
type Spec struct {
	// Name identifies the link among all links of a system, for example janus.joint1.position: letters, digits, and
	// the characters . _ - only, at most MaxName bytes, not starting with a dot.
	Name string
	// Schema is the definition of the packet's type, as net/schema writes it.
	Schema string
	// Size is the length of a packet in bytes.
	Size int
	// Depth is how many packets may wait. Zero: only the newest counts.
	Depth int
	// Overflow is what happens to a packet that finds Depth packets waiting.
	Overflow lockfree.Overflow
}

// Limits of a Spec.
const (
	MaxName = 200
	MaxSize = 64 << 20
)

// Stamp tells where a received packet stands.
type Stamp struct {
	// Number counts the packets of the sender, from 1. A gap is what was lost or overwritten.
	Number uint64
	// Age is the time between Send and reception, as far as it can be known: exact on one host; between hosts from
	// an estimate of the difference of the two clocks, never negative.
	Age time.Duration
}

// Sender is the end that packets are put into. One goroutine at a time may use it.
type Sender interface {
	// Send publishes a copy of packet, whose length must be Spec.Size (else it panics). It neither waits nor
	// allocates. An error is one of this package's, and says that nobody can have got the packet; having no peer is
	// no error.
	Send(packet []byte) error
	// Forward is Send for a packet that is so old already: one that came over another link.
	Forward(packet []byte, age time.Duration) error
	// State tells about the link; it may be called from any goroutine.
	State() State
	// Close gives up the end. The other one sees it.
	Close() error
}

// Receiver is the end that packets come out of. One goroutine at a time may use it.
type Receiver interface {
	// TryReceive copies the newest packet (or the next one of a buffered link) into packet and reports whether it is
	// a new one. Without a new one packet is untouched. It neither waits nor allocates.
	TryReceive(packet []byte) (Stamp, bool)
	// Receive waits for a packet, at most for the timeout; a negative timeout waits for ever. It returns ErrTimeout
	// or ErrClosed where none came.
	Receive(packet []byte, timeout time.Duration) (Stamp, error)
	// State tells about the link; it may be called from any goroutine.
	State() State
	// Close gives up the end and wakes a waiting Receive.
	Close() error
}

// State is what an end knows about its link.
type State struct {
	Connected bool          // a peer was heard of within the transport's liveliness
	Packets   uint64        // sent, or received for the first time
	Lost      uint64        // numbers that never came (receiver), refused or dropped (sender)
	Stale     uint64        // late, repeated or replayed packets that were dropped
	Rejected  uint64        // packets of strangers, forged or malformed
	Age       time.Duration // since the newest packet was sent (receiver)
	Problem   string        // why the link is not connected, in words; empty where all is well
}

// Transport opens the ends of links of one kind. Opening does not need the peer to be there.
type Transport interface {
	// Send opens the sending end.
	Send(spec Spec) (Sender, error)
	// Receive opens a receiving end. A link may have several receivers.
	Receive(spec Spec) (Receiver, error)
	// Close closes whatever the transport itself holds. The ends must be closed before.
	Close() error
}

// What Send and Receive return while a system runs: preallocated, so that the control cycle may return them.
var (
	ErrTimeout  = errors.New("link: no packet came in time")
	ErrClosed   = errors.New("link: this end is closed")
	ErrMismatch = errors.New("link: the peer's packets have another type")
)

package remote

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

// recordBytes is the size of the header of a waiting packet: the sender's epoch, the packet's number, and when it was
// sent.
const recordBytes = 24

// end is the part that sending and receiving ends share.
type end struct {
	peer       *Peer
	spec       link.Spec
	partBytes  int          // of a packet in a datagram
	id, digest uint64       // hashes of the name, and of everything that both ends must agree on
	met, wrong atomic.Int64 // when the peer last reported a matching and a mismatched end
	closed     atomic.Bool
}

func (p *Peer) end(spec link.Spec) (*end, error) {
	name := spec.Name
	if !link.IsName(name) {
		return nil, fmt.Errorf("open link %q: a name consists of 1 to %d letters, digits, '.', '_' and '-' and does not start with '.'", name, link.MaxName)
	}
	if spec.Size < 1 || spec.Size > link.MaxSize || spec.Depth < 0 {
		return nil, fmt.Errorf("open link %q: size %d and depth %d are out of range: want a size of 1 to %d bytes and a depth of at least 0", name, spec.Size, spec.Depth, link.MaxSize)
	}
	return &end{peer: p, spec: spec, partBytes: p.host.kind.MaxDatagram - headBytes - tagBytes - dataBytes, id: hash64(name), digest: digest(&spec)}, nil
}

// digest returns the hash of what both ends must agree on.
func digest(spec *link.Spec) uint64 {
	upTo := ""
	if spec.Varies {
		upTo = "<="
	}
	return hash64(fmt.Sprintf("%s%d %d %d %s", upTo, spec.Size, spec.Depth, spec.Overflow, spec.Schema))
}

// hash64 returns the first eight bytes of a text's SHA-256.
func hash64(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:])
}

// mustFit panics if a packet's size is none of the link's.
func (e *end) mustFit(packet []byte) {
	if !e.spec.Allows(len(packet)) {
		panic(fmt.Sprintf("remote: a packet of %d bytes on link %q, whose packets have %s", len(packet), e.spec.Name, e.spec.Lengths()))
	}
}

// mustHold panics if there is no room for each packet of the link.
func (e *end) mustHold(packet []byte) {
	if len(packet) != e.spec.Size {
		panic(fmt.Sprintf("remote: room for %d bytes on link %q, whose packets have %s", len(packet), e.spec.Name, e.spec.Lengths()))
	}
}

// parts returns how many datagrams a packet of n bytes needs.
func (e *end) parts(n int) int { return (n + e.partBytes - 1) / e.partBytes }

func (e *end) meet(fits bool, now int64) {
	if fits {
		e.met.Store(now)
	} else {
		e.wrong.Store(now)
	}
}

func (e *end) state(missing string) (s link.State) {
	now := rt.Now()
	recent := func(at int64) bool { return at != 0 && now-at < int64(3*e.peer.host.period) }
	s.Rejected, s.Stale = e.peer.rejected.Load()+e.peer.host.rejected.Load(), e.peer.stale.Load()
	switch {
	case e.closed.Load():
		s.Problem = "this end is closed"
	case !e.peer.alive(now):
		s.Problem = e.peer.explain()
	case recent(e.met.Load()):
		s.Connected = true
	case recent(e.wrong.Load()):
		s.Problem = link.ErrMismatch.Error()
	default:
		s.Problem = fmt.Sprintf("%s has no %s of this link", e.peer.name, missing)
	}
	return s
}

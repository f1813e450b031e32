package remote

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

// recordBytes is what stands before a packet that waits: the sender's epoch, its number, and when it was sent.
const recordBytes = 24

// end is what both kinds of ends have.
type end struct {
	peer       *Peer
	spec       link.Spec
	id, digest uint64       // of the name, and of all that both ends must agree on
	met, wrong atomic.Int64 // when the peer's fitting and unfitting ends were heard of
	closed     atomic.Bool
}

func (p *Peer) end(spec link.Spec) (*end, error) {
	name := spec.Name
	ok := name != "" && len(name) <= link.MaxName && name[0] != '.'
	for _, c := range []byte(name) {
		ok = ok && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-')
	}
	if !ok {
		return nil, fmt.Errorf("open link %q: a name wants letters, digits, '.', '_' and '-', at most %d, not starting with '.'", name, link.MaxName)
	}
	if spec.Size < 1 || spec.Size > link.MaxSize || spec.Depth < 0 {
		return nil, fmt.Errorf("open link %q: packets of %d bytes, %d waiting: wants 1 to %d bytes, and not less than 0", name, spec.Size, spec.Depth, link.MaxSize)
	}
	return &end{peer: p, spec: spec, id: word(name), digest: word(fmt.Sprintf("%d %d %d %s", spec.Size, spec.Depth, spec.Overflow, spec.Schema))}, nil
}

// word is the first eight bytes of a text's SHA-256.
func word(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:])
}

// mustFit panics where a packet has another size than the link's.
func (e *end) mustFit(packet []byte) {
	if len(packet) != e.spec.Size {
		panic(fmt.Sprintf("remote: a packet of %d bytes on link %q, whose packets have %d", len(packet), e.spec.Name, e.spec.Size))
	}
}

// parts is how many datagrams a packet needs.
func (e *end) parts() int { return (e.spec.Size + partBytes - 1) / partBytes }

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
		s.Problem = e.peer.trouble()
	case recent(e.met.Load()):
		s.Connected = true
	case recent(e.wrong.Load()):
		s.Problem = link.ErrMismatch.Error()
	default:
		s.Problem = fmt.Sprintf("%s has no %s of this link", e.peer.name, missing)
	}
	return s
}

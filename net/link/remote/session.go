package remote

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"sync/atomic"

	"github.com/sinew-robotics/sinew/internal/rt"
)

// The header of a sealed datagram is its kind (1 byte, 3 zeros), the receiving side's number of the session (4) and a
// counter (8). The sealed body follows, then its tag; in plain text there is no tag.
const (
	headBytes = 16
	tagBytes  = 16
)

// limits bound the life of a session. The counts keep AES-GCM far from its own limits (NIST SP 800-38D, section 8).
type limits struct {
	rekeyAfter, endAfter int64 // ns
	rekeyCount, endCount uint64
}

var standard = limits{rekeyAfter: 120e9, endAfter: 600e9, rekeyCount: 1 << 30, endCount: 1 << 36}

// session holds a pair of keys agreed with a peer, or none in plain text. Many goroutines may seal; the host guards
// opening.
type session struct {
	peer          *Peer
	ours, theirs  uint32 // each side's number of the session
	begun         int64
	limits        limits
	first         bool        // this side called
	serial        uint64      // position among the peer's adopted sessions, from 1
	out, in       cipher.AEAD // nil in plain text
	count, newest atomic.Uint64
	window        window
}

func sealer(key [32]byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// old reports whether the session should be replaced, over whether it must no longer be used.
func (s *session) old() bool {
	return rt.Now()-s.begun > s.limits.rekeyAfter || max(s.count.Load(), s.newest.Load()) > s.limits.rekeyCount
}

func (s *session) over(now int64) bool {
	return now-s.begun > s.limits.endAfter || s.count.Load() > s.limits.endCount
}

// seal encrypts d[headBytes:] in place, completes the header and returns the datagram; d must have room for tagBytes
// more. The caller provides the nonce, so that nothing escapes to the heap.
func (s *session) seal(d []byte, nonce *[12]byte) []byte {
	n := s.count.Add(1)
	d[0], d[1], d[2], d[3] = kindSealed, 0, 0, 0
	binary.LittleEndian.PutUint32(d[4:], s.theirs)
	binary.LittleEndian.PutUint64(d[8:], n)
	if s.out == nil {
		d[0] = kindPlain
		return d
	}
	binary.LittleEndian.PutUint64(nonce[4:], n)
	body := s.out.Seal(d[headBytes:headBytes], nonce[:], d[headBytes:], d[:headBytes])
	return d[:headBytes+len(body)]
}

// open decrypts a datagram in place. genuine is false for a forged datagram, fresh is false for a replayed one.
func (s *session) open(d []byte, nonce *[12]byte) (body []byte, n uint64, genuine, fresh bool) {
	n, body = binary.LittleEndian.Uint64(d[8:]), d[headBytes:]
	if plain := d[0] == kindPlain; plain != (s.in == nil) || n == 0 || n > 2*s.limits.endCount {
		return nil, 0, false, false
	}
	if s.in != nil {
		binary.LittleEndian.PutUint64(nonce[4:], n)
		var err error
		if body, err = s.in.Open(d[headBytes:headBytes], nonce[:], d[headBytes:], d[:headBytes]); err != nil {
			return nil, 0, false, false
		}
	}
	if !s.window.take(n) {
		return nil, 0, true, false
	}
	s.newest.Store(s.window.top - 1)
	return body, n, true, true
}

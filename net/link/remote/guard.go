package remote

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"hash"
	"hash/maphash"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

const (
	cookieBytes = 16
	cookieLife  = 60e9  // ns: a cookie is valid for one to two of these periods
	slots       = 64    // addresses that may be answered at the same time
	slotEvery   = 100e6 // ns between two answers to one slot: at most 640 handshakes a second in all
)

// guard bounds the cost of callers that are not authenticated. Before any public-key operation a caller must return a
// cookie, which proves that it receives what is sent to its address, and the rate of calls per address is limited.
// The guard keeps no state per caller except the time in the caller's slot.
type guard struct {
	macs  [2]hash.Hash // keyed by the secrets of this period and of the last one
	since int64
	mac   [sha256.Size]byte
	text  []byte // that is hashed
	seed  maphash.Seed
	last  [slots]int64
}

func newGuard() *guard {
	return &guard{macs: [2]hash.Hash{newMAC(), newMAC()}, since: rt.Now(), seed: maphash.MakeSeed(), text: make([]byte, 0, 256)}
}

func newMAC() hash.Hash {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	return hmac.New(sha256.New, secret)
}

// cookie returns the cookie that a caller from the address must return; with i = 1 that of the previous period.
func (g *guard) cookie(from link.Address, i int) []byte {
	g.macs[i].Reset()
	g.macs[i].Write(binary.LittleEndian.AppendUint16(g.origin(from), from.IP.Port()))
	return g.macs[i].Sum(g.mac[:0])[:cookieBytes]
}

// proven reports whether the cookie was issued for the address.
func (g *guard) proven(cookie []byte, from link.Address) bool {
	if now := rt.Now(); now-g.since > cookieLife {
		g.macs[1], g.macs[0], g.since = g.macs[0], newMAC(), now
	}
	return subtle.ConstantTimeCompare(cookie, g.cookie(from, 0)) == 1 || subtle.ConstantTimeCompare(cookie, g.cookie(from, 1)) == 1
}

// origin returns the address without its port, as bytes that the next call overwrites.
func (g *guard) origin(from link.Address) []byte {
	ip := from.IP.Addr().As16()
	g.text = append(append(g.text[:0], ip[:]...), from.Name...)
	return g.text
}

// admit reports whether a proven address may be answered now.
func (g *guard) admit(from link.Address) bool {
	last, now := &g.last[maphash.Bytes(g.seed, g.origin(from))%slots], rt.Now()
	if *last != 0 && now-*last < slotEvery {
		return false
	}
	*last = now
	return true
}

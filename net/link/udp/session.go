package udp

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"sync/atomic"
	"time"

	"github.com/flynn/noise"
)

// A datagram is a kind (1 byte, 3 zeros), a session (4), a counter (8), and a sealed body with its tag.
const (
	headBytes = 16
	tagBytes  = 16

	kindFirst  = 1 // Noise KK, first message
	kindSecond = 2 // Noise KK, second message
	kindSealed = 3
)

var prologue = []byte("sinew udp 1")

// session is a pair of keys agreed with the peer. Many goroutines may seal; only the receiving one opens.
type session struct {
	id      uint32
	begun   time.Time
	out, in cipher.AEAD
	count   atomic.Uint64
	window  window
}

func newHandshake(id Identity, peer PublicKey, first bool) (*noise.HandshakeState, error) {
	return noise.NewHandshakeState(noise.Config{
		CipherSuite: noise.NewCipherSuite(noise.DH25519, noise.CipherAESGCM, noise.HashSHA256),
		Random:      rand.Reader, Pattern: noise.HandshakeKK, Initiator: first, Prologue: prologue,
		StaticKeypair: noise.DHKey{Private: id.private[:], Public: id.public[:]}, PeerStatic: peer[:],
	})
}

func newSession(h *noise.HandshakeState, forth, back *noise.CipherState, first bool) (*session, error) {
	if !first {
		forth, back = back, forth
	}
	out, err := sealer(forth.UnsafeKey())
	if err != nil {
		return nil, err
	}
	in, err := sealer(back.UnsafeKey())
	if err != nil {
		return nil, err
	}
	return &session{id: binary.LittleEndian.Uint32(h.ChannelBinding()), begun: time.Now(), out: out, in: in}, nil
}

func sealer(key [32]byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// seal encrypts d[headBytes:] in place, completes the head and returns the datagram; d has tagBytes of room left.
// The nonce array is the caller's, so that nothing escapes to the heap.
func (s *session) seal(d []byte, nonce *[12]byte) []byte {
	n := s.count.Add(1)
	d[0], d[1], d[2], d[3] = kindSealed, 0, 0, 0
	binary.LittleEndian.PutUint32(d[4:], s.id)
	binary.LittleEndian.PutUint64(d[8:], n)
	binary.LittleEndian.PutUint64(nonce[4:], n)
	body := s.out.Seal(d[headBytes:headBytes], nonce[:], d[headBytes:], d[:headBytes])
	return d[:headBytes+len(body)]
}

// open decrypts a datagram in place. genuine is false for a forged one, fresh for a replayed one.
func (s *session) open(d []byte, nonce *[12]byte) (body []byte, genuine, fresh bool) {
	n := binary.LittleEndian.Uint64(d[8:])
	binary.LittleEndian.PutUint64(nonce[4:], n)
	body, err := s.in.Open(d[headBytes:headBytes], nonce[:], d[headBytes:], d[:headBytes])
	if err != nil {
		return nil, false, false
	}
	return body, true, s.window.take(n)
}

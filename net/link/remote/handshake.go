package remote

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/flynn/noise"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

// Version is the version of the protocol. Peers of other versions are rejected with an explanation.
const Version = 1

// Kinds of datagrams, in their first byte.
const (
	kindFirst   = 1 // a caller's first message
	kindCookie  = 2 // prove your address: call again with this
	kindSecond  = 3 // the answer
	kindRefusal = 4
	kindSealed  = 5
	kindPlain   = 6
)

// A first message is its kind, version, mode and a zero, the caller's number of the session (4), the tag of the pair
// (16), a cookie (16) or zeros, and the first Noise message. All versions keep the first 40 bytes. The other three are
// kind, version, mode or reason and a zero, the caller's number, and their body.
const (
	boundBytes  = 24 // of a first message, which form the prologue of the handshake
	firstBytes  = boundBytes + cookieBytes
	answerBytes = 8
	noiseFirst  = 32 + 16
	noiseSecond = 32 + 4 + 16

	modeSealed = 1
	modePlain  = 2
)

// Reasons of a rejection.
const (
	refusedVersion = 1 + iota
	refusedName
	refusedSealed // the caller encrypts, this host does not
	refusedPlain  // the caller does not encrypt, this host does
	refusedKey
)

// pairTag identifies a pair of peers on the wire, as seen from the caller.
func pairTag(caller, called string) (tag [16]byte) {
	sum := sha256.Sum256(fmt.Appendf(nil, "sinew pair %d %s %d %s", len(caller), caller, len(called), called))
	return [16]byte(sum[:])
}

// message is a datagram of a handshake on its way from the reading thread to the keeper.
type message struct {
	data [firstBytes + noiseFirst]byte // the longest one
	n    int
	from link.Address
}

// attempt is a call that has not been answered yet.
type attempt struct {
	begun, tried int64
	tries        int
	forged       int
	ours         uint32
	secret       [32]byte              // of this call only
	noise        *noise.HandshakeState // nil in plain text
	first        []byte
}

const (
	attemptLife = 10e9 // ns; a later answer is ignored
	maxForged   = 16   // wrong answers to one call
)

func (h *Endpoint) noise(p *Peer, caller bool, prologue []byte, random io.Reader) (*noise.HandshakeState, error) {
	return noise.NewHandshakeState(noise.Config{
		CipherSuite: noise.NewCipherSuite(noise.DH25519, noise.CipherAESGCM, noise.HashSHA256),
		Random:      random, Pattern: noise.HandshakeKK, Initiator: caller, Prologue: bytes.Clone(prologue),
		StaticKeypair: noise.DHKey{Private: h.config.Identity.private[:], Public: h.config.Identity.public[:]}, PeerStatic: p.key[:],
	})
}

// newAttempt prepares a call.
func (h *Endpoint) newAttempt(p *Peer) (*attempt, error) {
	a := &attempt{begun: rt.Now(), ours: h.number(), first: make([]byte, firstBytes+noiseFirst)}
	_, _ = rand.Read(a.secret[:]) // never fails
	a.first[0], a.first[1], a.first[2] = kindFirst, Version, h.mode()
	binary.LittleEndian.PutUint32(a.first[4:], a.ours)
	tag := pairTag(h.config.Name, p.name)
	copy(a.first[8:], tag[:])
	if h.config.Insecure {
		return a, nil // as long as a secure one, so that answers are never longer than calls
	}
	return a, h.begin(p, a)
}

// begin writes the Noise message of a call, which is the same each time.
func (h *Endpoint) begin(p *Peer, a *attempt) (err error) {
	if a.noise, err = h.noise(p, true, a.first[:boundBytes], bytes.NewReader(a.secret[:])); err == nil {
		_, _, _, err = a.noise.WriteMessage(a.first[:firstBytes], nil)
	}
	return err
}

// call sends the first message of the peer's attempt, which it creates if there is none.
func (h *Endpoint) call(p *Peer) {
	now := rt.Now()
	if a := p.attempt; a != nil && (now-a.begun > attemptLife || a.forged >= maxForged) {
		p.attempt = nil
	}
	if a := p.attempt; a != nil && now-a.tried < 5*int64(h.period) {
		return
	}
	if p.attempt == nil {
		a, err := h.newAttempt(p)
		if err != nil {
			p.setProblem(fmt.Sprintf("start the handshake with %s: %v", p.name, err))
			return
		}
		p.attempt = a
	}
	a := p.attempt
	to := p.dial
	if known := p.route.Load(); known != nil && (p.alive(now) || a.tries%2 == 1) {
		to = known.to // it may have moved
	}
	a.tries++
	a.tried = now
	h.carrier.Write(a.first, to)
}

// handleHandshake handles a datagram of a handshake. Only the keeper calls it.
func (h *Endpoint) handleHandshake(m *message) {
	d := m.data[:m.n]
	if d[0] == kindFirst {
		h.handleCall(d, m.from)
		return
	}
	for _, p := range h.list() {
		if a := p.attempt; a != nil && a.ours == binary.LittleEndian.Uint32(d[4:]) {
			h.handleAnswer(p, d, m.from)
			return
		}
	}
	h.rejected.Add(1)
}

// handleCall handles a first message.
func (h *Endpoint) handleCall(d []byte, from link.Address) {
	if len(d) < firstBytes {
		h.rejected.Add(1)
		return
	}
	reply := h.reply[:answerBytes]
	clear(reply)
	reply[1] = Version
	copy(reply[4:8], d[4:8])
	if !h.guard.proven(d[boundBytes:firstBytes], from) {
		reply[0] = kindCookie
		h.carrier.Write(append(reply, h.guard.cookie(from, 0)...), from)
		return
	}
	if !h.guard.admit(from) {
		h.rejected.Add(1)
		return
	}
	if reason := h.acceptCall(d, from, reply); reason != 0 {
		h.rejected.Add(1)
		reply[0], reply[2] = kindRefusal, reason
		h.carrier.Write(reply[:answerBytes], from)
	}
}

// acceptCall answers a proven caller, or returns the reason for a rejection.
func (h *Endpoint) acceptCall(d []byte, from link.Address, reply []byte) (refused byte) {
	p := h.called([16]byte(d[8:boundBytes]))
	switch {
	case p == nil:
		return refusedName
	case d[1] != Version:
		p.setProblem(fmt.Sprintf("%s uses version %d of the protocol, this host version %d: install the same sinew on both", p.name, d[1], Version))
		return refusedVersion
	case d[2] != h.mode() && h.config.Insecure:
		p.setProblem(fmt.Sprintf("%s encrypts, this host is set to plain text: set insecure on both hosts or on neither", p.name))
		return refusedSealed
	case d[2] != h.mode():
		p.setProblem(fmt.Sprintf("%s is set to plain text, this host encrypts: set insecure on both hosts or on neither", p.name))
		return refusedPlain
	case len(d) != firstBytes+noiseFirst:
		return refusedVersion
	}
	if a := p.attempt; a != nil && h.config.Name < p.name && rt.Now()-a.begun < 10*int64(h.period) {
		return 0 // both called simultaneously: the call of the lesser name counts
	}
	s := &session{peer: p, ours: h.number(), theirs: binary.LittleEndian.Uint32(d[4:]), begun: rt.Now(), limits: h.limits}
	reply[0], reply[2] = kindSecond, h.mode()
	number := binary.LittleEndian.AppendUint32(nil, s.ours)
	if h.config.Insecure {
		reply = append(reply, number...)
	} else {
		state, err := h.noise(p, false, d[:boundBytes], rand.Reader)
		if err != nil {
			return refusedKey
		}
		if _, _, _, err := state.ReadMessage(nil, d[firstBytes:]); err != nil {
			p.setProblem(fmt.Sprintf("a caller at %v that claims to be %s has a different key than this host knows, or knows a different key of this host", from, p.name))
			return refusedKey
		}
		var there, back *noise.CipherState
		if reply, there, back, err = state.WriteMessage(reply, number); err != nil {
			return refusedKey
		}
		if err := s.key(back, there); err != nil {
			return refusedKey
		}
	}
	h.offer(s) // it becomes valid with the first datagram sealed by it: the call may be a replay
	h.carrier.Write(reply, from)
	return 0
}

// handleAnswer handles the answer to a call.
func (h *Endpoint) handleAnswer(p *Peer, d []byte, from link.Address) {
	a := p.attempt
	switch {
	case d[0] == kindCookie && len(d) == answerBytes+cookieBytes:
		copy(a.first[boundBytes:firstBytes], d[answerBytes:])
		h.carrier.Write(a.first, from)
	case d[0] == kindRefusal:
		p.setProblem(explainRejection(p.name, d))
	case d[0] == kindSecond && d[1] == Version && d[2] == h.mode():
		s := &session{peer: p, ours: a.ours, begun: rt.Now(), limits: h.limits, first: true}
		body := d[answerBytes:]
		if a.noise != nil {
			if len(body) != noiseSecond {
				a.forged++
				h.rejected.Add(1)
				return
			}
			number, there, back, err := a.noise.ReadMessage(nil, body)
			if err != nil { // forged: the true answer may still arrive and finds the state unchanged
				a.forged++
				h.rejected.Add(1)
				if h.begin(p, a) != nil {
					p.attempt = nil
				}
				return
			}
			if s.key(there, back) != nil {
				return
			}
			body = number
		}
		if len(body) != 4 {
			h.rejected.Add(1)
			return
		}
		s.theirs = binary.LittleEndian.Uint32(body)
		p.attempt = nil
		h.adopt(s, from)
	default:
		h.rejected.Add(1)
	}
}

// key gives the session the keys of the handshake.
func (s *session) key(out, in *noise.CipherState) (err error) {
	if s.out, err = sealer(out.UnsafeKey()); err == nil {
		s.in, err = sealer(in.UnsafeKey())
	}
	return err
}

// explainRejection explains a rejection. It is not authenticated, so it changes nothing.
func explainRejection(name string, d []byte) string {
	switch d[2] {
	case refusedVersion:
		return fmt.Sprintf("%s uses version %d of the protocol, this host version %d: install the same sinew on both", name, d[1], Version)
	case refusedName:
		return fmt.Sprintf("%s does not know this host by its name", name)
	case refusedSealed:
		return fmt.Sprintf("%s is set to plain text, this host encrypts: set insecure on both hosts or on neither", name)
	case refusedPlain:
		return fmt.Sprintf("%s encrypts, this host is set to plain text: set insecure on both hosts or on neither", name)
	case refusedKey:
		return fmt.Sprintf("%s knows a different key of this host, or has a different key than this host knows", name)
	}
	return fmt.Sprintf("%s rejects this host", name)
}

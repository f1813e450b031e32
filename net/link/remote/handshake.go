package remote

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"net/netip"

	"github.com/flynn/noise"

	"github.com/sinew-robotics/sinew/internal/rt"
)

// Version is that of the protocol. Peers of other versions are refused, in words.
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
	boundBytes  = 24 // of a first message: the prologue of the handshake
	firstBytes  = boundBytes + cookieBytes
	answerBytes = 8
	noiseFirst  = 32 + 16
	noiseSecond = 32 + 4 + 16

	modeSealed = 1
	modePlain  = 2
)

// Reasons of a refusal.
const (
	refusedVersion = 1 + iota
	refusedName
	refusedSealed // a caller who wants to seal
	refusedPlain  // a caller who does not
	refusedKey
)

// pairTag names a pair of peers on the wire, seen from the caller.
func pairTag(caller, called string) (tag [16]byte) {
	sum := sha256.Sum256(fmt.Appendf(nil, "sinew pair %d %s %d %s", len(caller), caller, len(called), called))
	return [16]byte(sum[:])
}

// message is a datagram of a handshake on its way from the reading thread to the keeper.
type message struct {
	data [firstBytes + noiseFirst]byte // the longest one
	n    int
	from netip.AddrPort
}

// attempt is a call that is not answered yet.
type attempt struct {
	begun, tried int64
	tries        int
	forged       int
	ours         uint32
	secret       [32]byte              // of this call alone
	noise        *noise.HandshakeState // nil in plain text
	first        []byte
}

const (
	attemptLife = 10e9 // ns; until then a late answer is good
	maxForged   = 16   // wrong answers to one call
)

func (h *Host) noise(p *Peer, caller bool, prologue []byte, random io.Reader) (*noise.HandshakeState, error) {
	return noise.NewHandshakeState(noise.Config{
		CipherSuite: noise.NewCipherSuite(noise.DH25519, noise.CipherAESGCM, noise.HashSHA256),
		Random:      random, Pattern: noise.HandshakeKK, Initiator: caller, Prologue: bytes.Clone(prologue),
		StaticKeypair: noise.DHKey{Private: h.config.Identity.private[:], Public: h.config.Identity.public[:]}, PeerStatic: p.key[:],
	})
}

// newAttempt prepares a call.
func (h *Host) newAttempt(p *Peer) (*attempt, error) {
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

// begin writes the Noise message of a call, the same one every time.
func (h *Host) begin(p *Peer, a *attempt) (err error) {
	if a.noise, err = h.noise(p, true, a.first[:boundBytes], bytes.NewReader(a.secret[:])); err == nil {
		_, _, _, err = a.noise.WriteMessage(a.first[:firstBytes], nil)
	}
	return err
}

// call sends the first message of the peer's attempt, and makes one where there is none.
func (h *Host) call(p *Peer) {
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
			p.say(fmt.Sprintf("the handshake with %s cannot begin: %v", p.name, err))
			return
		}
		p.attempt = a
	}
	a := p.attempt
	to := p.dial
	if known := p.way.Load(); known != nil && (p.alive(now) || a.tries%2 == 1) {
		to = known.to // it may have moved
	}
	a.tries++
	a.tried = now
	h.carrier.Write(a.first, to)
}

// shake takes a datagram of a handshake; only the keeper calls it.
func (h *Host) shake(m *message) {
	d := m.data[:m.n]
	if d[0] == kindFirst {
		h.answer(d, m.from)
		return
	}
	for _, p := range h.list() {
		if a := p.attempt; a != nil && a.ours == binary.LittleEndian.Uint32(d[4:]) {
			h.answered(p, d, m.from)
			return
		}
	}
	h.rejected.Add(1)
}

// answer takes a first message.
func (h *Host) answer(d []byte, from netip.AddrPort) {
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
	if !h.guard.admit(from.Addr()) {
		h.rejected.Add(1)
		return
	}
	if reason := h.consider(d, from, reply); reason != 0 {
		h.rejected.Add(1)
		reply[0], reply[2] = kindRefusal, reason
		h.carrier.Write(reply[:answerBytes], from)
	}
}

// consider answers a proven caller, or returns why not.
func (h *Host) consider(d []byte, from netip.AddrPort, reply []byte) (refused byte) {
	p := h.called([16]byte(d[8:boundBytes]))
	switch {
	case p == nil:
		return refusedName
	case d[1] != Version:
		p.say(fmt.Sprintf("%s speaks version %d of the protocol, this host version %d: install the same sinew on both", p.name, d[1], Version))
		return refusedVersion
	case d[2] != h.mode() && h.config.Insecure:
		p.say(fmt.Sprintf("%s wants to encrypt, this host is set to plain text: say insecure on both sides or on none", p.name))
		return refusedSealed
	case d[2] != h.mode():
		p.say(fmt.Sprintf("%s wants plain text, this host encrypts: say insecure on both sides or on none", p.name))
		return refusedPlain
	case len(d) != firstBytes+noiseFirst:
		return refusedVersion
	}
	if a := p.attempt; a != nil && h.config.Name < p.name && rt.Now()-a.begun < 10*int64(h.period) {
		return 0 // both called at once: the call of the lesser name counts
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
			p.say(fmt.Sprintf("somebody at %v who calls himself %s has another key than this host knows, or knows another one of this host", from, p.name))
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
	h.offer(s) // it counts when something sealed by it comes: the call may be a replay
	h.carrier.Write(reply, from)
	return 0
}

// answered takes the answer to a call.
func (h *Host) answered(p *Peer, d []byte, from netip.AddrPort) {
	a := p.attempt
	switch {
	case d[0] == kindCookie && len(d) == answerBytes+cookieBytes:
		copy(a.first[boundBytes:firstBytes], d[answerBytes:])
		h.carrier.Write(a.first, from)
	case d[0] == kindRefusal:
		p.say(refusal(p.name, d))
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
			if err != nil { // forged: the right one may still come, and finds the state as it was
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

// key gives the session what the handshake agreed.
func (s *session) key(out, in *noise.CipherState) (err error) {
	if s.out, err = sealer(out.UnsafeKey()); err == nil {
		s.in, err = sealer(in.UnsafeKey())
	}
	return err
}

// refusal puts a refusal in words. It is not authenticated: it explains, and changes nothing.
func refusal(name string, d []byte) string {
	switch d[2] {
	case refusedVersion:
		return fmt.Sprintf("%s speaks version %d of the protocol, this host version %d: install the same sinew on both", name, d[1], Version)
	case refusedName:
		return fmt.Sprintf("%s does not know this host by its name", name)
	case refusedSealed:
		return fmt.Sprintf("%s is set to plain text, this host encrypts: say insecure on both sides or on none", name)
	case refusedPlain:
		return fmt.Sprintf("%s encrypts, this host is set to plain text: say insecure on both sides or on none", name)
	case refusedKey:
		return fmt.Sprintf("%s knows another key of this host, or has another one than this host knows", name)
	}
	return fmt.Sprintf("%s refuses this host", name)
}

package exchange

import (
	"fmt"
	"sync/atomic"

	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/port"
)

// encoder encodes the values of a link.
type encoder struct {
	codec   link.Codec
	plain   []byte // a value in CDR
	clipped *atomic.Uint64
	first   error                  // of a clipped value; written once, before why
	why     *atomic.Pointer[error] // first, once there is one
}

// newEncoder returns the encoder of a link; nil where values travel as CDR.
func newEncoder(spec *Spec) *encoder {
	if spec.Encoded == nil {
		return nil
	}
	return &encoder{codec: spec.codec(), plain: make([]byte, spec.Size), clipped: &atomic.Uint64{}, why: &atomic.Pointer[error]{}}
}

// encode writes the value of a port into a packet and returns its length.
func (e *encoder) encode(packet []byte, p *port.Port) int {
	n, err := e.codec.Encode(packet, e.plain[:p.Encode(e.plain)])
	if err != nil {
		if e.first == nil {
			e.first = err
			e.why.Store(&e.first)
		}
		e.clipped.Add(1)
	}
	return n
}

// describe adds what was clipped to the state of a link. Any goroutine may call it.
func (e *encoder) describe(s *link.State) {
	if s.Clipped = e.clipped.Load(); s.Clipped > 0 && s.Problem == "" {
		s.Problem = fmt.Sprintf("%d values could not be encoded as they were: %v", s.Clipped, *e.why.Load())
	}
}

// decoder decodes the values of a link.
type decoder struct {
	codec link.Codec
	plain []byte // a value in CDR
}

// newDecoder returns the decoder of a link; nil where values travel as CDR.
func newDecoder(spec *Spec) *decoder {
	if spec.Encoded == nil {
		return nil
	}
	return &decoder{spec.codec(), make([]byte, spec.Size)}
}

// decode makes the value of a packet that of a port, and reports whether it is one.
func (d *decoder) decode(packet []byte, p *port.Port) bool {
	n, ok := d.codec.Decode(d.plain, packet)
	return ok && p.Decode(d.plain[:n]) == nil
}

// Recoding encodes and decodes the values of an encoded link within a process: its reader gets the same numbers wherever the sender runs.
type Recoding struct {
	Spec
	source, value *port.Port
	encoder       *encoder
	decoder       *decoder
	packet        []byte
	packets       *atomic.Uint64
	seen          uint64
}

// NewRecoding returns the recoding of an output, or its shadow in the receiving thread.
func NewRecoding(spec Spec, source *port.Port) *Recoding {
	return &Recoding{Spec: spec, source: source, value: source.Shadow(), encoder: newEncoder(&spec), decoder: newDecoder(&spec),
		packet: make([]byte, spec.Link().Size), packets: &atomic.Uint64{}}
}

// Value returns the port that holds the decoded value.
func (r *Recoding) Value() *port.Port { return r.value }

// renew passes a new value through the encoding.
func (r *Recoding) renew() {
	n := *r.source.Count()
	if n == r.seen {
		return
	}
	r.seen = n
	r.packets.Add(1)
	r.decoder.decode(r.packet[:r.encoder.encode(r.packet, r.source)], r.value)
	*r.value.Count(), *r.value.Written() = n, *r.source.Written()
}

// State returns the state of the link. Any goroutine may call it.
func (r *Recoding) State() link.State {
	s := link.State{Name: r.Name, From: r.From, To: r.From, Outgoing: true, Connected: true, Packets: r.packets.Load()}
	r.encoder.describe(&s)
	return s
}

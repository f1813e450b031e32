package port

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/net/schema"
)

// Shape is the shape of an [Excitation].
type Shape uint8

// The shapes of excitations.
const (
	Step  Shape = 1 + iota // the centre for a tenth of the duration, then centre + amplitude
	Sweep                  // a sine whose frequency grows exponentially
	Noise                  // uniformly distributed numbers, a new one 2·To times a second
)

var shapeNames = map[Shape]string{Step: "step", Sweep: "sweep", Noise: "noise"}

// String returns the name of the shape.
func (s Shape) String() string { return shapeNames[s] }

// MarshalText implements [encoding.TextMarshaler].
func (s Shape) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *Shape) UnmarshalText(text []byte) error {
	for shape, name := range shapeNames {
		if name == string(text) {
			*s = shape
			return nil
		}
	}
	return fmt.Errorf("shape %q: wants step, sweep or noise", text)
}

// LongestExcitation is the maximum duration of an [Excitation] in s.
const LongestExcitation = 60

// Excitation is a waveform that identifies a system. A thread feeds it to a port of one float64, a value in each activation,
// and releases the port at its end.
type Excitation struct {
	Shape     Shape   `json:"shape"`
	Centre    float64 `json:"centre"`            // in the unit of the port
	Amplitude float64 `json:"amplitude"`         // the greatest distance from the centre; of a step also negative
	Duration  float64 `json:"duration_s"`        // at most [LongestExcitation]
	From      float64 `json:"from_hz,omitempty"` // frequency at which a sweep begins
	To        float64 `json:"to_hz,omitempty"`   // frequency at which a sweep ends, and up to which noise has power
}

var errExcitation = errors.New("excitation: wants a shape, finite numbers, a duration above 0 and at most 60 s, of a sweep 0 < from_hz ≤ to_hz, of noise 0 < to_hz")

// Check reports why e is not a waveform. Its error is made ahead of time.
func (e *Excitation) Check() error {
	for _, x := range [...]float64{e.Centre, e.Amplitude, e.Duration, e.From, e.To} {
		if math.IsNaN(x) || math.Abs(x) > MaxMagnitude/2 {
			return errExcitation
		}
	}
	switch {
	case e.Duration <= 0 || e.Duration > LongestExcitation,
		e.Shape < Step || e.Shape > Noise,
		e.Shape == Sweep && (e.From <= 0 || e.To < e.From),
		e.Shape == Noise && e.To <= 0:
		return errExcitation
	}
	return nil
}

// At returns the value at a time in s after the beginning.
func (e *Excitation) At(t float64) float64 {
	switch e.Shape {
	case Step:
		if t < e.Duration/10 {
			return e.Centre
		}
		return e.Centre + e.Amplitude
	case Sweep:
		turns := e.From * t
		if k := math.Log(e.To / e.From); k > 0 {
			turns = e.From * e.Duration / k * math.Expm1(k*t/e.Duration)
		}
		return e.Centre + e.Amplitude*math.Sin(2*math.Pi*turns)
	default:
		n := uint64(t*2*e.To + 1e-6) // a time on the boundary belongs to the next number
		return e.Centre + e.Amplitude*(2*uniform(n)-1)
	}
}

// uniform returns the n-th number of a sequence that looks random (SplitMix64), in [0, 1).
func uniform(n uint64) float64 {
	z := (n + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) / (1 << 53)
}

// String describes the waveform: "sweep 0.5–20 Hz, ±0.1 around 0.3, for 10 s".
func (e *Excitation) String() string {
	switch e.Shape {
	case Step:
		return fmt.Sprintf("step from %v to %v, for %v s", e.Centre, e.Centre+e.Amplitude, e.Duration)
	case Sweep:
		return fmt.Sprintf("sweep %v–%v Hz, ±%v around %v, for %v s", e.From, e.To, math.Abs(e.Amplitude), e.Centre, e.Duration)
	}
	return fmt.Sprintf("noise up to %v Hz, ±%v around %v, for %v s", e.To, math.Abs(e.Amplitude), e.Centre, e.Duration)
}

// ExcitationSize is the number of bytes of an [Excitation] in a request.
const ExcitationSize = 48

// Bytes returns the excitation as [ExcitationOf] reads it.
func (e Excitation) Bytes() []byte {
	b := make([]byte, 8, ExcitationSize)
	b[0] = uint8(e.Shape)
	for _, x := range [...]float64{e.Centre, e.Amplitude, e.Duration, e.From, e.To} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// ExcitationOf returns the excitation of [ExcitationSize] bytes, which may be a wrong one: see Check.
func ExcitationOf(b []byte) Excitation {
	number := func(i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b[8+8*i:])) }
	return Excitation{Shape: Shape(b[0]), Centre: number(0), Amplitude: number(1), Duration: number(2), From: number(3), To: number(4)}
}

// IsExcitable reports whether the port is an input or output of one float64, or of a list of one.
func (p *Port) IsExcitable() bool {
	one := p.Type.Kind() == schema.Float64 || p.Len() == 1 && p.Type.Kind() == schema.Slice && p.Type.Elem().Kind() == schema.Float64
	return one && (p.Kind == Input || p.Kind == Output)
}

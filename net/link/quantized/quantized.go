// Package quantized is the encoding quantized of links: floating-point numbers as integers of a few bits.
//
// A number x of a range from min to max becomes the nearest of 2^bits - 1 values that divide the range into K = 2^bits - 2 equal steps
// (the uniform mid-tread quantizer: Gersho and Gray, Vector Quantization and Signal Compression, 1992, section 5.1):
//
//	code = round((x - min)/(max - min) * K),    x' = (min*(K - code) + max*code)/K
//
// Within the range |x' - x| is at most half a step, (max - min)/K/2, beside the rounding of the number's own type. K is even: where min = -max, zero
// stays zero. The remaining code stands for NaN. A number that is farther outside of the range, an infinite one too, becomes the nearer end; that and NaN are
// reported by Encode. Everything that is no floating-point number stays as it is.
//
// An encoded packet is, of packets with lengths of their own, the length of the packet (uint32); then the bytes that are no floating-point numbers; then the
// codes, the least significant bit first.
package quantized

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/schema"
)

// Limits of the option bits.
const (
	MinBits = 2
	MaxBits = 32
)

// Encoding returns the encoding quantized. Its options are bits, from [MinBits] to [MaxBits], and the range from min to max, the same for all
// floating-point numbers of a packet, in their unit.
func Encoding() link.Encoding {
	return link.Encoding{Name: "quantized", Doc: "Floating-point numbers as integers of a few bits: {min: -3.2, max: 3.2, bits: 12}.", New: newCodec}
}

// codec is both halves of the encoding for one layout.
type codec struct {
	floats   []schema.Leaf // floating-point numbers of the longest packet, in their order
	longest  int           // bytes of the longest packet
	varies   bool
	min, max float64
	bits     int
	steps    float64 // K
	clipped  error
}

// newCodec implements [link.Encoding].
func newCodec(layout *schema.Layout, options map[string]string) (link.Codec, error) {
	c := &codec{longest: layout.Size(), varies: layout.Bounded()}
	numbers := map[string]float64{}
	for _, key := range []string{"min", "max", "bits"} {
		x, err := strconv.ParseFloat(options[key], 64)
		if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
			return nil, fmt.Errorf("%s wants a finite number, got %q: give min, max and bits, as {min: -3.2, max: 3.2, bits: 12}", key, options[key])
		}
		numbers[key] = x
	}
	for _, key := range slices.Sorted(maps.Keys(options)) {
		if _, known := numbers[key]; !known {
			return nil, fmt.Errorf("no option %q: there are min, max and bits", key)
		}
	}
	c.min, c.max, c.bits = numbers["min"], numbers["max"], int(numbers["bits"])
	switch {
	case numbers["bits"] != math.Trunc(numbers["bits"]) || c.bits < MinBits || c.bits > MaxBits:
		return nil, fmt.Errorf("bits %v is no whole number from %d to %d", numbers["bits"], MinBits, MaxBits)
	case c.min >= c.max:
		return nil, fmt.Errorf("min %v is not below max %v", c.min, c.max)
	case math.Max(math.Abs(c.min), math.Abs(c.max)) > math.MaxFloat32:
		return nil, fmt.Errorf("the range from %v to %v is wider than ±%v", c.min, c.max, float32(math.MaxFloat32))
	}
	c.steps = float64(uint64(1)<<c.bits - 2)
	step := (c.max - c.min) / c.steps
	for _, leaf := range layout.Leaves() {
		digits := 53
		switch leaf.Kind {
		case schema.Float32:
			digits = 24
		case schema.Float64:
		default:
			continue
		}
		// a step is at least two of the finest differences of the type at the ends of the range
		if _, exponent := math.Frexp(math.Max(math.Abs(c.min), math.Abs(c.max))); step < math.Ldexp(2, exponent-digits) {
			return nil, fmt.Errorf("a step of %.3g is finer than %v is at the ends of the range: take fewer bits", step, leaf.Kind)
		}
		c.floats = append(c.floats, leaf)
	}
	if c.floats == nil {
		return nil, fmt.Errorf("%s has no floating-point numbers", layout.Type().Name())
	}
	c.clipped = fmt.Errorf("numbers outside of %v to %v, or NaN: the nearer end was sent, and NaN as NaN", c.min, c.max)
	return c, nil
}

// prefix returns the bytes before those of the packet.
func (c *codec) prefix() int {
	if c.varies {
		return 4
	}
	return 0
}

// encodedSize returns the length of an encoded packet whose plain form has n bytes and k floating-point numbers.
func (c *codec) encodedSize(n, k int) int {
	for _, leaf := range c.floats[:k] {
		n -= leaf.Kind.Size()
	}
	return c.prefix() + n + (k*c.bits+7)/8
}

// present returns how many floating-point numbers a packet of n bytes has.
func (c *codec) present(n int) int {
	if n == c.longest {
		return len(c.floats)
	}
	k, _ := slices.BinarySearchFunc(c.floats, n, func(leaf schema.Leaf, n int) int { return leaf.Offset - n })
	return k
}

// Size implements [link.Codec].
func (c *codec) Size() int { return c.encodedSize(c.longest, len(c.floats)) }

// Encode implements [link.Codec].
func (c *codec) Encode(into, packet []byte) (n int, err error) {
	k := c.present(len(packet))
	n = c.encodedSize(len(packet), k)
	if c.varies {
		binary.LittleEndian.PutUint32(into, uint32(len(packet)))
	}
	at, from := c.prefix(), 0
	for _, leaf := range c.floats[:k] {
		at += copy(into[at:], packet[from:leaf.Offset])
		from = leaf.Offset + leaf.Kind.Size()
	}
	at += copy(into[at:], packet[from:])
	var store uint64 // bits that are no whole byte yet
	held := 0
	for _, leaf := range c.floats[:k] {
		code, fits := c.code(leaf.Float(packet))
		if !fits {
			err = c.clipped
		}
		store |= code << held
		for held += c.bits; held >= 8; held -= 8 {
			into[at] = byte(store)
			store >>= 8
			at++
		}
	}
	if held > 0 {
		into[at] = byte(store)
	}
	return n, err
}

// code returns the code of a number, and whether its value is at most half a step away.
func (c *codec) code(x float64) (code uint64, fits bool) {
	switch nearest := math.Round((x - c.min) / (c.max - c.min) * c.steps); {
	case x != x:
		return uint64(c.steps) + 1, false
	case nearest < 0:
		return 0, false
	case nearest > c.steps:
		return uint64(c.steps), false
	default:
		return uint64(nearest), true
	}
}

// value returns the number of a code.
func (c *codec) value(code uint64) float64 {
	x := float64(code)
	switch {
	case x > c.steps:
		return math.NaN()
	case x == 0:
		return c.min
	case x == c.steps:
		return c.max
	}
	return (c.min*(c.steps-x) + c.max*x) / c.steps
}

// Decode implements [link.Codec].
func (c *codec) Decode(into, encoded []byte) (n int, ok bool) {
	n = c.longest
	if c.varies {
		if len(encoded) < 4 {
			return 0, false
		}
		length := binary.LittleEndian.Uint32(encoded)
		if uint64(length) > uint64(c.longest) {
			return 0, false
		}
		n = int(length)
	}
	k := c.present(n)
	if k > 0 && c.floats[k-1].Offset+c.floats[k-1].Kind.Size() > n || len(encoded) != c.encodedSize(n, k) {
		return 0, false
	}
	at, to := c.prefix(), 0
	for _, leaf := range c.floats[:k] {
		at += copy(into[to:leaf.Offset], encoded[at:])
		to = leaf.Offset + leaf.Kind.Size()
	}
	at += copy(into[to:n], encoded[at:])
	var store uint64
	held := 0
	for _, leaf := range c.floats[:k] {
		for ; held < c.bits; held += 8 {
			store |= uint64(encoded[at]) << held
			at++
		}
		x := c.value(store & (1<<c.bits - 1))
		store >>= c.bits
		held -= c.bits
		if leaf.Kind == schema.Float32 {
			binary.LittleEndian.PutUint32(into[leaf.Offset:], math.Float32bits(float32(x)))
		} else {
			binary.LittleEndian.PutUint64(into[leaf.Offset:], math.Float64bits(x))
		}
	}
	return n, true
}

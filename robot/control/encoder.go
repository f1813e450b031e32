package control

import "math"

// EncoderScale turns the counts of an incremental encoder on a motor's shaft into the position of the joint behind
// the gear:
//
//	position = Offset + Sign · 2π · counts / (CountsPerTurn · Gear)
type EncoderScale struct {
	CountsPerTurn float64 // counts per turn of the motor: lines × 4 with quadrature decoding; not 0
	Gear          float64 // turns of the motor per turn of the joint; not 0
	Sign          float64 // +1 or −1: −1 if the encoder counts down when the joint moves in its positive sense
	Offset        float64 // position of the joint at 0 counts, in rad
}

// Position returns the position of the joint in rad.
func (s EncoderScale) Position(counts int64) float64 {
	return s.Offset + s.Sign*2*math.Pi*float64(counts)/(s.CountsPerTurn*s.Gear)
}

// Counts returns the count that is nearest to the position in rad, the inverse of Position. The position must be
// finite.
func (s EncoderScale) Counts(position float64) int64 {
	return int64(math.Round((position - s.Offset) * s.Sign * s.CountsPerTurn * s.Gear / (2 * math.Pi)))
}

// Resolution returns the movement of the joint per count in rad.
func (s EncoderScale) Resolution() float64 {
	return math.Abs(2 * math.Pi / (s.CountsPerTurn * s.Gear))
}

// Unwrapper extends a hardware counter of a few bits, which wraps around, to a count that does not. Between two
// samples the counter may move by less than half its range. Counting starts at 0, so the first sample is taken
// as it is, as a signed number.
// Make one with NewUnwrapper.
type Unwrapper struct {
	shift uint
	last  uint64
	total int64
}

// NewUnwrapper returns an unwrapper for a counter of the given number of bits, 1 to 64; it panics for others.
func NewUnwrapper(bits int) Unwrapper {
	if bits < 1 || bits > 64 {
		panic("control: Unwrapper: number of bits must be between 1 and 64")
	}
	return Unwrapper{shift: uint(64 - bits)}
}

// Step returns the total count after the counter has been read as raw. Bits above the counter's are ignored.
func (u *Unwrapper) Step(raw uint64) int64 {
	// Shifting to the top of the word makes the machine's own overflow do the wrapping.
	u.total += int64((raw-u.last)<<u.shift) >> u.shift
	u.last = raw
	return u.total
}

// Reset makes the next sample count as the first.
func (u *Unwrapper) Reset() { u.last, u.total = 0, 0 }

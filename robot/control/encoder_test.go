package control

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestUnwrapperFollowsAnyCounter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.IntRange(2, 64).Draw(t, "bits")
		half := int64(1)<<(bits-1) - 1
		u := NewUnwrapper(bits)
		var total int64
		for _, d := range rapid.SliceOf(rapid.Int64Range(-half, half)).Draw(t, "moves") {
			if s := total + d; (s > total) != (d > 0) && d != 0 {
				return // the total itself no longer fits
			}
			total += d
			raw := uint64(total)
			if bits < 64 {
				raw &= 1<<bits - 1
			}
			if got := u.Step(raw); got != total {
				t.Fatalf("%d bits: counted %d, want %d", bits, got, total)
			}
		}
	})
}

func TestEncoderScaleReturnsItsCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := EncoderScale{
			CountsPerTurn: float64(4 * rapid.IntRange(1, 5000).Draw(t, "lines")),
			Gear:          rapid.Float64Range(0.5, 300).Draw(t, "gear"),
			Sign:          rapid.SampledFrom([]float64{-1, 1}).Draw(t, "sign"),
			Offset:        rapid.Float64Range(-4, 4).Draw(t, "offset"),
		}
		n := rapid.Int64Range(-1e6, 1e6).Draw(t, "counts")
		if got := s.Counts(s.Position(n)); got != n {
			t.Fatalf("%d counts came back as %d", n, got)
		}
		if d := math.Abs(s.Position(n+1) - s.Position(n)); math.Abs(d-s.Resolution()) > 1e-6*(1+d) {
			t.Fatalf("one count moves %v, Resolution is %v", d, s.Resolution())
		}
	})
}

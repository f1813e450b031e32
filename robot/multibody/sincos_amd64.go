package multibody

import "golang.org/x/sys/cpu"

// sincosAVX2 computes sine and cosine of x[0…n-1] + shift[0…n-1] as [sincos] does, and reports whether all are below 1e5:
// those that are not are wrong. It writes n rounded up to a multiple of four numbers to sin and cos.
//
//go:noescape
func sincosAVX2(x, shift, sin, cos *float64, n int) (tame bool)

var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// sincosAll computes sine and cosine of all x + shift. x and shift have the same length, sin and cos that rounded up to a
// multiple of four; what lies behind is overwritten.
func sincosAll(x, shift, sin, cos []float64) {
	if len(x) == 0 {
		return
	}
	n := (len(x) + 3) &^ 3
	if shift, sin, cos := shift[:len(x)], sin[:n], cos[:n]; hasAVX2 && sincosAVX2(&x[0], &shift[0], &sin[0], &cos[0], len(x)) {
		return
	}
	for i, a := range x {
		sin[i], cos[i] = sincos(a + shift[i])
	}
}

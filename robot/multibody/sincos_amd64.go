package multibody

import "golang.org/x/sys/cpu"

// sincosAVX2 computes sine and cosine of x[0…n-1], |x| < 1e5, n a multiple of 4, as [sincos] does.
//
//go:noescape
func sincosAVX2(x, sin, cos *float64, n int)

var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// sincosAll computes sine and cosine of all x, |x| < 1e5. The three slices have the same length, a multiple of 4.
func sincosAll(x, sin, cos []float64) {
	if !hasAVX2 || len(x) == 0 {
		for i, a := range x {
			sin[i], cos[i] = sincos(a)
		}
		return
	}
	sincosAVX2(&x[0], &sin[:len(x)][0], &cos[:len(x)][0], len(x))
}

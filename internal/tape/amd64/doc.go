// Package amd64 assembles programs of internal/tape for the vector units of amd64 processors, to evaluate eight states
// at once, and loops over records ([Loop]) in float32, for eight states with AVX2 and sixteen with AVX-512.
//
// # Data
//
// All arrays are structures of arrays: element k of an argument is the eight consecutive numbers x[8k … 8k+7], one of
// each state; of an argument declared by [tape.Tape.Shared] it is the single number x[k]. The last argument is a scratch
// area of [Function].Scratch numbers (a pointer to anything if that is zero). Nothing has to be aligned, but everything
// is faster at multiples of 64 bytes. Results must not overlap arguments or the scratch area.
//
// # Use in a package
//
// [Assemble] gives the text of a function and its Go declaration. A generated package holds three files:
//
//	kernel_amd64.s    [Text] of the functions of both levels
//	kernel_amd64.go   [Stubs] of them, and which one this processor can run
//	kernel_other.go   //go:build !amd64: the portable program, state by state
//
// It asks golang.org/x/sys/cpu what the processor can do, and keeps the portable program for older ones:
//
//	switch {
//	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ: // level AVX512
//	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:         // level AVX2
//	default:                                        // portable
//	}
//
// Both levels of a function take the same arguments. Sines and cosines come from [Sincos], which leaves huge angles to its caller:
//
//	if !sincosAVX512(&angle[0], &shift[0], &sin[0], &cos[0], rows, 8, 8) {
//		for i := range rows * 8 {
//			if x := angle[i] + shift[i/8]; !(math.Abs(x) < 1e5) {
//				sin[i], cos[i] = math.Sincos(x)
//			}
//		}
//	}
//
// # How it works
//
// Sums take in products (one rounding instead of two, so results differ from [tape.Tape.Evaluate] in the last places);
// several orders of the operations are tried; registers are given by the rule of Belady. The shortest code wins.
package amd64

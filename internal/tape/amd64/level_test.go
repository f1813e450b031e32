package amd64

import "golang.org/x/sys/cpu"

// level returns the highest level that this processor runs, -1 if none.
func level() int {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ:
		return int(AVX512)
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		return int(AVX2)
	}
	return -1
}

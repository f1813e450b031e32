package spheres

import "golang.org/x/sys/cpu"

// levels returns all kernels that this processor runs, by name.
func levels() map[string]*kernels {
	all := map[string]*kernels{}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all["AVX2"] = avx2()
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		all["AVX-512"] = avx512()
	}
	return all
}

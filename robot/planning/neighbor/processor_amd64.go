package neighbor

import "golang.org/x/sys/cpu"

// processor returns the kernels of this processor, nil if it has none.
func processor() *kernels {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return &kernels{
			lines: [...]linesKernel{
				nearLines2AVX2, nearLines4AVX2, nearLines6AVX2, nearLines8AVX2, nearLines10AVX2, nearLines12AVX2, nearLines14AVX2, nearLines16AVX2,
			},
			circles: [...]circlesKernel{
				nearCircles2AVX2, nearCircles4AVX2, nearCircles6AVX2, nearCircles8AVX2, nearCircles10AVX2, nearCircles12AVX2, nearCircles14AVX2, nearCircles16AVX2,
			},
		}
	}
	return nil
}

package spheres

import "golang.org/x/sys/cpu"

// processor returns the best kernels that this processor runs, nil if none. AVX-512 counts only where the operating system keeps its registers, which
// package cpu asks the processor for (XCR0).
func processor() *kernels {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ:
		return avx512()
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		return avx2()
	}
	return nil
}

func avx512() *kernels {
	return &kernels{16, spreadLanesAVX512, moveJointsAVX512, placePointsAVX512, coverBallsAVX512, cullObstaclesAVX512, touchObstacleAVX512, touchPairsAVX512, touchBallAVX512}
}

func avx2() *kernels {
	return &kernels{8, spreadLanesAVX2, moveJointsAVX2, placePointsAVX2, coverBallsAVX2, cullObstaclesAVX2, touchObstacleAVX2, touchPairsAVX2, touchBallAVX2}
}

package spheres

import "golang.org/x/sys/cpu"

// processor returns the kernels of this processor, nil if it has none.
func processor() *kernels {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return &kernels{moveJointsAVX2, placePointsAVX2, coverBallsAVX2, cullObstaclesAVX2, touchObstacleAVX2, touchPairsAVX2, touchBallAVX2}
	}
	return nil
}

package spheres

import "unsafe"

// kernels are loops over records of package record, for as many configurations at once as they have lanes; [amd64.Loop] documents their arguments and results.
type kernels struct {
	lanes         int // 8 or 16
	spreadLanes   func(spread unsafe.Pointer, n int, rows, lane *float32) (left int, lanes int32)
	moveJoints    func(joints unsafe.Pointer, n int, rows, at *float32) (left int, lanes int32)
	placePoints   func(points unsafe.Pointer, n int, rows *float32) (left int, lanes int32)
	coverBalls    func(covers unsafe.Pointer, n int, rows *float32) (left int, lanes int32)
	cullObstacles func(groups unsafe.Pointer, n int, rows *float32) (left int, lanes int32)
	touchObstacle func(balls unsafe.Pointer, n int, rows, obstacle *float32) (left int, lanes int32)
	touchPairs    func(pairs unsafe.Pointer, n int, rows *float32) (left int, lanes int32)
	touchBall     func(balls unsafe.Pointer, n int, rows, other, radius *float32) (left int, lanes int32)
}

// row returns the length of a row in bytes.
func (k *kernels) row() int32 { return int32(4 * k.lanes) }

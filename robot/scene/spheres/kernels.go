package spheres

import "unsafe"

// kernels are loops over records of package record, for eight configurations at once; [amd64.Loop] documents their arguments and results.
type kernels struct {
	moveJoints    func(joints unsafe.Pointer, n int, rows, at *float32) (left int, lanes int32)
	placePoints   func(points unsafe.Pointer, n int, rows *float32) (left int, lanes int32)
	coverBalls    func(covers unsafe.Pointer, n int, rows *float32) (left int, lanes int32)
	cullObstacles func(groups unsafe.Pointer, n int, rows *float32) (left int, lanes int32)
	touchObstacle func(balls unsafe.Pointer, n int, rows, obstacle *float32) (left int, lanes int32)
	touchPairs    func(pairs unsafe.Pointer, n int, rows *float32) (left int, lanes int32)
	touchBall     func(balls unsafe.Pointer, n int, rows, other, radius *float32) (left int, lanes int32)
}

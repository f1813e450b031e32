//go:build !race

package rt

// raceDetector reports whether the race detector is built in.
const raceDetector = false

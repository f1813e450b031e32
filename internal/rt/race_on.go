//go:build race

package rt

// raceDetector tells whether the race detector is built in.
const raceDetector = true

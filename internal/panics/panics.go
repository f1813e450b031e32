// Package panics formats panics in blocks' code as error messages with their place.
package panics

import (
	"fmt"
	"runtime"
	"strings"
)

const depth = 32 // frames to search

// Site returns the file and line that panicked, as "pid.go:42": the first frame below the runtime's own. Call it in a
// function that recovers.
func Site() string {
	pcs := make([]uintptr, depth)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	for panicking := false; ; {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicking = true
		case panicking && !strings.HasPrefix(f.Function, "runtime."):
			return fmt.Sprintf("%s:%d", f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
		case !more:
			return "unknown place"
		}
	}
}

// Recovered runs f and returns a panic in it as an error that names the attempted action.
func Recovered(doing string, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while %s: %v (%s)", doing, p, Site())
		}
	}()
	return f()
}

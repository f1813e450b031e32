package testkit

import (
	"testing"

	"go.uber.org/goleak"
)

// NoLeaks fails the test if, at its end, goroutines run that did not run at this call. For a whole package, call
// goleak.VerifyTestMain in TestMain instead.
func NoLeaks(t testing.TB) {
	t.Helper()
	running := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, running) })
}

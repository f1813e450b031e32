package testkit

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// NoLeaks fails the test if, at its end, goroutines run that did not run at this call, and do not end within
// [Patience]. It checks nothing if the test has failed already. For a whole package, call [Main] instead.
func NoLeaks(t testing.TB) {
	t.Helper()
	running := goleak.IgnoreCurrent()
	t.Cleanup(func() {
		if t.Failed() {
			return // what a failed test did not end is no reason to deny it a second chance
		}
		if err := leaks(running); err != nil {
			t.Errorf("%v", err)
		}
	})
}

// Main is the TestMain of a package whose tests leave no goroutine behind. It runs the tests and exits: with 1 if they
// pass and goroutines still run after [Patience].
func Main(m *testing.M) {
	os.Exit(run(m.Run))
}

func run(tests func() int, ignored ...goleak.Option) int {
	code := tests()
	if code != 0 {
		return code
	}
	if err := leaks(ignored...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// leaks returns an error that describes the goroutines that do not end within [Patience].
func leaks(ignored ...goleak.Option) error {
	limit, err := patience()
	if err != nil {
		return err
	}
	if poll(limit, shortestPause, longestPause, func() bool { err = goleak.Find(ignored...); return err == nil }) {
		return nil
	}
	return fmt.Errorf("after %v: %w %s", limit, err, Final)
}

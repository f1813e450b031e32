package testkit

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"
)

// PatienceVariable is the environment variable that multiplies [Patience], for machines that are busy or slow.
const PatienceVariable = "SINEW_TEST_PATIENCE"

const (
	basePatience = 60 * time.Second
	mostPatience = 1000 // times basePatience

	shortestPause = time.Millisecond
	longestPause  = 20 * time.Millisecond
)

// Patience returns the time limit for whatever a test waits for: 60 s times the environment variable
// SINEW_TEST_PATIENCE, a positive number, at most 1000. It is generous, because it costs nothing where a test passes.
// Patience panics if the variable has another value.
func Patience() time.Duration {
	limit, err := patience()
	if err != nil {
		panic(err)
	}
	return limit
}

func patience() (time.Duration, error) {
	text, ok := os.LookupEnv(PatienceVariable)
	if !ok {
		return basePatience, nil
	}
	factor, err := strconv.ParseFloat(text, 64)
	if err != nil || !(factor > 0 && factor <= mostPatience) {
		return 0, fmt.Errorf("%s=%q: expected a positive number, at most %d", PatienceVariable, text, mostPatience)
	}
	return time.Duration(factor * float64(basePatience)), nil
}

// Await calls done until it returns true, first every millisecond and later every 20 ms, and fails the test after
// [Patience]. what names in the message the state that the test waits for.
func Await(t testing.TB, what string, done func() bool) {
	t.Helper()
	await(t, shortestPause, longestPause, what, done)
}

// AwaitEvery is [Await] with a constant pause between the calls, for tests in which a call also moves something on: a
// device by a step of its time, a link by a packet.
func AwaitEvery(t testing.TB, pause time.Duration, what string, done func() bool) {
	t.Helper()
	await(t, pause, pause, what, done)
}

func await(t testing.TB, first, longest time.Duration, what string, done func() bool) {
	t.Helper()
	limit, err := patience()
	if err != nil {
		t.Fatalf("%v", err)
	}
	if !poll(limit, first, longest, done) {
		t.Fatalf("%s: not within %v", what, limit)
	}
}

// poll calls done until it returns true or the limit has passed, and reports whether it returned true.
func poll(limit, first, longest time.Duration, done func() bool) bool {
	begin := time.Now()
	for pause := first; ; pause = min(pause+pause/4, longest) {
		late := time.Since(begin) > limit // read before the call: a process that stood still for a while asks once more
		if done() {
			return true
		}
		if late {
			return false
		}
		time.Sleep(pause)
	}
}

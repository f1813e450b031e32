package testkit

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Fatalf records the message and ends the helper, which catch returns from.
func (w *witness) Fatalf(format string, args ...any) { w.Errorf(format, args...); panic(w) }

// catch calls a helper that may end with Fatalf.
func (w *witness) catch(helper func()) {
	defer func() {
		if p := recover(); p != nil && p != any(w) {
			panic(p)
		}
	}()
	helper()
}

func TestAwaitReturnsWhenItIsDone(t *testing.T) {
	calls := 0
	Await(t, "the third call", func() bool { calls++; return calls == 3 })
	if calls != 3 {
		t.Errorf("%d calls, expected 3", calls)
	}
}

func TestAwaitEveryKeepsItsPace(t *testing.T) {
	calls, begin := 0, time.Now()
	AwaitEvery(t, 5*time.Millisecond, "the fourth call", func() bool { calls++; return calls == 4 })
	if took := time.Since(begin); took < 15*time.Millisecond {
		t.Errorf("four calls in %v", took)
	}
}

func TestAwaitFailsAfterThePatience(t *testing.T) {
	t.Setenv(PatienceVariable, "0.0005")
	w, calls := &witness{TB: t}, 0
	begin := time.Now()
	w.catch(func() { Await(w, "the impossible", func() bool { calls++; return false }) })
	if output := w.end(); output != "the impossible: not within 30ms" {
		t.Errorf("%q", output)
	}
	if took := time.Since(begin); took < 30*time.Millisecond || calls < 2 {
		t.Errorf("gave up after %v and %d calls", took, calls)
	}
}

func TestAwaitAsksOnceMoreAfterAnInterruption(t *testing.T) {
	t.Setenv(PatienceVariable, "0.0001")
	calls := 0
	Await(t, "the second call", func() bool {
		calls++
		time.Sleep(10 * time.Millisecond) // beyond the patience, as on a machine that stands still
		return calls == 2
	})
}

func TestPatienceFollowsItsVariable(t *testing.T) {
	for text, want := range map[string]time.Duration{"1": time.Minute, "0.5": 30 * time.Second, "4": 4 * time.Minute} {
		t.Setenv(PatienceVariable, text)
		if got := Patience(); got != want {
			t.Errorf("%s: %v, expected %v", text, got, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "NaN", "Inf", "1e9", "2x", "long"} {
		t.Setenv(PatienceVariable, text)
		want := fmt.Sprintf("SINEW_TEST_PATIENCE=%q: expected a positive number", text)
		w := &witness{TB: t}
		w.catch(func() { Await(w, "anything", func() bool { return true }) })
		if output := w.end(); !w.failed || !strings.HasPrefix(output, want) {
			t.Errorf("%s: Await gave %q", text, output)
		}
		func() {
			defer func() {
				if p := recover(); !strings.HasPrefix(fmt.Sprint(p), want) {
					t.Errorf("%s: Patience panicked with %v", text, p)
				}
			}()
			Patience()
		}()
	}
}

func TestNoLeaksWaitsForGoroutinesThatEnd(t *testing.T) {
	w := &witness{TB: t}
	NoLeaks(w)
	go func() { time.Sleep(time.Second) }() // goleak alone waits for 0.4 s
	if output := w.end(); w.failed {
		t.Errorf("a goroutine that ends gave %q", output)
	}
}

func TestNoLeaksLeavesAFailedTestItsSecondChance(t *testing.T) {
	w := &witness{TB: t}
	NoLeaks(w)
	end := make(chan struct{})
	defer close(end)
	go func() { <-end }()
	w.failed = true
	if output := w.end(); output != "" {
		t.Errorf("a failed test gave %q", output)
	}
}

func TestMainFailsForARemainingGoroutine(t *testing.T) {
	running := goleak.IgnoreCurrent()
	if code := run(func() int { return 0 }, running); code != 0 {
		t.Errorf("without a leak: exit code %d", code)
	}
	if code := run(func() int { return 2 }, running); code != 2 {
		t.Errorf("after failed tests: exit code %d", code)
	}
	t.Setenv(PatienceVariable, "0.001")
	end := make(chan struct{})
	defer close(end)
	if code := run(func() int { go func() { <-end }(); return 0 }, running); code != 1 {
		t.Errorf("with a leak: exit code %d", code)
	}
}

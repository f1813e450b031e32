package rt

import (
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestNowRunsForward(t *testing.T) {
	last := Now()
	for range 100_000 {
		now := Now()
		if now < last {
			t.Fatalf("Now went from %d back to %d", last, now)
		}
		last = now
	}
}

func TestSleepUntilNeverReturnsEarly(t *testing.T) {
	for _, spin := range []time.Duration{0, 100 * time.Microsecond, time.Hour} {
		sleeper := Sleeper{Spin: spin}
		for range 20 {
			until := Now() + int64(500*time.Microsecond)
			sleeper.SleepUntil(until)
			if now := Now(); now < until {
				t.Fatalf("spin %v: woke %d ns early", spin, until-now)
			}
		}
		sleeper.SleepUntil(0) // long past
	}
}

func TestLockPanicsOnMisuse(t *testing.T) {
	for _, r := range []ThreadOptions{{Priority: -1}, {Priority: 100}, {CPUs: []int{-1}}} {
		func() {
			defer func() {
				if message, _ := recover().(string); !strings.Contains(message, "expected") {
					t.Errorf("Lock(%+v): panic %q, expected one that names the expected value", r, message)
				}
			}()
			Lock(r)
		}()
	}
}

func TestZeroRequestGetsAThreadWithoutNotice(t *testing.T) {
	thread, notices := Lock(ThreadOptions{})
	if len(notices) > 0 {
		t.Errorf("notices %q, expected none", notices)
	}
	thread.Release()
	thread.Release()
}

func TestWakeKeepsARing(t *testing.T) {
	var w Wake
	if w.Wait(0) || w.Wait(time.Millisecond) {
		t.Error("Wait returned true without a ring")
	}
	w.Wake()
	w.Wake()
	if !w.Wait(0) {
		t.Error("the ring was lost")
	}
	if w.Wait(0) {
		t.Error("two rings before a Wait count as one, got two")
	}
	w.Wake()
	if !w.Wait(-1) {
		t.Error("the ring was lost")
	}
}

// Two threads pass a plain counter back and forth: with -race this also shows that a ring publishes what was written
// before it.
func TestWakePublishesAndLosesNothing(t *testing.T) {
	const rounds = 5_000
	var ping, pong Wake
	counter := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range rounds {
			ping.Wait(-1)
			counter++
			pong.Wake()
		}
	}()
	for i := range rounds {
		ping.Wake()
		if !pong.Wait(testkit.Patience()) {
			t.Fatalf("round %d: no answer", i)
		}
		if counter != i+1 {
			t.Fatalf("round %d: counter %d, expected %d", i, counter, i+1)
		}
	}
	<-done
}

// Timeouts race with rings: in any order, a ring is either taken immediately or kept for the next Wait.
func TestWakeLosesNoRingToATimeout(t *testing.T) {
	const rings = 3_000
	var w Wake
	var rung, taken atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range rings {
			for taken.Load() < int64(i) { // the ring before has been taken
				runtime.Gosched()
			}
			rung.Add(1)
			w.Wake()
		}
	}()
	for taken.Load() < rings {
		if w.Wait(time.Microsecond) {
			taken.Add(1)
		}
	}
	<-done
	if w.Wait(0) || rung.Load() != taken.Load() {
		t.Errorf("%d rings, %d taken", rung.Load(), taken.Load())
	}
}

func TestHoldLatencyReleasesTwice(t *testing.T) {
	hold, notice := HoldLatency()
	t.Logf("notice: %q", notice)
	hold.Release()
	hold.Release()
}

func BenchmarkNow(b *testing.B) {
	for b.Loop() {
		Now()
	}
}

func BenchmarkWakeOfNobody(b *testing.B) {
	var w Wake
	for b.Loop() {
		w.Wake()
	}
}

package realtime

import (
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestCycleKeepsItsGrid(t *testing.T) {
	const period = 2 * time.Millisecond
	begin := time.Now()
	c := Every(period)
	start := c.next - int64(period)
	instants := 0
	for range 50 {
		instants += 1 + c.Wait()
		if early := time.Duration(instants)*period - time.Since(begin); early > 100*time.Microsecond {
			t.Fatalf("instant %d came %v early", instants, early)
		}
		if c.Late() < 0 {
			t.Fatalf("a wake-up is %v late", c.Late())
		}
	}
	if next := start + int64(instants+1)*int64(period); c.next != next {
		t.Errorf("after %d instants the next one is %v off its grid: delays add up", instants, time.Duration(c.next-next))
	}
}

func TestCycleCountsTheInstantsThatItSkips(t *testing.T) {
	const period = 20 * time.Millisecond
	c := Every(period)
	c.Wait()
	instant := c.next - int64(period)
	time.Sleep(3*period + period/2)
	before := rt.Now()
	slips := c.Wait()
	if slips < 3 {
		t.Errorf("%d slips after three and a half periods of work, expected 3 or more", slips)
	}
	waited := instant + int64(slips+1)*int64(period) // for this instant
	if c.next != waited+int64(period) || waited <= before {
		t.Errorf("the wait ended %v after its begin, expected the next instant", time.Duration(waited-before))
	}
}

func TestCycleAllocatesNothing(t *testing.T) {
	c := Every(50 * time.Microsecond)
	testkit.NoAllocs(t, 100, func() { c.Wait() })
}

func TestLockedThreadIsReleasedOnce(t *testing.T) {
	thread, notices := Lock(Options{})
	if len(notices) != 0 {
		t.Errorf("nothing was requested, and there are notices: %q", notices)
	}
	thread.Release()
	thread.Release()
}

func TestWrongRequestsPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"priority 100":         func() { Lock(Options{Priority: 100}) },
		"priority -1":          func() { Lock(Options{Priority: -1}) },
		"processor -1":         func() { Lock(Options{CPUs: []int{-1}}) },
		"process priority 100": func() { PrepareProcess(100) },
		"period 0":             func() { Every(0) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

package realtime

import (
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestCycleKeepsItsGrid(t *testing.T) {
	const period = 2 * time.Millisecond
	begin := time.Now()
	c := Every(period)
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
	if late := time.Since(begin) - time.Duration(instants)*period; late > period+time.Second {
		t.Errorf("after %d instants the cycle is %v behind: delays add up", instants, late)
	}
}

func TestCycleCountsTheInstantsThatItSkips(t *testing.T) {
	const period = 20 * time.Millisecond
	c := Every(period)
	c.Wait()
	time.Sleep(3*period + period/2)
	begin := time.Now()
	slips := c.Wait()
	if slips < 3 {
		t.Errorf("%d slips after three and a half periods of work, expected 3 or more", slips)
	}
	if waited := time.Since(begin); waited > 10*period {
		t.Errorf("the wait took %v, expected the rest of a period", waited)
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

package rt

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// asCore names the environment variable that makes the test binary's child act as the process of a core.
const asCore = "SINEW_RT_TEST_AS_CORE"

// A pinned thread leaves its processor once for each sleep, and never because the Go scheduler requests it every 10
// ms to let others run: that would cost a switch to a thread of normal priority, in the middle of a control cycle.
func TestPinnedThreadIsNotRescheduled(t *testing.T) {
	if os.Getenv(asCore) == "" {
		child := exec.Command("/proc/self/exe", "-test.run=^TestPinnedThreadIsNotRescheduled$", "-test.v")
		child.Env = append(os.Environ(), asCore+"=1", "GODEBUG=asyncpreemptoff=1", "GOGC=off")
		if out, err := child.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	thread, _ := Lock(ThreadOptions{})
	defer thread.Release()
	var bell Wake
	sleeper := Sleeper{Pinned: true}
	for name, sleep := range map[string]func(){
		"Sleeper":  func() { sleeper.SleepUntil(Now() + 100_000) },
		"Wake":     func() { bell.WaitPinned(100 * time.Microsecond) },
		"and ring": func() { bell.Wake(); bell.WaitPinned(0); bell.WaitPinned(100 * time.Microsecond) },
	} {
		const sleeps = 2000 // some 0.3 s, in which the scheduler asks thirty times
		before := leftProcessor(t)
		for range sleeps {
			sleep()
			runtime.KeepAlive(work(10))
		}
		if left := leftProcessor(t) - before; left > sleeps+sleeps/400 {
			t.Errorf("%s: in %d sleeps the thread left its processor %d times on its own", name, sleeps, left)
		}
	}
}

// work is a function that checks its stack, like most functions.
//
//go:noinline
func work(n int) int {
	if n == 0 {
		return 0
	}
	return work(n-1) + n
}

// leftProcessor returns how often the calling thread has gone to sleep.
func leftProcessor(t *testing.T) int64 {
	t.Helper()
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &usage); err != nil {
		t.Fatal(err)
	}
	return int64(usage.Nvcsw)
}

package rt

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestNowIsTheClockOfTheSleep(t *testing.T) {
	for range 1000 {
		before := Now()
		var ts unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
			t.Fatal(err)
		}
		if now := ts.Nano(); now < before || now > Now() {
			t.Fatalf("CLOCK_MONOTONIC %d lies outside two readings of Now around it (%d)", now, before)
		}
	}
}

func TestStepPathAllocatesNothing(t *testing.T) {
	var sleeper Sleeper
	var w Wake
	testkit.NoAllocs(t, 200, func() {
		sleeper.SleepUntil(Now() + 20_000)
		ThreadFaults()
		w.Wake()
		w.Wait(0)
		w.Wait(10 * time.Microsecond)
	})
}

func TestThreadFaultsCountsFreshPages(t *testing.T) {
	thread, _ := Lock(ThreadOptions{})
	defer thread.Release()
	memory, err := unix.Mmap(-1, 0, 1<<22, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(memory)
	before := ThreadFaults()
	for i := 0; i < len(memory); i += os.Getpagesize() {
		memory[i] = 1
	}
	if after := ThreadFaults(); after.Minor == before.Minor {
		t.Errorf("touching %d fresh bytes counted no fault", len(memory))
	}
}

func TestUnknownCPUIsANotice(t *testing.T) {
	thread, notices := Lock(ThreadOptions{CPUs: []int{1000}})
	defer thread.Release()
	if len(notices) != 1 || !strings.Contains(notices[0], "processor 1001 is not available") {
		t.Errorf("notices %q, expected one about processor 1001", notices)
	}
}

func TestReleaseFromAnotherThreadPanics(t *testing.T) {
	thread, _ := Lock(ThreadOptions{})
	defer thread.Release()
	caught := make(chan any)
	go func() {
		defer func() { caught <- recover() }()
		thread.Release()
	}()
	if message, _ := (<-caught).(string); !strings.Contains(message, "expected the goroutine that called Lock") {
		t.Errorf("panic %q", message)
	}
}

func TestPrivilegedThreadIsGrantedEverythingAndRestored(t *testing.T) {
	if !capable(unix.CAP_SYS_NICE) {
		t.Skip("SKIPPED: needs CAP_SYS_NICE (run the tests as root)")
	}
	before := schedulingNow(t)
	cpu := firstCPU(t)
	thread, notices := Lock(ThreadOptions{Priority: 7, CPUs: []int{cpu}})
	if refused(notices) {
		thread.Release()
		t.Skipf("SKIPPED: root may not have real-time threads here: %q", notices)
	}
	now := schedulingNow(t)
	if now.attr.Policy != unix.SCHED_FIFO || now.attr.Priority != 7 || now.attr.Flags&unix.SCHED_FLAG_RESET_ON_FORK == 0 {
		t.Errorf("scheduling %+v, expected FIFO 7 with reset on fork", now.attr)
	}
	if now.cpus.Count() != 1 || !now.cpus.IsSet(cpu) {
		t.Errorf("bound to %d processors, expected CPU %d alone", now.cpus.Count(), cpu)
	}
	thread.Release()
	if after := schedulingNow(t); after != before {
		t.Errorf("after Release %+v, expected %+v", after, before)
	}
}

// asNobody names the environment variable that makes the test binary's child act as the user without privilege.
const asNobody = "SINEW_RT_TEST_AS_NOBODY"

// A child of this test, run as an unprivileged user, gets notices with remedies, and everything else still works.
func TestUnprivilegedProcessGetsNoticesAndRuns(t *testing.T) {
	if os.Getenv(asNobody) != "" {
		runAsNobody(t)
		return
	}
	child := exec.Command("/proc/self/exe", "-test.run=^TestUnprivilegedProcessGetsNoticesAndRuns$", "-test.v")
	child.Env = append(os.Environ(), asNobody+"=1")
	if os.Geteuid() == 0 {
		child.Path = readableCopyOfThisBinary(t)
		child.Dir = "/"
		child.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	out, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("the test as user %d: %v\n%s", 65534, err, out)
	}
	if strings.Contains(string(out), "SKIP") {
		t.Skipf("SKIPPED in the child:\n%s", out)
	}
}

func runAsNobody(t *testing.T) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_RTPRIO, &limit); err != nil || limit.Cur > 0 || capable(unix.CAP_SYS_NICE) {
		t.Skip("SKIPPED: this user has privileges (rtprio limit or CAP_SYS_NICE)")
	}
	thread, notices := Lock(ThreadOptions{Priority: 50})
	want := regexp.MustCompile(`^threads run without real-time priority: operation not permitted \(run as root, or grant rtprio in /etc/security/limits\.conf\)$`)
	if len(notices) != 1 || !want.MatchString(notices[0]) {
		t.Errorf("notices %q, expected one like %s", notices, want)
	}
	var sleeper Sleeper
	sleeper.SleepUntil(Now() + int64(time.Millisecond))
	thread.Release()

	if notice := LockMemory(); !mayLockAll() && !strings.Contains(notice, "memory is not locked") {
		t.Errorf("LockMemory's notice is %q", notice)
	}
	if _, notice := HoldLatency(); !strings.Contains(notice, "permission denied") && !strings.Contains(notice, "no such file") {
		t.Errorf("HoldLatency's notice is %q", notice)
	}
}

// lockedMemory names the environment variable that makes the test binary's child lock its memory.
const lockedMemory = "SINEW_RT_TEST_LOCK_MEMORY"

func TestLockMemoryKeepsFreshPagesInMemory(t *testing.T) {
	if os.Getenv(lockedMemory) == "" { // in a child, because the lock lasts as long as the process
		child := exec.Command("/proc/self/exe", "-test.run=^TestLockMemoryKeepsFreshPagesInMemory$", "-test.v")
		child.Env = append(os.Environ(), lockedMemory+"=1")
		if out, err := child.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	notice := LockMemory()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	locked := !regexp.MustCompile(`VmLck:\s+0 kB`).Match(status)
	if granted := notice == ""; locked != granted {
		t.Errorf("memory locked: %t, but the notice is %q", locked, notice)
	}
}

type schedulingState struct {
	attr unix.SchedAttr
	cpus unix.CPUSet
}

func schedulingNow(t *testing.T) (s schedulingState) {
	t.Helper()
	attr, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.attr = *attr
	if err := unix.SchedGetaffinity(0, &s.cpus); err != nil {
		t.Fatal(err)
	}
	return s
}

func firstCPU(t *testing.T) int {
	t.Helper()
	cpus := schedulingNow(t).cpus
	for cpu := 0; ; cpu++ {
		if cpus.IsSet(cpu) {
			return cpu
		}
	}
}

func refused(notices []string) bool {
	return strings.Contains(strings.Join(notices, "\n"), "operation not permitted")
}

// readableCopyOfThisBinary is needed because go test builds into a folder that only its user may enter.
func readableCopyOfThisBinary(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sinew-rt-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	binary, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "rt.test")
	if err := os.WriteFile(path, binary, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDamagedBellCountsAsARing(t *testing.T) {
	mem := make([]uint32, 1)
	w := WakeAt(unsafe.Slice((*byte)(unsafe.Pointer(&mem[0])), WakeBytes))
	for _, word := range []uint32{wakeSleeping, 3, 0xdeadbeef} {
		w.word.Store(word)
		if !w.Wait(time.Second) {
			t.Errorf("word %#x before the wait: no ring", word)
		}
		if w.Wait(time.Millisecond) {
			t.Errorf("word %#x: the bell is not as new after it was taken", word)
		}
	}
	for _, word := range []uint32{wakeIdle, 3, 0xdeadbeef} {
		woken := make(chan bool, 1)
		damaged := false
		for !damaged { // on a busy machine a wait is over before this thread sees it sleep
			go func() { woken <- w.Wait(50 * time.Millisecond) }()
			for len(woken) == 0 && !damaged {
				time.Sleep(time.Millisecond)
				damaged = w.word.CompareAndSwap(wakeSleeping, word)
			}
			select {
			case <-woken:
			case <-time.After(testkit.Patience()):
				t.Fatalf("word %#x during the wait: it never ends", word)
			}
		}
		w.Reset()
	}
}

package rt

import (
	"os"
	"os/exec"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// asLifted names the environment variable that makes the test binary's child lift its threads until it ends.
const asLifted = "SINEW_RT_TEST_LIFT"

// After LiftProcess no thread of the process has normal priority, not even one that started later; threads that had a
// priority keep it.
func TestLiftProcessLiftsAllThreads(t *testing.T) {
	if !capable(unix.CAP_SYS_NICE) {
		t.Skip("SKIPPED: needs CAP_SYS_NICE (run the tests as root)")
	}
	if os.Getenv(asLifted) == "" {
		child := exec.Command("/proc/self/exe", "-test.run=^TestLiftProcessLiftsAllThreads$", "-test.v")
		child.Env = append(os.Environ(), asLifted+"=1")
		if out, err := child.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	thread, notices := Lock(ThreadOptions{Priority: 7})
	defer thread.Release()
	if refused(notices) {
		t.Skipf("SKIPPED: root may not have real-time threads here: %q", notices)
	}
	if notice := LiftProcess(1); notice != "" {
		t.Fatal(notice)
	}
	begun, end := make(chan bool), make(chan bool)
	defer close(end)
	for range 8 { // each takes a thread of its own
		go func() {
			thread, _ := Lock(ThreadOptions{})
			defer thread.Release()
			begun <- true
			<-end
		}()
	}
	for range 8 {
		<-begun
	}
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) < 9 {
		t.Errorf("%d threads, expected 9 and more", len(tasks))
	}
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		if err != nil {
			t.Fatal(err)
		}
		want := uint32(1)
		if tid == unix.Gettid() {
			want = 7
		}
		if attr, err := unix.SchedGetAttr(tid, 0); err != nil || attr.Policy != unix.SCHED_FIFO || attr.Priority != want {
			t.Errorf("thread %d: %+v, %v; expected FIFO %d", tid, attr, err, want)
		}
	}
}

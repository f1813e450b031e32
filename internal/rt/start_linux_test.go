package rt

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A process that is started with a priority and a processor has them, with what it starts; this process does not.
func TestStartedProcessesInheritTheScheduling(t *testing.T) {
	before := Scheduled(os.Getpid())
	last := before.CPUs[len(before.CPUs)-1]
	child := exec.Command("sh", "-c", "echo; sleep 1000 & read x; kill $!") // a read that ends with its input
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	want := ThreadOptions{Priority: 7, CPUs: []int{last}}
	notices, err := Start(want, child.Start)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = in.Close(), child.Wait() }()
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	got := Scheduled(child.Process.Pid)
	if len(got.CPUs) != 1 || got.CPUs[0] != last {
		t.Errorf("the child runs on %v, want %d", got.CPUs, last)
	}
	attr, err := unix.SchedGetAttr(child.Process.Pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case refused(notices):
		if got.Priority != 0 || !strings.Contains(notices[0], "no real-time priority 7") || !strings.Contains(notices[0], "limits.conf") {
			t.Errorf("the child has priority %d, and the notices are %q", got.Priority, notices)
		}
	case len(notices) > 0, got.Priority != 7, attr.Policy != unix.SCHED_FIFO, attr.Flags&unix.SCHED_FLAG_RESET_ON_FORK != 0:
		t.Errorf("the child is scheduled by %+v, notices %q", attr, notices)
	}
	if now := Scheduled(os.Getpid()); now.Priority != before.Priority || len(now.CPUs) != len(before.CPUs) {
		t.Errorf("the process itself was %+v and is %+v", before, now)
	}
}

// A processor that is not there is refused with a notice; the process starts nevertheless.
func TestStartReportsWhatIsNotGranted(t *testing.T) {
	started := false
	notices, err := Start(ThreadOptions{CPUs: []int{900}}, func() error { started = true; return nil })
	if err != nil || !started || len(notices) != 1 || !strings.Contains(notices[0], "processor 901 is not available") {
		t.Errorf("started: %v, notices %q, %v", started, notices, err)
	}
}

// The threads of a process that is started with slack have it, but for those that ask for exact sleeps.
func TestStartedProcessesInheritTheSlack(t *testing.T) {
	if os.Getenv(asSlack) != "" {
		slack, err := os.ReadFile("/proc/self/timerslack_ns") // of the first thread
		if err != nil || strings.TrimSpace(string(slack)) != strconv.Itoa(int(RuntimeSlack)) {
			t.Errorf("the process has a slack of %q ns: %v", slack, err)
		}
		thread, _ := Lock(ThreadOptions{})
		defer thread.Release()
		if exact, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0); err != nil || exact != 1 {
			t.Errorf("a locked thread has a slack of %d ns: %v", exact, err)
		}
		return
	}
	child := exec.Command("/proc/self/exe", "-test.run=^TestStartedProcessesInheritTheSlack$", "-test.v")
	child.Env = append(os.Environ(), asSlack+"=1")
	var out strings.Builder
	child.Stdout = &out
	if _, err := Start(ThreadOptions{Slack: RuntimeSlack}, child.Run); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
}

// asSlack names the environment variable by which the test binary's child knows that it is one.
const asSlack = "SINEW_RT_TEST_SLACK"

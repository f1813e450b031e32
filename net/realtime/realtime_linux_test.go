package realtime

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// asProcess names the environment variable that makes the test binary's child prepare its process until it ends.
const asProcess = "SINEW_REALTIME_TEST_PROCESS"

func TestProcessAndThreadHaveTheirPriorities(t *testing.T) {
	if os.Getenv(asProcess) == "" {
		child := exec.Command("/proc/self/exe", "-test.run=^TestProcessAndThreadHaveTheirPriorities$", "-test.v")
		child.Env = append(os.Environ(), asProcess+"=1")
		out, err := child.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if strings.Contains(string(out), "SKIPPED") {
			t.Skip("SKIPPED: needs CAP_SYS_NICE (run the tests as root)")
		}
		return
	}
	thread, notices := Lock(Options{Priority: 7})
	if len(notices) > 0 {
		t.Skipf("SKIPPED: %q", notices)
	}
	process, _ := PrepareProcess(3)
	defer process.Release()
	if p := priority(t); p != 7 {
		t.Errorf("the thread has priority %d, expected 7", p)
	}
	other := make(chan uint32)
	go func() {
		thread, _ := Lock(Options{})
		defer thread.Release()
		other <- priority(t)
	}()
	if p := <-other; p != 3 {
		t.Errorf("another thread has priority %d, expected 3", p)
	}
	thread.Release()
}

func priority(t *testing.T) uint32 {
	attr, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		t.Error(err)
		return 0
	}
	return attr.Priority
}

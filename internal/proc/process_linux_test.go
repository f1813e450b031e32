package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

const variable = "SINEW_TEST_MARK"

// start runs a marked shell script until the test ends.
func start(t *testing.T, mark, script string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Env = append(os.Environ(), variable+"="+mark)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, _ = End(marked(mark), 0)
		_ = cmd.Wait()
	})
	return cmd
}

func marked(mark string) func() []*Process {
	return func() []*Process { return Marked(variable, func(v string) bool { return v == mark }) }
}

// TestZombieDoesNotLive ends a child and does not wait for it.
func TestZombieDoesNotLive(t *testing.T) {
	mark := t.TempDir()
	cmd := start(t, mark, "sleep 1000; :")
	testkit.Await(t, "the child is found", func() bool { return len(marked(mark)()) > 0 })
	if pid := cmd.Process.Pid; !Lives(pid) || !Lives(os.Getpid()) {
		t.Error("a process that runs does not live")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	testkit.Await(t, "the kernel shows a zombie", func() bool {
		s, ok := readStat(cmd.Process.Pid)
		return ok && s.ended
	})
	if Lives(cmd.Process.Pid) {
		t.Error("a zombie lives")
	}
}

// asHeadless names the environment variable by which the test binary's child knows that it has to end its first thread.
const asHeadless = "SINEW_PROC_TEST_HEADLESS"

// TestProcessLivesAsLongAsItsThreads ends the first thread of a child: the kernel shows a zombie, whose other threads hold its files.
func TestProcessLivesAsLongAsItsThreads(t *testing.T) {
	child := exec.Command("/proc/self/exe")
	child.Env = append(os.Environ(), asHeadless+"=1")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	pid := child.Process.Pid
	defer func() { _ = child.Wait() }()
	defer child.Process.Kill()
	testkit.Await(t, "the kernel shows a zombie", func() bool {
		text, err := os.ReadFile(path(pid, "stat"))
		return err == nil && strings.Contains(string(text), ") Z ")
	})
	if !Lives(pid) {
		t.Error("a process of which threads run does not live")
	}
	_ = child.Process.Kill()
	testkit.Await(t, "the process has ended with its last thread", func() bool { return !Lives(pid) })
}

// A process initializes its variables on its first thread.
var _ = endFirstThread()

// endFirstThread ends the first thread of the child: those of the runtime go on.
func endFirstThread() (ended bool) {
	if os.Getenv(asHeadless) != "" {
		_, _, _ = unix.RawSyscall(unix.SYS_EXIT, 0, 0, 0)
	}
	return false
}

func TestMarkedFindsChildrenThatLeftTheirSession(t *testing.T) {
	mark := t.TempDir()
	start(t, mark, "setsid sh -c 'sleep 1000; :' & wait")
	start(t, mark+"x", "sleep 1000; :")
	find := marked(mark)
	testkit.Await(t, "the shell, its child in another session, and that one's child are found", func() bool { return len(find()) == 3 })
	sessions := map[int]bool{}
	for _, p := range find() {
		sessions[p.Session] = true
		if age := time.Since(p.Since); age < -time.Second || age > time.Minute {
			t.Errorf("process %d is reported to have run for %v", p.PID, age)
		}
	}
	if len(sessions) != 2 {
		t.Errorf("found processes of %d sessions, want 2", len(sessions))
	}
	if killed, err := End(find, testkit.Patience()); err != nil || len(killed) > 0 {
		t.Errorf("ending them killed %s, %v", Names(killed), err)
	}
	if n := len(marked(mark + "x")()); n != 2 {
		t.Errorf("%d processes of another mark are left, want 2", n)
	}
}

// While a process begins another program the kernel shows no environment, or a part of it.
func TestMarkedFindsAProcessThatBeginsOtherPrograms(t *testing.T) {
	mark := t.TempDir()
	t.Setenv("AGAIN", `exec sh -c "$AGAIN"`)
	t.Setenv("LONG", strings.Repeat("x", usualEnvironment)) // before the mark
	start(t, mark, `exec sh -c "$AGAIN"`)
	find := marked(mark)
	testkit.Await(t, "it is found", func() bool { return len(find()) == 1 })
	for range 200 {
		if n := len(find()); n != 1 {
			t.Fatalf("found %d processes, want 1", n)
		}
	}
}

func TestProcessWithoutAnEnvironmentIsNotWaitedFor(t *testing.T) {
	cmd := start(t, t.TempDir(), "exec env -i sleep 1000")
	testkit.Await(t, "it has an empty environment", func() bool {
		s, ok := readStat(cmd.Process.Pid)
		return ok && s.noEnvironment
	})
	if text, err := environ(cmd.Process.Pid); err != nil || len(text) > 0 {
		t.Errorf("its environment reads %q, %v", text, err)
	}
	_ = cmd.Process.Kill()
}

func TestEndKillsProcessesThatForkAndIgnoreSIGTERM(t *testing.T) {
	mark := t.TempDir()
	start(t, mark, "trap '' TERM; while :; do setsid sleep 1000 & sleep 0.01; done")
	find := marked(mark)
	testkit.Await(t, "it has forked", func() bool { return len(find()) > 2 })
	killed, err := End(find, 50*time.Millisecond)
	if err != nil || len(killed) == 0 {
		t.Errorf("killed %d, %v", len(killed), err)
	}
	if left := find(); len(left) > 0 {
		t.Errorf("left: %s", Names(left))
	}
}

func TestSignalSparesTheSuccessorOfANumber(t *testing.T) {
	mark := t.TempDir()
	start(t, mark, "exec sleep 1000")
	var list []*Process
	testkit.Await(t, "it is found", func() bool { list = marked(mark)(); return len(list) == 1 })
	p := list[0]
	p.start-- // as if its number had belonged to an earlier process
	if err := p.Signal(syscall.SIGKILL); err == nil {
		t.Error("a signal to an earlier process of the same number was sent")
	}
	if len(marked(mark)()) != 1 {
		t.Error("the later process was killed")
	}
}

func TestHoldersNamesTheProcessOfEachSeat(t *testing.T) {
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "seats")
	shared, err := rt.CreateShared(file, 4096)
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()
	shared.Take(1)
	if h := Holders(file, 3); h[0] != nil || h[1] == nil || h[1].PID != os.Getpid() || h[2] != nil {
		t.Errorf("one seat is taken, found %v", h)
	}
	shared.Take(0)
	shared.Take(2)
	for i, h := range Holders(file, 3) {
		if h == nil || h.PID != os.Getpid() || !strings.Contains(h.Command, "proc.test") {
			t.Errorf("seat %d is held by %+v", i, h)
		}
	}
}

// TestHoldersFindsASeatOfAnUnreferencedOpening collects the garbage of a process that keeps nothing but the memory: its seat stays visible.
func TestHoldersFindsASeatOfAnUnreferencedOpening(t *testing.T) {
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "seats")
	take := func() []byte {
		shared, err := rt.CreateShared(file, 4096)
		if err != nil || !shared.Take(0) {
			t.Fatal("the seat was not taken", err)
		}
		return shared.Bytes()
	}
	memory := take()
	for range 3 { // finalizers run in their own goroutine after a collection
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	if h := Holders(file, 1); h[0] == nil || h[0].PID != os.Getpid() {
		t.Errorf("the seat is held by %v", h)
	}
	runtime.KeepAlive(memory)
}

package deploy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// supervise runs a supervisor of shell scripts until the test ends.
func supervise(t *testing.T, processes ...PlannedProcess) Client {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("SKIPPED: no shell here")
	}
	dir, err := os.MkdirTemp("", "sup") // paths of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for i := range processes {
		processes[i].Command = append([]string{"sh", "-c"}, processes[i].Command...)
	}
	return superviseIn(t, &Plan{System: "test", Host: "local", Dir: dir, Processes: processes}, filepath.Join(dir, "up"))
}

// unheard takes notes that no process keeps.
func unheard(_ context.Context, notes []Note) (int, error) { return len(notes), nil }

// superviseIn runs a supervisor of a plan until the test ends.
func superviseIn(t *testing.T, plan *Plan, folder string) Client {
	t.Helper()
	console := Client{Folder: folder}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Supervise(ctx, plan, folder, unheard) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil && !strings.Contains(err.Error(), "deaf: process") {
			t.Error(err)
		}
	})
	return console
}

// await waits until a process is in a state, and returns it.
func await(t *testing.T, c Client, name string, state State, more func(Status) bool) (found Status) {
	t.Helper()
	var all []Status
	defer func() {
		if found.Name == "" {
			t.Logf("the processes are %+v", all)
		}
	}()
	testkit.Await(t, fmt.Sprintf("process %q is %s", name, state), func() bool {
		all, _ = c.Status()
		for _, s := range all {
			if s.Name == name && s.State == state && (more == nil || more(s)) {
				found = s
				return true
			}
		}
		return false
	})
	return found
}

// TestClientNoticesThatTheSupervisorDies closes a connection without an answer and ends a little later, as a killed process does.
func TestClientNoticesThatTheSupervisorDies(t *testing.T) {
	folder, err := os.MkdirTemp("", "sup") // paths of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	lock, err := lockFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(folder, socketName))
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan error, 1)
	go func() {
		conn, err := socket.Accept()
		if err == nil {
			err = conn.Close()
		}
		time.Sleep(50 * time.Millisecond)
		gone <- errors.Join(err, socket.Close(), lock.Close())
	}()
	if _, err := (Client{Folder: folder}).Status(); !errors.Is(err, ErrNoSupervisor) {
		t.Errorf("the client reports %v", err)
	}
	if err := <-gone; err != nil {
		t.Error(err)
	}
}

// A process starts only when the process that it needs has reported that it is ready.
func TestProcessStartsAfterThoseItNeeds(t *testing.T) {
	c := supervise(t,
		PlannedProcess{Name: "late", Command: []string{"cat ready; exec sleep 100"}, Needs: []string{"first"}, Restart: "never"},
		PlannedProcess{Name: "first", Command: []string{"sleep 0.3; echo it is > ready; echo >&$SINEW_READY; exec sleep 100"}, ReportsReady: true, Restart: "never"})
	await(t, c, "first", Starting, nil)
	if s := await(t, c, "late", Waiting, nil); s.PID != 0 {
		t.Errorf("it runs already: %+v", s)
	}
	await(t, c, "late", Running, nil)
	if text, err := os.ReadFile(c.Log("late")); err != nil || string(text) != "it is\n" {
		t.Errorf("the late process found %q, %v", text, err)
	}
}

// A program that needs a oneshot starts when that has ended with exit code 0, and not before: it may take longer than a program takes to settle.
func TestProcessStartsAfterTheEndOfAOneShot(t *testing.T) {
	c := supervise(t,
		PlannedProcess{Name: "late", Command: []string{"cat made; exec sleep 100"}, Needs: []string{"setup"}, Restart: "never"},
		PlannedProcess{Name: "setup", Command: []string{"while [ ! -e go ]; do sleep 0.02; done; echo it is > made"}, OneShot: true, Restart: "never"})
	began := await(t, c, "setup", Starting, func(s Status) bool { return s.PID > 0 && time.Since(s.Since) > 2*settleTime })
	if s := await(t, c, "late", Waiting, nil); s.PID != 0 {
		t.Errorf("it runs already, before process %d has ended: %+v", began.PID, s)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(c.Folder), "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	await(t, c, "late", Running, nil)
	if s := await(t, c, "setup", Done, nil); s.HasFailed() || !s.Fulfils() {
		t.Errorf("the oneshot is %+v", s)
	}
	testkit.Await(t, "the late process has read what was made", func() bool {
		text, err := os.ReadFile(c.Log("late"))
		return err == nil && string(text) == "it is\n"
	})
}

// A oneshot that fails holds back what needs it, as long as it has not succeeded.
func TestOneShotThatFailsHoldsBack(t *testing.T) {
	c := supervise(t,
		PlannedProcess{Name: "late", Command: []string{"exec sleep 100"}, Needs: []string{"setup"}, Restart: "never"},
		PlannedProcess{Name: "setup", Command: []string{"[ -e tried ] || { touch tried; echo not yet; exit 3; }"}, OneShot: true, Restart: "on_failure"})
	await(t, c, "setup", Done, func(s Status) bool { return s.Restarts == 1 && s.Exit == "exit code 0" })
	await(t, c, "late", Running, nil)

	c = supervise(t,
		PlannedProcess{Name: "late", Command: []string{"exec sleep 100"}, Needs: []string{"setup"}, Restart: "never"},
		PlannedProcess{Name: "setup", Command: []string{"exit 3"}, OneShot: true, Restart: "never"})
	await(t, c, "setup", Failed, func(s Status) bool { return s.Exit == "exit status 3" })
	await(t, c, "late", Waiting, nil)
}

// A foreign program is ready when it shows what the plan asks for.
func TestProgramIsReadyWhenItShowsIt(t *testing.T) {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	c := supervise(t,
		PlannedProcess{Name: "line", Command: []string{"echo starting; while [ ! -e go ]; do sleep 0.02; done; echo 'now listening at 5'; exec sleep 100"}, ReadyLine: "listening", Restart: "never"},
		PlannedProcess{Name: "port", Command: []string{"exec sleep 100"}, ReadyPort: port, Restart: "never"})
	settled := func(s Status) bool { return s.PID > 0 && time.Since(s.Since) > 2*settleTime }
	await(t, c, "line", Starting, settled)
	await(t, c, "port", Starting, settled)
	if err := os.WriteFile(filepath.Join(filepath.Dir(c.Folder), "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	await(t, c, "line", Running, nil)
	if listener, err = net.Listen("tcp", fmt.Sprintf("localhost:%d", port)); err != nil {
		t.Skipf("SKIPPED: another program has taken port %d meanwhile", port)
	}
	defer listener.Close()
	await(t, c, "port", Running, nil)
}

// Processes restart according to their policies; their statuses report how they ended and what they printed last.
func TestProcessesRestartByPolicy(t *testing.T) {
	c := supervise(t,
		PlannedProcess{Name: "never", Command: []string{"echo no motor; exit 3"}, Restart: "never"},
		PlannedProcess{Name: "failing", Command: []string{"exit 3"}, Restart: "on_failure"},
		PlannedProcess{Name: "fine", Command: []string{"exit 0"}, Restart: "on_failure"},
		PlannedProcess{Name: "always", Command: []string{"exit 0"}, Restart: "always"},
		PlannedProcess{Name: "missing", Command: []string{"exec /no/such/program"}, Restart: "never"})
	if s := await(t, c, "never", Failed, nil); s.Exit != "exit status 3" || s.LastLine != "no motor" {
		t.Errorf("%+v", s)
	}
	await(t, c, "fine", Ended, nil)
	await(t, c, "missing", Failed, nil)
	for _, name := range []string{"failing", "always"} {
		await(t, c, name, Restarting, func(s Status) bool { return s.Restarts >= 2 })
	}
}

// Processes stop with all that they have started, also one that ignores the signal.
func TestStopEndsProcessesAndTheirChildren(t *testing.T) {
	c := supervise(t,
		PlannedProcess{Name: "family", Command: []string{"sleep 1000 & sleep 1000 & wait"}, Restart: "always"},
		PlannedProcess{Name: "deaf", Command: []string{"trap '' TERM; while :; do sleep 0.1; done"}, Restart: "always"})
	pid := await(t, c, "family", Running, nil).PID
	if err := c.StopProcesses(false, "family"); err != nil {
		t.Fatal(err)
	}
	await(t, c, "family", Stopped, nil)
	if out, _ := exec.Command("pgrep", "-r", "R,S,D", "-g", fmt.Sprint(pid)).Output(); len(out) != 0 {
		t.Errorf("children are left: %s", out)
	}
	if err := c.StartProcesses("family"); err != nil {
		t.Fatal(err)
	}
	await(t, c, "family", Running, nil)
	for _, err := range []error{c.StartProcesses("family"), c.StopProcesses(false, "missing")} {
		if err == nil || !strings.Contains(err.Error(), "runs already") && !strings.Contains(err.Error(), `no process "missing"`) {
			t.Errorf("wrong error: %v", err)
		}
	}
	await(t, c, "deaf", Running, nil)
}

// TestClientReadsHowTheSupervisorEnded ends supervisors at random times while a client waits for that.
func TestClientReadsHowTheSupervisorEnded(t *testing.T) {
	random := testkit.Rand(t)
	for range 200 {
		folder := t.TempDir()
		if err := os.Chmod(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		lock, err := lockFolder(folder)
		if err != nil {
			t.Fatal(err)
		}
		rest := time.Duration(random.IntN(8000)) * time.Microsecond
		ended := make(chan error, 1)
		go func() {
			time.Sleep(rest)
			err := tellEnd(folder, errors.New("it was killed"))
			ended <- errors.Join(err, lock.Close())
		}()
		if err := (Client{Folder: folder}).awaitEnd(testkit.Patience()); err == nil || err.Error() != "it was killed" {
			t.Errorf("a supervisor that ended after %v: %v", rest, err)
		}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
}

// TestIdleConnectionsAreClosed sends one request and none after it, as the connection of a host whose cable is out.
func TestIdleConnectionsAreClosed(t *testing.T) {
	s := &supervisor{plan: &Plan{System: "idle"}, ctx: t.Context(), idle: 50 * time.Millisecond}
	ours, theirs := net.Pipe()
	served := make(chan struct{})
	go func() { s.serve(theirs); close(served) }()
	if _, err := fmt.Fprintln(ours, `{"ask":"status"}`); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(ours) // to the end of the connection
	if err != nil || !strings.HasPrefix(string(answer), "{") {
		t.Errorf("the supervisor answers %q, %v", answer, err)
	}
	<-served
}

// FuzzServe gives a supervisor whatever comes through its socket.
func FuzzServe(f *testing.F) {
	f.Add([]byte("{\"ask\":\"status\"}\n"))
	f.Add([]byte("{\"ask\":\"stop_process\",\"processes\":[\"x\"]}\n{}\n"))
	f.Add([]byte("[]\n\n{\"ask\":3}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Contains(text, []byte(`"stop"`)) {
			return
		}
		s := &supervisor{plan: &Plan{System: "fuzz"}, states: map[string]*Status{}, kept: map[string]*kept{}}
		s.ctx, s.cancel = context.WithCancelCause(context.Background())
		defer s.cancel(nil)
		ours, theirs := net.Pipe()
		served := make(chan struct{})
		go func() { s.serve(theirs); close(served) }()
		go func() { _, _ = ours.Write(text); _ = ours.Close() }()
		buffer := make([]byte, 4096)
		for {
			if _, err := ours.Read(buffer); err != nil {
				break
			}
		}
		<-served
	})
}

package testkit

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Users are two users of this machine without rights, the victim and a stranger, as an attack between them needs.
// Both have the same folder for temporary files and separate homes. They have no names and no sessions.
type Users struct {
	Victim, Stranger *User
	// Shared is their folder for temporary files, TMPDIR: like /tmp every user may write to it, and none may remove files of others. Its path is short.
	Shared string
}

// User is a user of this machine.
type User struct {
	ID   int
	Home string // that only this user may enter
	env  []string
	test string // the copy of the test's program that users may execute
}

// Roles are the parts of a test that run as one of the users, by name.
type Roles map[string]func(t *testing.T)

const (
	roleVariable = "SINEW_TEST_ROLE"
	firstUser    = 1 << 21 // beyond those that systems assign
)

// TwoUsers returns two users without rights for a test with roles: see [User.Run]. Call it first in the test, because
// a role runs in a separate process that executes the test again up to this call, and ends here. It needs root, and
// skips the test otherwise.
func TwoUsers(t *testing.T, roles Roles) *Users {
	t.Helper()
	if name := os.Getenv(roleVariable); name != "" {
		role := roles[name]
		if role == nil {
			t.Fatalf("test %s has no role %q", t.Name(), name)
		}
		role(t)
		t.SkipNow() // the rest is the test's own
	}
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: an attack by another local user needs root to become that user: sudo -E go test …")
	}
	base := ShortFolder(t)
	u := &Users{Shared: filepath.Join(base, "tmp")}
	test := filepath.Join(base, "test")
	must(t, os.Chmod(base, 0o755), os.Mkdir(u.Shared, 0o700), os.Chmod(u.Shared, 0o777|os.ModeSticky), copyProgram(test))
	for i, user := range []**User{&u.Victim, &u.Stranger} {
		id := firstUser + 2*os.Getpid() + i
		x := &User{ID: id, Home: filepath.Join(base, fmt.Sprint("home", i)), test: test}
		x.env = append(without(os.Environ(), "HOME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "SINEW_SHM"), "HOME="+x.Home, "TMPDIR="+u.Shared)
		must(t, os.Mkdir(x.Home, 0o700), os.Chown(x.Home, id, id))
		*user = x
		t.Cleanup(func() { _ = os.RemoveAll(fmt.Sprintf("/dev/shm/sinew-%d", id)) })
	}
	if err := u.Victim.Command("true").Run(); err != nil {
		t.Skipf("SKIPPED: this machine lets root not become user %d: %v", u.Victim.ID, err)
	}
	return u
}

// Command returns a program that runs as the user, in the user's home.
func (u *User) Command(name string, arguments ...string) *exec.Cmd {
	cmd := exec.Command(name, arguments...)
	cmd.Dir, cmd.Env = u.Home, u.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(u.ID), Gid: uint32(u.ID)}, Pdeathsig: syscall.SIGKILL}
	return cmd
}

// Output runs a program as the user and returns what it printed.
func (u *User) Output(name string, arguments ...string) (string, error) {
	out, err := u.Command(name, arguments...).CombinedOutput()
	return string(out), err
}

// role returns a process that executes a role of the test.
func (u *User) role(t *testing.T, name string, env []string) *exec.Cmd {
	cmd := u.Command(u.test, "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$", "-test.v")
	cmd.Env = append(append(cmd.Env, env...), roleVariable+"="+name)
	cmd.Dir, _ = os.Getwd() // where the test's own files are
	return cmd
}

// Run executes a role of the test as the user to its end, with additional environment variables (NAME=VALUE), and
// fails the test if the role fails. It returns the output of the role.
func (u *User) Run(t *testing.T, role string, env ...string) string {
	t.Helper()
	out, err := u.role(t, role, env).CombinedOutput()
	if err != nil {
		t.Fatalf("role %s: %v\n%s", role, err, out)
	}
	return string(out)
}

// Start executes a role of the test as the user in the background, until the test ends or stop is called. It returns
// when the role has called [Ready], with the role's output until then.
func (u *User) Start(t *testing.T, role string, env ...string) (output string, stop func()) {
	t.Helper()
	cmd := u.role(t, role, env)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	ready, ended := make(chan bool, 1), make(chan struct{})
	go func() { // ends with the process
		defer close(ended)
		isReady, lines := false, bufio.NewScanner(out)
		for lines.Scan() {
			if !isReady && lines.Text() == readyLine {
				isReady = true
				ready <- true
			} else if !isReady {
				fmt.Fprintln(&text, lines.Text())
			}
		}
		if !isReady {
			ready <- false
		}
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	}()
	stop = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		<-ended
	})
	t.Cleanup(stop)
	select {
	case ok := <-ready:
		if !ok {
			t.Fatalf("role %s has ended\n%s", role, &text)
		}
	case <-time.After(Patience()):
		t.Fatalf("role %s is not ready within %v", role, Patience())
	}
	return text.String(), stop
}

const readyLine = "the role is ready"

// Ready ends the start of a role that [User.Start] has started. It does not return.
func Ready() {
	fmt.Println(readyLine)
	select {} // until it is killed
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// copyProgram copies the test's program to a folder where all users may execute it: go test keeps it in a private
// folder.
func copyProgram(to string) error {
	self, err := os.Open("/proc/self/exe")
	if err != nil {
		return err
	}
	defer self.Close()
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, self); err != nil {
		return err
	}
	return file.Close()
}

// without returns an environment without some variables.
func without(env []string, names ...string) (rest []string) {
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		known := false
		for _, n := range names {
			known = known || n == name
		}
		if !known {
			rest = append(rest, e)
		}
	}
	return rest
}

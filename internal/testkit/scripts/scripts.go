// Package scripts runs the test scripts of the command's packages, testdata/script/*.txtar, in which the command is
// used as a user does. Only tests import it.
package scripts

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

const (
	grace  = 10 * time.Second // for processes that a script has left running, to end
	longer = 5                // a script may take this many times testkit.Patience
)

// Run runs the scripts of the test's package, each in a folder of its own, which also holds the user's runtime files. A script that
// hangs fails: its processes are ended. The variable REPO is the folder of the repository. The commands are those that the package's
// TestMain gives to [testscript.Main], and
//
//	[!] await PROGRAM ARG...              runs a program again and again until it succeeds [fails]
//	await -match PATTERN PROGRAM ARG...   does so until a line of its output has the pattern
//	[!] running TEXT                      waits until a process [no process] of this script has TEXT in its command line
//	signal INT|TERM|KILL TEXT             sends a signal to these processes, to cores only KILL, and fails if there is none
//	[mounts]                              this user may mount a small disk, as a test of a full one needs
//
// They wait for testkit.Patience. Standard output and error are those of the last run.
func Run(t *testing.T) {
	root := testkit.Root(t)
	testscript.Run(t, testscript.Params{
		Dir:       "testdata/script",
		Cmds:      map[string]func(*testscript.TestScript, bool, []string){"await": await, "running": running, "signal": signal},
		Condition: condition,
		Setup: func(e *testscript.Env) error {
			e.Setenv("REPO", root)
			runtime := filepath.Join(e.WorkDir, "runtime")
			e.Setenv("TMPDIR", runtime)
			e.Setenv("XDG_RUNTIME_DIR", runtime)
			e.Setenv("XDG_STATE_HOME", runtime)
			shared := filepath.Join("/dev/shm", "sinew-test-"+strconv.Itoa(os.Getpid())+"-"+filepath.Base(e.WorkDir))
			e.Setenv("SINEW_SHM", shared)
			for _, name := range []string{"HOME", "GOCACHE", "GOMODCACHE", "GOPATH", "GOFLAGS", "GOPROXY", "GOSUMDB", "GONOSUMDB", "SSL_CERT_FILE", testkit.RunVariable} {
				if v, ok := os.LookupEnv(name); ok {
					e.Setenv(name, v)
				}
			}
			end := func() { _, _ = proc.End(func() []*proc.Process { return started(runtime) }, grace) }
			hung := time.AfterFunc(longer*testkit.Patience(), func() {
				e.T().Log("the script takes too long: its processes are ended: ", proc.Names(started(runtime)))
				end()
			})
			e.Defer(func() {
				hung.Stop()
				end() // what a script that failed has left running
				_ = os.RemoveAll(shared)
			})
			return os.Mkdir(runtime, 0o700)
		},
	})
}

// condition evaluates the conditions of scripts that testscript does not know.
func condition(name string) (bool, error) {
	if name != "mounts" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return exec.Command("unshare", "--mount", "--map-root-user", "mount", "-t", "tmpfs", "-o", "size=4k", "small", "/tmp").Run() == nil, nil
}

// started returns the processes that carry the mark of a script: its folder for temporary files.
func started(runtime string) []*proc.Process {
	return proc.Marked("TMPDIR", func(folder string) bool { return folder == runtime })
}

// find returns the processes of a script that have a text in their command lines.
func find(s *testscript.TestScript, text string) []*proc.Process {
	return slices.DeleteFunc(started(s.Getenv("TMPDIR")), func(p *proc.Process) bool { return !strings.Contains(p.Command, text) })
}

// pause between two looks at what a script waits for.
const pause = 100 * time.Millisecond

// until looks for a state until it is there, and reports whether that was within testkit.Patience.
func until(state func() bool) bool {
	for limit := time.Now().Add(testkit.Patience()); !state(); time.Sleep(pause) {
		if time.Now().After(limit) {
			return false
		}
	}
	return true
}

func await(s *testscript.TestScript, negated bool, args []string) {
	var pattern *regexp.Regexp
	if len(args) > 2 && args[0] == "-match" && !negated {
		var err error
		pattern, err = regexp.Compile("(?m)" + args[1])
		s.Check(err)
		args = args[2:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		s.Fatalf("usage: [!] await PROGRAM ARG..., or await -match PATTERN PROGRAM ARG...")
	}
	done := until(func() bool {
		err := s.Exec(args[0], args[1:]...)
		if pattern != nil {
			return pattern.MatchString(s.ReadFile("stdout")) || pattern.MatchString(s.ReadFile("stderr"))
		}
		return (err != nil) == negated
	})
	if !done {
		s.Fatalf("not within %v: %s", testkit.Patience(), strings.Join(args, " "))
	}
}

func running(s *testscript.TestScript, negated bool, args []string) {
	if len(args) != 1 {
		s.Fatalf("usage: [!] running TEXT")
	}
	if until(func() bool { return (len(find(s, args[0])) == 0) == negated }) {
		return
	}
	if negated {
		s.Fatalf("after %v there is %s", testkit.Patience(), proc.Names(find(s, args[0])))
	}
	s.Fatalf("no process has %q in its command line after %v; there is %s", args[0], testkit.Patience(), proc.Names(find(s, "")))
}

func signal(s *testscript.TestScript, negated bool, args []string) {
	signals := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL}
	if negated || len(args) != 2 || signals[args[0]] == 0 {
		s.Fatalf("usage: signal INT|TERM|KILL TEXT")
	}
	list := find(s, args[1])
	if args[0] != "KILL" { // like those of a terminal, which do not reach a core: it has a session of its own
		list = slices.DeleteFunc(list, func(p *proc.Process) bool { return strings.HasPrefix(p.Command, "core/") })
	}
	if len(list) == 0 {
		s.Fatalf("no process has %q in its command line; there is %s", args[1], proc.Names(find(s, "")))
	}
	for _, p := range list {
		if err := p.Signal(signals[args[0]]); !errors.Is(err, os.ErrProcessDone) { // a core may end with its front
			s.Check(err)
		}
	}
}

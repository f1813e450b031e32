package docs

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/internal/testkit/hosts"
)

// TestTutorialCanBeTyped types the parts of docs/tutorial one after another in one session, with two terminals: it writes the files,
// runs the commands, and compares what they print with the pages. Code on these pages is marked by the first line of its fence:
//
//	```LANGUAGE FILE     a file that the reader writes
//	```sh                commands in the second terminal; they succeed
//	```sh fails          the last of them fails
//	```sh first          a command in the first terminal, which runs until the comment <!-- Ctrl-C -->
//	```sh browse         lines typed at the prompt of sinew browse
//	```text              lines of what was printed, in their order; … stands for anything
//	```text similar      the same with other numbers
func TestTutorialCanBeTyped(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: the tutorial runs processes that share memory, which needs Linux")
	}
	if testing.Short() {
		t.Skip("SKIPPED by -short: the tutorial builds two commands")
	}
	s := newSession(t)
	parts, err := filepath.Glob(filepath.Join(s.root, "docs/tutorial/[1-9]-*.md"))
	if err != nil || len(parts) != 7 {
		t.Fatalf("the tutorial has the parts %q (%v), expected 7", parts, err)
	}
	for i, part := range parts {
		ok := t.Run(strings.TrimSuffix(filepath.Base(part), ".md"), func(t *testing.T) {
			switch i {
			case 4:
				if _, err := exec.LookPath("cc"); err != nil {
					t.Skip("SKIPPED: no C compiler")
				}
			case 5:
				if _, err := os.Stat(filepath.Join(s.folder, "motor")); err != nil {
					t.Skip("SKIPPED: part 5 has built no motor")
				}
				s.setenv("SINEW_SSH", hosts.Start(t, "robot", "desk").SSH)
				t.Cleanup(func() { _, _ = s.run("sinew down axis") })
			}
			s.play(t, part)
		})
		if !ok {
			return // the others continue with its files
		}
	}
}

// session is a reader with two terminals in a folder beside a clone of the repository.
type session struct {
	root, folder string
	environment  []string
	ctx          context.Context
	first        *exec.Cmd // what runs in the first terminal; nil: nothing
	printed      *output
}

func newSession(t *testing.T) *session {
	t.Helper()
	dir, err := os.MkdirTemp("", "tut") // paths of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	ctx, cancel := context.WithTimeout(context.Background(), 9*testkit.Patience())
	t.Cleanup(cancel)
	s := &session{root: testkit.Root(t), folder: filepath.Join(dir, "tutorial"), environment: os.Environ(), ctx: ctx}
	for _, folder := range []string{"bin", "run", "tutorial"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(s.root, filepath.Join(dir, "sinew")); err != nil {
		t.Fatal(err)
	}
	s.setenv("PATH", filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	s.setenv("TMPDIR", filepath.Join(dir, "run"))
	s.setenv("XDG_RUNTIME_DIR", "")
	s.setenv("SINEW_SHM", testkit.SharedFolder(t))
	s.setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -trimpath")) // packages are cached wherever the folder is
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "bin", "sinew"), "./cmd/sinew")
	build.Dir = s.root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	endStarted(t, "TMPDIR", filepath.Join(dir, "run"))
	t.Cleanup(func() { s.interrupt(t) })
	return s
}

// endStarted ends, after the test, the processes that have the value in their environment: a page that fails leaves its system running.
func endStarted(t *testing.T, variable, value string) {
	t.Cleanup(func() {
		find := func() []*proc.Process { return proc.Marked(variable, func(v string) bool { return v == value }) }
		if _, err := proc.End(find, testkit.Patience()/10); err != nil {
			t.Error(err)
		}
	})
}

func (s *session) setenv(name, value string) { s.environment = append(s.environment, name+"="+value) }

func (s *session) command(line string) *exec.Cmd {
	cmd := exec.CommandContext(s.ctx, "sh", "-c", line)
	cmd.Dir, cmd.Env = s.folder, s.environment
	return cmd
}

func (s *session) run(line string) (string, error) {
	out, err := s.command(line).CombinedOutput()
	return string(out), err
}

// Parts of the errors where a thread has not taken a request, or a process sends no value, since it hangs or, on a busy machine, gets no processor.
const (
	hangs  = "it answers nothing until it goes on"
	silent = "no new value for"
)

// taken runs a command, again where nothing came of its request, as a reader would.
func (s *session) taken(t *testing.T, line string) (out string, err error) {
	t.Helper()
	testkit.Await(t, fmt.Sprintf("the request of %q is answered", line), func() bool {
		out, err = s.run(line)
		return !strings.Contains(out, hangs) && !strings.Contains(out, silent)
	})
	return out, err
}

var tutorialStep = regexp.MustCompile("(?sm)^```(\\w+) ?([^\n]*)\n(.*?)^```$|^<!-- Ctrl-C -->$")

// play does what a part asks for.
func (s *session) play(t *testing.T, part string) {
	page, err := os.ReadFile(part)
	if err != nil {
		t.Fatal(err)
	}
	printed := func() string { return "" }
	for _, step := range tutorialStep.FindAllStringSubmatch(string(page), -1) {
		language, info, text := step[1], step[2], step[3]
		switch {
		case language == "":
			out := s.interrupt(t)
			printed = func() string { return out }
		case language == "sh" && info == "first":
			s.begin(t, text)
			printed = s.printed.String
		case language == "sh" && info == "browse":
			out := s.browse(t, text)
			printed = func() string { return out }
		case language == "sh":
			out := s.typed(t, text, info == "fails")
			printed = func() string { return out }
		case language == "text":
			compare(t, text, printed(), info == "similar")
		default:
			if err := os.WriteFile(filepath.Join(s.folder, info), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// typed runs lines in the second terminal and returns what they print.
func (s *session) typed(t *testing.T, text string, fails bool) string {
	t.Helper()
	var all strings.Builder
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		if folder, ok := strings.CutPrefix(line, "cd "); ok {
			s.folder = filepath.Join(s.folder, folder)
			continue
		}
		if line == "go mod tidy" { // tests may have no network: the sums are known
			sums, err := os.ReadFile(filepath.Join(s.root, "go.sum"))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(s.folder, "go.sum"), sums, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out, err := s.taken(t, line)
		all.WriteString(out)
		if (err != nil) != (fails && i == len(lines)-1) {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	return all.String()
}

// browse types lines at a prompt; they take a second, so that what is watched comes.
func (s *session) browse(t *testing.T, text string) string {
	t.Helper()
	lines, quit := strings.CutSuffix(strings.TrimSpace(text), "\nquit")
	if !quit {
		t.Fatalf("the lines do not end with quit:\n%s", text)
	}
	out, err := s.taken(t, fmt.Sprintf("{ echo '%s'; sleep 2; echo quit; } | sinew browse", lines))
	if err != nil {
		t.Fatalf("browse: %v\n%s", err, out)
	}
	return out
}

// begin starts a command in the first terminal and waits until its system answers.
func (s *session) begin(t *testing.T, line string) {
	t.Helper()
	s.printed = &output{}
	s.first = s.command("exec " + strings.TrimSpace(line))
	s.first.Stdout, s.first.Stderr = s.printed, s.printed
	if err := s.first.Start(); err != nil {
		t.Fatal(err)
	}
	var out string
	var err error
	defer func() {
		if out != "" && err != nil {
			t.Logf("%s\n%s", out, s.printed)
		}
	}()
	testkit.Await(t, fmt.Sprintf("the system of %q answers", line), func() bool { out, err = s.run("sinew param list"); return err == nil })
}

// interrupt presses Ctrl-C in the first terminal and returns all that was printed there.
func (s *session) interrupt(t *testing.T) string {
	t.Helper()
	if s.first == nil {
		return ""
	}
	_ = s.first.Process.Signal(os.Interrupt)
	if err := s.first.Wait(); err != nil {
		t.Errorf("%v after Ctrl-C:\n%s", err, s.printed)
	}
	s.first = nil
	return s.printed.String()
}

var number = regexp.MustCompile(`-?\d[\d.]*(e[+-]?\d+)?(ns|µs|ms|s|h|m\ds)?\b`)

// compare looks for each expected line in the lines that were printed, in their order.
func compare(t *testing.T, expected, printed string, similar bool) {
	t.Helper()
	plain := func(line string) string {
		if similar {
			line = number.ReplaceAllString(line, "#")
		}
		return strings.Join(strings.Fields(line), " ")
	}
	lines := strings.Split(printed, "\n")
	for want := range strings.SplitSeq(strings.TrimSpace(expected), "\n") {
		pattern := strings.ReplaceAll(regexp.QuoteMeta(plain(want)), "…", ".*")
		match := regexp.MustCompile("^" + pattern + "$")
		found := false
		for !found && len(lines) > 0 {
			found, lines = match.MatchString(plain(lines[0])), lines[1:]
		}
		if !found {
			t.Fatalf("the page shows %q; printed was\n%s", want, printed)
		}
	}
}

// output collects what a command prints while others read it.
type output struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.String()
}

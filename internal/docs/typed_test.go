package docs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// typed are the pages whose commands are run here, one after another, each in a folder of the repository: for pages of an
// example that of the example.
var typed = []struct{ page, folder string }{
	{"docs/howto/repeat-blocks.md", "."},
	{"docs/howto/control-some-joints.md", "."},
	{"docs/howto/motion-programs.md", "."},
	{"docs/howto/plan-a-motion.md", "."},
	{"docs/howto/plan-for-your-robot.md", "."},
	{"docs/howto/plan-with-files-of-moveit.md", "."},
	{"docs/howto/record-and-plot.md", "."},
	{"docs/howto/tune-a-running-system.md", "."},
	{"docs/howto/tune-a-controller.md", "."},
	{"docs/howto/write-a-block.md", "."},
	{"docs/howto/write-a-foreign-block.md", "."},
	{"docs/howto/use-the-console.md", "."},
	{"docs/howto/run-in-several-processes.md", "."},
	{"examples/janus/README.md", "examples/janus"},
	{"docs/howto/keep-values.md", "examples/janus"},
	{"examples/walker/README.md", "."},
	{"examples/shelf/README.md", "."},
	{"examples/cooperate/README.md", "."},
	{"examples/rover/README.md", "."},
	{"examples/rates/README.md", "."},
	{"examples/tank/README.md", "."},
	{"examples/valve/README.md", "."},
	{"examples/card/README.md", "."},
	{"docs/howto/write-a-carrier.md", "."},
}

// elsewhere are the tests that run the commands of the other pages, and pages whose commands are not for users' machines.
var elsewhere = map[string]string{
	"README.md":                      "cli/fleet/howto_linux_test.go",
	"docs/howto/bridge-two-hosts.md": "cli/fleet/howto_linux_test.go",
	"docs/howto/give-a-port-to-several-receivers.md":              "cli/fleet/howto_linux_test.go",
	"docs/howto/connect-the-ports-of-a-program.md":                "cli/fleet/howto_linux_test.go",
	"docs/howto/run-on-several-hosts.md":                          "cli/fleet/howto_linux_test.go",
	"docs/howto/reduce-the-rate-of-a-port.md":                     "cli/fleet/howto_linux_test.go",
	"docs/howto/inspect-a-robot.md":                               "cli/model/docs_test.go",
	"docs/performance.md":                                         "Makefile", // make bench
	"docs/concepts/geometry.md":                                   "Makefile", // make judge
	"docs/decisions/0016-the-engines-of-collision-are-our-own.md": "Makefile", // make judge
	"examples/guard/README.md":                                    "guard_linux_test.go",
	"console/ui/README.md":                                        "Makefile", // make test-ui
	"docs/reference/commands.md":                                  "commands_test.go",
}

// commands returns the lines of a page's code that are typed into a shell, without their comments.
func commands(page string) (list []string) {
	shell := false
	for line := range strings.SplitSeq(page, "\n") {
		if fence, ok := strings.CutPrefix(line, "```"); ok {
			shell = strings.HasPrefix(fence, "sh")
			continue
		}
		call := line
		if !shell {
			if call = strings.TrimPrefix(line, "    "); call == line {
				continue
			}
		}
		if typedVerb.MatchString(call) {
			call, _, _ = strings.Cut(call, "  #")
			list = append(list, strings.TrimSpace(call))
		}
	}
	return list
}

var typedVerb = regexp.MustCompile(`^(sinew|go|make|npm) `)

func TestEveryPageWithCommandsIsTyped(t *testing.T) {
	root := testkit.Root(t)
	for page, text := range pages(t, root) {
		_, other := elsewhere[page]
		other = other || strings.HasPrefix(page, "docs/tutorial/") // tutorial_test.go
		here := slices.ContainsFunc(typed, func(p struct{ page, folder string }) bool { return p.page == page })
		if has := len(commands(text)) > 0; has && !here && !other {
			t.Errorf("%s has commands that no test runs", page)
		} else if !has && here {
			t.Errorf("%s has no commands", page)
		}
	}
}

var runsSystem = regexp.MustCompile(`run (--console )?\S+\.yaml`)

// ended makes a command end that a user would let run.
func ended(command string) string {
	switch {
	case strings.HasPrefix(command, "sinew tap"):
		return command + " --count 3"
	case strings.HasPrefix(command, "sinew console"), strings.HasPrefix(command, "sinew plan") && strings.Contains(command, "--console"):
		return "timeout --foreground --preserve-status -s INT 2 " + command + " </dev/null"
	case strings.HasPrefix(command, "sinew browse"):
		return "echo quit | " + command
	case runsSystem.MatchString(command) && !strings.Contains(command, "--fast"):
		return command + " --for 1s"
	}
	return command
}

// TestCommandsRun types what the pages say, in a copy of the repository's examples beside a live Janus.
func TestCommandsRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: the pages show a Unix shell")
	}
	root, dir, shared := testkit.Root(t), t.TempDir(), testkit.SharedFolder(t)
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	endStarted(t, "XDG_RUNTIME_DIR", filepath.Join(dir, "run"))
	ctx, cancel := context.WithTimeout(context.Background(), 10*testkit.Patience())
	defer cancel()
	run := func(folder, command string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "sh", "-c", command)
		cmd.Dir = filepath.Join(dir, folder)
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "XDG_RUNTIME_DIR="+filepath.Join(dir, "run"), "XDG_STATE_HOME="+filepath.Join(dir, "state"), "SINEW_SHM="+shared)
		return cmd
	}
	try := func(t *testing.T, folder, command string) {
		t.Helper()
		if out, err := run(folder, command).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
	for _, folder := range []string{"examples", "models", "clients"} {
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(root, folder))); err != nil {
			t.Fatal(err)
		}
	}
	try(t, ".", fmt.Sprintf("cd %s && go build -o %s/sinew ./cmd/sinew", root, dir))
	try(t, ".", "make -C examples/foreign plant")
	live := run(".", "exec sinew run examples/janus/janus.yaml --script examples/janus/endless.star --name janus-docs --quiet --record live.mcap")
	if err := live.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = live.Process.Signal(os.Interrupt)
		_ = live.Wait()
	}()
	testkit.Await(t, "the live system answers", func() bool { return run(".", "sinew param get pid1.kp").Run() == nil })
	all := pages(t, root)
	for _, p := range typed {
		t.Run(p.page, func(t *testing.T) {
			for _, command := range commands(all[p.page]) {
				folder := p.folder
				if strings.HasPrefix(command, "go ") { // it wants the module
					command = fmt.Sprintf("cd %s && %s", root, command)
				}
				try(t, folder, ended(command))
			}
		})
	}
	saved, err := os.ReadFile(filepath.Join(dir, "examples/janus/janus.yaml"))
	if err != nil || !strings.Contains(string(saved), "{kp: 100, ki: 3, kd: 100}") {
		t.Errorf("param save did not write kp: 100 into the file (%v)", err)
	}
}

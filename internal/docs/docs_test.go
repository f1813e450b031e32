package docs

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// pages returns the text of all pages by their path from the root.
func pages(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "node_modules" || path != root && strings.HasPrefix(e.Name(), ".")):
			return filepath.SkipDir
		case filepath.Ext(path) == ".md":
			text, err := os.ReadFile(path)
			rel, _ := filepath.Rel(root, path)
			all[filepath.ToSlash(rel)] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var link = regexp.MustCompile(`\]\(([^)\s#]+)(?:#[^)]*)?\)`)

func TestLinksLeadSomewhere(t *testing.T) {
	root := testkit.Root(t)
	for page, text := range pages(t, root) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: the link %s leads nowhere", page, m[1])
			}
		}
	}
}

// commands returns the lines of a page's indented code that call sinew, without their comments.
func commands(page string) (list []string) {
	for line := range strings.SplitSeq(page, "\n") {
		if call, ok := strings.CutPrefix(line, "    sinew "); ok {
			call, _, _ = strings.Cut(call, "   #")
			list = append(list, "sinew "+strings.TrimSpace(call))
		}
	}
	return list
}

// TestCommandsRun runs the commands of the how-to pages in a folder with the examples, beside a live Janus.
func TestCommandsRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: the pages show a Unix shell")
	}
	root := testkit.Root(t)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	run := func(ctx context.Context, command string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "sh", "-c", command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "TMPDIR="+filepath.Join(dir, "run"))
		return cmd
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	build := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(dir, "sinew"), "./cmd/sinew")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	for _, folder := range []string{"examples", "models"} {
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(root, folder))); err != nil {
			t.Fatal(err)
		}
	}
	live := run(ctx, "exec sinew run examples/janus/janus.yaml --name janus-docs --quiet --record live.mcap")
	if err := live.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = live.Process.Signal(os.Interrupt)
		_ = live.Wait()
	}()
	for begin := time.Now(); run(ctx, "sinew param get pid1.kp").Run() != nil; time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > 30*time.Second {
			t.Fatal("the live system does not answer")
		}
	}
	all := pages(t, root)
	for _, page := range []string{"docs/howto/record-and-plot.md", "docs/howto/tune-a-running-system.md"} {
		list := commands(all[page])
		if len(list) == 0 {
			t.Errorf("%s has no commands", page)
		}
		for _, command := range list {
			if strings.HasPrefix(command, "sinew tap") {
				command += " --count 3" // the page's goes on until Ctrl-C
			}
			if out, err := run(ctx, command).CombinedOutput(); err != nil {
				t.Errorf("%s: %s: %v\n%s", page, command, err, out)
			}
		}
	}
	saved, err := os.ReadFile(filepath.Join(dir, "examples/janus/janus.yaml"))
	if err != nil || !strings.Contains(string(saved), "{kp: 100, ki: 3, kd: 100}") {
		t.Errorf("param save did not write kp: 100 into the file (%v)", err)
	}
}

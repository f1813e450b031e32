package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
)

const (
	devSettle = 150 * time.Millisecond // changes within this time are one
	devGrace  = 5 * time.Second        // what a running system has to stop in order
)

func devCommand(registry *block.Registry) *cobra.Command {
	return &cobra.Command{
		Use:   "dev FILE [-- arguments of run]",
		Short: "Build and run the project in this folder again whenever a file changes",
		Long: `Run a system, and run it again whenever a file in this folder or below changes. Where the folder holds Go files dev builds them
first, and runs the command that they make; without Go files it runs this command, with its ready-made blocks. If the files do not
build, or the system file is wrong, the errors are printed above the view, and what ran before continues to run. Without the system
file it ends with an error.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			if _, err := os.ReadFile(args[0]); err != nil { // a misspelled name: waiting for a change would be in vain
				_, err = system.Load(args[0], system.Options{Registry: registry})
				return err
			}
			d := &developer{args: args, out: cmd.OutOrStdout(), err: cmd.ErrOrStderr()}
			return d.loop(ctx)
		},
	}
}

// developer runs the main package of the working directory, or this command.
type developer struct {
	args     []string
	out, err io.Writer
	binary   string
	running  *exec.Cmd
	notes    io.WriteCloser // the standard input of running, which shows what dev prints above its view
	ended    chan error     // the end of running
}

// print prints through the running system, which owns the terminal; without one, on the standard error.
func (d *developer) print(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if d.running != nil {
		if _, err := io.WriteString(d.notes, text); err == nil {
			return
		}
	}
	fmt.Fprint(d.err, text)
}

func (d *developer) loop(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "sinew-dev-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	d.binary = filepath.Join(dir, "system")
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watch for changes: %w", err)
	}
	defer watcher.Close()
	if err := watchFolders(watcher); err != nil {
		return fmt.Errorf("watch for changes: %w", err)
	}
	defer d.stop()
	d.restart(ctx, time.Now())
	for {
		changed, err := nextChange(ctx, watcher, d.ended)
		if err != nil {
			return err
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case changed.IsZero():
			d.running = nil
			d.ended = nil
			d.print("dev: the system has ended; it runs again at the next change\n")
		default:
			d.restart(ctx, changed)
		}
	}
}

// watchFolders watches the working directory and the folders below it, hidden ones apart.
func watchFolders(w *fsnotify.Watcher) error {
	return filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		if name := e.Name(); path != "." && (strings.HasPrefix(name, ".") || name == "node_modules") {
			return filepath.SkipDir
		}
		return w.Add(path)
	})
}

// nextChange returns the time of the next change of a source, when no other has followed it for a while; the zero
// time where the running system has ended or the context has.
func nextChange(ctx context.Context, w *fsnotify.Watcher, ended <-chan error) (time.Time, error) {
	var first time.Time
	var settle <-chan time.Time
	for {
		select {
		case e, ok := <-w.Events:
			if !ok {
				return time.Time{}, errors.New("watching for changes has ended")
			}
			if !isSource(e.Name) || e.Op == fsnotify.Chmod {
				continue
			}
			if first.IsZero() {
				first = time.Now()
			}
			settle = time.After(devSettle)
		case <-settle:
			return first, nil
		case err := <-w.Errors:
			return time.Time{}, fmt.Errorf("watch for changes: %w", err)
		case <-ended:
			return time.Time{}, nil
		case <-ctx.Done():
			return time.Time{}, nil
		}
	}
}

func isSource(path string) bool {
	switch filepath.Ext(path) {
	case ".go", ".yaml", ".yml", ".star", ".urdf", ".mod":
		return true
	}
	return false
}

// restart builds, and if that works replaces the running system by the new one.
func (d *developer) restart(ctx context.Context, since time.Time) {
	binary, err := d.build(ctx)
	if err != nil {
		d.print("%sdev: it does not build%s\n", err, d.before())
		return
	}
	check := exec.CommandContext(ctx, binary, "check", d.args[0])
	if text, err := check.CombinedOutput(); err != nil {
		d.print("%sdev: the system file is wrong%s\n", text, d.before())
		return
	}
	d.stop()
	if binary != d.binary && filepath.Dir(binary) == filepath.Dir(d.binary) {
		if err := os.Rename(binary, d.binary); err != nil {
			d.print("dev: %v\n", err)
			return
		}
		binary = d.binary
	}
	run := exec.Command(binary, append([]string{"run", "--one-process", "--notes"}, d.args...)...)
	run.Stdout, run.Stderr = d.out, d.err
	if d.notes, err = run.StdinPipe(); err == nil {
		err = run.Start()
	}
	if err != nil {
		d.print("dev: %v\n", err)
		return
	}
	d.running, d.ended = run, make(chan error, 1)
	go func(ended chan<- error) { ended <- run.Wait() }(d.ended)
	d.print("dev: running %.1f s after the change\n", time.Since(since).Seconds())
}

// before describes what goes on when a change cannot be run.
func (d *developer) before() string {
	if d.running == nil {
		return "; it runs when that is mended"
	}
	return "; what ran before goes on"
}

// build returns the command to run: the main package of this folder, freshly built, or this command where the folder has no Go files.
// The error is what the compiler prints.
func (d *developer) build(ctx context.Context) (string, error) {
	if sources, _ := filepath.Glob("*.go"); len(sources) == 0 { // the pattern is well formed
		return os.Executable()
	}
	part := d.binary + ".part"
	text, err := exec.CommandContext(ctx, "go", "build", "-o", part, ".").CombinedOutput()
	if err != nil {
		if len(text) == 0 {
			text = []byte(err.Error() + "\n")
		}
		return "", errors.New(string(text))
	}
	return part, nil
}

// stop ends the running system in order, and by force where it takes too long.
func (d *developer) stop() {
	if d.running == nil {
		return
	}
	_ = d.running.Process.Signal(os.Interrupt)
	select {
	case <-d.ended:
	case <-time.After(devGrace):
		_ = d.running.Process.Kill()
		<-d.ended
	}
	d.running = nil
}

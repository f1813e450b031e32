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
)

const (
	devSettle = 150 * time.Millisecond // changes within this time are one
	devGrace  = 5 * time.Second        // what a running system has to stop in order
)

func devCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "dev FILE [-- arguments of run]",
		Short: "Build and run the project in this folder again whenever a file changes",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			d := &developer{args: args, out: cmd.OutOrStdout(), err: cmd.ErrOrStderr()}
			return d.loop(ctx)
		},
	}
}

// developer builds and runs the main package of the working directory.
type developer struct {
	args     []string
	out, err io.Writer
	binary   string
	running  *exec.Cmd
	ended    chan error // the end of running
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
			fmt.Fprintln(d.err, "dev: the system has ended; it runs again at the next change")
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
	part := d.binary + ".part"
	build := exec.CommandContext(ctx, "go", "build", "-o", part, ".")
	if text, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(d.err, "%sdev: it does not build; what ran before goes on\n", text)
		return
	}
	check := exec.CommandContext(ctx, part, "check", d.args[0])
	if text, err := check.CombinedOutput(); err != nil {
		fmt.Fprintf(d.err, "%sdev: the system file is wrong; what ran before goes on\n", text)
		return
	}
	d.stop()
	if err := os.Rename(part, d.binary); err != nil {
		fmt.Fprintln(d.err, "dev:", err)
		return
	}
	run := exec.Command(d.binary, append([]string{"run", "--one-process"}, d.args...)...)
	run.Stdout, run.Stderr = d.out, d.err
	if err := run.Start(); err != nil {
		fmt.Fprintln(d.err, "dev:", err)
		return
	}
	d.running, d.ended = run, make(chan error, 1)
	go func(ended chan<- error) { ended <- run.Wait() }(d.ended)
	fmt.Fprintf(d.err, "dev: running %.1f s after the change\n", time.Since(since).Seconds())
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

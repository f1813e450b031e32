package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/deploy"
)

const followPeriod = 100 * time.Millisecond // between two looks at the files

func logsCommand() *cobra.Command {
	var follow, named bool
	cmd := &cobra.Command{
		Use:   "logs SYSTEM [PROCESS]",
		Short: "Show what the processes of a system that is up have printed",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			plan, err := deploy.ReadPlan(args[0])
			if err != nil {
				return err
			}
			out := &lineWriter{out: cmd.OutOrStdout()}
			var logs []*tail
			var others []deploy.RemotePlan
			for _, p := range plan.Processes {
				if len(args) == 1 || args[1] == p.Name {
					logs = append(logs, &tail{name: p.Name, path: deploy.Console{Folder: deploy.Folder(args[0])}.Log(p.Name)})
				}
			}
			for _, r := range plan.Remotes {
				if len(args) == 1 || r.Has(args[1]) {
					others = append(others, r)
				}
			}
			if logs == nil && others == nil {
				return fmt.Errorf("%s has no process %q", args[0], args[1])
			}
			if len(logs)+len(others) > 1 {
				named = true
			}
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer cancel()
			var all sync.WaitGroup
			errs := make([]error, len(others))
			for i := range others {
				all.Go(func() { errs[i] = remoteLogs(ctx, &others[i], args, follow, named, out) })
			}
			tails(ctx, logs, follow, named, out)
			all.Wait()
			if ctx.Err() != nil {
				return nil
			}
			return errors.Join(errs...)
		},
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what comes")
	cmd.Flags().BoolVar(&named, "names", false, "begin each line with the name of its process, also where there is one process only")
	return cmd
}

// tails prints the logs of this host.
func tails(ctx context.Context, logs []*tail, follow, named bool, out io.Writer) {
	for {
		for _, l := range logs {
			l.print(out, named)
		}
		if !follow {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(followPeriod):
		}
	}
}

// remoteLogs prints the logs of another host.
func remoteLogs(ctx context.Context, r *deploy.RemotePlan, args []string, follow, named bool, out io.Writer) error {
	remote, err := r.Reach(ctx)
	if err != nil {
		return err
	}
	words := append([]string{"logs"}, args...)
	if follow {
		words = append(words, "--follow")
	}
	if named {
		words = append(words, "--names")
	}
	var said bytes.Buffer
	cmd := remote.Call(ctx, words...)
	cmd.Stdout, cmd.Stderr = out, &said
	err = cmd.Run()
	if errors.As(err, new(*exec.ExitError)) {
		return fmt.Errorf("host %q: %s", remote.Name, strings.TrimSpace(said.String()))
	}
	return err
}

// lineWriter lets several goroutines print, a write at a time.
type lineWriter struct {
	mu  sync.Mutex
	out io.Writer
}

// Write implements io.Writer.
func (w *lineWriter) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(text)
}

// tail prints a file from where it was left off.
type tail struct {
	name, path string
	at         int64
}

func (l *tail) print(w io.Writer, named bool) {
	file, err := os.Open(l.path)
	if err != nil {
		return
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() < l.at {
		l.at = 0 // it was too long, and begins anew
	}
	if _, err := file.Seek(l.at, io.SeekStart); err != nil {
		return
	}
	fresh, err := io.ReadAll(file)
	if err != nil || len(fresh) == 0 {
		return
	}
	l.at += int64(len(fresh))
	if !named {
		_, _ = w.Write(fresh)
		return
	}
	var text bytes.Buffer
	for line := range bytes.Lines(fresh) {
		fmt.Fprintf(&text, "%-10s %s", l.name, line)
	}
	_, _ = w.Write(text.Bytes())
}

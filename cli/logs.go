package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/deploy"
)

const followPeriod = 100 * time.Millisecond // between two looks at the files

func logsCommand() *cobra.Command {
	var f logFlags
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
				f.named = true
			}
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer cancel()
			var all sync.WaitGroup
			errs := make([]error, len(others))
			for i := range others {
				all.Go(func() { errs[i] = remoteLogs(ctx, &others[i], args, f, out) })
			}
			tails(ctx, logs, f, out)
			all.Wait()
			if ctx.Err() != nil {
				return nil
			}
			return errors.Join(errs...)
		},
	}
	cmd.Flags().BoolVarP(&f.follow, "follow", "f", false, "go on with what comes")
	cmd.Flags().BoolVar(&f.named, "names", false, "begin each line with the name of its process, also where there is one process only")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON object a line")
	return cmd
}

// logFlags say which lines are printed, and how.
type logFlags struct{ follow, named, asJSON bool }

// words are the flags for the same command on another host.
func (f logFlags) words() (list []string) {
	for word, on := range map[string]bool{"--follow": f.follow, "--names": f.named, "--json": f.asJSON} {
		if on {
			list = append(list, word)
		}
	}
	return list
}

// write writes a line that a process has printed.
func (f logFlags) write(w *bytes.Buffer, process string, line []byte) {
	switch {
	case f.asJSON:
		_ = json.NewEncoder(w).Encode(struct {
			Process string `json:"process"`
			Text    string `json:"text"`
		}{process, string(bytes.TrimRight(line, "\r\n"))})
	case f.named:
		fmt.Fprintf(w, "%-10s %s", process, line)
	default:
		w.Write(line)
	}
}

// tails prints the logs of this host.
func tails(ctx context.Context, logs []*tail, f logFlags, out io.Writer) {
	for {
		for _, l := range logs {
			l.print(out, f)
		}
		if !f.follow {
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
func remoteLogs(ctx context.Context, r *deploy.RemotePlan, args []string, f logFlags, out io.Writer) error {
	remote, err := r.Reach(ctx)
	if err != nil {
		return err
	}
	words := slices.Concat([]string{"logs"}, args, f.words())
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

func (l *tail) print(w io.Writer, f logFlags) {
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
	var text bytes.Buffer
	for line := range bytes.Lines(fresh) {
		f.write(&text, l.name, line)
	}
	_, _ = w.Write(text.Bytes())
}

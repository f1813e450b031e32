package fleet

import (
	"bufio"
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

const (
	followPeriod = 100 * time.Millisecond // between two looks at the files
	localHold    = 200 * time.Millisecond // for which a line waits for earlier ones of other processes
	remoteHold   = time.Second            // the same where there are other hosts
	clockFormat  = "15:04:05.000"
)

func logsCommand() *cobra.Command {
	var f logFlags
	cmd := &cobra.Command{
		Use:   "logs SYSTEM [PROCESS]",
		Short: "Show what the processes of a system that is up have printed",
		Long: `Show what the processes of a system that is up have printed, of all hosts, in the order of time; with the name of a process
that of one. The lines of "supervisor" are what the supervisor of a host did: processes that it started, restarted, stopped and killed.

The times are those of the clock of each host. They are up to 20 ms late, so lines of two processes within 20 ms may change places; a
line that was printed while no supervisor ran has no time, and stands behind the line that its process printed before.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			plan, err := deploy.ReadPlan(args[0])
			if err != nil {
				return err
			}
			console, err := deploy.At(args[0])
			if err != nil {
				return err
			}
			wanted := func(process string) bool { return len(args) == 1 || args[1] == process }
			m := &merger{hold: localHold, last: map[string]time.Time{}}
			var others []deploy.RemotePlan
			for _, p := range plan.Processes {
				if wanted(p.Name) {
					m.tails = append(m.tails, console.Tail(p.Name))
				}
			}
			for _, r := range plan.Remotes {
				if wanted(deploy.SupervisorLog) || r.Has(args[1]) {
					others = append(others, r)
					m.hold = remoteHold
				}
			}
			if wanted(deploy.SupervisorLog) {
				m.tails = append(m.tails, console.Tail(deploy.SupervisorLog))
			}
			if m.tails == nil && others == nil {
				return fmt.Errorf("%s has no process %q", args[0], args[1])
			}
			if len(m.tails)+len(others) > 1 {
				f.named = true
			}
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer cancel()
			var all sync.WaitGroup
			errs := make([]error, len(others))
			for i := range others {
				all.Go(func() { errs[i] = remoteLogs(ctx, &others[i], args, f.follow, m.add) })
			}
			if f.follow {
				m.follow(ctx, func(lines []deploy.LogLine) { f.write(cmd.OutOrStdout(), lines) })
			}
			all.Wait()
			m.look(true)
			f.write(cmd.OutOrStdout(), m.take(0))
			if ctx.Err() != nil {
				return nil
			}
			return errors.Join(errs...)
		},
	}
	cmd.Flags().BoolVarP(&f.follow, "follow", "f", false, "go on with what comes")
	cmd.Flags().BoolVar(&f.named, "names", false, "add the name of its process to each line, also where there is one process only")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON object a line")
	return cmd
}

// logFlags select the lines that are printed, and their form.
type logFlags struct{ follow, named, asJSON bool }

// write writes lines that processes have printed.
func (f logFlags) write(out io.Writer, lines []deploy.LogLine) {
	var w bytes.Buffer
	for _, l := range lines {
		if f.asJSON {
			_ = json.NewEncoder(&w).Encode(l)
			continue
		}
		at := ""
		if !l.Time.IsZero() {
			at = l.Time.Local().Format(clockFormat)
		}
		fmt.Fprintf(&w, "%-*s  ", len(clockFormat), at)
		if f.named {
			fmt.Fprintf(&w, "%-10s ", l.Process)
		}
		w.WriteString(l.Text + "\n")
	}
	_, _ = out.Write(w.Bytes())
}

// merger puts the lines of several processes in the order of their times. Its methods may be called from any goroutine.
type merger struct {
	tails []*deploy.LogTail // of this host
	hold  time.Duration     // for which a line waits for earlier ones

	mu      sync.Mutex
	waiting []heldLine
	last    map[string]time.Time // by process: of the newest line
}

// heldLine is a line that waits for earlier ones of other processes.
type heldLine struct {
	deploy.LogLine
	order   time.Time // its time, or that of the line before where it has none
	arrived time.Time
}

// add takes lines of one process or more, those of each in their order.
func (m *merger) add(lines []deploy.LogLine) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	for _, l := range lines {
		if l.Time.After(m.last[l.Process]) {
			m.last[l.Process] = l.Time
		}
		m.waiting = append(m.waiting, heldLine{l, m.last[l.Process], now})
	}
}

// look takes what the processes of this host have printed since.
func (m *merger) look(last bool) {
	for _, t := range m.tails {
		m.add(t.Read(last))
	}
}

// take returns the lines that have waited long enough, and those before them.
func (m *merger) take(hold time.Duration) (lines []deploy.LogLine) {
	m.mu.Lock()
	defer m.mu.Unlock()
	slices.SortStableFunc(m.waiting, func(a, b heldLine) int { return a.order.Compare(b.order) })
	ripe := 0
	for i, l := range m.waiting {
		if time.Since(l.arrived) >= hold {
			ripe = i + 1
		}
	}
	for _, l := range m.waiting[:ripe] {
		lines = append(lines, l.LogLine)
	}
	m.waiting = m.waiting[ripe:]
	return lines
}

// follow prints the lines as they come, until the context ends.
func (m *merger) follow(ctx context.Context, print func([]deploy.LogLine)) {
	for {
		m.look(false)
		print(m.take(m.hold))
		select {
		case <-ctx.Done():
			return
		case <-time.After(followPeriod):
		}
	}
}

// remoteLogs gives the lines of another host to sink. The supervisor and other processes of sinew on each host have the host's name.
func remoteLogs(ctx context.Context, r *deploy.RemotePlan, args []string, follow bool, sink func([]deploy.LogLine)) error {
	remote, err := r.Reach(ctx)
	if err != nil {
		return err
	}
	words := slices.Concat([]string{"logs"}, args, []string{"--json"})
	if follow {
		words = append(words, "--follow")
	}
	var said bytes.Buffer
	cmd := remote.Call(ctx, words...)
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	for in := bufio.NewReader(out); ; {
		text, err := in.ReadBytes('\n')
		var l deploy.LogLine
		if json.Unmarshal(text, &l) == nil {
			if !r.Plan.Own(l.Process) {
				l.Process += "@" + remote.Name
			}
			sink([]deploy.LogLine{l})
		}
		if err != nil {
			break
		}
	}
	err = cmd.Wait()
	if errors.As(err, new(*exec.ExitError)) {
		return fmt.Errorf("host %q: %s", remote.Name, strings.TrimSpace(said.String()))
	}
	return err
}

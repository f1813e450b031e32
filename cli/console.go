package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/fleet"
	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/console/systems"
	"github.com/sinew-robotics/sinew/internal/numbered"
	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/run"
)

// consoleFlags hold where a console listens and by which names browsers may reach it.
type consoleFlags struct {
	listen string
	hosts  []string
	coach  string
	page   string // that the printed address opens; "": the first one
}

// register adds the flags; on names the flag of the verb that they belong to.
func (f *consoleFlags) register(cmd *cobra.Command, on string) {
	f.registerPages(cmd, on)
	cmd.Flags().StringVar(&f.coach, "coach", "", "let programs show poses and drive simulators at this `address:port` of loopback, as 127.0.0.1:11235")
}

// registerPages adds the flags of pages alone.
func (f *consoleFlags) registerPages(cmd *cobra.Command, on string) {
	cmd.Flags().StringVar(&f.listen, "listen", "127.0.0.1:0", "serve the pages"+on+" at this `address:port`; port 0 is a free one")
	cmd.Flags().StringArrayVar(&f.hosts, "host", nil, "a `name` of this machine by which browsers may reach the pages"+on)
	cmd.PreRunE = unusedPages
}

// unusedPages rejects flags of the pages where a command shows none.
func unusedPages(cmd *cobra.Command, _ []string) error {
	if shown := cmd.Flags().Lookup("console"); shown == nil || shown.Changed || run.IsCore() {
		return nil
	}
	for _, name := range []string{"listen", "host", "coach"} {
		if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed {
			return fmt.Errorf("--%s has no effect without --console, which serves the pages: add --console, or leave out --%s", name, name)
		}
	}
	return nil
}

// open starts a console and prints its address.
func (f *consoleFlags) open(cmd *cobra.Command, o console.Options) (*console.Server, error) {
	if _, port, err := net.SplitHostPort(f.listen); err != nil {
		return nil, fmt.Errorf("--listen %q: %w: wants address:port, as 127.0.0.1:8080", f.listen, err)
	} else if _, err := net.LookupPort("tcp", port); err != nil {
		return nil, fmt.Errorf("--listen %q: there is no port %s: wants one from 1 to 65535, as 127.0.0.1:8080, or 0 for a free one", f.listen, port)
	}
	o.Listen, o.Hosts, o.Coach, o.Version = f.listen, f.hosts, f.coach, Version
	o.Log = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
	server, err := console.Open(o)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(cmd.OutOrStdout(), "console:", server.URL()+f.page)
	if address := server.CoachAddr(); address != nil {
		fmt.Fprintln(cmd.OutOrStdout(), "coach:", address)
	}
	return server, nil
}

func consoleCommand(registry *block.Registry, candidates admin.Checker) *cobra.Command {
	f, at := &consoleFlags{}, &live.Reach{}
	var file string
	cmd := &cobra.Command{
		Use:   "console [SYSTEM...]",
		Short: "Show and steer running systems in a browser",
		Long: `Serve the operator's console: pages that show the systems that run, or those named, and steer them. The address that it
prints holds a token: any user who has it may do everything. It listens on this machine only, unless --listen sets another address.
A system that is stopped and started there runs on without the console, by the command that ran it before.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			for _, name := range args {
				if strings.ContainsAny(name, "./") {
					return fmt.Errorf("console %s: wants names of systems that run, not files: sinew run %s --console runs a system and shows it", name, name)
				}
			}
			people, err := usersOf(file, registry)
			if err != nil {
				return err
			}
			all := reached{at, args}
			if _, err := all.list(); err != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "notice: %v; the console shows systems as soon as they can be reached\n", err)
			}
			server, err := f.open(cmd, console.Options{Systems: all, Registry: registry, Checker: candidates, Start: all.start, Stop: all.stop, Processes: supervisedProcesses, Users: people})
			if err != nil {
				return err
			}
			<-ctx.Done()
			return server.Close()
		},
	}
	f.register(cmd, "")
	cmd.Flags().StringVar(&file, "users", "", "the users that this system `file` names may sign in, too")
	at.Register(cmd.Flags())
	return cmd
}

// reached are the systems that the tools find: those of the given names, or all.
type reached struct {
	at    *live.Reach
	names []string
}

// listTimeout is how long a console waits for the list of a site's systems.
const listTimeout = 2 * time.Second

// startLook is how often one looks whether a process has ended, or a system has begun.
const startLook = 50 * time.Millisecond

// endPatience is how long a process that has announced its end may take.
const endPatience = 5 * time.Second

// list asks for the names of all systems in reach.
func (r reached) list() ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), listTimeout)
	defer cancel()
	return r.at.List(ctx)
}

// List implements systems.Source.
func (r reached) List() []string {
	all, err := r.list()
	if err != nil {
		return nil // they are out of reach now
	}
	return slices.DeleteFunc(all, func(name string) bool { return len(r.names) > 0 && !slices.Contains(r.names, name) })
}

// Open implements systems.Source.
func (r reached) Open(name string) (admin.System, error) {
	if len(r.names) > 0 && !slices.Contains(r.names, name) {
		return nil, fmt.Errorf("no system %q is shown here", name)
	}
	ctx, cancel := context.WithTimeout(context.Background(), listTimeout)
	defer cancel()
	return r.at.Dial(ctx, name)
}

// supervisedProcesses returns the processes of a system as its supervisor on this host reports them.
func supervisedProcesses(name string) (list []admin.Process) {
	supervisor, err := deploy.At(name)
	if err != nil {
		return nil
	}
	all, err := supervisor.Status()
	if err != nil {
		return nil // it runs on another host, or was killed
	}
	for _, p := range all {
		x := admin.Process{Name: p.Name, Host: p.Host, PID: p.PID, State: string(p.State), LastLine: p.LastLine, Supervised: true}
		switch p.State {
		case deploy.Running:
		case deploy.Waiting, deploy.Starting:
			x.Problem = p.Exit // of its last run; none at first
		default:
			x.Problem = cmp.Or(p.Exit, p.Note, "it does not run")
		}
		list = append(list, x)
	}
	return list
}

// stop ends a system that has a supervisor, on all its hosts.
func (r reached) stop(ctx context.Context, name string) error {
	err := fleet.End(ctx, name)
	if errors.Is(err, fleet.ErrNotUp) {
		return fmt.Errorf("stop %q: its supervisor is on another host and would start its processes again: run sinew down %s there", name, name)
	}
	return err
}

// start runs a system in a process of its own, which goes on when the console ends.
func (r reached) start(ctx context.Context, p systems.Program) error {
	what := strings.Join(p.Command, " ")
	if p.Supervised {
		if err := fleet.End(ctx, p.System); err != nil && !errors.Is(err, fleet.ErrNotUp) {
			return err
		}
		up := exec.CommandContext(ctx, p.Command[0], p.Command[1:]...) // it leaves a supervisor behind
		up.Dir = p.Dir
		if text, err := up.CombinedOutput(); err != nil {
			return fmt.Errorf("start %s: %w: %s", what, err, text)
		}
		return nil
	}
	// The previous process may hold ports and memory a moment longer than its place on the control plane.
	for begin := time.Now(); proc.Lives(p.PID) && p.PID != os.Getpid() && time.Since(begin) < endPatience; {
		time.Sleep(startLook)
	}
	output, err := outputOf(p.System)
	if err != nil {
		return fmt.Errorf("start %s: %w", what, err)
	}
	defer output.Close()
	run := exec.Command(p.Command[0], p.Command[1:]...)
	run.Dir, run.Stdout, run.Stderr, run.SysProcAttr = p.Dir, output, output, proc.OwnSession()
	if err := run.Start(); err != nil {
		return fmt.Errorf("start %s: %w", what, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	ticker := time.NewTicker(startLook)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if slices.Contains(r.List(), p.System) {
				return nil
			}
		case err := <-ended:
			text, _ := private.Read(output.Name())
			return fmt.Errorf("start %s: %w: %s", what, errors.Join(err, errors.New("it has ended")), text)
		case <-ctx.Done():
			return fmt.Errorf("start %s: %w", what, ctx.Err())
		}
	}
}

// keptOutputs is how many starts of a system keep what they printed, the newest included.
const keptOutputs = 5

// outputOf opens the file for what a system prints that a console starts. The outputs of earlier starts get numbers, as logs do, so that
// the text of a crash outlives the next start.
func outputOf(system string) (*os.File, error) {
	folder, err := private.Folder()
	if err == nil {
		folder, err = private.Below(folder, "started", system)
	}
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "output.log")
	if _, err := numbered.SetAside(path); err != nil {
		return nil, fmt.Errorf("setting the output of the previous start aside: %w", err)
	}
	for earlier := numbered.Earlier(path); len(earlier) > keptOutputs-1; earlier = earlier[1:] {
		if err := os.Remove(earlier[0]); err != nil {
			return nil, fmt.Errorf("deleting the oldest output: %w", err)
		}
	}
	return private.Open(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY)
}

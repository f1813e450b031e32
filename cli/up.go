package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/link/shm"
	"github.com/sinew-robotics/sinew/net/system"
)

// upTimeout is how long up waits for all processes to run.
const upTimeout = 60 * time.Second

func upCommand(registry *block.Registry) *cobra.Command {
	var load loadFlags
	var deployment string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "up FILE",
		Short: "Start all processes of a system, and leave them running under a supervisor",
		Long: `Start the processes that the deploy section of a system file names, foreign programs among them, each when those are ready
that it needs. They run on under a supervisor when this command has ended: sinew ps shows them, sinew logs their output, sinew
down stops them.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if deployment != "" {
				load.overlays = append(load.overlays, deployment)
			}
			sys, err := load.load(args[0], registry)
			if err != nil {
				return err
			}
			plan, err := planOf(sys, &load)
			if err != nil {
				return err
			}
			console, err := startSupervisor(plan)
			if err != nil {
				return err
			}
			states, err := awaitRunning(cmd.Context(), console)
			if printErr := printStates(cmd.OutOrStdout(), sys.Name, states, asJSON); printErr != nil {
				return printErr
			}
			return err
		},
	}
	cmd.Flags().StringArrayVar(&load.overlays, "overlay", nil, "put another `file` over the system file")
	cmd.Flags().StringArrayVar(&load.params, "param", nil, "set a parameter: `block.name=value`")
	cmd.Flags().StringVar(&deployment, "deploy", "", "a `file` with the deploy section")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// planOf returns what a supervisor on this host is to run.
func planOf(sys *system.System, load *loadFlags) (*deploy.Plan, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var arguments []string
	for _, o := range load.overlays {
		path, err := filepath.Abs(o)
		if err != nil {
			return nil, err
		}
		arguments = append(arguments, "--overlay", path)
	}
	for _, p := range load.params {
		arguments = append(arguments, "--param", p)
	}
	plan, err := deploy.NewPlan(sys, self, arguments)
	if err != nil {
		return nil, err
	}
	for _, p := range plan.Processes {
		if address := plan.Hosts[p.Host]; address != "" {
			return nil, fmt.Errorf("process %q is on host %q (ssh %s): processes on other hosts come with the next version; put it on a local host",
				p.Name, p.Host, address)
		}
	}
	return plan, nil
}

// startSupervisor starts the supervisor of a plan in a session of its own.
func startSupervisor(plan *deploy.Plan) (deploy.Console, error) {
	console := deploy.Console{Folder: deploy.Folder(plan.System)}
	if _, err := console.Status(); err == nil {
		return console, fmt.Errorf("%q is up already: sinew ps %s shows it, sinew down %s stops it", plan.System, plan.System, plan.System)
	}
	if _, err := os.Stat(console.Folder); err == nil { // what a supervisor left behind that was killed
		if err := endSystem(plan.System, console); err != nil {
			return console, err
		}
	}
	if err := os.MkdirAll(console.Folder, 0o700); err != nil {
		return console, err
	}
	text, err := json.MarshalIndent(plan, "", "  ")
	if err != nil {
		return console, err
	}
	path := filepath.Join(console.Folder, "plan.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return console, err
	}
	log, err := os.Create(filepath.Join(console.Folder, "supervisor.out"))
	if err != nil {
		return console, err
	}
	defer log.Close()
	self, err := os.Executable()
	if err != nil {
		return console, err
	}
	child := &exec.Cmd{Path: self, Args: []string{os.Args[0], "supervise", path}, Stdout: log, Stderr: log, SysProcAttr: deploy.Detached()}
	if err := child.Start(); err != nil {
		return console, fmt.Errorf("start the supervisor: %w", err)
	}
	go func() { _ = child.Wait() }()
	return console, nil
}

// awaitRunning waits until all processes run; the error names those that do not, with the last line they printed.
func awaitRunning(ctx context.Context, console deploy.Console) (states []deploy.Status, err error) {
	ctx, cancel := signal.NotifyContext(ctx, os.Interrupt)
	defer cancel()
	for end := time.Now().Add(upTimeout); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		states, err = console.Status()
		if err != nil {
			continue
		}
		pending := slices.ContainsFunc(states, func(s deploy.Status) bool { return s.State == "waiting" || s.State == "starting" })
		if anyFailed(states) || !pending {
			break
		}
	}
	var errs []error
	if states == nil {
		errs = append(errs, errors.New("the supervisor does not answer"))
	}
	for _, s := range states {
		if s.State == "failed" || s.State == "restarting" || ctx.Err() == nil && s.State != "running" && s.State != "ended" && !anyFailed(states) {
			errs = append(errs, fmt.Errorf("process %q is %s: %s: %s", s.Name, s.State, s.Exit, s.LastLine))
		}
	}
	return states, errors.Join(errs...)
}

func anyFailed(states []deploy.Status) bool {
	return slices.ContainsFunc(states, func(s deploy.Status) bool { return s.State == "failed" || s.State == "restarting" })
}

// superviseCommand is what up starts: nobody else calls it.
func superviseCommand() *cobra.Command {
	return &cobra.Command{
		Use: "supervise PLAN", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			var plan deploy.Plan
			if err := json.Unmarshal(text, &plan); err != nil {
				return fmt.Errorf("read the plan %s: %w", args[0], err)
			}
			signal.Ignore(os.Interrupt, syscall.SIGHUP, syscall.SIGPIPE)
			ctx, cancel := signal.NotifyContext(cmd.Context(), syscall.SIGTERM)
			defer cancel()
			folder := filepath.Dir(args[0])
			err = deploy.Supervise(ctx, &plan, folder, func(socket string) bool { return slices.Contains(admin.List(), socket) })
			return errors.Join(err, deploy.End(folder))
		},
	}
}

func downCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "down SYSTEM [PROCESS...]",
		Short: "Stop a system that is up, or some of its processes",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			console := deploy.Console{Folder: deploy.Folder(args[0])}
			for _, p := range args[1:] {
				if err := console.StopProcess(p); err != nil {
					return err
				}
			}
			if len(args) > 1 {
				return nil
			}
			return endSystem(args[0], console)
		},
	}
}

// endSystem stops a system and removes everything that is left of it: processes, shared memory, files.
func endSystem(name string, console deploy.Console) error {
	err := console.Stop()
	if errors.Is(err, deploy.ErrNoSupervisor) {
		if up := deploy.Up(); len(up) > 0 {
			return fmt.Errorf("%q is not up; up are: %s", name, strings.Join(up, ", "))
		}
		return fmt.Errorf("%q is not up, and no other system is", name)
	}
	return errors.Join(err, endCores(name), shm.Clean(name))
}

func psCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ps [SYSTEM]",
		Short: "Show the processes of the systems that are up",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = deploy.Up()
			}
			var errs []error
			for _, name := range args {
				states, err := deploy.Console{Folder: deploy.Folder(name)}.Status()
				if err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", name, err))
					continue
				}
				errs = append(errs, printStates(cmd.OutOrStdout(), name, states, asJSON))
			}
			return errors.Join(errs...)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object for each system")
	return cmd
}

func printStates(w io.Writer, name string, states []deploy.Status, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(map[string]any{"system": name, "processes": states})
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\thost\tstate\tpid\tfor\trestarts\tended with\n", name)
	for _, s := range states {
		pid := "–"
		if s.PID > 0 {
			pid = fmt.Sprint(s.PID)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n", s.Name, s.Host, s.State, pid, time.Since(s.Since).Round(time.Second), s.Restarts, s.Exit)
	}
	return t.Flush()
}

func logsCommand() *cobra.Command {
	var follow bool
	cmd := &cobra.Command{
		Use:   "logs SYSTEM [PROCESS]",
		Short: "Show what the processes of a system that is up have printed",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			console := deploy.Console{Folder: deploy.Folder(args[0])}
			states, err := console.Status()
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			var logs []*tail
			for _, s := range states {
				if len(args) == 1 || args[1] == s.Name {
					logs = append(logs, &tail{name: s.Name, path: console.Log(s.Name)})
				}
			}
			if logs == nil {
				return fmt.Errorf("%s has no process %q", args[0], args[1])
			}
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer cancel()
			for {
				for _, l := range logs {
					l.print(cmd.OutOrStdout(), len(logs) > 1)
				}
				if !follow || ctx.Err() != nil {
					return nil
				}
				time.Sleep(100 * time.Millisecond)
			}
		},
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what comes")
	return cmd
}

// tail prints a file from where it was left.
type tail struct {
	name, path string
	at         int64
}

func (l *tail) print(w io.Writer, named bool) {
	text, err := os.ReadFile(l.path)
	if err != nil || int64(len(text)) <= l.at {
		return
	}
	fresh := text[l.at:]
	l.at = int64(len(text))
	for line := range strings.Lines(string(fresh)) {
		if named {
			fmt.Fprintf(w, "%-10s ", l.name)
		}
		fmt.Fprint(w, line)
	}
}

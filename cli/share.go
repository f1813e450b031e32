package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/report"
	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/console/share"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

func shareCommand(registry *block.Registry) *cobra.Command {
	options := system.Options{Registry: registry}
	var out string
	var signals, notes []string
	var from, to float64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "share LOG [FILE]",
		Short: "Write one HTML page that replays a run, without a server",
		Long: `Write one HTML page that replays a log: the robots as they moved, plots, notes and events. It opens by double click, needs no network
and holds at most 64 MB. FILE is the system file of the run; without it there is no robot.

The plots show the signals that the system file watches (key watch), or those of --signal, in the syntax of sinew plot.`,
		Example: "  sinew share janus.mcap examples/janus/janus.yaml -o run.html\n  sinew share arm.mcap arm.yaml --from 10 --to 20 --signal 'arm.torque[0:3]' --note 'It shakes at 14 s'",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if from < 0 || to < 0 || to > 0 && to <= from {
				return fmt.Errorf("--from %g --to %g: wants 0 ≤ from < to", from, to)
			}
			log, err := report.OpenReader(args[0])
			if err != nil {
				return err
			}
			defer log.Close()
			if first, last := log.Span(); nanoseconds(from) > last || to > 0 && nanoseconds(to) < first {
				return fmt.Errorf("share %s: no samples from %g s on: the log has some from %.6g s to %.6g s", args[0], from, float64(first)/1e9, float64(last)/1e9)
			}
			r := share.New("")
			r.Notes = append(r.Notes, notes...)
			if len(args) == 2 {
				sys, err := system.Load(args[1], options)
				if err != nil {
					return err
				}
				if err := addRobots(cmd.Context(), r, sys, registry); err != nil {
					return err
				}
			}
			if err := share.FromLog(r, log, signals, nanoseconds(from), nanoseconds(to)); err != nil {
				return err
			}
			return writeShared(cmd.OutOrStdout(), out, r, asJSON, args)
		},
	}
	verb.AddLoadFlags(cmd, &options)
	cmd.Flags().StringVarP(&out, "output", "o", "run.html", "`file` to write")
	cmd.Flags().Float64Var(&from, "from", 0, "begin at this time in seconds")
	cmd.Flags().Float64Var(&to, "to", 0, "end at this time in seconds; 0: the end of the log")
	cmd.Flags().StringArrayVar(&signals, "signal", nil, "plot these signals: a `pattern`, as of sinew plot")
	cmd.Flags().StringArrayVar(&notes, "note", nil, "a `text` to show beside the plots")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func nanoseconds(s float64) int64 { return int64(s * float64(time.Second)) }

// writeShared writes the page of the files that were read, and reports what it holds.
func writeShared(w io.Writer, out string, r *share.Run, asJSON bool, reads []string) error {
	file, err := verb.Create(out, reads...)
	if err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	if err := share.Write(file, r); err != nil {
		file.Close()
		_ = os.Remove(out)
		return fmt.Errorf("write page %s: %w", out, err)
	}
	size, err := file.Seek(0, io.SeekCurrent)
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return fmt.Errorf("write page %s: %w", out, err)
	}
	span := float64(r.End-r.Start) / 1e9
	if asJSON {
		return json.NewEncoder(w).Encode(map[string]any{"file": out, "bytes": size, "robots": len(r.Robots), "signals": len(r.Signals), "span_s": span, "problems": r.Problems})
	}
	fmt.Fprintf(w, "wrote %s: %.1f MB, %.1f s, %s, %s\n", out, float64(size)/1e6, span, verb.Count(len(r.Robots), "robot"), verb.Count(len(r.Signals), "signal"))
	for _, p := range r.Problems {
		fmt.Fprintln(w, "notice:", p)
	}
	return nil
}

// addRobots adds the robots of a system that does not run.
func addRobots(ctx context.Context, r *share.Run, sys *system.System, registry *block.Registry) error {
	at := only{resting{admin.NewLocal(thread.New(sys.Net, thread.Options{}).Front(), sys), sys}}
	all := robots.New(robots.Options{Systems: at, Registry: registry, Log: slog.New(slog.DiscardHandler), Warn: func(string, string) {}})
	list, err := all.List(ctx, sys.Name)
	if err != nil {
		return err
	}
	r.System, r.Problems = sys.Name, append(r.Problems, list.Notes...)
	return r.AddRobots(ctx, all, list.Robots)
}

// resting is a system of this process that does not run.
type resting struct {
	*admin.Local
	sys *system.System
}

// Read returns zeros in the length of the port: before a run there are no values, and none come.
func (s resting) Read(_ context.Context, ref string) (admin.Reading, error) {
	for _, b := range s.sys.Net.Blocks {
		for _, p := range b.Ports {
			if p.Ref() == ref {
				if p.Layout().Bounded() {
					return admin.Reading{Value: []any{}}, nil
				}
				return admin.Reading{Value: make([]any, len(p.Layout().Leaves()))}, nil
			}
		}
	}
	return admin.Reading{}, fmt.Errorf("no port %q", ref)
}

// only gives access to one system. It implements [robots.Systems].
type only struct{ resting }

// System returns the system.
func (o only) System(string) (admin.System, error) { return o.resting, nil }

// Structure describes the system.
func (o only) Structure(ctx context.Context, _ string) (*admin.Structure, error) {
	return o.resting.Structure(ctx)
}

// File returns the path of its file.
func (o only) File(string) string { return o.sys.Path }

package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/sinew-robotics/sinew/net/record"
)

const (
	topBlocks  = 12 // blocks shown of each system, the most expensive ones
	topTimeout = 2 * time.Second
)

func topCommand() *cobra.Command {
	var asJSON, once bool
	var period time.Duration
	var r reach
	cmd := &cobra.Command{
		Use:   "top [SYSTEM...]",
		Short: "Show what the threads and blocks of running systems cost",
		Long: `Show the threads of all running systems, or of those named: their rate, missed periods, lateness, load; and of their blocks
those that take the largest share of their period. It asks the front of each system: no thread waits for it.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON {
				list, err := lookAt(cmd.Context(), &r, args)
				return errors.Join(err, json.NewEncoder(cmd.OutOrStdout()).Encode(list))
			}
			out, ok := cmd.OutOrStdout().(*os.File)
			if once || !ok || !term.IsTerminal(int(out.Fd())) {
				list, err := lookAt(cmd.Context(), &r, args)
				writeTop(cmd.OutOrStdout(), list, nil)
				return err
			}
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer cancel()
			_, err := tea.NewProgram(&topModel{ctx: ctx, reach: &r, systems: args, period: period}, tea.WithOutput(out), tea.WithContext(ctx)).Run()
			if errors.Is(err, tea.ErrProgramKilled) || errors.Is(err, tea.ErrInterrupted) {
				return nil
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON list and end")
	cmd.Flags().BoolVar(&once, "once", false, "print it once and end")
	cmd.Flags().DurationVar(&period, "every", time.Second, "refresh after this `time`")
	r.register(cmd.Flags())
	return cmd
}

// lookAt asks running systems for their statistics: those named, or all.
func lookAt(ctx context.Context, r *reach, names []string) ([]*record.RunStatistics, error) {
	list, errs := []*record.RunStatistics{}, []error(nil)
	if len(names) == 0 {
		var err error
		if names, err = r.list(ctx); err != nil {
			return list, err
		}
	}
	for _, name := range names {
		s, err := statisticsOf(ctx, r, name)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
			continue
		}
		s.System = name
		list = append(list, s)
	}
	return list, errors.Join(errs...)
}

func statisticsOf(ctx context.Context, r *reach, name string) (*record.RunStatistics, error) {
	ctx, cancel := context.WithTimeout(ctx, topTimeout)
	defer cancel()
	client, err := r.dial(ctx, name)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	return client.Statistics(ctx)
}

// rates are activations a second since the look before, by system and thread.
type rates map[string]float64

func ratesBetween(before, now []*record.RunStatistics) rates {
	r := rates{}
	for _, s := range now {
		i := slices.IndexFunc(before, func(b *record.RunStatistics) bool { return b.System == s.System })
		if i < 0 || s.Duration <= before[i].Duration || len(before[i].Threads) != len(s.Threads) {
			continue
		}
		for k, t := range s.Threads {
			if n := before[i].Threads[k].Activations; t.Activations >= n {
				r[s.System+"/"+t.Name] = float64(t.Activations-n) / (s.Duration - before[i].Duration)
			}
		}
	}
	return r
}

// writeTop writes the tables of threads and blocks.
func writeTop(out io.Writer, list []*record.RunStatistics, measured rates) {
	if len(list) == 0 {
		fmt.Fprintln(out, "no system runs")
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "system\tthread\tpriority\trate\truns\tslips\tlate p50\tp99\tcycle p50\tp99\tload\t")
	for _, s := range list {
		for _, t := range s.Threads {
			rate := measured[s.System+"/"+t.Name]
			if rate == 0 && s.Duration > 0 {
				rate = float64(t.Activations) / s.Duration
			}
			load := rate * float64(t.Cycle.P50) * 1e-9
			fmt.Fprintf(w, "%s\t%s\t%d\t%.0f Hz\t%d\t%d\t%s\t%s\t%s\t%s\t%.1f %%\t\n", s.System, t.Name, t.Priority, rate, t.Activations, t.Slips,
				nano(t.Jitter.P50), nano(t.Jitter.P99), nano(t.Cycle.P50), nano(t.Cycle.P99), 100*load)
		}
	}
	_ = w.Flush()
	fmt.Fprintln(w, "\nsystem\tblock\tpart\tthread\tp50\tp99\tshare of period\t")
	for _, s := range list {
		for _, b := range mostExpensive(s) {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", s.System, b.Block, b.Part, b.thread, nano(b.P50), nano(b.P99), shareBar(b.share))
		}
	}
	_ = w.Flush()
	for _, s := range list {
		for _, f := range s.Faults {
			fmt.Fprintf(out, "%s: %s\n", s.System, f)
		}
	}
}

func nano(ns int64) string { return seconds(float64(ns) * 1e-9) }

// shareBar shows a share as a number and a quiet bar.
func shareBar(share float64) string {
	const width = 20
	n := min(int(share*width+0.5), width)
	return fmt.Sprintf("%5.1f %% %s", 100*share, strings.Repeat("▪", n))
}

// cost is a step of a thread with its share of the thread's period.
type cost struct {
	record.StepStatistics
	thread string
	share  float64
}

func mostExpensive(s *record.RunStatistics) (list []cost) {
	for _, t := range s.Threads {
		for _, b := range t.Steps {
			c := cost{b, t.Name, 0}
			if t.Period > 0 {
				c.share = float64(b.P50) * 1e-9 / t.Period
			}
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b cost) int {
		return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(b.P50, a.P50))
	})
	return list[:min(len(list), topBlocks)]
}

// topModel shows it again and again in place.
type topModel struct {
	ctx     context.Context
	reach   *reach
	systems []string
	period  time.Duration
	list    []*record.RunStatistics
	rates   rates
	err     error
}

type topMsg struct {
	list []*record.RunStatistics
	err  error
}

func (m *topModel) look() tea.Msg {
	list, err := lookAt(m.ctx, m.reach, m.systems)
	return topMsg{list, err}
}

// Init implements tea.Model.
func (m *topModel) Init() tea.Cmd { return m.look }

// Update implements tea.Model.
func (m *topModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if k := msg.String(); k == "q" || k == "ctrl+c" {
			return m, tea.Quit
		}
	case topMsg:
		m.rates = ratesBetween(m.list, msg.list)
		m.list, m.err = msg.list, msg.err
		return m, tea.Tick(m.period, func(time.Time) tea.Msg { return m.look() })
	}
	return m, nil
}

// View implements tea.Model.
func (m *topModel) View() tea.View {
	var b strings.Builder
	writeTop(&b, m.list, m.rates)
	if m.err != nil {
		b.WriteString(badStyle.Render(m.err.Error()) + "\n")
	}
	b.WriteString(faintStyle.Render("q ends it") + "\n")
	v := tea.NewView(b.String())
	v.AltScreen = true
	return v
}

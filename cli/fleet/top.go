package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/signal"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/sinew-robotics/sinew/cli/live"
)

func topCommand() *cobra.Command {
	var asJSON, once bool
	var period time.Duration
	var r live.Reach
	cmd := &cobra.Command{
		Use:   "top [SYSTEM...]",
		Short: "Show what the threads, blocks and links of running systems do",
		Long: `Show the threads of all running systems, or of those named: their rate, missed periods, lateness, load; and of their blocks
those that take the largest share of their period. It asks the front of each process: no thread waits for it. A process that has not
answered before the next refresh holds up no other: its last values stay, with their age, and are marked as late. With --once or --json
it waits for all answers, 10 s at most.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			l := newLooker(&r, args)
			defer l.close()
			if asJSON {
				list, err := l.look(cmd.Context(), nil)
				return errors.Join(err, json.NewEncoder(cmd.OutOrStdout()).Encode(list))
			}
			out, ok := cmd.OutOrStdout().(*os.File)
			if once || !ok || !term.IsTerminal(int(out.Fd())) {
				list, err := l.look(cmd.Context(), nil)
				writeTop(cmd.OutOrStdout(), list, nil)
				return err
			}
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer cancel()
			_, err := tea.NewProgram(&topModel{ctx: ctx, looker: l, period: period}, tea.WithOutput(out), tea.WithContext(ctx)).Run()
			if errors.Is(err, tea.ErrProgramKilled) || errors.Is(err, tea.ErrInterrupted) {
				return nil
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON list and end")
	cmd.Flags().BoolVar(&once, "once", false, "print it once and end")
	cmd.Flags().DurationVar(&period, "every", time.Second, "refresh after this `time`")
	r.Register(cmd.Flags())
	return cmd
}

// topModel shows it again and again in place.
type topModel struct {
	ctx    context.Context
	looker *looker
	period time.Duration
	list   []topSystem
	rates  rates
	err    error
}

type topMsg struct {
	list []topSystem
	err  error
}

func (m *topModel) look() tea.Msg {
	list, err := m.looker.look(m.ctx, time.After(m.period))
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
		m.rates = ratesBetween(m.list, msg.list, m.rates)
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
		b.WriteString(live.Bad().Render(m.err.Error()) + "\n")
	}
	b.WriteString(live.Faint().Render("q ends it") + "\n")
	v := tea.NewView(b.String())
	v.AltScreen = true
	return v
}

package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/record"
)

// topTimeout is how long a system has to answer.
const topTimeout = 2 * time.Second

func topCommand() *cobra.Command {
	var asJSON, once bool
	var period time.Duration
	var r live.Reach
	cmd := &cobra.Command{
		Use:   "top [SYSTEM...]",
		Short: "Show what the threads, blocks and links of running systems do",
		Long: `Show the threads of all running systems, or of those named: their rate, missed periods, lateness, load; and of their blocks
those that take the largest share of their period. It asks the front of each system: no thread waits for it.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			l := &looker{reach: &r, systems: args, clients: map[string]*nats.Client{}}
			defer l.close()
			if asJSON {
				list, err := l.look(cmd.Context())
				return errors.Join(err, json.NewEncoder(cmd.OutOrStdout()).Encode(list))
			}
			out, ok := cmd.OutOrStdout().(*os.File)
			if once || !ok || !term.IsTerminal(int(out.Fd())) {
				list, err := l.look(cmd.Context())
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

// looker asks running systems for their statistics, again and again: those named, or all.
type looker struct {
	reach   *live.Reach
	systems []string
	mu      sync.Mutex // one look at a time
	clients map[string]*nats.Client
}

// topSystem is what is shown of a system.
type topSystem struct {
	*record.RunStatistics
	Processes []admin.Process `json:"processes"`
	Orphans   []live.Orphan   `json:"orphans,omitempty"` // cores whose statistics no front serves
}

func (l *looker) look(ctx context.Context) ([]topSystem, error) {
	list, errs := []topSystem{}, []error(nil)
	names := l.systems
	if len(names) == 0 {
		var err error
		if names, err = l.reach.List(ctx); err != nil {
			return list, err
		}
		if !l.reach.AtSite() {
			for _, o := range live.Orphans("") {
				system, _, _ := strings.Cut(o.Name, ".")
				names = append(names, system)
			}
			slices.Sort(names)
			names = slices.Compact(names)
		}
	}
	for _, name := range names {
		s, err := l.lookAt(ctx, name)
		if !l.reach.AtSite() {
			s.Orphans = live.Orphans(name)
		}
		if len(l.systems) == 0 && s.Orphans == nil && errors.Is(err, fs.ErrNotExist) {
			continue // it has ended since it was listed
		}
		if err != nil && s.Orphans == nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
			continue
		}
		if err != nil {
			s.RunStatistics = &record.RunStatistics{System: name} // there is no front to ask for more
		}
		list = append(list, s)
	}
	return list, errors.Join(errs...)
}

func (l *looker) lookAt(ctx context.Context, name string) (s topSystem, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	client := l.clients[name]
	if client == nil {
		if client, err = l.reach.Dial(ctx, name); err != nil {
			return s, err
		}
		l.clients[name] = client
	}
	ctx, cancel := context.WithTimeout(ctx, topTimeout)
	defer cancel()
	if s.RunStatistics, err = client.Statistics(ctx); err != nil {
		delete(l.clients, name)
		return s, errors.Join(err, client.Close())
	}
	s.System, s.Processes = name, client.Processes(ctx)
	return s, nil
}

func (l *looker) close() {
	for _, c := range l.clients {
		_ = c.Close()
	}
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
	list, err := m.looker.look(m.ctx)
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
		b.WriteString(live.Bad().Render(m.err.Error()) + "\n")
	}
	b.WriteString(live.Faint().Render("q ends it") + "\n")
	v := tea.NewView(b.String())
	v.AltScreen = true
	return v
}

package cli

import (
	"fmt"
	"math"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/run"
	"github.com/sinew-robotics/sinew/net/schema"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

const (
	viewPeriod = 100 * time.Millisecond
	viewBars   = 16 // signals shown at most
	barWidth   = 48
)

// view shows a running system on the terminal: a bar for each signal that the system file watches, and for each port of one number that
// is recorded or that its block declares as watched, and what its
// threads do. Until it starts it shows nothing but notices.
type view struct {
	screen  *screen
	program *tea.Program
	release func() // of the standard streams
	ended   sync.WaitGroup
}

// start begins to show the system. stop is called when the user ends it with q or Ctrl-C.
func (v *view) start(r *run.Running, sys *system.System, out *os.File, stop func()) {
	m := &viewModel{front: r.Front, name: r.Name, stop: stop}
	for _, b := range sys.Net.Blocks {
		for _, p := range b.Ports {
			leaves, names := sys.Watched(p)
			if leaves == nil && showsAsBar(p, sys.Record) {
				leaves, names = p.Layout().Leaves(), []string{p.Ref()}
			}
			if n := min(len(leaves), viewBars-len(m.signals)); n > 0 {
				m.add(p, leaves[:n], names)
			}
		}
	}
	v.program = tea.NewProgram(m, tea.WithOutput(out), tea.WithoutSignalHandler())
	v.release, _ = v.screen.captureStandard() // without a pipe what blocks print is not above the view
	v.ended.Go(func() {
		_, _ = v.program.Run()
		v.screen.uncover() // it also ends where the terminal is lost
	})
	v.screen.cover(aboveView(v.program))
}

// showsAsBar reports whether a port is one number that is worth showing.
func showsAsBar(p *port.Port, r *system.Record) bool {
	if p.Type.Kind() != schema.Float64 {
		return false
	}
	if p.Watch {
		return true
	}
	if r == nil || p.Kind != port.Output {
		return false
	}
	for _, pattern := range r.Ports {
		if ok, _ := path.Match(pattern, p.Ref()); ok {
			return true
		}
	}
	return false
}

// notices reports which privileges are missing.
func (v *view) notices(lines []string) {
	for _, line := range lines {
		if v.program != nil {
			v.program.Send(noticeMsg(line))
		} else {
			fmt.Fprintln(v.screen, "sinew: notice:", line)
		}
	}
}

// close ends the view and leaves its last state on the screen.
func (v *view) close() {
	if v.program == nil {
		return
	}
	if v.release != nil {
		v.release()
	}
	v.program.Quit()
	v.ended.Wait()
	v.program = nil
}

type noticeMsg string

type tickMsg struct{}

// viewModel is the state of the view.
type viewModel struct {
	front   *thread.Front
	name    string
	stop    func()
	signals []*bar
	notices []string
	ending  bool
}

// bar is one signal: its newest value and the largest so far.
type bar struct {
	label, unit string
	mu          sync.Mutex
	value, most float64
}

// set notes a value.
func (b *bar) set(x float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.value, b.most = x, math.Max(b.most, math.Abs(x))
}

// add taps a port for the view, with a bar for each of the leaves.
func (m *viewModel) add(p *port.Port, leaves []schema.Leaf, names []string) {
	bars := make([]*bar, len(leaves))
	for i := range leaves {
		bars[i] = &bar{label: names[i], unit: p.Unit}
	}
	_, err := m.front.Tap(p, 1, false, func(s thread.Sample) {
		for i, b := range bars {
			b.set(leaves[i].Float(s.CDR))
		}
	})
	if err == nil {
		m.signals = append(m.signals, bars...)
	}
}

// Init implements tea.Model.
func (m *viewModel) Init() tea.Cmd { return nextTick() }

func nextTick() tea.Cmd { return tea.Tick(viewPeriod, func(time.Time) tea.Msg { return tickMsg{} }) }

// Update implements tea.Model.
func (m *viewModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if k := msg.String(); k == "ctrl+c" || k == "q" {
			m.ending = true
			m.stop()
		}
	case noticeMsg:
		m.notices = append(m.notices, string(msg))
	case tickMsg:
		return m, nextTick()
	}
	return m, nil
}

var (
	titleStyle = lipgloss.NewStyle().Bold(true)
	barStyle   = lipgloss.NewStyle().Foreground(lipgloss.Color("6"))
)

// View implements tea.Model.
func (m *viewModel) View() tea.View {
	var s strings.Builder
	fmt.Fprintf(&s, "%s  %8.2f s", titleStyle.Render(m.name), m.front.Now().Seconds())
	if m.ending {
		s.WriteString("  stopping …")
	} else {
		s.WriteString(live.Faint().Render("   q or Ctrl-C ends it"))
	}
	s.WriteString("\n\n")
	width := 0
	for _, b := range m.signals {
		width = max(width, len(b.label))
	}
	for _, b := range m.signals {
		b.mu.Lock()
		value, most := b.value, b.most
		b.mu.Unlock()
		fmt.Fprintf(&s, "%-*s %10.4f %-5s %s\n", width, b.label, value, b.unit, drawBar(value, most))
	}
	fmt.Fprintf(&s, "\n%s\n", live.Faint().Render(fmt.Sprintf("%-14s %9s %7s %11s %11s %11s %6s", "thread", "runs", "slips", "late p99", "cycle p50", "cycle max", "load")))
	for _, t := range m.front.Stats() {
		line := fmt.Sprintf("%-14s %9d %7d %11s %11s %11s %5.1f%%", t.Thread, t.Activations, t.Slips,
			live.Seconds(t.Jitter.Quantile(0.99).Seconds()), live.Seconds(t.Cycle.Quantile(0.5).Seconds()), live.Seconds(t.Cycle.Max().Seconds()), 100*t.Load())
		if t.Faults > 0 {
			line = live.Bad().Render(line + fmt.Sprintf("  %d in error", t.Faults))
		}
		s.WriteString(line + "\n")
	}
	for _, f := range m.front.Faults() {
		s.WriteString(live.Bad().Render(f.String()) + "\n")
	}
	for _, n := range m.notices {
		s.WriteString(live.Faint().Render("notice: "+n) + "\n")
	}
	return tea.NewView(s.String())
}

// drawBar draws a value around a middle, scaled to the largest so far.
func drawBar(value, most float64) string {
	const half = barWidth / 2
	cells := []rune(strings.Repeat("·", half) + "│" + strings.Repeat("·", half))
	if most > 0 && !math.IsNaN(value) {
		n := int(math.Round(value / most * half))
		for i := min(n, 0); i < max(n, 0); i++ {
			at := half + 1 + i
			if i < 0 {
				at = half + i
			}
			cells[min(max(at, 0), len(cells)-1)] = '█'
		}
	}
	return barStyle.Render(string(cells))
}

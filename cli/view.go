package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/schema"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

const (
	viewPeriod = 100 * time.Millisecond
	viewBars   = 16 // signals shown at most
	barWidth   = 48
)

// view shows a running system on the terminal: a bar for each scalar signal that is recorded or watched, and what its
// threads do. Its zero value shows nothing but notices.
type view struct {
	errors  io.Writer
	program *tea.Program
	ended   sync.WaitGroup
}

// start begins to show the system. stop is called when the user ends it with q or Ctrl-C.
func (v *view) start(front *thread.Front, sys *system.System, out *os.File, stop func()) {
	m := &viewModel{front: front, name: sys.Name, stop: stop}
	for _, b := range sys.Net.Blocks {
		for _, p := range b.Ports {
			if len(m.signals) < viewBars && showsAsBar(p, sys.Record) {
				m.add(p)
			}
		}
	}
	v.program = tea.NewProgram(m, tea.WithOutput(out), tea.WithoutSignalHandler())
	v.ended.Go(func() { _, _ = v.program.Run() })
}

// showsAsBar reports whether a port is one number that somebody wants to see.
func showsAsBar(p *block.Port, r *system.Record) bool {
	if p.Type.Kind() != schema.Float64 {
		return false
	}
	if p.Watch {
		return true
	}
	if r == nil || p.Kind != block.OutPort {
		return false
	}
	for _, pattern := range r.Ports {
		if ok, _ := path.Match(pattern, p.Ref()); ok {
			return true
		}
	}
	return false
}

// notices tells which privileges are missing.
func (v *view) notices(lines []string) {
	for _, line := range lines {
		if v.program != nil {
			v.program.Send(noticeMsg(line))
		} else {
			fmt.Fprintln(v.errors, "sinew: notice:", line)
		}
	}
}

// Write prints text above the view, or where errors go while there is none: a line in the middle would garble it.
func (v *view) Write(text []byte) (int, error) {
	if v.program == nil {
		return v.errors.Write(text)
	}
	v.program.Println(strings.TrimRight(string(text), "\n"))
	return len(text), nil
}

// close ends the view and leaves its last state on the screen.
func (v *view) close() {
	if v.program != nil {
		v.program.Quit()
		v.ended.Wait()
		v.program = nil
	}
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

// add taps a port for the view.
func (m *viewModel) add(p *block.Port) {
	b := &bar{label: p.Ref(), unit: p.Unit}
	leaf := p.Layout().Leaves()[0]
	_, err := m.front.Tap(p, 1, false, func(s thread.Sample) {
		x := leaf.Float(s.CDR)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.value, b.most = x, math.Max(b.most, math.Abs(x))
	})
	if err == nil {
		m.signals = append(m.signals, b)
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
	faintStyle = lipgloss.NewStyle().Faint(true)
	barStyle   = lipgloss.NewStyle().Foreground(lipgloss.Color("6"))
	badStyle   = lipgloss.NewStyle().Foreground(lipgloss.Color("1")).Bold(true)
)

// View implements tea.Model.
func (m *viewModel) View() tea.View {
	var s strings.Builder
	fmt.Fprintf(&s, "%s  %8.2f s", titleStyle.Render(m.name), m.front.Now().Seconds())
	if m.ending {
		s.WriteString("  stopping …")
	} else {
		s.WriteString(faintStyle.Render("   q or Ctrl-C ends it"))
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
	fmt.Fprintf(&s, "\n%s\n", faintStyle.Render(fmt.Sprintf("%-14s %9s %7s %11s %11s %11s %6s", "thread", "runs", "slips", "late p99", "cycle p50", "cycle max", "load")))
	for _, t := range m.front.Stats() {
		line := fmt.Sprintf("%-14s %9d %7d %11s %11s %11s %5.1f%%", t.Thread, t.Activations, t.Slips,
			seconds(t.Jitter.Quantile(0.99).Seconds()), seconds(t.Cycle.Quantile(0.5).Seconds()), seconds(t.Cycle.Max().Seconds()), 100*t.Load())
		if t.Faults > 0 {
			line = badStyle.Render(line + fmt.Sprintf("  %d in error", t.Faults))
		}
		s.WriteString(line + "\n")
	}
	for _, f := range m.front.Faults() {
		s.WriteString(badStyle.Render(f.String()) + "\n")
	}
	for _, n := range m.notices {
		s.WriteString(faintStyle.Render("notice: "+n) + "\n")
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

package browse

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/net/admin"
)

// runTerminal runs the prompt, with watched signals above it; events are printed as they arrive.
func runTerminal(b *browser) error {
	input := textinput.New()
	input.Prompt = b.structure.System + "> "
	input.Focus()
	b.live = true
	p := tea.NewProgram(&promptModel{b: b, input: input})
	b.events.onEvent(func(e admin.Event) { go p.Send(eventMsg(e)) })
	defer b.events.onEvent(nil)
	b.client.OnNotice(func(text string) { go p.Send(toldMsg(text)) })
	_, err := p.Run()
	return err
}

// redrawPeriod is the period at which watched signals are drawn: fast enough for the eye, slow enough for a slow
// line.
const redrawPeriod = 200 * time.Millisecond

// promptModel is the prompt on a terminal.
type promptModel struct {
	b       *browser
	input   textinput.Model
	history []string
	at      int // in history
	hint    string
	busy    bool
	width   int
	ticking bool
}

// Messages to the model.
type (
	answerMsg string
	eventMsg  admin.Event
	toldMsg   string
	redrawMsg struct{}
)

// Init implements tea.Model.
func (m *promptModel) Init() tea.Cmd {
	return tea.Batch(textinput.Blink, tea.Println(fmt.Sprintf("%s: %d blocks. help shows what can be typed, Tab completes.",
		m.b.structure.System, len(m.b.structure.Blocks))))
}

// Update implements tea.Model.
func (m *promptModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case answerMsg:
		m.busy = false
		if msg == "" {
			return m, m.redraw()
		}
		return m, tea.Batch(tea.Println(string(msg)), m.redraw())
	case eventMsg:
		style := live.Faint()
		if msg.Kind == admin.EventFault || msg.Kind == admin.EventWarning {
			style = live.Bad()
		}
		return m, tea.Println(style.Render(eventText(admin.Event(msg))))
	case toldMsg:
		return m, tea.Println(live.Faint().Render(string(msg)))
	case redrawMsg:
		m.ticking = false
		return m, m.redraw()
	case tea.WindowSizeMsg:
		m.width = msg.Width
	case tea.KeyPressMsg:
		switch msg.String() {
		case "ctrl+c", "ctrl+d":
			return m, tea.Quit
		case "enter":
			return m, m.enter()
		case "tab":
			m.complete()
			return m, nil
		case "up", "down":
			m.recall(msg.String() == "up")
			return m, nil
		}
	}
	var cmd tea.Cmd
	m.input, cmd = m.input.Update(msg)
	return m, cmd
}

// enter executes the line in the background, so that waiting does not freeze the prompt.
func (m *promptModel) enter() tea.Cmd {
	line := strings.TrimSpace(m.input.Value())
	if line == "" || m.busy {
		return nil
	}
	if line == "quit" || line == "exit" {
		return tea.Quit
	}
	m.history = append(m.history, line)
	m.at = len(m.history)
	m.hint = ""
	m.input.SetValue("")
	m.busy = true
	return tea.Sequence(tea.Println(m.input.Prompt+line), func() tea.Msg {
		text, err := m.b.execute(line)
		if err != nil {
			text = strings.TrimPrefix(text+"\n"+live.Bad().Render(err.Error()), "\n")
		}
		return answerMsg(text)
	})
}

// redraw schedules the next drawing while a signal is watched.
func (m *promptModel) redraw() tea.Cmd {
	if m.ticking || len(m.b.watched.refs()) == 0 {
		return nil
	}
	m.ticking = true
	return tea.Tick(redrawPeriod, func(time.Time) tea.Msg { return redrawMsg{} })
}

// complete inserts the common prefix of all candidates, and lists them if there are several.
func (m *promptModel) complete() {
	line := m.input.Value()
	list := m.b.complete(line)
	if len(list) == 0 {
		m.hint = ""
		return
	}
	common := commonStart(list)
	for cut := len(common); cut >= 0; cut-- {
		if strings.HasSuffix(line, common[:cut]) {
			m.input.SetValue(line[:len(line)-cut] + common)
			break
		}
	}
	m.input.CursorEnd()
	m.hint = ""
	if len(list) > 1 {
		m.hint = strings.Join(list, "  ")
	}
}

// commonStart returns the common prefix of all words.
func commonStart(words []string) string {
	common := words[0]
	for _, w := range words {
		for !strings.HasPrefix(w, common) {
			_, last := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-last]
		}
	}
	return common
}

// recall steps through the typed lines.
func (m *promptModel) recall(up bool) {
	if up && m.at > 0 {
		m.at--
	} else if !up && m.at < len(m.history) {
		m.at++
	}
	text := ""
	if m.at < len(m.history) {
		text = m.history[m.at]
	}
	m.input.SetValue(text)
	m.input.CursorEnd()
}

// View implements tea.Model.
func (m *promptModel) View() tea.View {
	text := m.input.View()
	if m.busy {
		text = live.Faint().Render("…")
	}
	if m.hint != "" {
		text += "\n" + live.Faint().Render(m.hint)
	}
	if panel := m.b.watched.view(m.width); panel != "" {
		text = panel + text
	}
	return tea.NewView(text)
}

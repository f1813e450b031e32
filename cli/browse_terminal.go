package cli

import (
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/sinew-robotics/sinew/net/admin"
)

// browseTerminal runs the prompt, with what is watched above it and what happens printed as it comes.
func browseTerminal(b *browser) error {
	input := textinput.New()
	input.Prompt = b.structure.System + "> "
	input.Focus()
	b.live = true
	p := tea.NewProgram(&browseModel{b: b, input: input})
	b.events.onEvent(func(e admin.Event) { go p.Send(eventMsg(e)) })
	defer b.events.onEvent(nil)
	b.client.OnNotice(func(text string) { go p.Send(toldMsg(text)) })
	_, err := p.Run()
	return err
}

// redrawPeriod is how often what is watched is drawn: often enough for the eye, seldom enough for a slow line.
const redrawPeriod = 200 * time.Millisecond

// browseModel is the prompt on a terminal.
type browseModel struct {
	b       *browser
	input   textinput.Model
	history []string
	at      int // in history
	hint    string
	busy    bool
	width   int
	ticking bool
}

// What the model is told.
type (
	answerMsg string
	eventMsg  admin.Event
	toldMsg   string
	redrawMsg struct{}
)

// Init implements tea.Model.
func (m *browseModel) Init() tea.Cmd {
	return tea.Batch(textinput.Blink, tea.Println(fmt.Sprintf("%s: %d blocks. help shows what can be typed, Tab completes.",
		m.b.structure.System, len(m.b.structure.Blocks))))
}

// Update implements tea.Model.
func (m *browseModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case answerMsg:
		m.busy = false
		if msg == "" {
			return m, m.redraw()
		}
		return m, tea.Batch(tea.Println(string(msg)), m.redraw())
	case eventMsg:
		style := faintStyle
		if msg.Kind == "fault" || msg.Kind == "warning" {
			style = badStyle
		}
		return m, tea.Println(style.Render(eventText(admin.Event(msg))))
	case toldMsg:
		return m, tea.Println(faintStyle.Render(string(msg)))
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

// enter executes the line, beside the terminal: a wait does not freeze the prompt.
func (m *browseModel) enter() tea.Cmd {
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
			text = strings.TrimPrefix(text+"\n"+badStyle.Render(err.Error()), "\n")
		}
		return answerMsg(text)
	})
}

// redraw draws again in a while, as long as something is watched.
func (m *browseModel) redraw() tea.Cmd {
	if m.ticking || len(m.b.watched.refs()) == 0 {
		return nil
	}
	m.ticking = true
	return tea.Tick(redrawPeriod, func(time.Time) tea.Msg { return redrawMsg{} })
}

// complete puts in what all candidates share, and shows them where there are several.
func (m *browseModel) complete() {
	line := m.input.Value()
	list := m.b.complete(line)
	if len(list) == 0 {
		m.hint = ""
		return
	}
	common := list[0]
	for _, c := range list {
		for !strings.HasPrefix(c, common) {
			common = common[:len(common)-1]
		}
	}
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

// recall goes through what was typed before.
func (m *browseModel) recall(up bool) {
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
func (m *browseModel) View() tea.View {
	text := m.input.View()
	if m.busy {
		text = faintStyle.Render("…")
	}
	if m.hint != "" {
		text += "\n" + faintStyle.Render(m.hint)
	}
	if panel := m.b.watched.view(m.width); panel != "" {
		text = panel + text
	}
	return tea.NewView(text)
}

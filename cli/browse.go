package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/script"
)

func browseCommand() *cobra.Command {
	var r reach
	cmd := &cobra.Command{
		Use:   "browse [SYSTEM]",
		Short: "Look into a running system and drive it from a prompt: the task browser",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.onSystem(cmd.Context(), strings.Join(args, ""), func(c *admin.Client) error {
				b, err := newBrowser(c)
				if err != nil {
					return err
				}
				defer b.prompt.Close()
				if in, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(in.Fd())) {
					return browseTerminal(b)
				}
				return browseLines(b, cmd.InOrStdin(), cmd.OutOrStdout())
			})
		},
	}
	r.register(cmd.Flags())
	return cmd
}

// browser executes lines of the task browser: its own few words, and everything that scripts know.
type browser struct {
	client    *admin.Client
	structure *admin.Structure
	prompt    *script.Prompt
	logged    *strings.Builder
}

func newBrowser(c *admin.Client) (*browser, error) {
	b := &browser{client: c, logged: &strings.Builder{}}
	var err error
	if b.structure, err = c.Structure(context.Background()); err != nil {
		return nil, err
	}
	b.prompt, err = script.NewPrompt(c, b.logged)
	return b, err
}

const browseHelp = `ls                        the blocks
ls pid1                   ports, parameters and operations of a block, with their values
threads                   what the threads do
pid1.kp                   read a parameter or port
pid1.kp = 12              set a parameter, or feed an input by hand
pid1.release("ref")       let an input read its link again
joint1.act = {"n": 1}     send an event to a handler
generator.moveTo([1, 1], 10)   call an operation
pid1.reset()              let a block that was in error run again
log(…), wait(…), …        everything that scripts know
help, quit                Tab completes`

// execute runs one line and returns what to print.
func (b *browser) execute(line string) (string, error) {
	b.logged.Reset()
	words := strings.Fields(line)
	switch {
	case len(words) == 0:
		return "", nil
	case line == "help":
		return browseHelp, nil
	case words[0] == "threads" && len(words) == 1:
		return b.threads()
	case words[0] == "ls" && len(words) <= 2:
		if len(words) == 2 {
			return b.show(words[1])
		}
		return b.list()
	}
	result, err := b.prompt.Eval(line)
	return strings.TrimSuffix(b.logged.String()+result, "\n"), err
}

func (b *browser) list() (string, error) {
	s, err := b.client.Structure(context.Background())
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, e := range s.Blocks {
		fmt.Fprintf(&out, "%-20s %-24s %-12s %s\n", e.Name, e.Type, e.Thread, e.Fault)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

func (b *browser) show(name string) (string, error) {
	s, err := b.client.Structure(context.Background())
	if err != nil {
		return "", err
	}
	var names []string
	for _, e := range s.Blocks {
		if e.Name == name {
			return b.describe(&e)
		}
		names = append(names, e.Name)
	}
	return "", fmt.Errorf("no block %q%s", name, nearest.Hint(name, names))
}

// describe shows a block with its values.
func (b *browser) describe(e *admin.Block) (string, error) {
	ctx := context.Background()
	var out strings.Builder
	fmt.Fprintf(&out, "%s  %s on thread %s\n", e.Name, e.Type, e.Thread)
	if e.Fault != "" {
		fmt.Fprintf(&out, "in error: %s\n", e.Fault)
	}
	row := func(kind, name, value, unit, note string) {
		fmt.Fprintf(&out, "  %-10s %-22s %-24s %-6s %s\n", kind, name, value, unit, note)
	}
	for _, p := range e.Params {
		v, err := b.client.Param(ctx, e.Name+"."+p.Name)
		if err != nil {
			return "", err
		}
		kind := "parameter"
		if p.Fixed {
			kind = "fixed"
		}
		row(kind, p.Name, formatValue(v), p.Unit, p.Doc)
	}
	for _, p := range e.Ports {
		r, err := b.client.Read(ctx, e.Name+"."+p.Name)
		if err != nil {
			return "", err
		}
		value, note := formatValue(r.Value), p.Doc
		if r.Count == 0 {
			value = "no data"
		}
		if p.From != "" {
			note = "← " + p.From
		}
		row(p.Kind, p.Name, value, p.Unit, note)
	}
	for _, o := range e.Operations {
		var args []string
		for _, a := range o.Args {
			args = append(args, a.Name+": "+a.Type)
		}
		signature := "(" + strings.Join(args, ", ") + ")"
		if o.Result != "" {
			signature += " → " + o.Result
		}
		row("operation", o.Name, signature, "", o.Doc)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

func (b *browser) threads() (string, error) {
	s, err := b.client.Statistics(context.Background())
	if err != nil {
		return "", err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%-14s %9s %7s %11s %11s %11s\n", "thread", "runs", "slips", "late p99", "cycle p50", "cycle max")
	for _, t := range s.Threads {
		fmt.Fprintf(&out, "%-14s %9d %7d %11s %11s %11s\n", t.Name, t.Activations, t.Slips,
			seconds(float64(t.Jitter.P99)*1e-9), seconds(float64(t.Cycle.P50)*1e-9), seconds(float64(t.Cycle.Max)*1e-9))
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// complete returns what the end of a line may become.
func (b *browser) complete(line string) []string {
	if rest, ok := strings.CutPrefix(line, "ls "); ok {
		var names []string
		for _, e := range b.structure.Blocks {
			if strings.HasPrefix(e.Name, rest) {
				names = append(names, e.Name)
			}
		}
		return names
	}
	return b.prompt.Complete(line)
}

// browseLines serves a program or a file: a line in, its result out. The first error ends it.
func browseLines(b *browser, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "quit" {
			return nil
		}
		result, err := b.execute(line)
		if result != "" {
			fmt.Fprintln(out, result)
		}
		if err != nil {
			return err
		}
	}
	return lines.Err()
}

func browseTerminal(b *browser) error {
	input := textinput.New()
	input.Prompt = b.structure.System + "> "
	input.Focus()
	m := &browseModel{b: b, input: input, answers: make(chan answerMsg, 1)}
	_, err := tea.NewProgram(m).Run()
	return err
}

// browseModel is the prompt on a terminal.
type browseModel struct {
	b       *browser
	input   textinput.Model
	history []string
	at      int // in history
	hint    string
	busy    bool
	answers chan answerMsg
}

type answerMsg struct{ line, text string }

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
		return m, tea.Println(msg.text)
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
		return answerMsg{line, text}
	})
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
	return tea.NewView(text)
}

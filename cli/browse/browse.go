package browse

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/script"
)

// Run serves the prompt for a running system until its input ends: on a terminal with completion and watched signals,
// otherwise line by line. Input from a pipe or a file ends at the first error, which Run returns.
func Run(ctx context.Context, c *nats.Client, in io.Reader, out io.Writer) error {
	b, err := newBrowser(ctx, c)
	if err != nil {
		return err
	}
	defer b.close()
	file, ok := in.(*os.File)
	switch {
	case !ok || !term.IsTerminal(int(file.Fd())):
		return b.lines(in, out, false)
	case os.Getenv("TERM") == "dumb":
		return b.lines(in, out, true)
	}
	return runTerminal(b)
}

// browser executes lines of the task browser: its own verbs, and everything that scripts know.
type browser struct {
	ctx       context.Context
	client    *nats.Client
	structure *admin.Structure // when the browser started, for completion
	prompt    *script.Prompt
	logged    *strings.Builder
	events    eventLog
	watched   watchList
	endEvents func()
	live      bool // a terminal shows watched signals beside the prompt
}

func newBrowser(ctx context.Context, c *nats.Client) (*browser, error) {
	b := &browser{ctx: ctx, client: c, logged: &strings.Builder{}, events: eventLog{own: c.Actor()}}
	var err error
	if b.structure, err = c.Structure(ctx); err != nil {
		return nil, err
	}
	if b.endEvents, err = c.FollowEvents(b.events.add); err != nil {
		return nil, err
	}
	past, err := c.History(ctx)
	if err != nil {
		return nil, err
	}
	b.events.begin(past.Events)
	b.prompt, err = script.NewPrompt(c, b.logged)
	return b, err
}

func (b *browser) close() {
	b.watched.clear()
	b.endEvents()
	b.prompt.Close()
}

// execute executes one line and returns its output.
func (b *browser) execute(line string) (string, error) {
	b.logged.Reset()
	words := strings.Fields(line)
	if len(words) == 0 {
		return "", nil
	}
	if line == "help" {
		return b.help(), nil
	}
	for _, v := range verbs {
		if v.name == words[0] && (len(words) == 1 || words[1] != "=") {
			if most := len(v.args); len(words)-1 > most {
				return "", fmt.Errorf("%s takes at most %d words: %s", v.name, most, v.usage())
			}
			var out strings.Builder
			err := v.run(b, &out, words[1:])
			return strings.TrimSuffix(out.String(), "\n"), err
		}
	}
	result, err := b.prompt.Eval(line)
	return strings.TrimSuffix(b.logged.String()+result, "\n"), err
}

// lines reads lines from a program, a file or a simple terminal and writes their results. Unless an operator types
// them, it ends at the first error.
func (b *browser) lines(in io.Reader, out io.Writer, typed bool) error {
	lines := bufio.NewScanner(in)
	ask := func() {
		if typed {
			fmt.Fprint(out, b.structure.System+"> ")
		}
	}
	for ask(); lines.Scan(); ask() {
		line := strings.TrimSpace(lines.Text())
		if line == "quit" || line == "exit" {
			return nil
		}
		result, err := b.execute(line)
		if result != "" {
			fmt.Fprintln(out, result)
		}
		if err != nil && !typed {
			return err
		}
		if err != nil {
			fmt.Fprintln(out, err)
		}
	}
	return lines.Err()
}

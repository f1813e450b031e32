package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/script"
)

func browseCommand() *cobra.Command {
	var r reach
	cmd := &cobra.Command{
		Use:   "browse [SYSTEM]",
		Short: "Look into a running system and drive it from a prompt: the task browser",
		Long: `Look into a running system and drive it from a prompt: blocks, links, threads, processes and events are shown, signals watched,
parameters set and saved, inputs and outputs given values by hand, blocks disabled, operations called. help lists what can be
typed, and Tab completes it. Lines from a pipe are executed one after the other; the first error ends it.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.onSystem(cmd.Context(), strings.Join(args, ""), func(c *admin.Client) error {
				b, err := newBrowser(cmd.Context(), c)
				if err != nil {
					return err
				}
				defer b.close()
				in, ok := cmd.InOrStdin().(*os.File)
				switch {
				case !ok || !term.IsTerminal(int(in.Fd())):
					return b.lines(cmd.InOrStdin(), cmd.OutOrStdout(), false)
				case os.Getenv("TERM") == "dumb":
					return b.lines(cmd.InOrStdin(), cmd.OutOrStdout(), true)
				}
				return browseTerminal(b)
			})
		},
	}
	r.register(cmd.Flags())
	return cmd
}

// browser executes lines of the task browser: its own few words, and everything that scripts know.
type browser struct {
	ctx       context.Context
	client    *admin.Client
	structure *admin.Structure // as it was when the browser began: for completion
	prompt    *script.Prompt
	logged    *strings.Builder
	events    eventLog
	watched   watchList
	endEvents func()
	live      bool // there is a terminal to show what is watched beside the prompt
}

func newBrowser(ctx context.Context, c *admin.Client) (*browser, error) {
	b := &browser{ctx: ctx, client: c, logged: &strings.Builder{}}
	var err error
	if b.structure, err = c.Structure(ctx); err != nil {
		return nil, err
	}
	if b.endEvents, err = c.FollowEvents(b.events.add); err != nil {
		return nil, err
	}
	past, err := c.Past(ctx)
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

// execute runs one line and returns what to print.
func (b *browser) execute(line string) (string, error) {
	b.logged.Reset()
	words := strings.Fields(line)
	if len(words) == 0 {
		return "", nil
	}
	if line == "help" {
		return b.help(), nil
	}
	for _, v := range browseVerbs {
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

// lines serves a program, a file or a terminal that can do nothing: a line in, its result out. Unless somebody sits there, the
// first error ends it.
func (b *browser) lines(in io.Reader, out io.Writer, somebody bool) error {
	lines := bufio.NewScanner(in)
	ask := func() {
		if somebody {
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
		if err != nil && !somebody {
			return err
		}
		if err != nil {
			fmt.Fprintln(out, err)
		}
	}
	return lines.Err()
}

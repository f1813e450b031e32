package browse

import (
	"fmt"
	"io"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/port"
)

// needArg returns the only argument of a verb.
func needArg(verb string, args []string) (string, error) {
	if len(args) == 0 {
		return "", fmt.Errorf("%s needs an argument; press Tab to list the choices", verb)
	}
	return args[0], nil
}

func (b *browser) release(_ io.Writer, args []string) error {
	ref, err := needArg("release", args)
	if err != nil {
		return err
	}
	return b.client.Release(b.ctx, ref)
}

func (b *browser) disable(_ io.Writer, args []string) error {
	name, err := needArg("disable", args)
	if err != nil {
		return err
	}
	return b.client.Enable(b.ctx, name, false)
}

func (b *browser) enable(_ io.Writer, args []string) error {
	name, err := needArg("enable", args)
	if err != nil {
		return err
	}
	return b.client.Enable(b.ctx, name, true)
}

func (b *browser) reset(_ io.Writer, args []string) error {
	name, err := needArg("reset", args)
	if err != nil {
		return err
	}
	return b.client.Reset(b.ctx, name)
}

// hand lists everything that operators override or disable and have not released.
func (b *browser) hand(out io.Writer, _ []string) error {
	s, err := b.client.Structure(b.ctx)
	if err != nil {
		return err
	}
	for _, e := range s.Blocks {
		if e.State == admin.StateDisabled {
			fmt.Fprintf(out, "%s is disabled\n", e.Name)
		}
		for _, p := range e.Ports {
			if !p.Hand || p.Name == port.EnableName {
				continue
			}
			r, err := b.client.Read(b.ctx, e.Name+"."+p.Name)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s = %s %s by hand\n", e.Name+"."+p.Name, live.Value(r.Value), p.Unit)
		}
	}
	return nil
}

// showSave shows how tuned parameters would change the files.
func (b *browser) showSave(out io.Writer, _ []string) error {
	tuned, err := live.FindTuned(b.ctx, b.client)
	if err != nil {
		return err
	}
	tuned.Show(out)
	if tuned.Any() {
		fmt.Fprintln(out, "type save! to write it")
	}
	return nil
}

// save writes tuned parameters to the files.
func (b *browser) save(out io.Writer, _ []string) error {
	tuned, err := live.FindTuned(b.ctx, b.client)
	if err != nil {
		return err
	}
	tuned.Show(out)
	return tuned.Write(b.ctx, out)
}

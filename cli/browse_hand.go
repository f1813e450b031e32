package cli

import (
	"fmt"
	"io"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
)

// needArg returns the only word behind a verb.
func needArg(verb string, args []string) (string, error) {
	if len(args) == 0 {
		return "", fmt.Errorf("%s what? Tab shows what there is", verb)
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

// hand lists what somebody has taken into their own hands and not given back.
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
			if !p.Hand || p.Name == block.EnableName {
				continue
			}
			r, err := b.client.Read(b.ctx, e.Name+"."+p.Name)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s = %s %s by hand\n", e.Name+"."+p.Name, formatValue(r.Value), p.Unit)
		}
	}
	return nil
}

// showSave shows what tuned parameters would change.
func (b *browser) showSave(out io.Writer, _ []string) error {
	tuned, err := findTuned(b.ctx, b.client)
	if err != nil {
		return err
	}
	tuned.show(out)
	if tuned.diff != "" {
		fmt.Fprintln(out, "save! writes it")
	}
	return nil
}

// save writes tuned parameters.
func (b *browser) save(out io.Writer, _ []string) error {
	tuned, err := findTuned(b.ctx, b.client)
	if err != nil {
		return err
	}
	tuned.show(out)
	return tuned.write(out)
}

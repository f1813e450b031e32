package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
)

// ls lists all blocks, those of a group, or what one block has.
func (b *browser) ls(out io.Writer, args []string) error {
	s, err := b.client.Structure(b.ctx)
	if err != nil {
		return err
	}
	b.structure = s
	var name string
	if len(args) == 1 {
		name = strings.TrimSuffix(args[0], ".")
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	any := false
	for i := range s.Blocks {
		e := &s.Blocks[i]
		if e.Name == name {
			return b.describe(out, e)
		}
		if name != "" && !strings.HasPrefix(e.Name, name+".") {
			continue
		}
		any = true
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", e.Name, e.Type, e.Thread, stateText(e))
	}
	if !any && name != "" {
		return fmt.Errorf("no block or group %q%s", name, nearest.Hint(name, groupsAndBlocks(b)))
	}
	for _, warning := range s.Warnings {
		fmt.Fprintln(w, warning)
	}
	return w.Flush()
}

// stateText says what a block does, where that is not to run without a fault.
func stateText(e *admin.Block) string {
	var words []string
	switch e.State {
	case admin.StateError:
		words = append(words, "in error: "+e.Fault)
	case admin.StateDisabled, admin.StateResting:
		words = append(words, string(e.State))
	}
	if e.Faults > 0 && e.State != admin.StateError {
		words = append(words, fmt.Sprintf("fell in error %d times", e.Faults))
	}
	return strings.Join(words, ", ")
}

// describe shows a block with its values.
func (b *browser) describe(out io.Writer, e *admin.Block) error {
	fmt.Fprintf(out, "%s  %s on thread %s\n", e.Name, e.Type, e.Thread)
	if text := stateText(e); text != "" {
		fmt.Fprintln(out, text)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(kind, name, value, unit, note string) {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", kind, name, value, unit, note)
	}
	for _, p := range e.Params {
		v, err := b.client.Param(b.ctx, e.Name+"."+p.Name)
		if err != nil {
			return err
		}
		kind := "parameter"
		if p.Fixed {
			kind = "fixed"
		}
		row(kind, p.Name, formatValue(v), p.Unit, strings.TrimSpace(boundsText(p)+" "+p.Doc))
	}
	for _, p := range e.Ports {
		r, err := b.client.Read(b.ctx, e.Name+"."+p.Name)
		if err != nil {
			return err
		}
		value, note := formatValue(r.Value), p.Doc
		if r.Count == 0 {
			value = "no data"
		}
		if p.From != "" {
			note = "← " + p.From
		}
		if p.Hand {
			note = "BY HAND " + note
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
	return w.Flush()
}

// boundsText writes the bounds of a parameter, as [0, 10].
func boundsText(p admin.Param) string {
	if p.Min == nil && p.Max == nil {
		return ""
	}
	least, most := "–∞", "∞"
	if p.Min != nil {
		least = formatValue(*p.Min)
	}
	if p.Max != nil {
		most = formatValue(*p.Max)
	}
	return "[" + least + ", " + most + "]"
}

// links lists the links of all blocks, or of one.
func (b *browser) links(out io.Writer, args []string) error {
	s, err := b.client.Structure(b.ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, l := range s.Links {
		if len(args) == 0 || strings.HasPrefix(l.From, args[0]+".") || strings.HasPrefix(l.To, args[0]+".") {
			fmt.Fprintf(w, "%s\t→ %s\t%s\n", l.From, l.To, policyText(l))
		}
	}
	return w.Flush()
}

// policyText says how a link differs from one that always has the newest value.
func policyText(l admin.Link) string {
	var words []string
	say := func(is bool, format string, args ...any) {
		if is {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	say(l.Every > 1, "every %d", l.Every)
	say(l.Pause > 0, "at most %.6g a second", 1/max(l.Pause, 1e-9))
	say(l.Delay, "delayed")
	say(l.Buffer > 0, "queue of %d, %s", l.Buffer, strings.ReplaceAll(l.Overflow, "_", " "))
	say(l.Timeout > 0, "time-out %s", seconds(l.Timeout))
	return strings.Join(words, ", ")
}

func (b *browser) threads(out io.Writer, _ []string) error {
	s, err := b.client.Statistics(b.ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "thread\tprocess\tpriority\tperiod\truns\tslips\tlate p99\tcycle p50\tcycle max\tpace")
	for i := range s.Threads {
		t := &s.Threads[i]
		period := "triggered"
		if t.Period > 0 {
			period = seconds(t.Period)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%d\t%d\t%s\t%s\t%s\t%s\n", t.Name, t.Process, t.Priority, period, t.Activations, t.Slips,
			nano(t.Jitter.P99), nano(t.Cycle.P50), nano(t.Cycle.Max), pace(t))
	}
	for _, text := range slices.Concat(s.Faults, s.Warnings) {
		fmt.Fprintln(w, text)
	}
	return w.Flush()
}

func (b *browser) processes(out io.Writer, _ []string) error {
	s, err := b.client.Structure(b.ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "process\thost\tpid\tsinew\tfile")
	for _, p := range s.Processes {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", p.Name, p.Host, p.PID, p.Version, strings.TrimSpace(p.File+" "+p.Problem))
	}
	return w.Flush()
}

// types lists the structs at ports and operations, or defines one.
func (b *browser) types(out io.Writer, args []string) error {
	if len(args) == 0 {
		for _, name := range slices.Sorted(maps.Keys(b.structure.Types)) {
			fmt.Fprintln(out, name)
		}
		return nil
	}
	text, ok := b.structure.Types[args[0]]
	if !ok {
		return fmt.Errorf("no type %q%s", args[0], nearest.Hint(args[0], typeNames(b)))
	}
	fmt.Fprint(out, text)
	return nil
}

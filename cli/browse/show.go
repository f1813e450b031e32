package browse

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/port"
)

// ls lists all blocks, those of a group, or the members of one block.
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
	if g := admin.FindGroup(s.Groups, name); g != nil {
		if err := b.describeGroup(out, g); err != nil {
			return err
		}
	}
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

// describeGroup shows a group with the values of its ports: its four vectors, if it is one of a hierarchy.
func (b *browser) describeGroup(out io.Writer, g *admin.Group) error {
	words := []string{g.Name, " group"}
	if g.Levels > 0 {
		words = append(words, fmt.Sprintf(" of levels 0 to %d", g.Levels-1))
	}
	if !g.Enabled {
		words = append(words, ", disabled")
	}
	fmt.Fprintln(out, strings.Join(words, ""))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, p := range sortedByHalf(g.Ports) {
		note := "= " + strings.Join(p.Behind, ", ")
		if p.From != "" {
			note += " ← " + p.From
		}
		if err := b.portRow(w, g.Name, p, note); err != nil {
			return err
		}
	}
	return w.Flush()
}

// sortedByHalf returns ports in the order of the vectors: sensor input and output, control input and output.
func sortedByHalf(ports []admin.Port) []admin.Port {
	return slices.SortedStableFunc(slices.Values(ports), func(a, b admin.Port) int {
		return cmp.Or(strings.Compare(b.Half, a.Half), strings.Compare(a.Kind, b.Kind)) // sense before control, input before output
	})
}

// portRow shows a port of a block or group with its value.
func (b *browser) portRow(w io.Writer, owner string, p admin.Port, note string) error {
	r, err := b.client.Read(b.ctx, owner+"."+p.Name)
	if err != nil {
		return err
	}
	value := live.Value(r.Value)
	switch {
	case r.Count == 0:
		value = "no data"
	case !p.Hand && b.isOld(owner, p, r.Age):
		note = strings.TrimSpace(oldText(r.Age) + " " + note)
	}
	if p.Hand {
		note = "BY HAND " + note
	}
	_, err = fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", strings.TrimSpace(p.Half+" "+p.Kind), p.Name, value, p.Unit, note)
	return err
}

// normalAge is how many periods of its thread a value may be old: one between two activations, and one where it comes from another thread.
const normalAge = 2

// oldText describes the age of a value.
func oldText(age time.Duration) string {
	unit := 10 * time.Microsecond
	if age >= time.Second {
		unit = 10 * time.Millisecond
	}
	return age.Round(unit).String() + " old"
}

// isOld reports whether a port's value is older than one that is written in each activation.
func (b *browser) isOld(owner string, p admin.Port, age time.Duration) bool {
	if p.Kind != port.Input.String() && p.Kind != port.Output.String() {
		return false
	}
	if len(p.Behind) > 0 {
		ref, _, _ := strings.Cut(p.Behind[0], "[")
		owner = ref[:strings.LastIndexByte(ref, '.')]
	}
	return age.Seconds() > normalAge*b.period(owner)
}

// period returns the period of a block's thread in s; 0 where it is triggered or not known.
func (b *browser) period(block string) float64 {
	for _, e := range b.structure.Blocks {
		for _, t := range b.structure.Threads {
			if e.Name == block && t.Name == e.Thread && t.Process == e.Process {
				return t.Period
			}
		}
	}
	return 0
}

// stateText describes the state of a block unless it runs without a fault, and its script.
func stateText(e *admin.Block) string {
	var words []string
	switch e.State {
	case admin.StateError:
		words = append(words, "in error: "+e.Fault)
	case admin.StateDisabled, admin.StateResting:
		words = append(words, string(e.State))
	}
	if e.Faults > 0 && e.State != admin.StateError {
		words = append(words, fmt.Sprintf("went into error %d times", e.Faults))
	}
	if s := e.Script; s != nil {
		text := "script " + filepath.Base(s.File) + " " + string(s.State)
		if s.Error != "" {
			text += ": " + s.Error
		}
		words = append(words, text)
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
		row(kind, p.Name, live.Value(v), p.Unit, strings.TrimSpace(boundsText(p)+" "+p.Doc))
	}
	for _, p := range e.Ports {
		note := p.Doc
		if p.From != "" {
			note = "← " + p.From
		}
		if err := b.portRow(w, e.Name, p, note); err != nil {
			return err
		}
	}
	for _, o := range e.Operations {
		var args []string
		for _, a := range o.Args {
			args = append(args, strings.TrimSpace(a.Name+": "+a.Type+" "+a.Unit))
		}
		signature := "(" + strings.Join(args, ", ") + ")"
		if o.Result != "" {
			signature += strings.TrimRight(" → "+o.Result+" "+o.Unit, " ")
		}
		row("operation", o.Name, signature, "", o.Doc)
	}
	for _, p := range peersOf(b.structure.Calls) {
		switch e.Name {
		case p.block:
			row("peer", p.peer, "", "", "⇢ "+p.operations)
		case p.peer:
			row("called by", p.block, "", "", "⇠ "+p.operations)
		}
	}
	return w.Flush()
}

// boundsText formats the bounds of a parameter, as [0, 10].
func boundsText(p admin.Param) string {
	if p.Min == nil && p.Max == nil {
		return ""
	}
	least, most := "–∞", "∞"
	if p.Min != nil {
		least = live.Value(*p.Min)
	}
	if p.Max != nil {
		most = live.Value(*p.Max)
	}
	return "[" + least + ", " + most + "]"
}

// peer is a block of which another one calls operations.
type peer struct{ block, peer, operations string }

// peersOf returns the peers of all blocks, each with the operations that are called, in the order of the calls.
func peersOf(calls []admin.Call) (list []peer) {
	for _, c := range calls {
		i := slices.IndexFunc(list, func(p peer) bool { return p.block == c.Block && p.peer == c.Peer })
		if i < 0 {
			list = append(list, peer{c.Block, c.Peer, c.Operation})
			continue
		}
		list[i].operations += ", " + c.Operation
	}
	return list
}

// links lists the links of all blocks, or of one, and their peers.
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
	for _, p := range peersOf(s.Calls) {
		if len(args) == 0 || within(p.block, args[0]) || within(p.peer, args[0]) {
			fmt.Fprintf(w, "%s\t⇢ %s\t%s\n", p.block, p.peer, p.operations)
		}
	}
	return w.Flush()
}

// within reports whether a block is the given one, or in the group of that name.
func within(block, name string) bool { return block == name || strings.HasPrefix(block, name+".") }

// policyText describes how a link differs from one that always holds the newest value.
func policyText(l admin.Link) string {
	var words []string
	say := func(is bool, format string, args ...any) {
		if is {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	say(l.Every > 1, "every %d", l.Every)
	say(l.Pause > 0, "at most %.6g per second", 1/max(l.Pause, 1e-9))
	say(l.Delay, "delayed")
	say(l.Buffer > 0, "queue of %d, %s", l.Buffer, strings.ReplaceAll(l.Overflow, "_", " "))
	say(l.Timeout > 0, "time-out %s", live.Seconds(l.Timeout))
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
			period = live.Seconds(t.Period)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%d\t%d\t%s\t%s\t%s\t%s\n", t.Name, t.Process, t.Priority, period, t.Activations, t.Slips,
			live.Nanoseconds(t.Jitter.P99), live.Nanoseconds(t.Cycle.P50), live.Nanoseconds(t.Cycle.Max), live.Pace(t))
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

// types lists the structs of ports and operations, or defines one.
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

package diagram

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	netlink "github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/port"
)

// Link joins an output to an input, or an event to a handler.
type Link struct {
	From, To End
	Every    int            // carry every n-th value only; 0 means 1
	Pause    time.Duration  // carry nothing sooner than this after the last: 1/max_rate
	Delay    bool           // carry what the source held at the end of the previous activation
	Newest   bool           // between threads that keep one time: carry what is there, not what the ticks determine
	Direct   bool           // between such threads: carry the value of the same tick, for which the reader waits
	Wait     time.Duration  // of a direct link: how long; 0: half a period of the reader
	Buffer   int            // queue up to n values; 0: the newest wins
	Overflow Overflow       // what a full queue drops
	Encode   *netlink.Coded // how its values are written between processes, and what its reader gets of them everywhere; nil: as they are
	Priority int            // for the scheduler of a carrier between hosts: higher first
	Timeout  time.Duration  // the target rests while the value is older than this; 0: it may be of any age
	Replace  bool           // take the place of an earlier link to the same input
	Source   string         // where it was written
}

// Overflow states what the full queue of a buffered link drops.
type Overflow = lockfree.Overflow

// The policies of a buffered link.
const (
	DropOldest = lockfree.DropOldest // the receiver sees the newest
	DropNewest = lockfree.DropNewest // the receiver sees the first
)

// End is one end of a link: a port, or chosen elements of it in the order of choice.
type End struct {
	Block, Port string
	Elements    []int // nil: all of it
}

// String returns the end as it is written: a.out[0,2].
func (e End) String() string {
	s := e.Block + "." + e.Port
	if e.Elements == nil {
		return s
	}
	words := make([]string, len(e.Elements))
	for i, n := range e.Elements {
		words[i] = strconv.Itoa(n)
	}
	return s + "[" + strings.Join(words, ",") + "]"
}

// String returns the link as it is written: a.out -> b.in.
func (l Link) String() string { return l.From.String() + " -> " + l.To.String() }

// ParseLink reads "a.out -> b.in", with elements and ranges in brackets: "a.out[0:3] -> b.in[2,0,1]".
func ParseLink(text string) (Link, error) {
	from, to, ok := strings.Cut(text, "->")
	if !ok {
		return Link{}, fmt.Errorf("link %q: wants \"block.output -> block.input\"", text)
	}
	var l Link
	var err error
	if l.From, err = parseEnd(from); err != nil {
		return Link{}, fmt.Errorf("link %q: %w", text, err)
	}
	if l.To, err = parseEnd(to); err != nil {
		return Link{}, fmt.Errorf("link %q: %w", text, err)
	}
	return l, nil
}

func parseEnd(text string) (End, error) {
	ref, list, selects := strings.Cut(strings.TrimSpace(text), "[")
	dot := strings.LastIndexByte(ref, '.')
	if dot <= 0 || dot == len(ref)-1 || strings.ContainsAny(ref, " \t]") {
		return End{}, fmt.Errorf("%q is no block.port, as wave.out is", strings.TrimSpace(text))
	}
	e := End{Block: ref[:dot], Port: ref[dot+1:]}
	if !selects {
		return e, nil
	}
	inner, closed := strings.CutSuffix(list, "]")
	if !closed {
		return End{}, fmt.Errorf("%q: the bracket does not close", strings.TrimSpace(text))
	}
	for word := range strings.SplitSeq(inner, ",") {
		lo, hi, err := parseRange(strings.TrimSpace(word))
		if err != nil {
			return End{}, err
		}
		if hi-lo > MaxSelected-len(e.Elements) {
			return End{}, fmt.Errorf("%q selects more than %d elements", word, MaxSelected)
		}
		for n := lo; n < hi; n++ {
			e.Elements = append(e.Elements, n)
		}
	}
	return e, nil
}

// parseRange reads "3", or "0:3" for 0, 1, 2.
func parseRange(word string) (lo, hi int, err error) {
	first, last, isRange := strings.Cut(word, ":")
	lo, err = strconv.Atoi(first)
	hi = lo + 1
	if isRange && err == nil {
		hi, err = strconv.Atoi(last)
	}
	if err != nil || lo < 0 || hi <= lo {
		return 0, 0, fmt.Errorf("%q is neither an element, as 2, nor a range, as 0:3", word)
	}
	return lo, hi, nil
}

// Link adds a link by names, with [ParseLink]'s notation. [Diagram.Build] returns its mistakes.
func (d *Diagram) Link(text string) {
	l, err := ParseLink(text)
	if err != nil {
		d.fail("", "%w", err)
		return
	}
	d.Join(l)
}

// Join adds a link. With Replace it takes the place of the links that so far lead to the same elements.
func (d *Diagram) Join(l Link) {
	switch {
	case len(d.links) == MaxLinks:
		if !d.full {
			d.fail(l.Source, "link %v: a net has at most %d links", l, MaxLinks)
		}
		d.full = true
		return
	case l.From.selected()+l.To.selected() > MaxSelected-d.selected:
		if !d.full {
			d.fail(l.Source, "link %v: the links of a net select at most %d elements", l, MaxSelected)
		}
		d.full = true
		return
	}
	d.selected += l.From.selected() + l.To.selected()
	added, target := &link{Link: l}, l.To.Block+"."+l.To.Port
	if l.Replace {
		chosen := selection(l.To.Elements)
		d.into[target] = slices.DeleteFunc(d.into[target], func(old *link) bool {
			old.replaced = overlap(chosen, old.To.Elements)
			return old.replaced
		})
	}
	d.into[target] = append(d.into[target], added)
	d.links = append(d.links, added)
}

// selected returns how many elements the end chooses.
func (e End) selected() int { return len(e.Elements) }

// selection returns a set of elements; nil is all of them.
func selection(elements []int) map[int]bool {
	if elements == nil {
		return nil
	}
	set := make(map[int]bool, len(elements))
	for _, n := range elements {
		set[n] = true
	}
	return set
}

// overlap reports whether a selection has one of the elements; nil is all of them.
func overlap(set map[int]bool, elements []int) bool {
	return set == nil || elements == nil || slices.ContainsFunc(elements, func(n int) bool { return set[n] })
}

// Connect links a port of one block to one of another, field to field, so that the compiler checks the type.
// Both blocks were added before; a port of any other struct panics.
func Connect[T any](d *Diagram, from *block.Out[T], to *block.In[T]) {
	d.Join(Link{From: d.endOf(inspect.PortOf(from)), To: d.endOf(inspect.PortOf(to))})
}

// Subscribe links an event of one block to a handler of another, field to field, so that the compiler checks the type. It panics as [Connect] does.
func Subscribe[T any](d *Diagram, from *block.Event[T], to *block.Handler[T]) {
	d.Join(Link{From: d.endOf(inspect.PortOf(from)), To: d.endOf(inspect.PortOf(to))})
}

func (d *Diagram) endOf(p *port.Port) End {
	if p == nil || d.byName[p.Block.Name] == nil || d.byName[p.Block.Name].Instance != p.Block {
		panic("diagram: Connect and Subscribe take ports of blocks that were added to this diagram")
	}
	return End{Block: p.Block.Name, Port: p.Name}
}

// link is a Link whose ends are found.
type link struct {
	Link
	from, to *port.Port // nil: of a foreign block
	replaced bool       // by a later one
}

// isForeign reports whether an end is a port of a foreign block.
func (l *link) isForeign() bool { return l.from == nil || l.to == nil }

// resolve finds the ends of a link; false, and an error in d, where there are none.
func (d *Diagram) resolve(l *link) bool {
	if d.broken[l.From.Block] || d.broken[l.To.Block] {
		return false
	}
	if d.foreign[l.From.Block] != nil || d.foreign[l.To.Block] != nil {
		return d.resolveForeign(l)
	}
	l.from, l.to = d.find(l, l.From), d.find(l, l.To)
	if l.from == nil || l.to == nil {
		return false
	}
	err := l.checkEnds()
	if err == nil {
		err = l.checkOptions()
	}
	if err == nil {
		err = d.checkDirect(l)
	}
	if err == nil {
		err = d.checkWaiting(l)
	}
	if oldest := d.oldest(l); err == nil && l.Timeout > 0 && l.Timeout < oldest {
		err = fmt.Errorf("its time-out of %v is shorter than the %v that a value of %s may be old when it is read", l.Timeout, oldest, l.From.Block)
	}
	if err != nil {
		d.fail(l.Source, "link %v: %w", l, err)
		return false
	}
	return d.checkEdge(l)
}

// checkEnds returns why the ports at the ends of a link cannot be linked.
func (l *link) checkEnds() error {
	switch {
	case !l.from.Kind.IsSource() && l.to.Kind.IsSource():
		return fmt.Errorf("%s is an %v, and a link begins at an output or event: write %s -> %s", l.From, l.from.Kind, l.To, l.From)
	case !l.from.Kind.IsSource():
		return fmt.Errorf("%s is an %v, and a link begins at an output or event", l.From, l.from.Kind)
	case l.to.Kind.IsSource():
		return fmt.Errorf("%s is an %v, and a link ends at an input or handler: name one of those of %s", l.To, l.to.Kind, l.To.Block)
	case (l.from.Kind == port.Event) != (l.to.Kind == port.Handler):
		return fmt.Errorf("%s is an %v, but %s is an %v: outputs lead to inputs, and events to handlers", l.From, l.from.Kind, l.To, l.to.Kind)
	case l.from.Unit != "" && l.to.Unit != "" && l.from.Unit != l.to.Unit:
		return fmt.Errorf("%s is in %s, but %s is in %s", l.From, l.from.Unit, l.To, l.to.Unit)
	}
	return nil
}

// checkOptions returns which option of a link is out of range, or does not go with the others.
func (l *link) checkOptions() error {
	elements := l.From.Elements != nil || l.To.Elements != nil
	switch {
	case l.from.Kind == port.Event && (elements || l.Delay || l.Buffer > 0 || l.Every > 1 || l.Timeout > 0):
		return errors.New("events are carried whole, each, and at once")
	case l.Buffer < 0 || l.Buffer > MaxBuffer:
		return fmt.Errorf("buffer %d is not between 0 and %d values", l.Buffer, MaxBuffer)
	case l.Every < 0 || l.Every > MaxEvery:
		return fmt.Errorf("every %d is not between 1 and %d", l.Every, MaxEvery)
	case l.Pause < 0 || l.Pause > MaxAge:
		return fmt.Errorf("max_rate means a pause of %v between two values: at most %v are possible", l.Pause, MaxAge)
	case l.Timeout < 0:
		return fmt.Errorf("time-out %v is negative: give a time above 0, or leave it out", l.Timeout)
	case l.Timeout > MaxAge:
		return fmt.Errorf("time-out %v is longer than %v", l.Timeout, MaxAge)
	case l.Buffer > 0 && (l.Timeout > 0 || l.Delay || l.Every > 1 || l.Pause > 0 || elements):
		return errors.New("a buffered link carries whole values, each of them, without delay and at any age")
	case l.Encode != nil && (l.from.Kind == port.Event || l.Buffer > 0):
		return errors.New("events and values that are queued are carried as they are: leave encode out")
	}
	return nil
}

// interval returns the time between two values that a link's reader gets; 0 where the threads do not determine it.
func (d *Diagram) interval(l *link) time.Duration {
	return max(times(d.written(l), max(l.Every, 1)), l.Pause)
}

// written returns the time between two values of a link's source, each of which is sent to another process; 0 where the threads do not determine it.
func (d *Diagram) written(l *link) time.Duration {
	from := d.byName[l.From.Block]
	if from == nil || from.thread == nil {
		return 0
	}
	return times(from.thread.Period, from.Every)
}

func (d *Diagram) find(l *link, e End) *port.Port {
	b := d.byName[e.Block]
	if b == nil {
		d.fail(l.Source, "link %v: no block %q%s", l, e.Block, nearest.Later(e.Block, d.blockNames))
		return nil
	}
	p := b.Port(e.Port)
	switch why := b.WhyOmitted(e.Port); {
	case p != nil:
	case why != "":
		d.fail(l.Source, "link %v: block %q (%s) has no port %q%s", l, e.Block, b.Type, e.Port, why)
	default:
		d.fail(l.Source, "link %v: block %q (%s) has no port %q%s", l, e.Block, b.Type, e.Port, nearest.Later(e.Port, b.portNames))
	}
	return p
}

func (b *placed) portNames() (names []string) {
	for _, p := range b.Ports {
		names = append(names, p.Name)
	}
	return names
}

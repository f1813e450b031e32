package diagram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
)

// Link joins an output to an input, or an event to a handler.
type Link struct {
	From, To End
	Every    int           // carry every n-th value only; 0 means 1
	Pause    time.Duration // carry nothing sooner than this after the last: 1/max_rate
	Delay    bool          // carry what the source held at the end of the previous activation
	Buffer   int           // queue up to n values; 0: the newest wins
	Overflow Overflow      // what a full queue drops
	Timeout  time.Duration // the target rests while the value is older than this; 0: it may be of any age
	Replace  bool          // take the place of an earlier link to the same input
	Source   string        // where it was written
}

// Overflow says what the full queue of a buffered link drops.
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

// maxElements bounds what a range in a link may select.
const maxElements = 1 << 20

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
		return End{}, fmt.Errorf("%q is no block.port", strings.TrimSpace(text))
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
		if hi-lo > maxElements-len(e.Elements) {
			return End{}, fmt.Errorf("%q selects more than %d elements", word, maxElements)
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

// Link adds a link by names, with [ParseLink]'s notation.
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
	if l.Replace {
		d.links = slices.DeleteFunc(d.links, func(old *link) bool {
			return old.To.Block == l.To.Block && old.To.Port == l.To.Port && overlap(old.To.Elements, l.To.Elements)
		})
	}
	d.links = append(d.links, &link{Link: l})
}

// overlap reports whether two selections share an element; nil selects all.
func overlap(a, b []int) bool {
	if a == nil || b == nil {
		return true
	}
	return slices.ContainsFunc(a, func(n int) bool { return slices.Contains(b, n) })
}

// Connect links a port of one block to one of another, field to field, so that the compiler checks the type.
// Both blocks were added before; a port of any other struct panics.
func Connect[T any](d *Diagram, from *block.Out[T], to *block.In[T]) {
	d.Join(Link{From: d.endOf(block.PortOf(from)), To: d.endOf(block.PortOf(to))})
}

// Subscribe links an event of one block to a handler of another, field to field.
func Subscribe[T any](d *Diagram, from *block.Event[T], to *block.Handler[T]) {
	d.Join(Link{From: d.endOf(block.PortOf(from)), To: d.endOf(block.PortOf(to))})
}

func (d *Diagram) endOf(p *block.Port) End {
	if p == nil || d.byName[p.Block.Name] == nil || d.byName[p.Block.Name].Instance != p.Block {
		panic("diagram: Connect and Subscribe take ports of blocks that were added to this diagram")
	}
	return End{Block: p.Block.Name, Port: p.Name}
}

// link is a Link whose ends are found.
type link struct {
	Link
	from, to *block.Port // nil: of a foreign block
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
	switch {
	case !l.from.Kind.IsSource():
		d.fail(l.Source, "link %v: %s is an %v, and a link begins at an output or event", l, l.From, l.from.Kind)
	case l.to.Kind.IsSource():
		d.fail(l.Source, "link %v: %s is an %v, and a link ends at an input or handler", l, l.To, l.to.Kind)
	case (l.from.Kind == block.EventPort) != (l.to.Kind == block.HandlerPort):
		d.fail(l.Source, "link %v: %s is an %v, but %s is an %v", l, l.From, l.from.Kind, l.To, l.to.Kind)
	case l.from.Kind == block.EventPort && (l.From.Elements != nil || l.To.Elements != nil || l.Delay || l.Buffer > 0 || l.Every > 1 || l.Timeout > 0):
		d.fail(l.Source, "link %v: events are carried whole, each, and at once", l)
	case l.from.Unit != "" && l.to.Unit != "" && l.from.Unit != l.to.Unit:
		d.fail(l.Source, "link %v: %s is in %s, but %s is in %s", l, l.From, l.from.Unit, l.To, l.to.Unit)
	case l.Timeout < 0:
		d.fail(l.Source, "link %v: time-out %v is negative", l, l.Timeout)
	case l.Timeout > 0 && l.Timeout < d.interval(l):
		d.fail(l.Source, "link %v: its time-out of %v is shorter than the %v after which %s writes again", l, l.Timeout, d.interval(l), l.From.Block)
	case l.Buffer > 0 && (l.Timeout > 0 || l.Delay || l.Every > 1 || l.Pause > 0 || l.From.Elements != nil || l.To.Elements != nil):
		d.fail(l.Source, "link %v: a buffered link carries whole values, each of them, without delay and at any age", l)
	default:
		return true
	}
	return false
}

// interval returns the time between two values of a link, as far as threads tell; 0 where they do not.
func (d *Diagram) interval(l *link) time.Duration {
	from := d.byName[l.From.Block]
	if from == nil || from.thread == nil {
		return 0
	}
	return max(from.thread.Period*time.Duration(from.Every)*time.Duration(max(l.Every, 1)), l.Pause)
}

func (d *Diagram) find(l *link, e End) *block.Port {
	b := d.byName[e.Block]
	if b == nil {
		d.fail(l.Source, "link %v: no block %q%s", l, e.Block, nearest.Hint(e.Block, d.blockNames()))
		return nil
	}
	p := b.Port(e.Port)
	if p == nil {
		var names []string
		for _, p := range b.Ports {
			names = append(names, p.Name)
		}
		d.fail(l.Source, "link %v: block %q (%s) has no port %q%s", l, e.Block, b.Type, e.Port, nearest.Hint(e.Port, names))
	}
	return p
}

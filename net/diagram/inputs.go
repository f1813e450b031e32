package diagram

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/port"
)

// Unlinked is an input without a source, or of which some elements have none: it reads NoData, or 0 there, until it is fed.
type Unlinked struct {
	Port     *port.Port
	Elements []int // that are not linked; nil: all
}

// String returns the input as in "arm.torque[3,4]".
func (u Unlinked) String() string {
	return End{u.Port.Block.Name, u.Port.Name, u.Elements}.String()
}

// unlinked returns the inputs of all blocks that no link leads to, apart from those named enable and those that are fed.
func (d *Diagram) unlinked() (list []Unlinked) {
	into := map[*port.Port][]*link{}
	for _, l := range d.links {
		if l.to != nil {
			into[l.to] = append(into[l.to], l)
		}
	}
	for _, b := range d.blocks {
		for _, p := range b.Ports {
			if b.IsGate(p) || p.Kind != port.Input && !(p.Kind == port.Handler && p.Required) {
				continue
			}
			if missing, all := missingElements(p, into[p]); missing != nil || all {
				if !p.ByHand() {
					list = append(list, Unlinked{p, missing})
				}
			}
		}
	}
	return list
}

// missingElements returns which elements of an input the links do not fill; all reports that there is no link.
func missingElements(p *port.Port, links []*link) (missing []int, all bool) {
	if len(links) == 0 {
		return nil, true
	}
	filled := map[int]bool{}
	for _, l := range links {
		if l.To.Elements == nil {
			return nil, false
		}
		for _, n := range l.To.Elements {
			filled[n] = true
		}
	}
	for n := range p.Elements() {
		if !filled[n] {
			missing = append(missing, n)
		}
	}
	return missing, false
}

// checkRequired reports inputs with the tag required that no link leads to, not even a faulty one.
func (d *Diagram) checkRequired(faulty map[string]bool) {
	for _, u := range d.unlinked() {
		if !u.Port.Required || d.broken[u.Port.Block.Name] || faulty[u.Port.Ref()] {
			continue
		}
		doc := ""
		if u.Port.Doc != "" {
			doc = " (" + u.Port.Doc + ")"
		}
		d.fail(d.byName[u.Port.Block.Name].Source, "block %q: its %v %s%s is not linked, and %s needs it: add a link -> %v",
			u.Port.Block.Name, u.Port.Kind, u.name(), doc, u.Port.Block.Type, u)
	}
}

// name returns the name of the input in its block, with the elements that are not linked.
func (u Unlinked) name() string { return strings.TrimPrefix(u.String(), u.Port.Block.Name+".") }

// Notice is something about a net that is no error, but may not be wanted.
type Notice struct {
	Source string // where what it is about was written; "" for nets made in Go
	Text   string
}

// String returns the notice after its place.
func (n Notice) String() string {
	if n.Source == "" {
		return n.Text
	}
	return n.Source + ": " + n.Text
}

// activation is when values come: at each activation of a thread, or at one of several.
type activation struct {
	thread        *thread
	every, offset int
}

// schedule finds which activations make blocks run.
type schedule struct {
	d       *Diagram
	into    map[*placed][]*link
	blocks  map[*placed]map[activation]bool
	threads map[*thread]map[activation]bool
}

// setupNotices returns what the blocks' Setup found: once for all blocks that read the same file.
func (d *Diagram) setupNotices() (list []Notice) {
	said := map[string]bool{}
	for _, b := range d.blocks {
		for _, text := range b.Notices {
			if d.here(b.thread) && !said[text] {
				said[text] = true
				list = append(list, Notice{b.Source, fmt.Sprintf("block %q: %s", b.Name, text)})
			}
		}
	}
	return list
}

// leads reports whether another thread keeps time with t.
func (d *Diagram) leads(t *thread) bool {
	return slices.ContainsFunc(d.threads, func(other *thread) bool { return other.Follow == t.Name })
}

// useOf returns what to do about a thread without blocks.
func (d *Diagram) useOf(t *thread) string {
	var busy []string
	for _, other := range d.threads {
		if len(other.blocks) > 0 {
			busy = append(busy, other.Name)
		}
	}
	if near := nearest.Similar(t.Name, slices.Values(busy)); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return fmt.Sprintf("place a block on it by thread: %s, or remove it", t.Name)
}

// scriptNotices returns the blocks whose scripts make the garbage collector run in the process of a thread with a priority.
func (d *Diagram) scriptNotices() (list []Notice) {
	for _, t := range d.threads {
		if t.Priority == 0 || !d.here(t) {
			continue
		}
		for _, b := range d.blocks {
			if b.Script && b.thread.Process == t.Process {
				list = append(list, Notice{b.Source, fmt.Sprintf("block %q has a script, which allocates: the garbage collector of its process may delay thread %q, which has priority %d, by tens of milliseconds; place the block in a process of its own", b.Name, t.Name, t.Priority)})
				break
			}
		}
	}
	return list
}

// notices returns threads without blocks, blocks that never run, and blocks and threads that run at several activations: as often as their triggers come, not once
// a period.
func (d *Diagram) notices() (list []Notice) {
	r := &schedule{d: d, into: map[*placed][]*link{}, blocks: map[*placed]map[activation]bool{}, threads: map[*thread]map[activation]bool{}}
	for _, l := range d.links {
		if b := d.byName[l.To.Block]; b != nil && l.to != nil {
			r.into[b] = append(r.into[b], l)
		}
	}
	for _, t := range d.threads {
		if activations := r.ofThread(t); t.Triggered && len(activations) > 1 && d.here(t) {
			list = append(list, Notice{t.Source, fmt.Sprintf("thread %q runs at each of %d activations: %s", t.Name, len(activations), describeActivations(activations))})
		}
	}
	for _, t := range d.threads {
		if len(t.blocks) == 0 && d.here(t) && !d.leads(t) {
			list = append(list, Notice{t.Source, fmt.Sprintf("thread %q has no blocks and executes nothing: %s", t.Name, d.useOf(t))})
		}
	}
	for _, t := range d.threads {
		if t.Triggered && d.here(t) && len(t.blocks) > 0 && !slices.ContainsFunc(t.blocks, r.triggersThread) {
			list = append(list, Notice{t.Source, fmt.Sprintf("thread %q never runs unless it is fed: no link leads from another thread to a trigger of its blocks; give it a period instead of triggered: true, or such a link", t.Name)})
		}
	}
	list = append(list, d.setupNotices()...)
	list = append(list, d.scriptNotices()...)
	for _, b := range d.blocks {
		for _, p := range b.Ports {
			if n := p.Layout().Size(); n > port.MaxSample && d.here(b.thread) {
				list = append(list, Notice{b.Source, fmt.Sprintf("port %s: a value has up to %s bytes, so it can be linked, but neither shown nor recorded; at most %s bytes can: make its largest number of elements smaller",
					p.Ref(), grouped(n), grouped(port.MaxSample))})
			}
		}
		triggers, linked, sporadic := r.triggers(b)
		switch activations := r.ofBlock(b); {
		case !d.here(b.thread):
		case len(triggers) > 0 && len(linked) == 0 && !sporadic:
			list = append(list, Notice{b.Source, fmt.Sprintf("block %q never runs unless it is fed: none of its triggers (%s) is linked", b.Name, strings.Join(triggers, ", "))})
		case len(linked) > 1 && len(activations) > 1:
			list = append(list, Notice{b.Source, fmt.Sprintf("block %q runs at each of %d activations, because its triggers come at different times: %s",
				b.Name, len(activations), describeTriggers(linked))})
		}
	}
	return list
}

// triggersThread reports whether something outside of its thread can be new at a trigger of a block.
func (r *schedule) triggersThread(b *placed) bool {
	return slices.ContainsFunc(b.Ports, func(p *port.Port) bool { return p.Trigger && p.ByHand() }) ||
		slices.ContainsFunc(r.into[b], func(l *link) bool {
			return l.to.Trigger && (l.from == nil || r.d.byName[l.From.Block].thread != b.thread)
		})
}

// triggers returns the names of a block's triggers, the links that lead to them, and whether one of them is fed or takes events.
func (r *schedule) triggers(b *placed) (names []string, linked []*link, sporadic bool) {
	for _, p := range b.Ports {
		if !p.Trigger {
			continue
		}
		names = append(names, p.Name)
		sporadic = sporadic || p.ByHand()
		for _, l := range r.into[b] {
			switch {
			case l.to != p:
			case p.Kind == port.Handler || l.from == nil:
				sporadic = true
			default:
				linked = append(linked, l)
			}
		}
	}
	return names, linked, sporadic
}

// ofBlock returns the activations at which a block runs.
func (r *schedule) ofBlock(b *placed) map[activation]bool {
	if activations, known := r.blocks[b]; known {
		return activations
	}
	r.blocks[b] = nil // a loop adds nothing
	_, linked, _ := r.triggers(b)
	activations := map[activation]bool{}
	for _, l := range linked {
		for a := range r.ofBlock(r.d.byName[l.From.Block]) {
			activations[a] = true
		}
	}
	own := activation{b.thread, b.Every, b.Offset}
	switch often := func() bool { return slices.ContainsFunc(slices.Collect(maps.Keys(activations)), own.limits) }; {
	case b.Every > 1, len(linked) > 0 && !b.thread.Triggered && often():
		activations = map[activation]bool{own: true}
	case len(linked) == 0:
		activations = r.ofThread(b.thread)
	}
	r.blocks[b] = distinct(activations)
	return r.blocks[b]
}

// limits reports whether values of another activation come at least as often as this one, so that nothing more often than it is seen.
func (b activation) limits(other activation) bool {
	return other.thread == b.thread && other.every == 1 ||
		other.thread != b.thread && !other.thread.Triggered && times(other.thread.Period, other.every) <= b.thread.Period
}

// distinct leaves out activations that coincide with others, as every 10th activation of a thread with every one.
func distinct(activations map[activation]bool) map[activation]bool {
	left := maps.Clone(activations)
	for a := range activations {
		for b := range activations {
			if a != b && a.thread == b.thread && a.every%b.every == 0 && a.offset%b.every == b.offset {
				delete(left, a)
			}
		}
	}
	return left
}

// ofThread returns the activations at which a thread runs: its own, or those of what wakes it.
func (r *schedule) ofThread(t *thread) map[activation]bool {
	if !t.Triggered {
		return map[activation]bool{{t, 1, 0}: true}
	}
	if activations, known := r.threads[t]; known {
		return activations
	}
	r.threads[t] = nil
	activations := map[activation]bool{}
	for _, b := range t.blocks {
		for _, l := range r.into[b] {
			from := r.d.byName[l.From.Block]
			if from == nil || from.thread == t || l.to.Kind == port.Handler || declaresTriggers(t) && !l.to.Trigger {
				continue
			}
			for a := range r.ofBlock(from) {
				activations[a] = true
			}
		}
	}
	r.threads[t] = activations
	return activations
}

func describeActivations(activations map[activation]bool) string {
	var words []string
	for b := range activations {
		words = append(words, "thread "+strconv.Quote(b.thread.Name)+b.suffix())
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

func (b activation) suffix() string {
	if b.every == 1 {
		return ""
	}
	return fmt.Sprintf(" (every %d, offset %d)", b.every, b.offset)
}

func describeTriggers(linked []*link) string {
	var words []string
	for _, l := range linked {
		words = append(words, l.To.Port+" from "+l.From.String())
	}
	return strings.Join(words, ", ")
}

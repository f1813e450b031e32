package diagram

import (
	"fmt"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
)

// Thread describes one thread: what executes blocks. It has a period, or it is triggered and runs when something new
// comes to one of its blocks from another thread.
type Thread struct {
	Name      string
	Period    time.Duration // 0 for a triggered thread
	Triggered bool
	Offset    time.Duration // of the first activation, and so of all: 0 to Period
	Follow    string        // thread that this one keeps a common time and phase with, wherever that runs
	Priority  int           // 0: none; 1 to 99: real time, the higher the more urgent
	CPU       int           // 1 for the first processor; 0: any
	Spin      time.Duration // wake this much early and spin to the tick
	OnFault   FaultPolicy
	Process   string // where it runs; see Diagram.Process
	Source    string // where it was written
}

// FaultPolicy says what happens when a block of the thread falls in error.
type FaultPolicy uint8

const (
	Continue FaultPolicy = iota // the block rests in its safe output, the thread goes on
	Stop                        // the whole system stops in order
)

// Place says where a block runs and what is configured of it.
type Place struct {
	Thread string
	Every  int // it runs at every n-th activation of its thread; 0 means 1
	Offset int // the first of them, 0 to Every-1
	Given  block.Given
	Source string // where it was written
	// ParamSource returns where a parameter was written; may be nil.
	ParamSource func(param string) string
}

// Diagram is a net in the making. All that is wrong with it is collected and told by [Diagram.Build].
type Diagram struct {
	name      string
	process   string
	foreign   map[string]*foreign
	threads   []*thread
	blocks    []*placed
	links     []*link
	byName    map[string]*placed
	broken    map[string]bool // blocks that could not be made
	inspector block.Inspector
	errs      Errors
}

type thread struct {
	Thread
	index  int
	blocks []*placed
}

type placed struct {
	*block.Instance
	Place
	thread *thread
	index  int
}

// New returns an empty diagram of the given name.
func New(name string) *Diagram {
	return &Diagram{name: name, foreign: map[string]*foreign{}, byName: map[string]*placed{}, broken: map[string]bool{}}
}

// Process makes [Diagram.Build] build the part of the net that runs in the process of this name: its threads, and the ends
// here of the links from and to others. Every process of a system builds its part of the same diagram. Without a name all
// threads are built, as one process; what would be wrong in several is an error all the same.
func (d *Diagram) Process(name string) { d.process = name }

// here reports whether a thread is in the process that is built.
func (d *Diagram) here(t *thread) bool { return d.process == "" || t.Process == d.process }

// Thread adds a thread.
func (d *Diagram) Thread(t Thread) {
	switch {
	case d.threadNamed(t.Name) != nil:
		d.fail(t.Source, "thread %q is there twice", t.Name)
		return
	case t.Period < 0:
		d.fail(t.Source, "thread %q: period %v is negative", t.Name, t.Period)
	case t.Triggered && t.Period != 0:
		d.fail(t.Source, "thread %q has a period and is triggered: choose one", t.Name)
	case !t.Triggered && t.Period == 0:
		d.fail(t.Source, "thread %q needs a period, as in period: 10ms, or triggered: true", t.Name)
	case t.Priority < 0 || t.Priority > 99:
		d.fail(t.Source, "thread %q: priority %d is not between 0 (none) and 99 (most urgent)", t.Name, t.Priority)
	}
	d.threads = append(d.threads, &thread{Thread: t, index: len(d.threads)})
}

func (d *Diagram) threadNamed(name string) *thread {
	for _, t := range d.threads {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Add places block b, a pointer to a struct, under a name on a thread that was added before.
func (d *Diagram) Add(name string, b block.Block, p Place) {
	p.Every = max(p.Every, 1)
	t := d.threadNamed(p.Thread)
	switch {
	case name == "" || strings.ContainsAny(name, "[]\" \t\n"):
		d.fail(p.Source, "block name %q: wants letters, digits, _ and -", name)
		return
	case d.byName[name] != nil || d.foreign[name] != nil:
		d.fail(p.Source, "block %q is there twice", name)
		return
	case t == nil:
		d.fail(p.Source, "block %q: no thread %q%s", name, p.Thread, nearest.Hint(p.Thread, d.threadNames()))
	case p.Offset < 0 || p.Offset >= p.Every:
		d.fail(p.Source, "block %q: offset %d is not between 0 and %d", name, p.Offset, p.Every-1)
	}
	inst, errs := d.inspector.Inspect(name, b, p.Given)
	if errs != nil {
		d.Broken(name) // its ports may be missing
	}
	for _, err := range errs {
		d.failParam(name, p, err)
	}
	e := &placed{Instance: inst, Place: p, thread: t, index: len(d.blocks)}
	d.byName[name] = e
	d.blocks = append(d.blocks, e)
	if t != nil {
		t.blocks = append(t.blocks, e)
	}
}

// Broken says that a block of this name is wanted but could not be made, for a reason that is told elsewhere: links to
// it are not told as mistakes too.
func (d *Diagram) Broken(name string) { d.broken[name] = true }

// failParam tells what is wrong with a block's configuration, at the parameter's place where there is one.
func (d *Diagram) failParam(name string, p Place, err error) {
	source := p.Source
	pe, ok := err.(*block.ParamError)
	if !ok {
		d.fail(source, "block %q: %w", name, err)
		return
	}
	if p.ParamSource != nil {
		source = p.ParamSource(pe.Param)
	}
	d.fail(source, "block %q: %w%s", name, err, nearest.Hint(pe.Param, pe.Known))
}

func (d *Diagram) threadNames() []string {
	var names []string
	for _, t := range d.threads {
		names = append(names, t.Name)
	}
	return names
}

func (d *Diagram) blockNames() []string {
	var names []string
	for _, b := range d.blocks {
		names = append(names, b.Name)
	}
	for name := range d.foreign {
		names = append(names, name)
	}
	return names
}

// Enable returns the implicit input that switches a block on and off, to be linked like any other.
func (d *Diagram) Enable(name string) *block.Port {
	if b := d.byName[name]; b != nil {
		return b.Instance.Enable
	}
	panic(fmt.Sprintf("diagram: no block %q", name))
}

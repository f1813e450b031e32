package diagram

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/port"
)

// Thread describes one thread: what executes blocks. It has a period, or it is triggered and runs when something new
// comes to one of its blocks from another thread.
type Thread struct {
	Name      string
	Period    time.Duration // 0 for a triggered thread
	Triggered bool          // it runs when something new comes, and has no period
	Offset    time.Duration // of the first activation, and so of all: 0 to Period
	Follow    string        // thread that this one keeps a common time and phase with, wherever that runs
	Priority  int           // 0: none; 1 to 99: real time, the higher the more urgent
	CPU       int           // 1 for the first processor; 0: any
	Spin      time.Duration // wake this much early and spin to the tick
	Watchdog  time.Duration // after this time without a finished activation the thread hangs; 0: see [Thread.Patience]
	OnFault   FaultPolicy   // what happens when one of its blocks goes into error
	Process   string        // where it runs; see Diagram.Process
	Source    string        // where it was written
}

// The time after which a thread hangs where [Thread.Watchdog] does not give it.
const (
	watchdogPeriods   = 10
	watchdogLeast     = 100 * time.Millisecond // of a thread with a period
	watchdogTriggered = time.Second            // of a triggered one
)

// MinWatchdog is the shortest watchdog that a thread may have: a busy machine delays a healthy thread for longer than less.
const MinWatchdog = 10 * time.Millisecond

// Patience returns how long the thread may take to finish an activation before it counts as hung: its Watchdog, else ten
// periods and at least 100 ms, or 1 s for a triggered thread.
func (t *Thread) Patience() time.Duration {
	switch {
	case t.Watchdog > 0:
		return t.Watchdog
	case t.Triggered:
		return watchdogTriggered
	}
	return max(watchdogPeriods*t.Period, watchdogLeast)
}

// FaultPolicy describes what happens when a block of the thread goes into error.
type FaultPolicy uint8

const (
	Continue FaultPolicy = iota // the block rests in its safe output, the thread goes on
	Stop                        // the whole system stops in order
)

// Place describes where a block runs and what is configured of it.
type Place struct {
	Thread string
	Every  int // it runs at every n-th activation of its thread; 0 means 1
	Offset int // the first of them, 0 to Every-1
	Level  int // in a group with levels: 0 is the lowest; see [Group]
	Given  port.Given
	Script bool   // a script runs in its activity: it allocates, so the thread must have no priority
	Source string // where it was written
	// ParamSource returns where a parameter was written; may be nil.
	ParamSource func(param string) string
}

// Diagram is a net in the making. Its faults are collected, and [Diagram.Build] returns them.
type Diagram struct {
	name      string
	process   string
	foreign   map[string]*foreign
	threads   []*thread
	blocks    []*placed
	links     []*link
	into      map[string][]*link // the links, by block.port that they lead to
	selected  int                // elements that the links choose
	ports     int                // of all blocks
	memory    memory             // that the blocks ask for
	requires  bool               // inputs with the tag required must be linked
	full      bool               // a limit is exceeded: blocks that are added are not looked at
	byName    map[string]*placed
	threadsBy map[string]*thread
	broken    map[string]bool // blocks that could not be made
	groups    map[string]*Group
	groupList []*Group // in the order of Group
	tuned     *Tuned
	kept      *Kept
	inspector inspect.Inspector
	faults    Faults
}

type thread struct {
	Thread
	index  int
	blocks []*placed
}

type placed struct {
	*port.Instance
	Place
	thread   *thread
	index    int
	restarts bool // when it is enabled again
}

// New returns an empty diagram of the given name.
func New(name string) *Diagram {
	return &Diagram{name: name, foreign: map[string]*foreign{}, byName: map[string]*placed{}, broken: map[string]bool{},
		groups: map[string]*Group{}, threadsBy: map[string]*thread{}, into: map[string][]*link{}}
}

// Process makes [Diagram.Build] build the part of the net that runs in the process of this name: its threads, and the ends
// here of the links from and to others. Every process of a system builds its part of the same diagram. Without a name all
// threads are built, as one process; what would be wrong in several is still an error.
func (d *Diagram) Process(name string) { d.process = name }

// RequireInputs makes [Diagram.Build] refuse a net in which an input with the tag required is not linked, as system files want it. It
// is left out where inputs are fed by hand, as in the tests of single blocks.
func (d *Diagram) RequireInputs() { d.requires = true }

// here reports whether a thread is in the process that is built.
func (d *Diagram) here(t *thread) bool { return d.process == "" || t.Process == d.process }

// Thread adds a thread.
func (d *Diagram) Thread(t Thread) {
	switch {
	case d.threadNamed(t.Name) != nil:
		d.fail(t.Source, "thread %q is there twice", t.Name)
		return
	case len(d.threads) == MaxThreads:
		d.fail(t.Source, "thread %q: a net has at most %d threads", t.Name, MaxThreads)
		return
	case t.Period != 0 && (t.Period < MinPeriod || t.Period > MaxPeriod):
		d.fail(t.Source, "thread %q: period %v is not between %v and %v", t.Name, t.Period, MinPeriod, MaxPeriod)
	case t.Spin < 0 || t.Spin > MaxPeriod:
		d.fail(t.Source, "thread %q: spin %v is not between 0 and %v", t.Name, t.Spin, MaxPeriod)
	case t.CPU < 0 || t.CPU > MaxCPU:
		d.fail(t.Source, "thread %q: cpu %d is not between 0 (any) and %d", t.Name, t.CPU, MaxCPU)
	case t.Triggered && t.Period != 0:
		d.fail(t.Source, "thread %q has a period and is triggered: choose one", t.Name)
	case !t.Triggered && t.Period == 0:
		d.fail(t.Source, "thread %q needs a period, as in period: 10ms, or triggered: true", t.Name)
	case t.Priority < 0 || t.Priority > 99:
		d.fail(t.Source, "thread %q: priority %d is not between 0 (none) and 99 (most urgent)", t.Name, t.Priority)
	case t.Watchdog < 0 || t.Watchdog > 0 && t.Watchdog < max(MinWatchdog, 2*t.Period):
		d.fail(t.Source, "thread %q: a watchdog of %v is too short: wants at least %v, and two periods", t.Name, t.Watchdog, MinWatchdog)
	}
	added := &thread{Thread: t, index: len(d.threads)}
	d.threads = append(d.threads, added)
	d.threadsBy[t.Name] = added
}

func (d *Diagram) threadNamed(name string) *thread { return d.threadsBy[name] }

// Add places block b, a pointer to a struct, under a name on a thread that was added before.
func (d *Diagram) Add(name string, b block.Block, p Place) {
	p.Every = max(p.Every, 1)
	t := d.threadNamed(p.Thread)
	switch {
	case name == "" || strings.ContainsAny(name, "[]\" \t\n"):
		d.fail(p.Source, "block name %q: wants letters, digits, _ and -", name)
		return
	case d.byName[name] != nil && d.byName[name].Source != "":
		d.fail(p.Source, "block %q is there twice, first at %s", name, d.byName[name].Source)
		return
	case d.byName[name] != nil || d.foreign[name] != nil:
		d.fail(p.Source, "block %q is there twice", name)
		return
	case d.full:
		d.Broken(name)
		return
	case len(d.blocks) == MaxBlocks:
		d.fail(p.Source, "block %q: a net has at most %d blocks", name, MaxBlocks)
		d.full = true
		d.Broken(name)
		return
	case t == nil:
		d.fail(p.Source, "block %q: no thread %q%s", name, p.Thread, nearest.Later(p.Thread, d.threadNames))
	case p.Every > MaxEvery:
		d.fail(p.Source, "block %q: every %d is not between 1 and %d", name, p.Every, MaxEvery)
	case p.Offset < 0 || p.Offset >= p.Every:
		d.fail(p.Source, "block %q: offset %d is not between 0 and %d", name, p.Offset, p.Every-1)
	}
	p = d.withKept(name, d.withTuned(name, p))
	inst, errs := d.inspector.Inspect(name, b, p.Given)
	if errs != nil {
		d.Broken(name) // its ports may be missing
	}
	for _, err := range errs {
		d.failParam(name, p, err)
	}
	if inst.MayBlock && t != nil && t.Priority > 0 {
		d.fail(p.Source, "block %q: a step of %s may read files, print or wait, and thread %q has priority %d: place it in a thread without one", name, inst.Type, t.Name, t.Priority)
	}
	if p.Script && t != nil && t.Priority > 0 {
		d.fail(p.Source, "block %q: its script runs in its activity and allocates, and thread %q has priority %d: place the block in a thread without one, or leave to the script of the system what it does", name, t.Name, t.Priority)
	}
	e := &placed{Instance: inst, Place: p, thread: t, index: len(d.blocks)}
	d.byName[name] = e
	d.blocks = append(d.blocks, e)
	d.countBlock(e)
	if t != nil {
		t.blocks = append(t.blocks, e)
	}
}

// Broken declares that a block of this name is wanted but could not be made, for a reason that is reported elsewhere: links to
// it are not reported as faults.
func (d *Diagram) Broken(name string) { d.broken[name] = true }

// noSuchFile is how the message of a missing file ends, unless one of a similar name was suggested.
const noSuchFile = "no such file or directory"

// failParam reports what is wrong with a block's configuration, at the parameter's place where there is one.
func (d *Diagram) failParam(name string, p Place, err error) {
	source := p.Source
	pe, ok := err.(*port.ParamError)
	if !ok {
		for _, one := range each(err) {
			source := source
			place, file := p.placeOf(one)
			if place != "" {
				source = place
			}
			if at, ok := one.(*block.FileError); ok {
				source, one = at.Place(pathOf(p.Given.Files, at.File)), at.Err
			} else if file && strings.HasSuffix(one.Error(), noSuchFile) {
				one = fmt.Errorf("%w: a path is relative to the folder of the file that names it", one)
			}
			d.fail(source, "block %q: %w", name, one)
		}
		return
	}
	if p.ParamSource != nil {
		source = p.ParamSource(pe.Param)
	}
	if all, ok := pe.Err.(interface{ Unwrap() []error }); ok {
		for _, one := range all.Unwrap() {
			d.fail(source, "block %q: %s: %w", name, pe.Param, one)
		}
		return
	}
	d.fail(source, "block %q: %w%s", name, err, nearest.Later(pe.Param, func() []string { return pe.Known }))
}

// aboutParam takes the name of a parameter off what is wrong with it, as "lower" off "lower is greater than upper".
var aboutParam = regexp.MustCompile(`^(\w+)(?: (?:is|has|wants)\b|[:[])`)

// placeOf returns where the parameter is written that an error begins with, by its name or by that of a file that it gives, which
// file reports; "" where it begins with neither.
func (p Place) placeOf(err error) (place string, file bool) {
	if p.ParamSource == nil {
		return "", false
	}
	text := err.Error()
	if m := aboutParam.FindStringSubmatch(text); m != nil && p.Given.Params[m[1]] != nil {
		return p.ParamSource(m[1]), false
	}
	for _, param := range slices.Sorted(maps.Keys(p.Given.Params)) {
		files, _ := p.Given.Params[param].([]any)
		for _, file := range slices.Concat(files, []any{p.Given.Params[param]}) {
			if name, ok := file.(string); ok && name != "" && strings.HasPrefix(text, name+":") {
				return p.ParamSource(param), true
			}
		}
	}
	return "", false
}

// pathOf returns the path of a block's file, for people, where its folder knows it.
func pathOf(folder fs.FS, file string) string {
	if f, ok := folder.(interface{ Path(file string) string }); ok {
		return f.Path(file)
	}
	return file
}

// each returns the errors that were joined to one, or the one.
func each(err error) []error {
	if all, ok := err.(interface{ Unwrap() []error }); ok && len(all.Unwrap()) > 0 {
		return all.Unwrap()
	}
	return []error{err}
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

// Ports returns the ports of all blocks that were added, as "block.port"; complete is false where some block could not be made.
func (d *Diagram) Ports() (refs []string, complete bool) {
	for _, b := range d.blocks {
		for _, p := range b.Ports {
			refs = append(refs, p.Ref())
		}
	}
	return refs, len(d.broken) == 0
}

// Enable returns the implicit input that switches a block on and off, to be linked like any other.
func (d *Diagram) Enable(name string) *port.Port {
	if b := d.byName[name]; b != nil {
		return b.Instance.Enable
	}
	panic(fmt.Sprintf("diagram: no block %q", name))
}

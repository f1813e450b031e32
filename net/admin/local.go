package admin

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// Local is a system in this process.
type Local struct {
	front  *thread.Front
	name   string
	files  *Files                     // nil: it was not made from any
	groups []system.Group             // of its files
	watch  []string                   // signals that its file watches
	shown  []Group                    // of the net, with their ports
	given  map[*port.Parameter][]byte // by a program, where the net was made from no files
	blocks map[string]*port.Instance
	events *listeners
	script func(block string) *Script // nil: no block has one
	own    Actor                      // of changes that this process makes
	member *thread.Participant        // nil: wait as the machine's time goes
}

var _ interface {
	Running
	Lifetime
} = (*Local)(nil)

// NewLocal returns the system behind front. sys is the file that it was made from; nil: none.
func NewLocal(front *thread.Front, sys *system.System) *Local {
	l := &Local{front: front, name: front.Net().Name, blocks: map[string]*port.Instance{}, events: &listeners{}}
	if sys != nil {
		l.name = sys.Name
		l.files = &Files{Path: absolute(sys.Path), Options: sys.Options()}
		l.files.Options.Overlays = nil
		for _, path := range sys.Options().Overlays {
			l.files.Options.Overlays = append(l.files.Options.Overlays, absolute(path))
		}
		l.groups = sys.Groups()
		l.watch = watchedSignals(sys, front.Net())
	}
	for _, b := range front.Net().Blocks {
		l.blocks[b.Name] = b
	}
	l.shown = l.groupsOf()
	if l.files == nil && front.Net().Tuned != "" {
		l.given = l.programmed()
	}
	host, _ := os.Hostname()
	l.own = Actor{System: l.name, Host: host, PID: os.Getpid()}
	l.watchFront()
	return l
}

// absolute returns a path that stays right in other folders.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// As returns the same system for a participant in its time, such as a script: waiting lets virtual time go on.
func (l *Local) As(p *thread.Participant) *Local {
	bound := *l
	bound.member = p
	return &bound
}

// Now returns the time of the system.
func (l *Local) Now() clock.Time { return l.front.Now() }

// Wait returns nil at time until, where until > 0, or as soon as ready returns true, where it is not nil;
// [ErrGone] when the system stops before. It needs a system that [Local.As] returned.
func (l *Local) Wait(until clock.Time, ready func() bool) error {
	return gone(l.member.Wait(until, ready))
}

// gone replaces errors after the end of the system by one that is the same for all clients.
func gone(err error) error {
	if errors.Is(err, thread.ErrStopped) {
		return ErrGone
	}
	return err
}

// Done returns a channel that is closed when the system has stopped.
func (l *Local) Done() <-chan struct{} { return l.front.Halted() }

// answer waits for the answer to a request.
func (l *Local) answer(ctx context.Context, r *thread.Request) ([]byte, error) {
	if l.member != nil {
		if err := l.Wait(0, r.Ready); err != nil {
			return nil, err
		}
	}
	v, err := r.Await(ctx)
	return v, gone(err)
}

// block finds a block.
func (l *Local) block(name string) (*port.Instance, error) {
	if b := l.blocks[name]; b != nil {
		return b, nil
	}
	var names []string
	for _, b := range l.front.Net().Blocks {
		names = append(names, b.Name)
	}
	return nil, fmt.Errorf("no block %q%s", name, nearest.Hint(name, names))
}

// split finds the block of a reference and returns the name after it.
func (l *Local) split(ref string) (*port.Instance, string, error) {
	dot := strings.LastIndexByte(ref, '.')
	if dot <= 0 {
		return nil, "", fmt.Errorf("%q: wants block.name", ref)
	}
	b, err := l.block(ref[:dot])
	return b, ref[dot+1:], err
}

func (l *Local) port(ref string) (*port.Port, error) {
	b, name, err := l.split(ref)
	if err != nil {
		return nil, err
	}
	if p := b.Port(name); p != nil {
		return p, nil
	}
	why := b.WhyOmitted(name)
	if why == "" {
		why = nearest.Hint(name, portNames(b))
	}
	return nil, fmt.Errorf("block %q (%s) has no port %q%s", b.Name, b.Type, name, why)
}

// groupPort returns the port of a group that a reference names, or nil.
func (l *Local) groupPort(ref string) (*GroupPort, error) {
	if dot := strings.LastIndexByte(ref, '.'); dot > 0 && l.blocks[ref[:dot]] != nil {
		return nil, nil
	}
	return FindGroupPort(l.shown, ref)
}

func portNames(b *port.Instance) (names []string) {
	for _, p := range b.Ports {
		names = append(names, p.Name)
	}
	return names
}

func (l *Local) param(b *port.Instance, name string) (*port.Parameter, error) {
	if p := b.Param(name); p != nil {
		return p, nil
	}
	var names []string
	for _, p := range b.Params {
		names = append(names, p.Name)
	}
	return nil, fmt.Errorf("block %q (%s) has no parameter %q%s", b.Name, b.Type, name, nearest.Hint(name, names))
}

// Read implements [System].
func (l *Local) Read(ctx context.Context, ref string) (Reading, error) {
	if g, err := l.groupPort(ref); g != nil {
		return g.Read(ctx, l)
	} else if err != nil {
		return Reading{}, err
	}
	p, err := l.port(ref)
	if err != nil {
		return Reading{}, err
	}
	answer, err := l.answer(ctx, l.front.Read(p))
	if err != nil {
		return Reading{}, fmt.Errorf("read %s: %w", ref, err)
	}
	v, err := valueOf(p, answer[16:])
	return Reading{Value: v, Count: binary.LittleEndian.Uint64(answer), Age: time.Duration(binary.LittleEndian.Uint64(answer[8:]))}, err
}

// Param implements [System].
func (l *Local) Param(ctx context.Context, ref string) (any, error) {
	b, name, err := l.split(ref)
	if err != nil {
		return nil, err
	}
	p, err := l.param(b, name)
	if err != nil {
		return nil, err
	}
	if p.Fixed {
		return fixedValue(p), nil
	}
	cdr, err := l.answer(ctx, l.front.Param(b, p))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", ref, err)
	}
	v, err := p.Type.Value(cdr)
	return plain(v), err
}

// SetParams implements [System].
func (l *Local) SetParams(ctx context.Context, name string, values map[string]any) error {
	b, err := l.block(name)
	if err != nil {
		return err
	}
	change := map[*port.Parameter][]byte{}
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(values)) {
		v := values[key]
		p, err := l.param(b, key)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if p.Fixed {
			errs = append(errs, fmt.Errorf("%s.%s is fixed while the system runs: change it in the system file", name, key))
			continue
		}
		cdr, err := p.Layout.FromValue(spread(p, wrap(p.Type, v)))
		if err == nil {
			err = p.Check(cdr)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("set %s.%s: %w", name, key, err))
			continue
		}
		change[p] = cdr
	}
	if errs != nil {
		return errors.Join(errs...)
	}
	answer, err := l.answer(ctx, l.front.SetParams(b, change))
	if err != nil {
		return fmt.Errorf("set parameters of %s: %w", name, err)
	}
	was := map[string]any{}
	for p, cdr := range thread.FormerParams(b, answer) {
		if v, err := p.Type.Value(cdr); err == nil { // else the front has read an answer of a damaged core
			was[p.Name] = plain(v)
		}
	}
	l.changed(ctx, EventSet, name, SetValues{values, was}.String())
	return nil
}

// Call implements [System].
func (l *Local) Call(ctx context.Context, ref string, args []any, named map[string]any) (any, error) {
	b, name, err := l.split(ref)
	if err != nil {
		return nil, err
	}
	op := b.Operation(name)
	if op == nil {
		var names []string
		for _, o := range b.Operations {
			names = append(names, o.Name)
		}
		why := b.WhyOmitted(name)
		if why == "" {
			why = nearest.Hint(name, names)
		}
		if len(names) == 0 {
			why = "; it has none"
		}
		return nil, fmt.Errorf("block %q (%s) has no operation %q%s", b.Name, b.Type, name, why)
	}
	value, err := arguments(op, args, named)
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", ref, err)
	}
	cdr, err := op.Args.FromValue(value)
	if err == nil {
		err = op.CheckArgs(cdr)
	}
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", ref, err)
	}
	answer, err := l.answer(ctx, l.front.Call(b, op, cdr))
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", ref, err)
	}
	l.changed(ctx, EventCall, ref, given(args, named))
	if isNone(op.Result.Type()) {
		return nil, nil
	}
	v, err := op.Result.Type().Value(answer)
	return plain(v), err
}

// Reset implements [System].
func (l *Local) Reset(ctx context.Context, name string) error {
	b, err := l.block(name)
	if err != nil {
		return err
	}
	if _, err = l.answer(ctx, l.front.Reset(b)); err != nil {
		return fmt.Errorf("reset %s: %w", name, err)
	}
	l.changed(ctx, EventReset, name, "")
	return nil
}

// Tap implements [System]. The sink runs on the goroutine that moves messages and must be quick.
func (l *Local) Tap(ctx context.Context, ref string, every int, sink func(Sample)) (func(), error) {
	if g, err := l.groupPort(ref); g != nil {
		return g.Tap(ctx, l, every, sink)
	} else if err != nil {
		return nil, err
	}
	p, err := l.port(ref)
	if err != nil {
		return nil, err
	}
	tap, err := l.front.Tap(p, max(every, 1), false, func(s thread.Sample) {
		if v, err := valueOf(p, s.CDR); err == nil {
			sink(Sample{Time: s.Time, Count: s.Count, Value: v, Age: s.Time.Sub(s.Since)})
		}
	})
	if err != nil {
		return nil, err
	}
	return tap.End, nil
}

// Statistics implements [System].
func (l *Local) Statistics(context.Context) (*record.RunStatistics, error) {
	s := Statistics(l.front, l.name)
	return &s, nil
}

// Stop implements [System].
func (l *Local) Stop(ctx context.Context) error {
	l.front.Stop()
	l.changed(ctx, EventStop, "", "")
	return nil
}

// OnFault calls watch for each block that goes into error from now on, on the goroutine that moves messages: it
// must be quick.
func (l *Local) OnFault(watch func(thread.Fault)) { l.front.OnFault(watch) }

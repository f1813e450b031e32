package history

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/console/systems"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
)

// The limits of a live history.
const (
	maxPorts      = 4096
	maxNumbers    = 4096
	maxElements   = 256   // of a list
	samplesBudget = 20000 // samples a second of all ports
	lookPeriod    = time.Second
	idle          = length // without questions, after which keeping ends
	maxSlips      = 1000
)

// Live keeps the history of a running system. It is a [Source].
type Live struct {
	system  *systems.System
	run     uint64       // number of this history
	asked   atomic.Int64 // when a page last asked, in ns since 1970
	numbers atomic.Int64 // of all ports
	newest  atomic.Int64 // time of the newest sample
	wall    atomic.Int64 // when it came, in ns since 1970

	mu    sync.Mutex
	ports map[string]*port
	slips []Slip
}

// port is the history of a port.
type port struct {
	live *Live

	mu     sync.Mutex
	tracks []*track // one for each element
	list   bool     // the value is a list
	shared int64    // number of tracks of all ports for which the limits hold
	limits limits
}

func newLive(sys *systems.System, run uint64) *Live {
	return &Live{system: sys, run: run, ports: map[string]*port{}}
}

// add makes a port that is kept.
func (l *Live) add(ref string) *port {
	p := &port{live: l}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ports[ref] = p
	return p
}

// keep taps all ports until the context ends, or no page has asked for ten minutes.
func (l *Live) keep(ctx context.Context) {
	defer l.tap(ctx)()
	counted := map[string]uint64{}
	ticker := time.NewTicker(lookPeriod)
	defer ticker.Stop()
	for {
		l.countSlips(ctx, counted)
		select {
		case now := <-ticker.C:
			if now.UnixNano()-l.asked.Load() > int64(idle) {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// tap begins to keep the system's ports. Those that cannot be tapped are missing.
func (l *Live) tap(ctx context.Context) (end func()) {
	refs, total := []string{}, 0.0
	periods := l.system.Periods(ctx)
	if st, err := l.system.Structure(ctx); err == nil {
		refs = portsOf(st)
	}
	for _, ref := range refs {
		if p := periods[blockOf(ref)]; p > 0 {
			total += 1 / p
		}
	}
	ends := make([]func(), len(refs))
	var all sync.WaitGroup
	for i, ref := range refs {
		p := l.add(ref)
		all.Go(func() { ends[i], _ = l.system.Tap(ctx, ref, thin(periods[blockOf(ref)], total, len(refs)), p.take) })
	}
	all.Wait()
	return func() {
		for _, end := range ends {
			if end != nil {
				all.Go(end)
			}
		}
		all.Wait()
	}
}

// thin returns how many activations of a thread of some period, in s, give one sample of a port, where all ports have total samples a second.
func thin(period, total float64, ports int) int {
	if period <= 0 || total <= samplesBudget {
		return 1
	}
	return max(int(math.Ceil(float64(ports)/(period*samplesBudget)-1e-6)), 1)
}

// portsOf returns the ports that carry values, outputs first, at most maxPorts.
func portsOf(st *admin.Structure) []string {
	var outputs, inputs []string
	for _, b := range st.Blocks {
		for _, p := range b.Ports {
			switch ref := b.Name + "." + p.Name; p.Kind {
			case "output":
				outputs = append(outputs, ref)
			case "input":
				inputs = append(inputs, ref)
			}
		}
	}
	list := append(outputs, inputs...)
	return list[:min(len(list), maxPorts)]
}

// countSlips notes the slips since it was called before.
func (l *Live) countSlips(ctx context.Context, counted map[string]uint64) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	s, err := l.system.Statistics(ctx)
	if err != nil {
		return
	}
	for _, t := range s.Threads {
		name := t.Name
		if t.Process != "" {
			name = t.Process + "/" + t.Name
		}
		now := uint64(t.Slips)
		before, known := counted[name]
		counted[name] = now
		if known && now > before {
			l.mu.Lock()
			l.slips = append(l.slips[max(0, len(l.slips)-maxSlips+1):], Slip{clock.Time(l.newest.Load()), name, now - before})
			l.mu.Unlock()
		}
	}
}

// take adds a sample.
func (p *port) take(x admin.Sample) {
	p.mu.Lock()
	defer p.mu.Unlock()
	elements, list := x.Value.([]any)
	n := 1
	if list {
		n = len(elements)
	}
	if n > maxElements {
		return
	}
	p.list = list
	for i := range n {
		v := x.Value
		if list {
			v = elements[i]
		}
		number, ok := admin.Scalar(v)
		if !ok {
			return
		}
		if i == len(p.tracks) {
			if p.live.numbers.Load() >= maxNumbers {
				return
			}
			p.live.numbers.Add(1)
			p.tracks = append(p.tracks, &track{})
		}
		if shared := p.live.numbers.Load(); shared != p.shared {
			p.shared, p.limits = shared, limitsOf(int(shared))
		}
		p.tracks[i].push(x.Time, number, p.limits)
	}
	if int64(x.Time) > p.live.newest.Load() {
		p.live.newest.Store(int64(x.Time))
		p.live.wall.Store(time.Now().UnixNano())
	}
}

// Span implements [Source].
func (l *Live) Span() Span {
	s := Span{Run: l.run, End: clock.Time(l.newest.Load()), Wall: time.Unix(0, l.wall.Load()), Slips: []Slip{}}
	s.Start = s.End
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.ports {
		p.mu.Lock()
		if len(p.tracks) > 0 {
			if at, ok := p.tracks[0].first(); ok {
				s.Start = min(s.Start, at)
			}
		}
		p.mu.Unlock()
	}
	s.Start = max(s.Start, s.End-clock.Time(length))
	for _, x := range l.slips {
		if x.Time >= s.Start {
			s.Slips = append(s.Slips, x)
		}
	}
	return s
}

func (l *Live) port(ref string) *port {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ports[ref]
}

// At implements [Source].
func (l *Live) At(ref string, at clock.Time) (value any, ok bool) {
	p := l.port(ref)
	if p == nil {
		return nil, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	values := []any{}
	for _, t := range p.tracks {
		v, known := t.value(at)
		if !known {
			break
		}
		values = append(values, v)
	}
	switch {
	case len(values) == 0:
		return nil, false
	case p.list:
		return values, true
	}
	return values[0], true
}

// Curve implements [Source].
func (l *Live) Curve(ref string, element int, from, to clock.Time, points int) (times []int64, values []float64, ok bool) {
	p := l.port(ref)
	if p == nil {
		return nil, nil, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	i := max(element, 0)
	if p.list != (element >= 0) || i >= len(p.tracks) {
		return nil, nil, false
	}
	times, values = p.tracks[i].curve(from, to, points)
	return times, values, true
}

// blockOf returns the block of "block.port".
func blockOf(ref string) string {
	for i := len(ref) - 1; i > 0; i-- {
		if ref[i] == '.' {
			return ref[:i]
		}
	}
	return ref
}

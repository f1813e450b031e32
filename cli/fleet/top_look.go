package fleet

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/record"
)

// topPatience is how long a process has to answer: over ssh, on a busy machine.
const topPatience = 10 * time.Second

// topSystem is what is shown of a system.
type topSystem struct {
	*record.RunStatistics
	Processes []topProcess  `json:"processes"`
	Orphans   []live.Orphan `json:"orphans,omitempty"` // cores whose statistics no front serves

	parts map[string]*record.RunStatistics // by process
}

// topProcess is a process with the age of what is shown of it.
type topProcess struct {
	admin.Process
	Age  float64 `json:"age_s"`          // since its values came; -1: none have
	Late bool    `json:"late,omitempty"` // it has not answered the last question yet
}

// topClient is a running system; *nats.Client is one.
type topClient interface {
	ProcessNames() []string
	Process(ctx context.Context, name string) (admin.Process, *record.RunStatistics, error)
	Done() <-chan struct{}
	Close() error
}

// looker asks running systems for their statistics, again and again: those named, or all. A process that answers late holds up no other.
type looker struct {
	list    func(ctx context.Context) ([]string, error)               // of all systems
	dial    func(ctx context.Context, name string) (topClient, error) // to a system
	orphans func(system string) []live.Orphan                         // cores without a front; of all systems for ""
	now     func() time.Time

	systems []string // those named; none: all

	ctx    context.Context // of the questions; ends with close
	cancel context.CancelFunc
	mu     sync.Mutex
	known  map[string]*topKnown // by system
	answer chan struct{}        // an answer has come
}

// topKnown is what is known of a system.
type topKnown struct {
	client    topClient
	dialing   bool
	err       error // of the last attempt to reach it
	processes map[string]*topAnswer
}

// topAnswer is the last answer of a process.
type topAnswer struct {
	admin.Process
	statistics *record.RunStatistics // nil: none has come, or the process has gone since
	at         time.Time             // when the statistics came
	asked      time.Time             // when the question was asked that is open; zero: none is
}

func newLooker(reach *live.Reach, systems []string) *looker {
	l := &looker{systems: systems, list: reach.List, now: time.Now, known: map[string]*topKnown{}, answer: make(chan struct{}, 1)}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.dial = func(ctx context.Context, name string) (topClient, error) { return reach.Dial(ctx, name) }
	l.orphans = live.Orphans
	if reach.AtSite() {
		l.orphans = func(string) []live.Orphan { return nil }
	}
	return l
}

// look asks all processes except those that still owe an answer, and returns what is known when all have answered, or when late delivers
// a value; nil never does.
func (l *looker) look(ctx context.Context, late <-chan time.Time) ([]topSystem, error) {
	names, err := l.names(ctx)
	if err != nil {
		return []topSystem{}, err
	}
	l.mu.Lock()
	for _, name := range names {
		l.ask(name)
	}
	l.mu.Unlock()
	for l.open(names) {
		select {
		case <-l.answer:
			continue
		case <-late:
		case <-ctx.Done():
		}
		break
	}
	return l.show(names)
}

// names returns the systems to ask.
func (l *looker) names(ctx context.Context) ([]string, error) {
	if len(l.systems) > 0 {
		return l.systems, nil
	}
	names, err := l.list(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range l.orphans("") {
		system, _, _ := strings.Cut(o.Name, ".")
		names = append(names, system)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// ask asks the processes of a system, which it reaches first if it has not yet, or if it had ended. The caller holds l.mu.
func (l *looker) ask(name string) {
	k := l.known[name]
	if k != nil && k.client != nil {
		select {
		case <-k.client.Done():
			_ = k.client.Close()
			k = nil
		default:
		}
	}
	if k == nil {
		k = &topKnown{processes: map[string]*topAnswer{}}
		l.known[name] = k
	}
	switch {
	case k.client != nil:
		l.askProcesses(k)
	case !k.dialing:
		k.dialing = true
		go l.reach(name, k)
	}
}

// reach connects to a system and asks its processes.
func (l *looker) reach(name string, k *topKnown) {
	client, err := l.dial(l.ctx, name)
	l.mu.Lock()
	defer l.mu.Unlock()
	k.dialing, k.err = false, err
	switch {
	case err != nil:
	case l.ctx.Err() != nil: // nothing is looked at any more
		_ = client.Close()
	default:
		k.client = client
		l.askProcesses(k)
	}
	l.answered()
}

// askProcesses asks the processes of a system that owe no answer. The caller holds l.mu.
func (l *looker) askProcesses(k *topKnown) {
	for _, name := range k.client.ProcessNames() {
		a := k.processes[name]
		if a == nil {
			a = &topAnswer{Process: admin.Process{Name: name}}
			k.processes[name] = a
		}
		if a.asked.IsZero() {
			a.asked = l.now()
			go l.askProcess(k.client, a)
		}
	}
}

// askProcess waits for the answer of a process. One that does not come in time leaves the values as they were; a process that has gone has none.
func (l *looker) askProcess(client topClient, a *topAnswer) {
	ctx, cancel := context.WithTimeout(l.ctx, topPatience)
	defer cancel()
	p, s, err := client.Process(ctx, a.Name)
	l.mu.Lock()
	defer l.mu.Unlock()
	a.Process, a.asked = p, time.Time{}
	switch {
	case err == nil:
		a.statistics, a.at = s, l.now()
	case errors.Is(err, context.DeadlineExceeded):
		a.Problem = err.Error()
	default:
		a.statistics, a.Problem = nil, err.Error()
	}
	l.answered()
}

// answered wakes a look that waits.
func (l *looker) answered() {
	select {
	case l.answer <- struct{}{}:
	default:
	}
}

// open reports whether a process of these systems owes an answer.
func (l *looker) open(names []string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(names, func(name string) bool {
		k := l.known[name]
		if k.dialing {
			return true
		}
		for _, a := range k.processes {
			if !a.asked.IsZero() {
				return true
			}
		}
		return false
	})
}

// show returns what is known of these systems, and an error for those of which nothing is known.
func (l *looker) show(names []string) ([]topSystem, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list, errs := []topSystem{}, []error(nil)
	for _, name := range names {
		s, err := l.known[name].show(name, l.now())
		s.Orphans = l.orphans(name)
		switch {
		case err == nil || s.Orphans != nil: // without a front there is nothing to ask for more
			list = append(list, s)
		case len(l.systems) == 0 && errors.Is(err, fs.ErrNotExist): // it has ended since it was listed
		default:
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	return list, errors.Join(errs...)
}

// show returns what is known of a system. It fails if none of its processes has answered and none will.
func (k *topKnown) show(name string, now time.Time) (topSystem, error) {
	s := topSystem{RunStatistics: record.NewRunStatistics(name), Processes: []topProcess{}, parts: map[string]*record.RunStatistics{}}
	if k.client == nil {
		if k.dialing {
			return s, errors.New("it is not reached yet")
		}
		return s, k.err
	}
	var errs []error
	for _, process := range slices.Sorted(maps.Keys(k.processes)) {
		a := k.processes[process]
		p := topProcess{Process: a.Process, Age: -1, Late: !a.asked.IsZero()}
		values := "it has none yet"
		if a.statistics != nil {
			s.RunStatistics.Add(a.statistics)
			s.parts[process], p.Age = a.statistics, now.Sub(a.at).Seconds()
			values = "its values are " + rounded(now.Sub(a.at)) + " old"
		}
		switch {
		case a.Problem != "":
			s.Faults = append(s.Faults, a.Problem)
			errs = append(errs, errors.New(a.Problem))
		case p.Late:
			s.Warnings = append(s.Warnings, fmt.Sprintf("process %q has not answered for %s: %s", process, rounded(now.Sub(a.asked)), values))
		}
		s.Processes = append(s.Processes, p)
	}
	if len(s.parts) == 0 && len(errs) == len(s.Processes) {
		return s, errors.Join(errs...)
	}
	return s, nil
}

// rounded formats the age of values.
func rounded(age time.Duration) string { return age.Round(time.Millisecond).String() }

// close ends the connections and all questions.
func (l *looker) close() {
	l.cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range l.known {
		if k.client != nil {
			_ = k.client.Close()
		}
	}
}

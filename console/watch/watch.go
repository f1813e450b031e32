package watch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/console/systems"
	"github.com/sinew-robotics/sinew/net/admin"
)

// The limits of watches.
const (
	defaultRate   = 60.0 // frames a second
	mostRate      = 240.0
	seriesMost    = 4096 // samples of a signal in a frame
	seriesLeast   = 16
	frameSamples  = 1 << 16 // of all signals in a frame
	samplesBudget = 64000   // samples a second of a watch; signals of faster threads are thinned out at the tap
	askedAtOnce   = 16      // values that are read at the same time
	readPatience  = 10 * time.Second

	silence = 250 * time.Millisecond // after which signals are read that had no sample
)

// watch sends frames of what is new at signals. It lasts through restarts of the system.
type watch struct {
	id      string
	subject string
	page    Page
	publish func(subject string, data []byte)
	request Request
	series  []*series // one for each signal
	stop    context.CancelFunc
	once    sync.Once
	buffer  []byte

	mu     sync.Mutex
	system *systems.System // whose ports are tapped
	lost   uint64          // samples that had been lost on the way from the system at the last frame
	ends   []func()
	ended  bool
}

// Signal names a port, or a part of its value.
type Signal struct {
	Ref     string `json:"ref"`               // "block.port"
	Element any    `json:"element,omitempty"` // nothing, 3, "x" or "pose.position.0"
}

// Request asks to watch signals.
type Request struct {
	System  string   `json:"system"`
	Signals []Signal `json:"signals"`
	Rate    float64  `json:"rate"`   // frames a second, at most 240; 0: 60
	Newest  bool     `json:"newest"` // a frame needs only the newest sample of each signal
}

// Reply describes a watch that has begun.
type Reply struct {
	ID       string         `json:"id"`                 // frames come on the page's subject frame.ID
	Every    []int          `json:"every"`              // activations of each signal's thread that give one sample
	Problems map[int]string `json:"problems,omitempty"` // of signals that cannot be watched, by their index
}

// prepare makes the series and taps the signals. It fails where none of them can be watched.
func (w *watch) prepare(ctx context.Context, sys *systems.System) (*Reply, error) {
	most := min(max(frameSamples/len(w.request.Signals), seriesLeast), seriesMost)
	if w.request.Newest {
		most = 1
	}
	for _, g := range w.request.Signals {
		e, err := newElement(g.Element)
		if err != nil {
			return nil, fmt.Errorf("watch %s: %w", g.Ref, err)
		}
		w.series = append(w.series, &series{element: e, most: most})
	}
	reply, errs := w.tap(ctx, sys)
	if len(errs) == len(w.series) {
		return nil, errors.Join(errs...)
	}
	return reply, nil
}

// tap taps the signals in a system.
func (w *watch) tap(ctx context.Context, sys *systems.System) (reply *Reply, errs []error) {
	reply = &Reply{ID: w.id, Every: make([]int, len(w.series)), Problems: map[int]string{}}
	periods := sys.Periods(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return reply, []error{systems.ErrClosed}
	}
	w.system, w.lost = sys, sys.Lost()
	thin := w.request.thinning(periods)
	problems := make([]error, len(w.series))
	ends := make([]func(), len(w.series))
	together(len(w.series), func(i int) {
		g := w.request.Signals[i]
		reply.Every[i] = thin(periods[blockOf(g.Ref)])
		ends[i], problems[i] = sys.Tap(ctx, g.Ref, reply.Every[i], w.series[i].take)
	})
	for i, err := range problems {
		if err != nil {
			errs = append(errs, err)
			reply.Problems[i] = err.Error()
			continue
		}
		w.ends = append(w.ends, ends[i])
	}
	return reply, errs
}

// thinning returns how many activations of a thread of some period give one sample: each, unless the frames need only
// the newest ones, or all signals together would be more samples a second than a watch is given.
func (a *Request) thinning(periods map[string]float64) func(period float64) int {
	total := 0.0 // samples a second
	for _, g := range a.Signals {
		if p := periods[blockOf(g.Ref)]; p > 0 {
			total += 1 / p
		}
	}
	share := math.Inf(1) // samples a second of one signal
	if total > samplesBudget {
		share = samplesBudget / float64(len(a.Signals))
	}
	if a.Newest {
		share = min(share, a.Rate)
	}
	return func(period float64) int {
		if period <= 0 || math.IsInf(share, 0) {
			return 1
		}
		return max(int(math.Ceil(1/(period*share)-1e-6)), 1)
	}
}

// follow taps the signals of a new run of the system. Signals that it no longer has stay silent.
func (w *watch) follow(ctx context.Context, sys *systems.System) {
	w.mu.Lock()
	same := w.system == sys
	w.mu.Unlock()
	if same {
		return
	}
	w.endTaps()
	_, _ = w.tap(ctx, sys)
	w.readFirst(ctx, sys)
}

// readFirst reads the values of signals that have had no sample, such as those of a thread that waits.
func (w *watch) readFirst(ctx context.Context, sys *systems.System) {
	select {
	case <-time.After(silence):
	case <-ctx.Done():
	}
	inParallel(len(w.request.Signals), func(i int) {
		if ctx.Err() != nil || w.series[i].has() {
			return
		}
		ctx, cancel := context.WithTimeout(ctx, readPatience)
		defer cancel()
		if r, err := sys.Read(ctx, w.request.Signals[i].Ref); err == nil && r.Count > 0 {
			w.series[i].first(admin.Sample{Time: sys.Now(), Count: uint32(r.Count), Value: r.Value, Age: r.Age})
		}
	})
}

// together calls work for 0 to n-1 at the same time: a client of the control plane begins and ends many taps in one request.
func together(n int, work func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { work(i) })
	}
	all.Wait()
}

// inParallel calls work for 0 to n-1, a few at once: each waits for an answer from a thread of the system.
func inParallel(n int, work func(i int)) {
	slots := make(chan struct{}, askedAtOnce)
	var all sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			work(i)
		})
	}
	all.Wait()
}

// run sends frames until the watch ends.
func (w *watch) run(ctx context.Context) {
	ticker := time.NewTicker(time.Duration(float64(time.Second) / w.request.Rate))
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if !w.page.Slow() {
				w.send()
			}
		case <-ctx.Done():
			return
		}
	}
}

// send publishes what is new. It is not called while the page is slow: then the series thin out what they hold.
func (w *watch) send() {
	var f frame
	b := append(w.buffer[:0], `{"s":[`...)
	for i, s := range w.series {
		b = s.appendTo(b, i, &f)
	}
	w.buffer = b
	w.mu.Lock()
	if now := w.system.Lost(); now > w.lost {
		f.lost += now - w.lost
		w.lost = now
	}
	w.mu.Unlock()
	if !f.any && f.lost == 0 {
		return
	}
	b = append(b, `],"id":"`...)
	b = append(b, w.id...)
	b = append(b, `","t":`...)
	b = strconv.AppendInt(b, int64(f.time), 10)
	b = append(b, `,"lost":`...)
	b = strconv.AppendUint(b, f.lost, 10)
	b = append(b, '}')
	w.buffer = b
	w.publish(w.subject, b)
}

// end ends the watch.
func (w *watch) end() {
	w.once.Do(func() {
		w.stop()
		w.mu.Lock()
		w.ended = true
		w.mu.Unlock()
		w.endTaps()
	})
}

func (w *watch) endTaps() {
	w.mu.Lock()
	ends := w.ends
	w.ends = nil
	w.mu.Unlock()
	together(len(ends), func(i int) { ends[i]() })
}

// blockOf returns the block of "block.port".
func blockOf(ref string) string {
	if dot := strings.LastIndexByte(ref, '.'); dot > 0 {
		return ref[:dot]
	}
	return ref
}

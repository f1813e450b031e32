package console

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
)

// The limits of watches.
const (
	defaultRate   = 60.0 // frames a second
	mostRate      = 240.0
	seriesMost    = 4096 // samples of a signal in a frame
	seriesLeast   = 16
	frameSamples  = 1 << 17 // of all signals in a frame
	samplesBudget = 64000   // samples a second that a watch is given; signals of faster threads are thinned out at the tap
	firstValues   = 8       // values that are read at once when a watch begins
)

// watch sends frames of what is new at signals.
type watch struct {
	id      string
	subject string
	server  *Server
	session *session
	series  []*series
	ends    []func()
	stop    context.CancelFunc
	once    sync.Once
	buffer  []byte
}

type signalRequest struct {
	Ref     string `json:"ref"`
	Element any    `json:"element"`
}

type watchRequest struct {
	System  string          `json:"system"`
	Signals []signalRequest `json:"signals"`
	Rate    float64         `json:"rate"`
}

// watchReply tells the page under which id frames come, and how many activations of each signal's thread give one sample.
type watchReply struct {
	ID    string `json:"id"`
	Every []int  `json:"every"`
}

// watch begins to send frames.
func (s *Server) watch(ctx context.Context, c *call, a watchRequest) (any, error) {
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	switch {
	case len(a.Signals) == 0:
		return nil, errors.New("watch: wants signals")
	case a.Rate == 0:
		a.Rate = defaultRate
	case !(a.Rate > 0 && a.Rate <= mostRate):
		return nil, fmt.Errorf("watch: rate %v: wants frames a second, at most %v", a.Rate, mostRate)
	}
	if err := c.session.reserve(len(a.Signals)); err != nil {
		return nil, err
	}
	w := &watch{id: rand.Text(), server: s, session: c.session}
	w.subject = c.session.subject("frame." + w.id)
	every, err := w.begin(ctx, sys, a)
	if err != nil {
		w.endTaps()
		c.session.release(len(a.Signals))
		return nil, err
	}
	life, stop := context.WithCancel(s.ctx)
	w.stop = stop
	if !c.session.keep(w) || !s.goes(func() { w.run(life, a.Rate) }) || !s.goes(func() { w.readFirst(life, sys, a) }) {
		w.end()
		return nil, errClosed
	}
	return watchReply{w.id, every}, nil
}

// begin taps the signals.
func (w *watch) begin(ctx context.Context, sys *shown, a watchRequest) (every []int, err error) {
	periods, err := sys.periods(ctx)
	if err != nil {
		return nil, err
	}
	most := min(max(frameSamples/len(a.Signals), seriesLeast), seriesMost)
	total := 0.0 // samples a second
	for _, g := range a.Signals {
		if p := periods[blockOf(g.Ref)]; p > 0 {
			total += 1 / p
		}
	}
	share := samplesBudget / float64(len(a.Signals))
	var errs []error
	for _, g := range a.Signals {
		e, err := newElement(g.Element)
		if err != nil {
			errs = append(errs, fmt.Errorf("watch %s: %w", g.Ref, err))
			continue
		}
		n := 1
		if p := periods[blockOf(g.Ref)]; p > 0 && total > samplesBudget {
			n = max(int(1/(p*share)+0.999), 1)
		}
		x := &series{element: e, most: most}
		end, err := sys.taps.add(ctx, g.Ref, n, x.take)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		w.series, w.ends, every = append(w.series, x), append(w.ends, end), append(every, n)
	}
	return every, errors.Join(errs...)
}

// readFirst gives each signal the value that it has already: one that never changes is shown too.
func (w *watch) readFirst(ctx context.Context, sys *shown, a watchRequest) {
	slots := make(chan struct{}, firstValues)
	var all sync.WaitGroup
	for i, g := range a.Signals {
		if ctx.Err() != nil {
			break
		}
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			ctx, cancel := context.WithTimeout(ctx, askPatience)
			defer cancel()
			if r, err := sys.Read(ctx, g.Ref); err == nil && r.Count > 0 {
				w.series[i].first(admin.Sample{Time: sys.now(), Count: uint32(r.Count), Value: r.Value})
			}
		})
	}
	all.Wait()
}

// now returns the system's time; 0 where it does not tell.
func (s *shown) now() clock.Time {
	if t, ok := s.unwrapped().(interface{ Now() clock.Time }); ok {
		return t.Now()
	}
	return 0
}

// run sends frames until the watch ends.
func (w *watch) run(ctx context.Context, rate float64) {
	ticker := time.NewTicker(time.Duration(float64(time.Second) / rate))
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if !w.session.slow() {
				w.send()
			}
		case <-ctx.Done():
			return
		}
	}
}

// send publishes what is new. While the page does not read, it is not called: then the series thin out what they hold.
func (w *watch) send() {
	var f frame
	b := append(w.buffer[:0], `{"s":[`...)
	for i, s := range w.series {
		b = s.appendTo(b, i, &f)
	}
	w.buffer = b
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
	_ = w.server.broker.conn.Publish(w.subject, b) // what cannot be sent is as good as lost
}

// end ends the watch.
func (w *watch) end() {
	w.once.Do(func() {
		w.stop()
		w.endTaps()
	})
}

func (w *watch) endTaps() {
	for _, end := range w.ends {
		end()
	}
}

// reserve takes room for signals of a watch.
func (s *session) reserve(signals int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(s.watches) >= maxWatches:
		return fmt.Errorf("watch: this page has %d watches already", maxWatches)
	case s.signals+signals > maxSignals:
		return fmt.Errorf("watch: this page watches %d signals already, at most %d are possible", s.signals, maxSignals)
	}
	s.signals += signals
	return nil
}

func (s *session) release(signals int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signals = max(s.signals-signals, 0)
}

// keep makes a watch one of the session's.
func (s *session) keep(w *watch) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	s.watches[w.id] = w
	return true
}

type watchID struct {
	ID string `json:"id"`
}

// unwatch ends a watch.
func (s *Server) unwatch(_ context.Context, c *call, a watchID) (any, error) {
	c.session.mu.Lock()
	w := c.session.watches[a.ID]
	delete(c.session.watches, a.ID)
	c.session.mu.Unlock()
	if w == nil {
		return nil, fmt.Errorf("unwatch: no watch %q", a.ID)
	}
	c.session.release(len(w.series))
	w.end()
	return nil, nil
}

// blockOf returns the block of "block.port".
func blockOf(ref string) string {
	if dot := strings.LastIndexByte(ref, '.'); dot > 0 {
		return ref[:dot]
	}
	return ref
}

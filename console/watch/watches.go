package watch

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"

	"github.com/sinew-robotics/sinew/console/systems"
)

// The limits of a page's watches.
const (
	maxWatches = 64
	maxSignals = 4096 // of all watches together
)

// Page is a page that watches signals; it must be comparable.
type Page interface {
	// Subject returns the page's subject for a kind of message.
	Subject(kind string) string
	// Slow reports whether the page reads too slowly to get frames now.
	Slow() bool
	// Ended reports whether the page's session has ended.
	Ended() bool
}

// Systems gives access to the systems that the console shows.
type Systems interface {
	// Get returns a running system.
	Get(name string) (*systems.System, error)
}

// Watches are the watches of all pages.
type Watches struct {
	systems Systems
	publish func(subject string, data []byte)
	ctx     context.Context
	cancel  context.CancelFunc
	work    sync.WaitGroup

	mu     sync.Mutex
	pages  map[Page]*pageWatches
	closed bool
}

// New returns no watches yet. Frames are given to publish, which must not wait.
func New(systems Systems, publish func(subject string, data []byte)) *Watches {
	ws := &Watches{systems: systems, publish: publish, pages: map[Page]*pageWatches{}}
	ws.ctx, ws.cancel = context.WithCancel(context.Background())
	return ws
}

// pageWatches are the watches of one page.
type pageWatches struct {
	all     map[string]*watch // by ID
	signals int               // of all, and of those that are being prepared
}

// Watch begins to send a page frames of signals. It fails where none of the signals can be watched, and where the page watches too many.
func (ws *Watches) Watch(ctx context.Context, page Page, q Request) (*Reply, error) {
	sys, err := ws.systems.Get(q.System)
	if err != nil {
		return nil, err
	}
	switch {
	case len(q.Signals) == 0:
		return nil, errors.New("watch: no signals given")
	case q.Rate == 0:
		q.Rate = defaultRate
	case !(q.Rate > 0 && q.Rate <= mostRate):
		return nil, fmt.Errorf("watch: rate %v: must be above 0, at most %v frames a second", q.Rate, mostRate)
	}
	if err := ws.reserve(page, len(q.Signals)); err != nil {
		return nil, err
	}
	w := &watch{id: rand.Text(), page: page, publish: ws.publish, request: q}
	w.subject = page.Subject("frame." + w.id)
	reply, err := w.prepare(ctx, sys)
	if err != nil {
		w.endTaps()
		ws.release(page, len(q.Signals))
		return nil, err
	}
	if !ws.begin(w, sys) {
		w.endTaps()
		ws.release(page, len(q.Signals))
		return nil, systems.ErrClosed
	}
	return reply, nil
}

// begin adds a watch and starts its goroutines. It returns false if the page's session has ended or the watches are closed.
func (ws *Watches) begin(w *watch, sys *systems.System) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	p := ws.pages[w.page]
	if p == nil || ws.closed || w.page.Ended() {
		return false
	}
	p.all[w.id] = w
	life, stop := context.WithCancel(ws.ctx)
	w.stop = stop
	ws.work.Go(func() { w.run(life) })
	ws.work.Go(func() { w.readFirst(life, sys) })
	return true
}

// Unwatch ends a watch of a page. It fails if the page has no such watch.
func (ws *Watches) Unwatch(page Page, id string) error {
	w := ws.take(page, id)
	if w == nil {
		return fmt.Errorf("unwatch: no watch %q", id)
	}
	ws.release(page, len(w.series))
	w.end()
	return nil
}

// Follow lets the watches of a system go on with a new run of it. It waits for values of the system.
func (ws *Watches) Follow(name string, sys *systems.System) {
	for _, w := range ws.of(name) {
		w.follow(ws.ctx, sys)
	}
}

// Close ends all watches and waits for their goroutines.
func (ws *Watches) Close() {
	ws.mu.Lock()
	ws.closed = true
	pages := ws.pages
	ws.pages = map[Page]*pageWatches{}
	ws.mu.Unlock()
	ws.cancel()
	for _, p := range pages {
		p.end()
	}
	ws.work.Wait()
}

// end ends all watches of a page.
func (p *pageWatches) end() {
	for _, w := range p.all {
		w.end()
	}
}

// reserve counts the signals of a new watch, and fails where they are too many.
func (ws *Watches) reserve(page Page, signals int) error {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	p := ws.pages[page]
	if p == nil {
		p = &pageWatches{all: map[string]*watch{}}
	}
	switch {
	case len(p.all) >= maxWatches:
		return fmt.Errorf("watch: limit: %d watches for a page", maxWatches)
	case p.signals+signals > maxSignals:
		return fmt.Errorf("watch: %d signals are watched by this page; limit: %d", p.signals, maxSignals)
	}
	p.signals += signals
	ws.pages[page] = p
	return nil
}

// release no longer counts the signals of a watch that has ended or never began.
func (ws *Watches) release(page Page, signals int) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	p := ws.pages[page]
	if p == nil {
		return
	}
	p.signals = max(p.signals-signals, 0)
	if p.signals == 0 && len(p.all) == 0 {
		delete(ws.pages, page)
	}
}

// take removes and returns a watch of a page; nil where it has none of that ID.
func (ws *Watches) take(page Page, id string) *watch {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	p := ws.pages[page]
	if p == nil {
		return nil
	}
	w := p.all[id]
	delete(p.all, id)
	return w
}

// EndOf ends all watches of a page.
func (ws *Watches) EndOf(page Page) {
	ws.mu.Lock()
	p := ws.pages[page]
	delete(ws.pages, page)
	ws.mu.Unlock()
	if p != nil {
		p.end()
	}
}

// of returns the watches of a system.
func (ws *Watches) of(system string) (list []*watch) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for _, p := range ws.pages {
		for _, w := range p.all {
			if w.request.System == system {
				list = append(list, w)
			}
		}
	}
	return list
}

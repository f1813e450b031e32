package admin

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
)

// LongestFeed is how long [System.FeedFor] holds a port at most.
const LongestFeed = time.Minute

// releasePatience is how long a release waits for the thread of the port.
const releasePatience = 10 * time.Second

// deadMan releases ports that have values by hand when nobody holds them any longer: as the switch of that name on a machine, it
// must be pressed again and again. The zero value is ready for use.
//
// Goroutines: one for each release, which ends with it.
type deadMan struct {
	mu     sync.Mutex
	timers map[*block.Port]*time.Timer
}

// hold makes release run after a time, unless the port is held again or let go before. It reports whether nobody held it yet.
func (d *deadMan) hold(p *block.Port, lasts time.Duration, release func()) (began bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timers == nil {
		d.timers = map[*block.Port]*time.Timer{}
	}
	before := d.timers[p]
	if before != nil {
		before.Stop()
	}
	var timer *time.Timer
	timer = time.AfterFunc(lasts, func() {
		d.mu.Lock()
		late := d.timers[p] == timer
		if late {
			delete(d.timers, p)
		}
		d.mu.Unlock()
		if late {
			release()
		}
	})
	d.timers[p] = timer
	return before == nil
}

// letGo forgets a port.
func (d *deadMan) letGo(p *block.Port) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t := d.timers[p]; t != nil {
		t.Stop()
		delete(d.timers, p)
	}
}

// Feed implements [System].
func (l *Local) Feed(ctx context.Context, ref string, value any) error {
	p, err := l.feed(ctx, ref, value)
	if err != nil {
		return err
	}
	l.held.letGo(p)
	l.changed(ctx, "feed", ref, summary(value))
	return nil
}

// FeedFor implements [System].
func (l *Local) FeedFor(ctx context.Context, ref string, value any, lasts time.Duration) (began bool, err error) {
	if lasts <= 0 || lasts > LongestFeed {
		return false, fmt.Errorf("feed %s for %v: wants more than 0 and at most %v", ref, lasts, LongestFeed)
	}
	p, err := l.feed(ctx, ref, value)
	if err != nil {
		return false, err
	}
	began = l.held.hold(p, lasts, func() {
		ctx, cancel := context.WithTimeout(context.Background(), releasePatience)
		defer cancel()
		if _, err := l.front.Release(p).Await(ctx); err == nil {
			l.changed(ctx, "release", ref, "nobody holds it any longer")
		}
	})
	if began {
		l.changed(ctx, "feed", ref, summary(value))
	}
	return began, nil
}

func (l *Local) feed(ctx context.Context, ref string, value any) (*block.Port, error) {
	p, err := l.port(ref)
	if err != nil {
		return nil, err
	}
	cdr, err := p.Layout().FromValue(wrap(p.Type, value))
	if err != nil {
		return nil, fmt.Errorf("feed %s: %w", ref, err)
	}
	if _, err = l.answer(ctx, l.front.Feed(p, cdr)); err != nil {
		return nil, fmt.Errorf("feed %s: %w", ref, err)
	}
	return p, nil
}

// Release implements [System].
func (l *Local) Release(ctx context.Context, ref string) error {
	p, err := l.port(ref)
	if err != nil {
		return err
	}
	l.held.letGo(p)
	if _, err = l.answer(ctx, l.front.Release(p)); err != nil {
		return fmt.Errorf("release %s: %w", ref, err)
	}
	l.changed(ctx, "release", ref, "")
	return nil
}

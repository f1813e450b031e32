package admin

import (
	"context"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/thread"
)

// LongestFeed is how long [Driver.FeedFor] holds a port at most.
const LongestFeed = time.Minute

// Feed implements [System].
func (l *Local) Feed(ctx context.Context, ref string, value any) error {
	if g, err := l.groupPort(ref); g != nil {
		return g.Feed(ctx, l, value)
	} else if err != nil {
		return err
	}
	if _, err := l.feed(ctx, ref, value, l.front.Feed); err != nil {
		return err
	}
	l.changed(ctx, EventFeed, ref, summary(value))
	return nil
}

// FeedFor implements [System].
func (l *Local) FeedFor(ctx context.Context, ref string, value any, lasts time.Duration) (began bool, err error) {
	if lasts <= 0 || lasts > LongestFeed {
		return false, fmt.Errorf("feed %s for %v: wants more than 0 and at most %v", ref, lasts, LongestFeed)
	}
	if g, err := l.groupPort(ref); g != nil {
		return g.FeedFor(ctx, l, value, lasts)
	} else if err != nil {
		return false, err
	}
	answer, err := l.feed(ctx, ref, value, func(p *port.Port, cdr []byte) *thread.Request {
		return l.front.FeedFor(p, cdr, lasts)
	})
	if err != nil {
		return false, err
	}
	if began = len(answer) == 1 && answer[0] == 1; began {
		l.changed(ctx, EventFeed, ref, summary(value))
	}
	return began, nil
}

// feed sends a value for a port with ask, and returns the answer.
func (l *Local) feed(ctx context.Context, ref string, value any, ask func(*port.Port, []byte) *thread.Request) ([]byte, error) {
	p, err := l.port(ref)
	if err != nil {
		return nil, err
	}
	cdr, err := cdrOf(p, value)
	if err == nil {
		err = p.CheckFeed(cdr)
	}
	if err != nil {
		return nil, fmt.Errorf("feed %s: %w", ref, err)
	}
	answer, err := l.answer(ctx, ask(p, cdr))
	if err != nil {
		return nil, fmt.Errorf("feed %s: %w", ref, err)
	}
	return answer, nil
}

// Excitation is a waveform for [Driver.Excite].
type Excitation = port.Excitation

// The shapes of excitations.
const (
	Step  = port.Step
	Sweep = port.Sweep
	Noise = port.Noise
)

// Excite implements [System].
func (l *Local) Excite(ctx context.Context, ref string, e *Excitation, lasts time.Duration) (runs bool, err error) {
	if lasts <= 0 || lasts > LongestFeed {
		return false, fmt.Errorf("excite %s for %v: wants more than 0 and at most %v", ref, lasts, LongestFeed)
	}
	if g, err := l.groupPort(ref); g != nil {
		return g.Excite(ctx, l, e, lasts)
	} else if err != nil {
		return false, err
	}
	p, err := l.port(ref)
	if err != nil {
		return false, err
	}
	var r *thread.Request
	if e == nil {
		r = l.front.RenewExcitation(p, lasts)
	} else {
		r = l.front.Excite(p, *e, lasts)
	}
	answer, err := l.answer(ctx, r)
	if err != nil {
		return false, fmt.Errorf("excite %s: %w", ref, err)
	}
	if e != nil {
		l.changed(ctx, EventExcite, ref, e.String())
	}
	return len(answer) == 1 && answer[0] == 1, nil
}

// Release implements [System].
func (l *Local) Release(ctx context.Context, ref string) error {
	if g, err := l.groupPort(ref); g != nil {
		return g.Release(ctx, l)
	} else if err != nil {
		return err
	}
	p, err := l.port(ref)
	if err != nil {
		return err
	}
	if _, err = l.answer(ctx, l.front.Release(p)); err != nil {
		return fmt.Errorf("release %s: %w", ref, err)
	}
	l.changed(ctx, EventRelease, ref, "")
	return nil
}

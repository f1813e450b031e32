package plans

import (
	"context"
	"time"

	"github.com/sinew-robotics/sinew/console/turns"
)

// turnTime is how long a request computes before others that wait have their turn.
const turnTime = 20 * time.Millisecond

// turn is the right of a request to compute.
type turn struct {
	of    *turns.Turns
	ctx   context.Context
	since time.Time
	done  func()
}

// take waits for a turn of the user that asks.
func (p *Plans) take(ctx context.Context) (*turn, error) {
	done, err := p.turns.Take(ctx)
	return &turn{p.turns, ctx, time.Now(), done}, err
}

// pass lets others have their turn if this one has lasted long enough, waits for the next, and returns how long. Afterwards the context may have ended.
func (t *turn) pass() (waited time.Duration) {
	if time.Since(t.since) <= turnTime || !t.of.Contested() {
		return 0
	}
	passed := time.Now()
	t.done()
	t.done, _ = t.of.Take(t.ctx)
	t.since = time.Now()
	return t.since.Sub(passed)
}

// end gives the turn back.
func (t *turn) end() { t.done() }

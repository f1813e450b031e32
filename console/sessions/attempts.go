package sessions

import (
	"fmt"
	"math"
	"net/netip"
	"sync"
	"time"
)

// The limits of wrong tokens.
const (
	attemptRate      = 1.0  // a second from one address, in the long run
	attemptBurst     = 10   // at once
	attemptRateAll   = 10.0 // a second from all addresses
	attemptBurstAll  = 100
	attemptAddresses = 1024 // that are remembered; the one with the oldest attempt is forgotten
)

// TooManyAttempts is the error of an address that may not try a token now.
type TooManyAttempts struct {
	Wait time.Duration // until the next attempt
}

// Error returns the time to wait before the next attempt.
func (e TooManyAttempts) Error() string {
	return fmt.Sprintf("too many wrong tokens: wait %v", e.Wait)
}

// attempts limits wrong tokens, by address and in total. Right ones cost nothing: an address without wrong tokens may always try.
type attempts struct {
	mu        sync.Mutex
	all       bucket
	addresses map[netip.Prefix]*bucket
}

// bucket counts attempts; the count falls with time.
type bucket struct {
	spent float64
	at    time.Time
}

// drain brings a bucket up to date.
func (b *bucket) drain(now time.Time, rate float64) {
	b.spent = max(0, b.spent-rate*max(0, now.Sub(b.at).Seconds()))
	b.at = now
}

// wait returns how long it takes until one more fits, 0 where it does.
func (b *bucket) wait(rate float64, burst int) time.Duration {
	return time.Duration(math.Ceil(max(0, b.spent+1-float64(burst))/rate)) * time.Second
}

// check returns an error where an address may not try now. A token that comes then is not looked at.
func (g *attempts) check(address netip.Prefix, now time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	b := g.addresses[address]
	if b == nil {
		return nil
	}
	b.drain(now, attemptRate)
	g.all.drain(now, attemptRateAll)
	if wait := max(b.wait(attemptRate, attemptBurst), g.all.wait(attemptRateAll, attemptBurstAll)); wait > 0 {
		return TooManyAttempts{Wait: wait}
	}
	return nil
}

// wrong notes a wrong token.
func (g *attempts) wrong(address netip.Prefix, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.addresses == nil {
		g.addresses = map[netip.Prefix]*bucket{}
	}
	b := g.addresses[address]
	if b == nil {
		g.makeRoom(now)
		b = &bucket{}
		g.addresses[address] = b
	}
	b.drain(now, attemptRate)
	g.all.drain(now, attemptRateAll)
	b.spent++
	g.all.spent = min(g.all.spent+1, attemptBurstAll) // many addresses do not lock others out for longer than a moment
}

// makeRoom forgets addresses without a recent attempt, or else the one with the oldest. The caller holds g.mu.
func (g *attempts) makeRoom(now time.Time) {
	if len(g.addresses) < attemptAddresses {
		return
	}
	var oldest netip.Prefix
	for address, b := range g.addresses {
		if now.Sub(b.at).Seconds() > attemptBurst/attemptRate {
			delete(g.addresses, address)
		} else if o := g.addresses[oldest]; o == nil || b.at.Before(o.at) {
			oldest = address
		}
	}
	if len(g.addresses) >= attemptAddresses {
		delete(g.addresses, oldest)
	}
}

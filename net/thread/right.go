package thread

import (
	"sync/atomic"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// right is the right to publish what a thread's outputs hold. It is the thread's, until the watchdog takes it from a thread
// that hangs and publishes the declared safe values in its place; the thread takes it back when it goes on. A publisher is
// the only one at any time: the thread marks that it publishes before it looks at the state, the watchdog changes the state before it looks whether
// the thread publishes, so one of them sees the other. Neither waits.
type right struct {
	state      atomic.Uint32
	publishing atomic.Bool // the thread publishes, or is about to look whether it may
}

// The states of a right.
const (
	rightOwn       uint32 = iota // the thread's
	rightAsked                   // the watchdog wants it: the thread may still take it back
	rightUsed                    // the watchdog publishes at this moment
	rightHeld                    // the watchdog has published: the thread may take it back
	rightAbandoned               // the thread never gets it back
)

// publishOwn publishes the outputs of the phases so far, if the thread has the right to. While the watchdog publishes, they wait for the
// next activation.
func (t *thread) publishOwn(phases []diagram.Phase, now clock.Time) {
	t.right.publishing.Store(true)
	if t.right.state.Load() == rightOwn || t.takeBack() {
		t.publish(phases, now)
	}
	t.right.publishing.Store(false)
}

// takeBack is what a thread does that finds its right gone.
func (t *thread) takeBack() bool {
	s := &t.right.state
	if s.CompareAndSwap(rightAsked, rightOwn) {
		return true
	}
	if !s.CompareAndSwap(rightHeld, rightOwn) {
		return false
	}
	for _, p := range t.plan.Phases {
		for _, c := range p.Exports {
			c.Resume()
		}
		for _, o := range p.Outlets {
			o.Resume()
		}
	}
	return true
}

// publishSafe publishes the safe values in the place of a thread that hangs, and reports whether it could: not while the
// thread publishes itself, or has gone on. With last the thread never publishes again.
func (t *thread) publishSafe(now clock.Time, last bool) bool {
	s := &t.right.state
	if s.CompareAndSwap(rightOwn, rightAsked) && t.right.publishing.Load() {
		s.CompareAndSwap(rightAsked, rightOwn)
		return false
	}
	if !s.CompareAndSwap(rightAsked, rightUsed) && !s.CompareAndSwap(rightHeld, rightUsed) {
		return false
	}
	for _, p := range t.plan.Phases {
		for _, c := range p.Exports {
			c.Hold(now)
		}
		for _, o := range p.Outlets {
			o.Hold(now, t.core.leaderTime())
		}
		for _, w := range p.Wakes {
			t.core.threads[w.Thread].trigger(now)
		}
	}
	if last {
		s.Store(rightAbandoned)
	} else {
		s.Store(rightHeld)
	}
	return true
}

// The places of a thread beside its steps, whose numbers are from 0.
const (
	outside    = -1 - iota // between activations, or at the start of one
	publishing             // behind the steps
)

// place returns where the thread is at this moment: the step it executes, or one of the places above. The thread writes t.at
// without any ceremony, to which the race detector would object; a word is read whole on all processors that Go knows.
//
//go:norace
func (t *thread) place() int { return t.at }

// errand returns 1 + the block for which the thread does what a tool or another thread asked for; 0: none.
//
//go:norace
func (t *thread) errand() int { return t.serving }

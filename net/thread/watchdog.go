package thread

import (
	"fmt"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

const (
	watchdogLooks  = 4                      // in the shortest time after which a thread hangs
	watchdogOften  = 5 * time.Millisecond   // between two looks at least
	watchdogSeldom = 100 * time.Millisecond // and at most
	safeRepeats    = 3                      // how often safe outputs are published: a network may lose packets
	stopGraceLeast = time.Second            // for a thread to end its activation when the core stops
	stopGraceMost  = 2 * time.Second        // the same, where its watchdog is longer
)

// watchdog checks that the threads finish their activations. If one does not within the time that its plan allows, the front
// gets a warning with the block that hangs, and other threads and processes see safe outputs until the thread goes on.
type watchdog struct {
	core    *Core
	now     func() clock.Time
	watched []watched
	looked  int64 // on the machine's clock
	stopAt  int64 // when it first saw that the core stops; 0: it does not
}

// watched is what the watchdog knows of a thread.
type watched struct {
	progress uint64
	since    int64 // when progress was first seen, on the machine's clock
	repeats  int   // how many times the safe outputs must still be published
	ended    bool
}

func newWatchdog(c *Core, now func() clock.Time) *watchdog {
	w := &watchdog{core: c, now: now, looked: rt.Now(), watched: make([]watched, len(c.threads))}
	for i := range w.watched {
		w.watched[i].since = w.looked
	}
	return w
}

// interval returns how often the watchdog looks.
func (w *watchdog) interval() time.Duration {
	shortest := watchdogLooks * watchdogSeldom
	for _, t := range w.core.threads {
		shortest = min(shortest, t.plan.Patience())
	}
	return max(shortest/watchdogLooks, watchdogOften)
}

// guard returns when all threads have ended, each of which sends its index, or when the core stops and the rest of them
// does not end. It returns that rest.
func (w *watchdog) guard(ended <-chan int) (hung []*thread) {
	ticker := time.NewTicker(w.interval())
	defer ticker.Stop()
	for running := len(w.watched); running > 0; {
		select {
		case i := <-ended:
			w.watched[i].ended = true
			w.clear(i)
			running--
		case <-ticker.C:
			if hung = w.look(rt.Now()); hung != nil {
				return hung
			}
		}
	}
	return nil
}

// look examines all threads. When the core stops it returns those that do not end, if no others are left to wait for.
func (w *watchdog) look(now int64) (hung []*thread) {
	// A watchdog that was late itself, as after the machine slept, has not seen what the threads did meanwhile.
	if late := now - w.looked - 2*int64(w.interval()); late > 0 {
		for i := range w.watched {
			w.watched[i].since += late
		}
	}
	w.looked = now
	if w.stopAt == 0 && w.core.stopping() {
		w.stopAt = now
	}
	waiting := false
	for i, t := range w.core.threads {
		if w.watched[i].ended {
			continue
		}
		w.examine(i, t, now)
		switch {
		case w.stopAt == 0 || now-w.stopAt <= int64(graceOf(t)):
			waiting = true
		default:
			hung = append(hung, t)
		}
	}
	if waiting {
		return nil
	}
	for _, t := range hung {
		t.publishSafe(w.now(), true)
	}
	return hung
}

// graceOf returns how long the core waits for a thread to end its activation when it stops: for its watchdog, within limits.
func graceOf(t *thread) time.Duration {
	return min(max(t.plan.Patience(), stopGraceLeast), stopGraceMost)
}

// examine looks whether one thread hangs.
func (w *watchdog) examine(i int, t *thread, now int64) {
	s, c := &w.watched[i], t.counters
	if n := c.activations.Load() + c.idle.Load(); n != s.progress {
		s.progress, s.since = n, now
		w.clear(i)
		return
	}
	if c.hung.Load() == 0 {
		if now-s.since <= int64(t.plan.Patience()) {
			return
		}
		s.repeats = safeRepeats
		c.hangs.Add(1)
		if t.plan.OnFault == diagram.Stop {
			w.core.Stop()
		}
	}
	// A thread that got no processor at first may hang in a block once it gets one.
	if place := encodeHang(t); c.hung.Swap(place) != place {
		c.troubles.Add(1)
	}
	if s.repeats > 0 && t.publishSafe(w.now(), false) {
		s.repeats--
	}
}

// clear ends what examine has begun.
func (w *watchdog) clear(i int) {
	if c := w.core.threads[i].counters; c.hung.Swap(0) != 0 {
		c.troubles.Add(1)
	}
}

// The place at which a thread hangs, as the front reads it: 0 if it does not hang, else the place in the upper half and 1 + the
// index of a block of the thread in the lower half, 0 for none.
const (
	hungNowhere = 1 + iota // the machine does not let the thread run
	hungStep
	hungErrand
	hungPublishing
)

func encodeHang(t *thread) uint64 {
	place, serving := t.place(), t.errand()
	switch {
	case place >= 0 && place < len(t.steps):
		for i := range t.states {
			if t.steps[place].state == &t.states[i] {
				return hungStep<<32 | uint64(i+1)
			}
		}
	case serving > 0:
		return hungErrand<<32 | uint64(serving)
	case place == publishing:
		return hungPublishing << 32
	}
	return hungNowhere << 32
}

// hangs reports whether the thread is stuck by its own doing: one that only gets no processor answers when it gets one.
func hangs(code uint64) bool { return code != 0 && code>>32 != hungNowhere }

// hang describes where a thread hangs, by the code of the watchdog.
func hang(plan *diagram.ThreadPlan, code uint64) string {
	block := func() string {
		if i := int(code&(1<<32-1)) - 1; i >= 0 && i < len(plan.Blocks) {
			return fmt.Sprintf("block %q", plan.Blocks[i].Name)
		}
		return "a block"
	}
	switch code >> 32 {
	case hungStep:
		return fmt.Sprintf("thread %q hangs in %s", plan.Name, block())
	case hungErrand:
		return fmt.Sprintf("thread %q hangs in an operation, event or parameter check of %s", plan.Name, block())
	case hungPublishing:
		return fmt.Sprintf("thread %q hangs while it sends its outputs", plan.Name)
	}
	return fmt.Sprintf("thread %q gets no processor", plan.Name)
}

// hangWarning returns the warning that a thread hangs, and names which of its outputs others go on using as they are.
func hangWarning(plan *diagram.ThreadPlan, code uint64) Warning {
	others := "others see the safe outputs of its blocks"
	if kept := plan.WithoutSafe(); len(kept) > 0 {
		others += ", except for those that declare no safe value and keep their last one: " + strings.Join(kept, ", ")
	}
	return Warning{
		begun: fmt.Sprintf("%s: it has finished no activation for %v; %s", hang(plan, code), plan.Patience(), others),
		ended: fmt.Sprintf("thread %q runs again", plan.Name),
	}
}

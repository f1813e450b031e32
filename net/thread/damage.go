package thread

import (
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
)

// damageShown is how long the front warns that the memory which it shares with the core was damaged.
const damageShown = 10 * time.Second

// damage remembers when the front last learned of words in the boundary that no sound process writes. Both sides have
// resynchronized by then: what was under way is lost.
type damage struct {
	mu    sync.Mutex
	count uint64
	at    time.Time
}

// recent reports whether there was damage recently. count is how often damage was found so far.
func (d *damage) recent(count uint64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if count != d.count {
		d.count, d.at = count, time.Now()
	}
	return count > 0 && time.Since(d.at) < damageShown
}

// damages returns how often core and front have found words in the boundary that no sound process writes.
func (f *Front) damages() uint64 {
	n := f.wrong.Load()
	for _, e := range f.boundary.edges {
		n += e.counters.damaged.Load()
		for _, ring := range []*lockfree.Ring{e.replies, e.live, e.log} {
			n += ring.Damaged()
		}
	}
	return n
}

// damageWarning returns the warning that core and front could not rely on the memory that they share.
func damageWarning() Warning {
	return Warning{
		begun: "the shared memory of core and front was damaged: a process of this user writes wrong words into it; " +
			"requests and samples may have been lost, the threads go on",
		ended: "the shared memory of core and front has not been damaged for a while",
	}
}

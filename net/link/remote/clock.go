package remote

import "sync/atomic"

// offset estimates how far the peer's monotonic clock is ahead of this one, as NTP does (Mills, RFC 5905, section 8):
// each heartbeat echoes the other side's last one, and the true offset lies between the two instants at which that
// could have happened. The fastest round trips give the best estimate; every other one bounds it, so that the
// estimate follows drift, and follows immediately when the peer restarts with another clock.
type offset struct {
	theirs, came atomic.Int64 // the peer's newest time, and when it arrived
	ahead        atomic.Int64 // ns
	trip         atomic.Int64 // best round trip, ns; 0: not known yet
	taken        int64
}

// fade is the share of the time since the best round trip by which that trip counts as longer: two clocks drift apart
// more slowly.
const fade = 1e-4

// take records a heartbeat: the peer's time, the time of this side that it echoes (0: none), and how long the peer
// held it.
func (o *offset) take(theirs, echo, held, now int64) {
	o.theirs.Store(theirs)
	o.came.Store(now)
	trip := now - echo - held
	if echo == 0 || trip < 0 || held < 0 {
		return
	}
	least, most := theirs-now, theirs-now+trip
	best := o.trip.Load()
	if best != 0 {
		best += int64(fade * float64(now-o.taken))
	}
	switch ahead := o.ahead.Load(); {
	case best == 0 || trip <= best:
		o.ahead.Store(least + trip/2)
		best = max(trip, 1)
	case ahead < least || ahead > most:
		o.ahead.Store(min(max(ahead, least), most))
		best = trip
	}
	o.trip.Store(best)
	o.taken = now
}

// local converts a time of the peer to this host's clock; the result is never in the future.
func (o *offset) local(theirs, now int64) int64 {
	if o.trip.Load() == 0 {
		return now
	}
	return min(theirs-o.ahead.Load(), now)
}

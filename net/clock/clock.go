// Package clock provides the time of a system: real, or virtual if the system is stepped as fast as possible.
//
// Time counts from the start of the system in nanoseconds. Each activation of a thread gets a [Tick] with the nominal
// time (a multiple of the period), so that its results depend only on inputs and ticks and can be repeated bit for
// bit. Everything else (scripts, logs, tools) reads a [Clock].
package clock

import (
	"strconv"
	"sync/atomic"
	"time"
)

// Time is a point in time in nanoseconds since the start of the system.
type Time int64

// At returns the point in time d after the start of the system.
func At(d time.Duration) Time { return Time(d) }

// Seconds returns the time in seconds since the start of the system.
func (t Time) Seconds() float64 { return float64(t) * 1e-9 }

// Add returns the point in time d after t.
func (t Time) Add(d time.Duration) Time { return t + Time(d) }

// Sub returns the duration from u to t.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// String returns the time in seconds, as in "1.25s".
func (t Time) String() string { return strconv.FormatFloat(t.Seconds(), 'f', -1, 64) + "s" }

// Tick is the time of one step.
type Tick struct {
	N    uint64        // number of earlier executions of this block
	Time Time          // nominal time of this activation
	Dt   time.Duration // nominal time since the block's previous execution; its period before the first one
}

// Seconds returns Dt in seconds: the step size of an integrator.
func (t Tick) Seconds() float64 { return t.Dt.Seconds() }

// Clock returns the time of a system.
type Clock interface {
	Now() Time
}

// Real measures the time since a system's start on the monotonic clock of the machine. Its zero value is not started
// and returns 0.
type Real struct {
	start time.Time
}

// Start sets the start of the system to now.
func (r *Real) Start() { r.start = time.Now() }

// StartAt sets the start of the system to t, which may be in the future.
func (r *Real) StartAt(t time.Time) { r.start = t }

// Now returns the time since the start, 0 before it.
func (r *Real) Now() Time {
	if r.start.IsZero() {
		return 0
	}
	return Time(max(time.Since(r.start), 0))
}

// Virtual is a time that advances only when it is set. It may be read from any goroutine.
type Virtual struct {
	now atomic.Int64
}

// Now returns the time last set.
func (v *Virtual) Now() Time { return Time(v.now.Load()) }

// Set sets the time to t.
func (v *Virtual) Set(t Time) { v.now.Store(int64(t)) }

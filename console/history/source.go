package history

import (
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
)

// Source has the values of ports at times that have passed: a running system ([Live]), or a log.
type Source interface {
	// Span describes what there is.
	Span() Span
	// At returns the value of a port at a time: a number, or a list of them; booleans are 0 and 1. It is the last one that was written before. ok is
	// false where the source has none.
	At(ref string, at clock.Time) (value any, ok bool)
	// Curve returns a number from one time to another: a port, or an element of one (-1: the port itself). Of more samples than points the least and the
	// greatest of equal parts stay. ok is false where the source has no such number.
	Curve(ref string, element int, from, to clock.Time, points int) (times []int64, values []float64, ok bool)
}

// Span describes the time that a source has.
type Span struct {
	// Run distinguishes histories: one that begins again, with a next run of the system or of the console, has a greater number, also where its times are
	// those of the one before. It is at most 2^53.
	Run   uint64     `json:"run"`
	Start clock.Time `json:"start_ns"`
	End   clock.Time `json:"end_ns"` // of the newest sample
	// Wall is the time of day of End.
	Wall  time.Time `json:"wall"`
	Slips []Slip    `json:"slips"`
}

// Slip is that a thread has slipped.
type Slip struct {
	Time   clock.Time `json:"time_ns"`
	Thread string     `json:"thread"`
	Count  uint64     `json:"count"` // in the second before
}

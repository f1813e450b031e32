package console

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// numbers returns the numbers of events.
func numbers(events []Event) (list []uint64) {
	for _, e := range events {
		list = append(list, e.Seq)
	}
	return list
}

// TestEventsOfARestartedConsoleHaveNewNumbers lets a page outlive two consoles: it asks each for the events after the last that it knows.
func TestEventsOfARestartedConsoleHaveNewNumbers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var first, second, behind eventLog
		for range 3 {
			first.add(Event{Text: "of the first"})
		}
		known := numbers(first.since(0, ""))
		last := known[2]
		if len(first.since(last, "")) != 0 || len(second.since(last, "")) != 0 {
			t.Fatal("events that are not new")
		}
		time.Sleep(time.Second)
		second.add(Event{Text: "of the second"})
		if got := numbers(second.since(last, "")); len(got) != 1 || slices.Contains(known, got[0]) {
			t.Errorf("the second console returns %d after %d", got, known)
		}
		behind.before, behind.seq = 1000, 1000 // its clock was set back
		behind.add(Event{Text: "of the third"})
		if got := numbers(behind.since(last, "")); !slices.Equal(got, []uint64{1001}) {
			t.Errorf("a console whose clock was set back returns %d", got)
		}
	})
}

// TestOldEventsAreOverwritten keeps the newest events, in order.
func TestOldEventsAreOverwritten(t *testing.T) {
	var c eventLog
	for range maxEvents + 10 {
		c.add(Event{System: "s"})
	}
	all := numbers(c.since(0, "s"))
	if len(all) != maxEvents || all[0] != c.seq-maxEvents+1 || all[maxEvents-1] != c.seq || !slices.IsSorted(all) {
		t.Errorf("%d events, %d to %d of %d", len(all), all[0], all[len(all)-1], c.seq)
	}
	if got := c.since(c.seq-2, "s"); len(got) != 2 {
		t.Errorf("%d events after the last but two", len(got))
	}
}

package admin

import (
	"sync"
	"testing"
	"time"
)

func TestEventsArriveInTheOrderOfTheirTimes(t *testing.T) {
	var l listeners
	var latest time.Time
	arrived := 0
	l.add(func(e Event) {
		if arrived++; !e.At.After(latest) {
			t.Errorf("an event of %v after one of %v", e.At, latest)
		}
		latest = e.At
	})
	var emitters sync.WaitGroup
	for range 4 {
		emitters.Go(func() {
			for range 5_000 {
				l.emit(Event{Kind: EventWarning})
			}
		})
	}
	emitters.Wait()
	if arrived != 20_000 {
		t.Errorf("%d events have arrived", arrived)
	}
}

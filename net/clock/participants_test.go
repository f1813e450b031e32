package clock_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/sinew-robotics/sinew/net/clock"
)

// The participants go on one at a time, those that began to wait first before the others, at the times for which they wait.
func TestParticipantsGoOnOneAfterTheOther(t *testing.T) {
	stopped := errors.New("stopped")
	p := clock.NewParticipants(stopped)
	if p.Resume(0) || p.Next() != 0 {
		t.Error("without participants there is something to wait for")
	}
	var done []string // only one of them runs at a time: the race detector sees it
	var now clock.Virtual
	var all sync.WaitGroup
	for i, period := range []clock.Time{3, 2} {
		p.Join()
		all.Go(func() {
			defer p.Leave()
			for {
				if err := p.Wait(now.Now()+period, nil); err != nil {
					if err != stopped {
						t.Error(err)
					}
					return
				}
				done = append(done, fmt.Sprint(i, "@", int64(now.Now())))
			}
		})
		p.Resume(0) // it waits before the next one begins
	}
	for range 4 {
		now.Set(p.Next())
		for p.Resume(now.Now()) {
		}
	}
	if want := []string{"1@2", "0@3", "1@4", "0@6", "1@6"}; !slices.Equal(done, want) {
		t.Errorf("got %v, want %v", done, want)
	}
	p.Release()
	all.Wait()
	if err := p.Wait(0, func() bool { return true }); err != nil {
		t.Error("what is ready is not stopped:", err)
	}
}

package thread

import (
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// TestTapsOfAHungThreadLeaveRoomForReleaseAndFeed taps and untaps as a viewer may, far more often than a mailbox has room.
func TestTapsOfAHungThreadLeaveRoomForReleaseAndFeed(t *testing.T) {
	s, v := newStuck("step"), &reader{}
	c := run(t, hangingNet(t, s, v))
	testkit.Await(t, "it runs", func() bool { return v.in.Load() == 5 })
	s.awaitHang(t, c.Core)
	out := c.Front().Net().Blocks[0].Port("out")
	refused := 0
	for range 5000 {
		tap, err := c.Front().Tap(out, 1, false, func(Sample) {})
		if err != nil {
			refused++
			continue
		}
		tap.End()
	}
	if refused == 0 {
		t.Fatal("the mailbox has taken all taps: this test fills nothing")
	}
	feed, release := c.Front().Feed(out, cdr(7)), c.Front().Release(out)
	if feed.Ready() || release.Ready() {
		_, fault := release.Result()
		t.Fatalf("feeding and releasing do not wait for the thread: %v", fault)
	}
	s.goOn(t)
	for _, r := range []*Request{feed, release} {
		if _, err := r.Result(); err != nil {
			t.Error(err)
		}
	}
	testkit.Await(t, "all taps have ended", func() bool {
		f := c.Front()
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.ending) == 0 && !slices.ContainsFunc(f.taps[0], func(t *Tap) bool { return t != nil })
	})
	if err := c.end(t); err != nil {
		t.Error(err)
	}
}

// TestMailboxHoldsAllTapsOfAThread taps before the thread runs, as the recorder does.
func TestMailboxHoldsAllTapsOfAThread(t *testing.T) {
	c := hangingNet(t, newStuck(""), &reader{})
	for i := range MaxTaps {
		if _, err := c.Front().Tap(c.net.Blocks[0].Port("out"), 1, true, func(Sample) {}); err != nil {
			t.Fatalf("tap %d: %v", i, err)
		}
	}
}

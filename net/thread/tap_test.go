package thread

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// TestTapsOfAHungThreadLeaveRoomForReleaseAndFeed taps and untaps as a viewer may, far more often than a mailbox has room.
func TestTapsOfAHungThreadLeaveRoomForReleaseAndFeed(t *testing.T) {
	s, v := newStuck("step"), &reader{}
	c := run(t, hangingNet(t, s, v))
	testkit.Await(t, "it runs", func() bool { return v.in.Load() == 5 })
	s.awaitHang(t, c.Core)
	out := c.Front().Net().Blocks[0].Port("out")
	c.Front().patience = testkit.Patience() // a thread that gets no processor answers late
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

// burst writes large values and emits large events, and then rests.
type burst struct {
	Out   block.Out[[]float64]
	Tick  block.Event[[LiveBytes / 64]float64]
	steps atomic.Int64
	rests atomic.Int64
}

const burstSteps = 40

func (b *burst) Setup(u *block.Setup) error {
	u.Len(LiveBytes/64, &b.Out) // eight values fill the ring
	return nil
}

func (b *burst) Step(clock.Tick) error {
	if b.steps.Load() == burstSteps {
		b.rests.Add(1)
		return nil
	}
	(*b.Out.Slot())[0] = float64(b.steps.Add(1))
	b.Out.Commit()
	b.Tick.Emit([LiveBytes / 64]float64{})
	return nil
}

// TestRestingPortsSendWhatFoundNoRoom blocks the reader of samples until a port has come to rest, and the thread has tried in vain for some activations to send
// the last value or events. They come later; what was never sent is counted, each value once.
func TestRestingPortsSendWhatFoundNoRoom(t *testing.T) {
	for _, port := range []string{"out", "tick"} {
		t.Run(port, func(t *testing.T) {
			b := &burst{}
			d := diagram.New("test")
			d.Thread(diagram.Thread{Name: "main", Period: time.Millisecond})
			d.Add("burst", b, diagram.Place{Thread: "main"})
			net, err := d.Build()
			if err != nil {
				t.Fatal(err)
			}
			c := New(net, Options{})
			var read sync.Mutex
			var received, first, last atomic.Uint32
			read.Lock()
			if _, err := c.Front().Tap(net.Blocks[0].Port(port), 1, false, func(s Sample) {
				read.Lock()
				defer read.Unlock()
				received.Add(1)
				first.CompareAndSwap(0, s.Count)
				last.Store(s.Count)
			}); err != nil {
				t.Fatal(err)
			}
			running := run(t, c)
			testkit.Await(t, "the port rests", func() bool { return b.rests.Load() >= 20 })
			live := c.boundary.edges[0].live
			if live.Lost() == 0 {
				t.Fatal("the ring had room for all samples")
			}
			read.Unlock()
			testkit.Await(t, "the last value", func() bool { return last.Load() == burstSteps })
			if n, due := uint64(received.Load())+live.Lost(), uint64(burstSteps-first.Load()+1); n != due {
				t.Errorf("%d samples have come and %d are counted as lost, of %d from %d on", received.Load(), live.Lost(), due, first.Load())
			}
			if err := running.end(t); err != nil {
				t.Error(err)
			}
		})
	}
}

package nats_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// TestManyTapsOutliveTheirProcess begins many taps at the same time. The process is started again without the block, of
// which the client notifies, and then with it: all taps go on, but for one that was ended meanwhile.
func TestManyTapsOutliveTheirProcess(t *testing.T) {
	ownFolder(t)
	ctx := context.Background()
	hub := openHub(t, "test")
	both := []string{"a", "b"}
	a, b := nats.Identity{System: "test", Process: "a", Processes: both}, nats.Identity{System: "test", Process: "b", Processes: both}
	join(t, hub.Address(), a, admintest.Plant(t, "one"))
	start := func(block string) *nats.Service {
		service, err := nats.Serve(hub.Address(), b, admintest.Plant(t, block))
		if err != nil {
			t.Fatal(err)
		}
		return service
	}
	service := start("two")
	c := dialed(t)(nats.Dial("test"))
	var refused atomic.Bool
	c.OnNotice(func(text string) {
		if strings.Contains(text, `no block "two"`) {
			refused.Store(true)
		}
	})

	const many = 300
	var samples [many]atomic.Int64
	ends := make([]func(), many)
	var begun sync.WaitGroup
	for i := range many {
		begun.Go(func() {
			end, err := c.Tap(ctx, "two.out", 1+i%7, func(admin.Sample) { samples[i].Add(1) })
			if err != nil {
				t.Error(err)
			}
			ends[i] = end
		})
	}
	if begun.Wait(); t.Failed() {
		t.FailNow()
	}
	goOn := func(what string, some []atomic.Int64) {
		t.Helper()
		var before [many]int64
		for i := range some {
			before[i] = some[i].Load()
		}
		for i := range some {
			testkit.Await(t, what, func() bool { return some[i].Load() > before[i] })
		}
	}
	goOn("samples of all taps", samples[:])
	if _, err := c.Tap(ctx, "two.uot", 1, func(admin.Sample) {}); err == nil || !strings.Contains(err.Error(), `"out"`) {
		t.Errorf("a tap of no port: %v", err)
	}

	service.Close()
	service = start("three")
	testkit.Await(t, "the refusal", refused.Load)
	ends[0]()
	service.Close()
	service = start("two")
	defer service.Close()
	last := samples[0].Load()
	goOn("samples of the new process", samples[1:])
	if n := samples[0].Load(); n != last {
		t.Errorf("%d samples of a tap that has ended", n-last)
	}
	for _, end := range ends {
		end()
	}
}

// TestTheLostLastSampleIsCounted loses the message with the last value of a port that rests from then on.
func TestTheLostLastSampleIsCounted(t *testing.T) {
	ownFolder(t)
	serve(t, "test", admintest.Plant(t, "plant.source"))
	network := &dropping{Address: nats.OnHost("test")}
	c := dialed(t)(nats.DialAt("test", network.address()))
	ctx := context.Background()
	var last atomic.Value
	if _, err := c.Tap(ctx, "plant.source.in", 1, func(x admin.Sample) { last.Store(x.Value) }); err != nil {
		t.Fatal(err)
	}
	feed := func(v float64) {
		t.Helper()
		if err := c.Feed(ctx, "plant.source.in", v); err != nil {
			t.Fatal(err)
		}
	}
	feed(5)
	testkit.Await(t, "the first value", func() bool { return last.Load() == 5.0 })
	network.from.Store(true)
	feed(6)
	testkit.Await(t, "the message to be lost", func() bool { return network.dropped.Load() == 1 })
	network.from.Store(false)
	testkit.Await(t, "the loss", func() bool { return c.Lost() > 0 })
	feed(7)
	testkit.Await(t, "the next value", func() bool { return last.Load() == 7.0 })
	if n := c.Lost(); n != 1 {
		t.Errorf("%d samples are counted as lost, and one was", n)
	}
}

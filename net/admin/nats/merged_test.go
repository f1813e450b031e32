package nats_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// TestProcessDiesAndComesBack loses one process of two without a word: the other one serves on, errors name what is
// missing, and the tap goes on when it is back.
func TestProcessDiesAndComesBack(t *testing.T) {
	ownFolder(t)
	ctx := context.Background()
	hub := openHub(t, "test")
	a := nats.Identity{System: "test", Process: "a", Host: "left", Processes: []string{"a", "b"}}
	b := nats.Identity{System: "test", Process: "b", Host: "right", Processes: []string{"a", "b"}}
	join(t, hub.Address(), a, admintest.Plant(t, "one"))
	two := admintest.Plant(t, "two")
	network := &cut{Address: hub.Address()}
	join(t, network.address(), b, two)
	c := dialed(t)(nats.Dial("test"))

	s, err := c.Structure(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Processes) != 2 || s.Processes[1].Host != "right" || s.Threads[1].Process != "b" || s.Blocks[0].Process != "a" || len(s.Blocks) != 2 {
		t.Errorf("structure %+v", s)
	}
	var notices sync.Map
	c.OnNotice(func(text string) { notices.Store(text, true) })
	has := func(words string) func() bool {
		return func() (found bool) {
			notices.Range(func(text, _ any) bool { found = found || strings.Contains(text.(string), words); return true })
			return found
		}
	}
	var n atomic.Int64
	end, err := c.Tap(ctx, "two.out", 1, func(admin.Sample) { n.Add(1) })
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	testkit.Await(t, "samples", func() bool { return n.Load() > 0 })

	network.pull()
	testkit.Await(t, "an error", func() bool { _, err = c.Read(ctx, "two.out"); return err != nil })
	if !errors.Is(err, admin.ErrGone) || !strings.Contains(err.Error(), `process "b" of "test" on right is not there`) {
		t.Errorf("a read of a lost process: %v", err)
	}
	if _, err := c.Read(ctx, "one.out"); err != nil {
		t.Error(err)
	}
	if _, err = c.Read(ctx, "three.out"); err == nil || !strings.Contains(err.Error(), "three") || !strings.Contains(err.Error(), `process "b"`) {
		t.Errorf("a block that the lost process may have: %v", err)
	}
	if s, err = c.Structure(ctx); err != nil || s.Processes[1].Problem == "" || len(s.Blocks) != 1 {
		t.Errorf("structure %+v, %v", s, err)
	}
	if stats, err := c.Statistics(ctx); err != nil || len(stats.Threads) != 1 || len(stats.Faults) != 1 {
		t.Errorf("statistics %+v, %v", stats, err)
	}
	if _, err := nats.Serve(hub.Address(), a, two); err == nil || !strings.Contains(err.Error(), "runs already") {
		t.Errorf("a second process of one name: %v", err)
	}
	alone := dialed(t)(nats.Dial("test"))
	if _, err := alone.Read(ctx, "one.out"); err != nil {
		t.Error(err)
	}
	if _, err := alone.Read(ctx, "two.out"); err == nil || !strings.Contains(err.Error(), `process "b"`) {
		t.Errorf("a client that never saw the process: %v", err)
	}

	testkit.Await(t, "a notice", has(`taps wait: process "b" of "test" on right is not there`))
	seen := n.Load()
	network.plug()
	testkit.Await(t, "samples after the return", func() bool { return n.Load() > seen })
	testkit.Await(t, "a notice", has(`the taps of process "b" go on`))
	for _, c := range []*nats.Client{c, alone} {
		if _, err := c.Read(ctx, "two.out"); err != nil {
			t.Error(err)
		}
	}
}

// TestClientJoinsTheServersOfAllHosts dials the servers of two hosts, and one that is not there yet.
func TestClientJoinsTheServersOfAllHosts(t *testing.T) {
	ownFolder(t)
	ctx := context.Background()
	left, right := openHub(t, "left"), openHub(t, "right") // the servers of two hosts
	both := []string{"a", "b"}
	join(t, left.Address(), nats.Identity{System: "test", Process: "a", Processes: both}, admintest.Plant(t, "one"))
	join(t, right.Address(), nats.Identity{System: "test", Process: "b", Processes: both}, admintest.Plant(t, "two"))
	c := dialed(t)(nats.DialAt("test", left.Address(), right.Address()))
	for _, ref := range []string{"one.out", "two.out"} {
		if _, err := c.Read(ctx, ref); err != nil {
			t.Error(err)
		}
	}
	network := &cut{Address: right.Address()}
	network.pull()
	late := dialed(t)(nats.DialAt("test", left.Address(), network.address()))
	if _, err := late.Read(ctx, "two.out"); err == nil || !strings.Contains(err.Error(), errCable.Error()) {
		t.Errorf("a host out of reach: %v", err)
	}
	network.plug()
	testkit.Await(t, "the other host", func() bool { _, err := late.Read(ctx, "two.out"); return err == nil })
	if !isOpen(late.Done()) {
		t.Error("the client has ended with a server that was away")
	}
	ended := dialed(t)(nats.DialAt("test", left.Address(), nats.OnHost("ended"))) // ended before it was dialled
	if _, err := ended.Read(ctx, "one.out"); err != nil || !isOpen(ended.Done()) {
		t.Errorf("one of two servers has ended: %v", err)
	}
	if _, err := nats.DialAt("tset", left.Address()); err == nil || !strings.Contains(err.Error(), `"test"`) {
		t.Errorf("a wrong name: %v", err)
	}
	if _, err := nats.DialAt("test.c", left.Address()); err == nil || !strings.Contains(err.Error(), `"test.a"`) {
		t.Errorf("a wrong process: %v", err)
	}
}

func isOpen(c <-chan struct{}) bool {
	select {
	case <-c:
		return false
	default:
		return true
	}
}

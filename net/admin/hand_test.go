package admin_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// conformByHand overrides an output, and disables and enables a block.
func conformByHand(ctx context.Context, t *testing.T, s admin.System) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	describe := func() (b admin.Block, byHand []string) {
		t.Helper()
		st, err := s.Structure(ctx)
		must(err)
		b = st.Blocks[slices.IndexFunc(st.Blocks, func(b admin.Block) bool { return b.Name == "plant.source" })]
		for _, p := range b.Ports {
			if p.Hand {
				byHand = append(byHand, p.Name)
			}
		}
		return b, byHand
	}
	read := func() admin.Reading {
		t.Helper()
		r, err := s.Read(ctx, "plant.source.out")
		must(err)
		return r
	}

	must(s.Feed(ctx, "plant.source.out", -5.0))
	before := read()
	await(t, "steps with the override", func() bool { return read().Count > before.Count+3 })
	if v := read().Value; v != -5.0 {
		t.Errorf("the overridden output has %v", v)
	}
	if _, byHand := describe(); !slices.Equal(byHand, []string{"out"}) {
		t.Errorf("by hand: %v", byHand)
	}
	must(s.Release(ctx, "plant.source.out"))
	if v := read().Value.(float64); v <= 0 {
		t.Errorf("the released output has %v", v)
	}

	must(s.Enable(ctx, "plant.source", false))
	await(t, "the disabled block", func() bool { b, _ := describe(); return b.State == admin.StateDisabled && !b.Enabled })
	still := read()
	must(s.Feed(ctx, "plant.source.out", -6.0)) // at the block's turn it is renewed
	await(t, "the override of a disabled block", func() bool { return read().Count > still.Count+3 })
	must(s.Release(ctx, "plant.source.out"))
	if v := read().Value; v != still.Value {
		t.Errorf("the disabled block has %v, before %v", v, still.Value)
	}
	must(s.Enable(ctx, "plant.source", true))
	await(t, "steps of the enabled block", func() bool { return read().Count > still.Count+20 })
	if b, byHand := describe(); b.State != admin.StateRunning || !b.Enabled || byHand != nil {
		t.Errorf("the enabled block: %v, by hand %v", b.State, byHand)
	}
	if err := s.Enable(ctx, "plant.sorce", false); err == nil || !strings.Contains(err.Error(), "plant.source") {
		t.Errorf("enable of no block: %v", err)
	}
	conformSteering(ctx, t, s)
}

// conformSteering feeds a port as a joystick does: it is held as long as it is fed again and again, and no longer.
func conformSteering(ctx context.Context, t *testing.T, s admin.System) {
	t.Helper()
	const port = "plant.source.in"
	value := func() any {
		r, err := s.Read(ctx, port)
		if err != nil {
			t.Fatal(err)
		}
		return r.Value
	}
	steer := func(lasts time.Duration, begins bool) {
		t.Helper()
		if began, err := s.FeedFor(ctx, port, 5.0, lasts); err != nil || began != begins {
			t.Fatalf("feeding for %v: began %v, %v", lasts, began, err)
		}
	}
	for k := range 4 {
		steer(2*time.Second, k == 0)
		time.Sleep(10 * time.Millisecond)
		if v := value(); v != 5.0 {
			t.Errorf("while it is fed again the input is %v", v)
		}
	}
	steer(100*time.Millisecond, false)
	await(t, "the input is released", func() bool { return value() == 0.0 })

	steer(50*time.Millisecond, true)
	if err := s.Feed(ctx, port, 6.0); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	if v := value(); v != 6.0 {
		t.Errorf("what was fed without an end is %v after the end of what was fed before", v)
	}
	if err := s.Release(ctx, port); err != nil {
		t.Fatal(err)
	}
	for _, lasts := range []time.Duration{-time.Second, 0, admin.LongestFeed + 1e9} {
		if _, err := s.FeedFor(ctx, port, 5.0, lasts); err == nil || !strings.Contains(err.Error(), "at most 1m0s") {
			t.Errorf("feeding for %v: %v", lasts, err)
		}
	}
}

// journal keeps the events of a system.
type journal struct {
	mu   sync.Mutex
	list []admin.Event
}

func (j *journal) add(e admin.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.list = append(j.list, e)
}

// has returns how many events are of a kind, about something, done by somebody whose name begins so.
func (j *journal) has(kind, ref, text, by string) (n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range j.list {
		if e.Kind == kind && e.Ref == ref && strings.Contains(e.Text, text) && strings.HasPrefix(e.By, by) {
			n++
		}
	}
	return n
}

// TestTwoToolsTuneOneSystem lets two clients and somebody in the process change the same things: the last one wins, and all see
// every change with who did it.
func TestTwoToolsTuneOneSystem(t *testing.T) {
	ownFolder(t)
	ctx := context.Background()
	plant := local(t, "plant.source")
	serve(t, "test", plant)
	t.Setenv("USER", "ada")
	first := dialed(t)(admin.Dial("test"))
	t.Setenv("USER", "bob")
	second := dialed(t)(admin.Dial("test"))
	journals := map[string]*journal{"first": {}, "second": {}, "in the process": {}}
	for name, s := range map[string]interface {
		FollowEvents(func(admin.Event)) (func(), error)
	}{"first": first, "second": second, "in the process": plant} {
		end, err := s.FollowEvents(journals[name].add)
		if err != nil {
			t.Fatal(err)
		}
		defer end()
	}
	const rounds = 20
	var both sync.WaitGroup
	for who, c := range map[float64]*admin.Client{1: first, 2: second} {
		both.Go(func() {
			for range rounds {
				if err := c.SetParams(ctx, "plant.source", map[string]any{"gain": who}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	both.Wait()
	if err := plant.SetParams(admin.By(ctx, "eve"), "plant.source", map[string]any{"gain": 7.0}); err != nil {
		t.Fatal(err)
	}
	for _, s := range []admin.System{first, second, plant} {
		if v, err := s.Param(ctx, "plant.source.gain"); err != nil || v != 7.0 {
			t.Errorf("gain %v, %v", v, err)
		}
	}
	if err := first.Feed(ctx, "plant.source.out", 3.0); err != nil {
		t.Fatal(err)
	}
	if err := second.Release(admin.By(ctx, "zoe"), "plant.source.out"); err != nil {
		t.Fatal(err)
	}
	if err := second.Enable(ctx, "plant.source", false); err != nil {
		t.Fatal(err)
	}
	for name, j := range journals {
		await(t, "all events "+name, func() bool {
			return j.has("set", "plant.source", `"gain":1`, "ada@") == rounds && j.has("set", "plant.source", `"gain":2`, "bob@") == rounds &&
				j.has("set", "plant.source", `"gain":7`, "eve") == 1 && j.has("feed", "plant.source.out", "3", "ada@") == 1 &&
				j.has("release", "plant.source.out", "", "zoe") == 1 && j.has("enable", "plant.source", "false", "bob@") == 1
		})
	}
}

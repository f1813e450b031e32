package admintest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
)

// runByHand overrides an output, and disables and enables a block.
func runByHand(ctx context.Context, t *testing.T, s admin.System) {
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
	testkit.Await(t, "steps with the override", func() bool { return read().Count > before.Count+3 })
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
	testkit.Await(t, "the disabled block", func() bool { b, _ := describe(); return b.State == admin.StateDisabled && !b.Enabled })
	still := read()
	must(s.Feed(ctx, "plant.source.out", -6.0)) // at the block's turn it is renewed
	testkit.Await(t, "the override of a disabled block", func() bool { return read().Count > still.Count+3 })
	must(s.Release(ctx, "plant.source.out"))
	if v := read().Value; v != still.Value {
		t.Errorf("the disabled block has %v, before %v", v, still.Value)
	}
	must(s.Enable(ctx, "plant.source", true))
	testkit.Await(t, "steps of the enabled block", func() bool { return read().Count > still.Count+20 })
	if b, byHand := describe(); b.State != admin.StateRunning || !b.Enabled || byHand != nil {
		t.Errorf("the enabled block: %v, by hand %v", b.State, byHand)
	}
	if err := s.Enable(ctx, "plant.sorce", false); err == nil || !strings.Contains(err.Error(), "plant.source") {
		t.Errorf("enable of no block: %v", err)
	}
	runBulk(ctx, t, s)
	runSteering(ctx, t, s)
	runExcitation(ctx, t, s)
}

// runExcitation excites a port: the thread feeds the waveform, and releases the port at its end or when it is not renewed.
func runExcitation(ctx context.Context, t *testing.T, s admin.System) {
	t.Helper()
	const port = "plant.source.in"
	value := func() any {
		r, err := s.Read(ctx, port)
		if err != nil {
			t.Fatal(err)
		}
		return r.Value
	}
	excite := func(e *admin.Excitation, lasts time.Duration, want bool) {
		t.Helper()
		if runs, err := s.Excite(ctx, port, e, lasts); err != nil || runs != want {
			t.Fatalf("excitation for %v: runs %t, %v", lasts, runs, err)
		}
	}
	step := admin.Excitation{Shape: admin.Step, Centre: 3, Amplitude: 4, Duration: 0.2}
	excite(&step, time.Minute, true)
	testkit.Await(t, "the step", func() bool { return value() == 7.0 })
	testkit.Await(t, "the end of the step", func() bool { return value() == 0.0 })
	excite(nil, time.Minute, false)

	step.Duration = 60
	excite(&step, 2*time.Second, true)
	excite(nil, 50*time.Millisecond, true)
	testkit.Await(t, "the end of an excitation that is not renewed", func() bool { return value() == 0.0 })

	excite(&step, time.Minute, true)
	if err := s.Release(ctx, port); err != nil {
		t.Fatal(err)
	}
	excite(nil, time.Minute, false)
	for want, e := range map[string]admin.Excitation{"at most 60 s": {Shape: admin.Step, Duration: 61}, "0 < from_hz": {Shape: admin.Sweep, Duration: 1}} {
		if _, err := s.Excite(ctx, port, &e, time.Second); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("excitation %v: %v", e, err)
		}
	}
	if _, err := s.Excite(ctx, port, &step, 2*admin.LongestFeed); err == nil || !strings.Contains(err.Error(), "at most 1m0s") {
		t.Errorf("an excitation of two minutes: %v", err)
	}
}

// runSteering feeds a port as a joystick does: it is held only while the value is renewed.
func runSteering(ctx context.Context, t *testing.T, s admin.System) {
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
	testkit.Await(t, "the input is released", func() bool { return value() == 0.0 })

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

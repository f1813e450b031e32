package thread

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

var wanted = port.Excitation{Shape: port.Sweep, Centre: 2, Amplitude: 0.5, Duration: 0.02, From: 50, To: 400}

func TestExcitedPortFollowsTheWaveformInEachActivation(t *testing.T) {
	for _, name := range []string{"b.lone", "b.out"} {
		var b bell
		var e ear
		core := ring(t, 1, &b, &e, 0)
		f, ports := core.Front(), core.net.Blocks[0]
		p := ports.Port(strings.TrimPrefix(name, "b."))
		var released []string
		f.OnRelease(func(p *port.Port) { released = append(released, p.Ref()) })
		at(t, core, map[int]func() *Request{10: func() *Request { return f.Excite(p, wanted, time.Second) }})
		if err := core.RunVirtual(context.Background()); err != nil {
			t.Fatal(err)
		}
		list := b.lone
		if name == "b.out" {
			list = e.in
		}
		first := slices.Index(list, 2.0)
		if name == "b.out" { // it counts its steps, so 2 also comes before
			first += 1 + slices.Index(list[first+1:], 2.0)
		}
		if first < 8 || first > 12 {
			t.Fatalf("%s read %v", name, list)
		}
		for k := range 20 {
			if want := wanted.At(float64(k) / 1000); math.Abs(list[first+k]-want) > 1e-9 {
				t.Errorf("%s: value %d is %v, not %v", name, k, list[first+k], want)
			}
		}
		if after := list[first+20]; after == wanted.At(0.02) || name == "b.lone" && after != 0 || f.ByHand(p) || !slices.Equal(released, []string{name}) {
			t.Errorf("%s: after the end %v, by hand %t, released %v", name, after, f.ByHand(p), released)
		}
	}
}

func TestExcitationEndsUnlessRenewed(t *testing.T) {
	for renewals := range 3 {
		var b bell
		var e ear
		core := ring(t, 1, &b, &e, 0)
		f, lone := core.Front(), core.net.Blocks[0].Port("lone")
		do := map[int]func() *Request{10: func() *Request { return f.Excite(lone, wanted, 5*time.Millisecond) }}
		for k := range renewals {
			do[13+3*k] = func() *Request { return f.RenewExcitation(lone, 5*time.Millisecond) }
		}
		var late *Request
		do[45] = func() *Request { late = f.RenewExcitation(lone, time.Second); return late }
		at(t, core, do)
		if err := core.RunVirtual(context.Background()); err != nil {
			t.Fatal(err)
		}
		n := len(slices.DeleteFunc(slices.Clone(b.lone), func(x float64) bool { return x == 0 }))
		if want := 5 + 3*renewals; n < want-1 || n > want+1 || f.ByHand(lone) || late.value[0] != 0 {
			t.Errorf("%d renewals: %d values, by hand %t", renewals, n, f.ByHand(lone))
		}
	}
}

func TestAnotherValueOrAnErrorEndsAnExcitation(t *testing.T) {
	var b bell
	var e ear
	core := ring(t, 1, &b, &e, 0)
	f, ports := core.Front(), core.net.Blocks[0]
	lone, out := ports.Port("lone"), ports.Port("out")
	at(t, core, map[int]func() *Request{
		10: func() *Request { return f.Excite(lone, wanted, time.Second) },
		15: func() *Request { return f.Feed(lone, cdrOf(lone, 9.0)) },
		20: func() *Request {
			if v := b.lone[len(b.lone)-1]; v != 9 {
				t.Errorf("the input reads %v after another value", v)
			}
			return f.Excite(out, wanted, time.Second)
		},
		25: func() *Request { b.fails = true; return nil },
		30: func() *Request {
			if b.Out.Value() != -1 || f.ByHand(out) {
				t.Errorf("the output of the block in error is %v", b.Out.Value())
			}
			return nil
		},
	})
	if err := core.RunVirtual(context.Background()); err == nil {
		t.Error("a run with an error ends as if it had none")
	}
}

func TestExcitationsThatCannotBeFedAreRejected(t *testing.T) {
	var b bell
	var e ear
	core := ring(t, 1, &b, &e, 0)
	f, ports := core.Front(), core.net.Blocks[0]
	lone := ports.Port("lone")
	for want, r := range map[string]*Request{
		"wants a shape":    f.Excite(lone, port.Excitation{Duration: 1}, time.Second),
		"at most 60 s":     f.Excite(lone, port.Excitation{Shape: port.Step, Duration: 61}, time.Second),
		"finite numbers":   f.Excite(lone, port.Excitation{Shape: port.Step, Duration: 1, Amplitude: math.Inf(1)}, time.Second),
		"at most 500 Hz":   f.Excite(lone, port.Excitation{Shape: port.Noise, Duration: 1, To: 501}, time.Second),
		"of one float64":   f.Excite(ports.Port("pair"), wanted, time.Second),
		"one float64 can ": f.Excite(ports.Port("ring"), wanted, time.Second),
	} {
		if _, err := r.Result(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, wanted %q", err, want)
		}
	}
}

func TestExcitationAllocatesNothing(t *testing.T) {
	var b bell
	var e ear
	core := ring(t, 1, &b, &e, 0)
	b.lone, e.in, e.first, e.queue, e.events = nil, nil, nil, nil, nil
	th := core.threads[0]
	box, index := th.edge.mailbox, core.net.Blocks[0].Port("lone").Index
	begin := newRequest(askExcite, 0, 0, index, wanted.Bytes())
	begin.setLasts(time.Second)
	now, k := clock.Time(0), 0
	testkit.NoAllocs(t, 5000, func() {
		if now += clock.Time(time.Millisecond); k%7 == 0 {
			box.Put(begin)
		}
		k++
		th.activate(now)
		for th.edge.replies.Next() != nil {
			th.edge.replies.Release()
		}
	})
	if !th.exciting {
		t.Error("no waveform is fed")
	}
}

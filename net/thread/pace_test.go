package thread

import (
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/link"
)

// A thread that begins late, or leaves activations out, keeps the grid of its blocks.
func TestEveryStaysOnItsGrid(t *testing.T) {
	for _, first := range []int64{0, 1, 2, 3, 4, 5, 13} {
		p := pair{}
		d := diagram.New("test")
		d.Thread(diagram.Thread{Name: "t", Period: time.Millisecond})
		seen := &ticks{}
		d.Add("c", &p.c, diagram.Place{Thread: "t"})
		d.Add("seen", seen, diagram.Place{Thread: "t", Every: 4, Offset: 3})
		net, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		th := New(net, Options{}).threads[0]
		th.beginAt(first)
		for k := first; k < 60; k++ {
			if k == 21 {
				th.skip(6)
				k += 6
			}
			th.activate(clock.At(time.Duration(k) * time.Millisecond))
		}
		for i, tick := range seen.list {
			k := int64(tick.Time.Sub(0) / time.Millisecond)
			want := clock.Tick{N: uint64(k-3) / 4, Time: tick.Time, Dt: 4 * time.Millisecond}
			if k == 27 {
				want.Dt = 8 * time.Millisecond // 23 was left out
			}
			if k >= 27 {
				want.N--
			}
			if k%4 != 3 || tick != want {
				t.Errorf("begun at %d, execution %d: got %v, want %v", first, i, tick, want)
			}
		}
		if len(seen.list) < 10 {
			t.Errorf("it ran %d times", len(seen.list))
		}
	}
}

// ticks keeps the ticks of its steps.
type ticks struct{ list []clock.Tick }

func (s *ticks) Step(t clock.Tick) error {
	s.list = append(s.list, t)
	return nil
}

// repeated receives the packet it has sent, again and again.
type repeated struct{ packet [64]byte }

func (r *repeated) Forward(packet []byte, _ time.Duration) error {
	copy(r.packet[:], packet)
	return nil
}

func (r *repeated) TryReceive(packet []byte) (link.Stamp, bool) {
	copy(packet, r.packet[:])
	return link.Stamp{Size: len(packet), Age: 5}, true
}

func (r *repeated) State() link.State { return link.State{} }

func TestLeadingAndFollowingAllocateNothing(t *testing.T) {
	var tick repeated
	build := func(process string) *Core {
		d := diagram.New("test")
		d.Process(process)
		d.Thread(diagram.Thread{Name: "base", Period: time.Millisecond, Process: "one"})
		d.Thread(diagram.Thread{Name: "arm", Period: time.Millisecond, Process: "two", Follow: "base"})
		net, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range net.Outlets {
			o.Bind(&tick)
		}
		for _, i := range net.Inlets {
			i.Bind(&tick)
		}
		return New(net, Options{})
	}
	leader, follower := build("one"), build("two")
	leader.boundary.head.base.Store(rt.Now())
	now := clock.Time(0)
	step := func() {
		now = now.Add(time.Millisecond)
		leader.threads[0].activate(now)
		follower.threads[0].activate(now)
	}
	for range 20_000 {
		step()
	}
	testkit.NoAllocs(t, 5000, step)
	if p := follower.Front().Stats()[0].Pace; p.Heard < 0 {
		t.Errorf("nothing was heard: %+v", p)
	}
}

package exchange

import (
	"testing"
	"time"
	"unsafe"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/port"
)

// number is a block with an output of one number.
type number struct{ Out block.Out[float64] }

func (*number) Step(clock.Tick) error { return nil }

// wire is a link that delivers what it does not lose. It counts no packets: those that a relay has lost are in no transport's count.
type wire struct {
	packets [][]byte
	loses   bool
	age     time.Duration // of each packet
}

func (w *wire) Forward(packet []byte, _ time.Duration) error {
	if !w.loses {
		w.packets = append(w.packets, append([]byte(nil), packet...))
	}
	return nil
}

func (w *wire) TryReceive(into []byte) (link.Stamp, bool) {
	if len(w.packets) == 0 {
		return link.Stamp{}, false
	}
	first := w.packets[0]
	w.packets = w.packets[1:]
	return link.Stamp{Size: copy(into, first), Age: w.age}, true
}

func (w *wire) State() link.State { return link.State{} }

// tickedEnds returns both ends of a link between threads at 1 ms, the wire between them, and the block that writes.
func tickedEnds(t *testing.T) (*Outlet, *Inlet, *wire, *number) {
	t.Helper()
	var in inspect.Inspector
	source := &number{}
	inst, errs := in.Inspect("n", source, port.Given{})
	if errs != nil {
		t.Fatal(errs)
	}
	out := inst.Port("out")
	if err := out.Allocate(); err != nil {
		t.Fatal(err)
	}
	spec := Spec{Name: "n.out.t9", Type: out.Type, Size: out.Layout().Size(), From: "one", Ticked: 9}
	grid := &Grid{Sender: Ticks{Period: ms}, Reader: Ticks{Period: ms}}
	o, i, w := NewOutlet(spec, out), NewInlet(spec, "two", 0, out.Shadow(), grid), &wire{}
	o.Bind(w)
	i.Bind(w)
	return o, i, w, source
}

func at(n int) clock.Time { return clock.At(time.Duration(n) * ms) }

func TestInletTakesThePacketOfItsTick(t *testing.T) {
	o, i, _, source := tickedEnds(t)
	for n := range 3 { // the sender is ahead
		source.Out.Write(float64(n))
		o.Publish(at(n), LeaderTime{})
	}
	for n := 1; n < 5; n++ {
		late, _ := i.Fetch(at(n), LeaderTime{})
		if want := uint64(min(n, 3)); *i.Shadow().Count() != want || late.Count != 0 {
			t.Errorf("at %d ms %d values have come, want %d; late %+v", n, *i.Shadow().Count(), want, late)
		}
	}
}

func TestInletNamesPacketsThatCameTooLate(t *testing.T) {
	o, i, _, source := tickedEnds(t)
	i.Fetch(at(3), LeaderTime{})
	source.Out.Write(1)
	o.Publish(at(1), LeaderTime{}) // should have been there at 2 ms
	if late, _ := i.Fetch(at(4), LeaderTime{}); late != (Late{1, at(1), at(1)}) {
		t.Errorf("late %+v", late)
	}
	if i.State().Late != 1 {
		t.Errorf("the state counts %d", i.State().Late)
	}
}

// Several activations of a fast reader take one of a slow sender: the packet may come late for the first of them.
func TestInletNamesPacketsThatCameLateForAFastReader(t *testing.T) {
	o, i, _, source := tickedEnds(t)
	i.grid.Sender.Period = 4 * ms
	i.Fetch(at(4), LeaderTime{})
	source.Out.Write(1)
	o.Publish(at(0), LeaderTime{}) // should have been there at 4 ms
	if late, _ := i.Fetch(at(5), LeaderTime{}); late != (Late{1, at(0), at(0)}) {
		t.Errorf("late %+v", late)
	}
	i.Fetch(at(8), LeaderTime{})
	source.Out.Write(2)
	o.Publish(at(4), LeaderTime{})
	if late, _ := i.Fetch(at(8), LeaderTime{}); late.Count != 0 {
		t.Errorf("late %+v in the activation that waits for it", late)
	}
}

func TestInletNamesPacketsThatWereLost(t *testing.T) {
	o, i, w, source := tickedEnds(t)
	for n := range 6 {
		source.Out.Write(float64(n))
		w.loses = n == 2 || n == 3
		o.Publish(at(n), LeaderTime{})
		late, _ := i.Fetch(at(n+1), LeaderTime{})
		if want := (Late{2, at(2), at(3)}); n == 4 && late != want || n != 4 && late.Count != 0 {
			t.Errorf("at tick %d: late %+v", n, late)
		}
	}
}

func TestInletReadsAProcessOfAnotherTimeAtOnce(t *testing.T) {
	o, i, _, source := tickedEnds(t)
	source.Out.Write(1)
	o.Publish(at(1_000_000), LeaderTime{})
	if i.Fetch(at(1), LeaderTime{}); *i.Shadow().Count() != 1 {
		t.Error("a packet from far ahead waits for its tick")
	}
}

// A constant is written once: after a restart of its process the new one is read, though its count is that of the old one. A follower
// starts at a later time; a leader at the same again.
func TestInletTakesTheValueOfARestartedSender(t *testing.T) {
	for _, direct := range []bool{false, true} {
		for _, again := range []int{0, 7} {
			before, i, w, source := tickedEnds(t)
			i.grid.Direct, before.Direct = direct, direct
			source.Out.Write(1)
			for n := range 7 {
				before.Publish(at(n), LeaderTime{})
				i.Fetch(at(n+1), LeaderTime{})
			}
			if n := *i.Shadow().Count(); n != 1 {
				t.Errorf("direct %v: a value that was written once has come %d times", direct, n)
			}
			after, _, _, source := tickedEnds(t)
			after.Bind(w)
			source.Out.Write(2)
			*after.port.Written() = at(again)
			after.Publish(at(again), LeaderTime{})
			i.Fetch(at(8), LeaderTime{})
			if v := *(*float64)(unsafe.Pointer(&i.Shadow().Bytes()[0])); v != 2 {
				t.Errorf("direct %v, restarted at %d ms: the value is %v, want 2", direct, again, v)
			}
		}
	}
}

// A process that does not keep the leader's time reads what has come, and what it sends is read when it comes: its ticks would only make
// values older, by as much as its time is off.
func TestProcessesThatRunFreeExchangeTheNewestValue(t *testing.T) {
	const behind, age = 300, 2 * time.Millisecond // ticks; of each value when it comes
	for name, c := range map[string]struct {
		sender, reader LeaderTime
		sent           int // tick of the sender's first activation
		direct         bool
	}{
		"a reader":                  {reader: LeaderTime{Free: true}, sent: behind},
		"a sender":                  {sender: LeaderTime{Free: true}, sent: behind},
		"both":                      {LeaderTime{Free: true}, LeaderTime{Free: true}, behind, false},
		"a reader ahead":            {reader: LeaderTime{Free: true, Ahead: time.Second}, sent: behind},
		"a reader, direct":          {reader: LeaderTime{Free: true}, sent: -1, direct: true},
		"after a restart, a sender": {sender: LeaderTime{Free: true, Ahead: behind * ms}, sent: behind},
	} {
		t.Run(name, func(t *testing.T) {
			o, i, w, source := tickedEnds(t)
			w.age, i.grid.Direct = age, c.direct
			for n := range 5 {
				now := at(n + 1)
				if c.sent >= 0 {
					source.Out.Write(float64(n))
					o.Publish(at(c.sent+n), c.sender)
				}
				late, waits := i.Fetch(now, c.reader)
				if waits {
					t.Errorf("tick %d: it waits for a tick that means nothing", n)
				}
				if c.sent < 0 {
					continue
				}
				if *i.Shadow().Count() != uint64(n+1) || *i.Shadow().Written() != now.Add(-age) {
					t.Errorf("tick %d: value %d, written at %v, want it from %v before %v", n, *i.Shadow().Count(), *i.Shadow().Written(), age, now)
				}
				if late.Count != 1 {
					t.Errorf("tick %d: %d values are named as others than those of their ticks", n, late.Count)
				}
			}
		})
	}
}

package exchange

import (
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/port"
)

// number is a block with an output of one number.
type number struct{ Out block.Out[float64] }

func (*number) Step(clock.Tick) error { return nil }

// wire is a link that counts packets as a transport does, and delivers those that have been let through.
type wire struct {
	sent    uint64
	packets []packet
	loses   bool
}

type packet struct {
	number uint64
	bytes  []byte
}

func (w *wire) Forward(bytes []byte, _ time.Duration) error {
	if w.sent++; !w.loses {
		w.packets = append(w.packets, packet{w.sent, append([]byte(nil), bytes...)})
	}
	return nil
}

func (w *wire) TryReceive(into []byte) (link.Stamp, bool) {
	if len(w.packets) == 0 {
		return link.Stamp{}, false
	}
	first := w.packets[0]
	w.packets = w.packets[1:]
	return link.Stamp{Number: first.number, Size: copy(into, first.bytes)}, true
}

func (w *wire) State() link.State { return link.State{} }

// tickedEnds returns both ends of a link between threads at 1 ms, the wire between them, and the block that writes.
func tickedEnds(t *testing.T) (*Outlet, *Inlet, *wire, *number) {
	t.Helper()
	var in block.Inspector
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
		o.Publish(at(n), 0)
	}
	for n := 1; n < 5; n++ {
		late, _ := i.Fetch(at(n), 0)
		if want := uint64(min(n, 3)); *i.Shadow().Count() != want || late.Count != 0 {
			t.Errorf("at %d ms %d values have come, want %d; late %+v", n, *i.Shadow().Count(), want, late)
		}
	}
}

func TestInletNamesPacketsThatCameTooLate(t *testing.T) {
	o, i, _, source := tickedEnds(t)
	i.Fetch(at(3), 0)
	source.Out.Write(1)
	o.Publish(at(1), 0) // should have been there at 2 ms
	if late, _ := i.Fetch(at(4), 0); late != (Late{1, at(1), at(1)}) {
		t.Errorf("late %+v", late)
	}
	if i.State().Late != 1 {
		t.Errorf("the state counts %d", i.State().Late)
	}
}

func TestInletNamesPacketsThatWereLost(t *testing.T) {
	o, i, w, source := tickedEnds(t)
	for n := range 6 {
		source.Out.Write(float64(n))
		w.loses = n == 2 || n == 3
		o.Publish(at(n), 0)
		late, _ := i.Fetch(at(n+1), 0)
		if want := (Late{2, at(2), at(3)}); n == 4 && late != want || n != 4 && late.Count != 0 {
			t.Errorf("at tick %d: late %+v", n, late)
		}
	}
}

func TestInletReadsAProcessOfAnotherTimeAtOnce(t *testing.T) {
	o, i, _, source := tickedEnds(t)
	source.Out.Write(1)
	o.Publish(at(1_000_000), 0)
	if i.Fetch(at(1), 0); *i.Shadow().Count() != 1 {
		t.Error("a packet from far ahead waits for its tick")
	}
}

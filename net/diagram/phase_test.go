package diagram

import (
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/port"
)

// All Sense of a thread are executed before any Control, also where no data flow asks for it. Blocks with one direction keep the
// order of Add where the flow leaves a choice.
func TestEverySenseOfAThreadPrecedesEveryControl(t *testing.T) {
	blocks := map[string]block.Block{"a": &through{}, "b": &through{}, "early": &relay{}, "late": &relay{}, "z": &through{}, "last": &relay{}}
	net, err := build(blocks, []string{"late", "a", "b", "early", "z", "last"}, "a.to -> late.in")
	if err != nil {
		t.Fatal(err)
	}
	if got := order(net); got != "a.Sense b.Sense early z.Sense a.Control late b.Control z.Control last" {
		t.Errorf("order is %s", got)
	}
	if p := net.Threads[0].Phases; len(p) != 2 || p[0].End != 4 || p[1].End != 9 {
		t.Errorf("phases end at %+v", p)
	}
}

func TestLinkFromControlBackToSenseIsALoop(t *testing.T) {
	blocks := map[string]block.Block{"a": &through{}, "b": &through{}, "law": &relay{}}
	_, err := build(blocks, []string{"a", "b", "law"}, "a.to -> law.in", "law.out -> b.up")
	want := "loop without a delay: a.to -> law.in, law.out -> b.up; every Sense of a thread is executed before any Control"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// The exchanges of a thread lie beside the steps that write and read it.
func TestThreadExchangesBetweenSenseAndControl(t *testing.T) {
	for _, processes := range []bool{false, true} {
		d := New("test")
		part := Thread{Name: "part", Period: time.Millisecond}
		lower, higher := Thread{Name: "lower", Period: time.Millisecond}, Thread{Name: "higher", Period: time.Millisecond}
		if processes {
			part.Process, lower.Process, higher.Process = "part", "other", "other"
			d.Process("part")
		}
		d.Thread(part)
		d.Thread(lower)
		d.Thread(higher)
		d.Add("x", &through{}, Place{Thread: "part"})
		d.Add("low", &through{}, Place{Thread: "lower"})
		d.Add("high", &through{}, Place{Thread: "higher"})
		for _, l := range []string{"low.up_to -> x.up", "x.up_to -> high.up", "high.to -> x.down", "x.to -> low.down"} {
			d.Link(l)
		}
		net, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range net.Threads[0].Phases {
			taken, given := len(p.Imports), len(p.Exports)
			if processes {
				taken, given = len(p.Inlets), len(p.Outlets)
			}
			if taken != 1 || given != 1 {
				t.Errorf("processes %v: before phase %d the thread takes from %d others, after it gives to %d, want 1 and 1", processes, i, taken, given)
			}
		}
		if processes && (net.Threads[0].Phases[0].Inlets[0].Name != "low.up_to" || net.Threads[0].Phases[1].Inlets[0].Name != "high.to" ||
			net.Threads[0].Phases[0].Outlets[0].Name != "x.up_to" || net.Threads[0].Phases[1].Outlets[0].Name != "x.to") {
			t.Errorf("phases exchange %+v", net.Threads[0].Phases)
		}
	}
}

func TestThreadWithoutTwoWayBlocksHasOnePhase(t *testing.T) {
	blocks := map[string]block.Block{"a": &relay{}, "b": &relay{}}
	net, err := build(blocks, []string{"a", "b"}, "a.out -> b.in")
	if err != nil {
		t.Fatal(err)
	}
	if p := net.Threads[0]; len(p.Phases) != 1 || p.Phases[0].End != 2 || p.Steps[0].Part != port.Whole {
		t.Errorf("the phases are %+v", p.Phases)
	}
}

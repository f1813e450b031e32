package thread

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// counterTo builds the part of a net in process "here": a counter that an adder in process "there" reads.
func counterTo(t testing.TB, process string, p *pair) *diagram.Net {
	d := diagram.New("test")
	d.Process(process)
	d.Thread(diagram.Thread{Name: "fast", Period: time.Millisecond, Process: "here"})
	d.Thread(diagram.Thread{Name: "slow", Period: 2 * time.Millisecond, Process: "there"})
	d.Add("c", &p.c, diagram.Place{Thread: "fast"})
	d.Add("a", &p.a, diagram.Place{Thread: "slow"})
	diagram.Connect(d, &p.c.Out, &p.a.In)
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func TestLinkCellKeepsAState(t *testing.T) {
	var c linkCell
	if got := c.read(rt.Now()); got != (diagram.WireState{}) {
		t.Errorf("a fresh cell tells %+v", got)
	}
	want := diagram.WireState{Connected: true, Packets: 1 << 40, Lost: 2, Stale: 3, Rejected: 4, Age: time.Second, Problem: "nobody sends"}
	c.write(want, 1000)
	want.Age += 500
	if got := c.read(1500); got != want {
		t.Errorf("read %+v, wrote %+v", got, want)
	}
	c.write(diagram.WireState{Problem: strings.Repeat("é", MaxProblem)}, 2000)
	if got := c.read(9000); got.Problem != strings.Repeat("é", MaxProblem/2) || got.Age != 0 {
		t.Errorf("read %+v", got)
	}
	c.write(diagram.WireState{Problem: "x" + strings.Repeat("é", MaxProblem)}, 2000)
	if got := c.read(9000).Problem; got != "x"+strings.Repeat("é", MaxProblem/2-1) {
		t.Errorf("a letter was cut in two: %q", got)
	}
	c.number.Add(1) // its core was killed while it wrote
	c.read(0)
}

func TestFrontSeesLinks(t *testing.T) {
	var p pair
	net := counterTo(t, "here", &p)
	sent := uint64(0)
	net.Outlets[0].Bind(func([]byte) { sent++ }, func() diagram.WireState { return diagram.WireState{Packets: 7, Problem: "nobody receives"} })
	core := New(net, Options{Until: clock.At(20 * time.Millisecond)})
	if err := core.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	want := LinkStats{diagram.WireState{Packets: 7, Problem: "nobody receives"}, "c.out", "here", "there", true}
	if got := core.Front().Links(); len(got) != 1 || got[0] != want {
		t.Errorf("the front sees %+v, want %+v", got, want)
	}
	if sent == 0 {
		t.Error("nothing was sent")
	}
}

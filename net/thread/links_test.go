package thread

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/link"
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

func TestLinkCellAddsTheTimeSinceTheLastReportOnlyIfTheCoreIsSilent(t *testing.T) {
	var c linkCell
	read := func(now int64) (s link.State) {
		c.read(&s, now)
		return s
	}
	if got := read(rt.Now()); got != (link.State{}) {
		t.Errorf("a fresh cell holds %+v", got)
	}
	want := link.State{Connected: true, Packets: 1 << 40, Lost: 2, Stale: 3, Rejected: 4, Late: 5, Clipped: 6, Age: 1, Problem: "no sender"}
	c.write(want, 1000)
	if got := read(1000 + int64(linkSilence)); got != want { // the age of a report is not the age of a packet
		t.Errorf("read %+v, wrote %+v", got, want)
	}
	want.Age += 3
	if got := read(1000 + int64(3*time.Second)); got != want { // a core that has stopped reporting
		t.Errorf("read %+v, wrote %+v", got, want)
	}
	c.write(link.State{Problem: strings.Repeat("é", MaxProblem)}, 2000)
	if got := read(9000); got.Problem != strings.Repeat("é", MaxProblem/2) || got.Age != 0 {
		t.Errorf("read %+v", got)
	}
	c.write(link.State{Problem: "x" + strings.Repeat("é", MaxProblem)}, 2000)
	if got := read(9000).Problem; got != "x"+strings.Repeat("é", MaxProblem/2-1) {
		t.Errorf("a letter was cut in two: %q", got)
	}
	c.number.Add(1) // its core was killed while it wrote
	read(0)
}

// counting counts what is sent.
type counting struct{ n int }

func (c *counting) Forward([]byte, time.Duration) error { c.n++; return nil }

func (c *counting) State() link.State { return link.State{Packets: 7, Problem: "no receiver"} }

func TestFrontSeesLinks(t *testing.T) {
	var p pair
	net := counterTo(t, "here", &p)
	var sent counting
	net.Outlets[0].Bind(&sent)
	core := New(net, Options{Until: clock.At(20 * time.Millisecond)})
	if err := core.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	want := link.State{Name: "c.out", From: "here", To: "there", Outgoing: true, Packets: 7, Problem: "no receiver"}
	if got := core.Front().Links(); len(got) != 1 || got[0] != want {
		t.Errorf("the front sees %+v, want %+v", got, want)
	}
	if sent.n == 0 {
		t.Error("nothing was sent")
	}
}

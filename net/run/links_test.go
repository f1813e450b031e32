package run

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/link/shm"
	"github.com/sinew-robotics/sinew/net/thread"
)

// source counts its steps, sink keeps what it reads.
type source struct{ Out block.Out[float64] }

func (s *source) Step(clock.Tick) error {
	s.Out.Write(s.Out.Value() + 1)
	return nil
}

type sink struct {
	In  block.In[float64]
	Out block.Out[float64] `safe:"-1"`
}

func (s *sink) Step(clock.Tick) error {
	v, _ := s.In.Read()
	s.Out.Write(v)
	return nil
}

// process is one process of a system, run in this one.
type process struct {
	net    *diagram.Net
	core   *thread.Core
	cancel context.CancelFunc
	ended  sync.WaitGroup
	faulty atomic.Bool // the test puts its blocks in error
}

// run builds the part of a diagram that is in a process, and runs it linked by shared memory until the test ends.
func run(t *testing.T, system string, d *diagram.Diagram, name string) *process {
	t.Helper()
	d.Process(name)
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	transport, err := shm.New(system)
	if err != nil {
		t.Skip("SKIPPED:", err)
	}
	p := &process{net: net, core: thread.New(net, thread.Options{})}
	wiring, err := connect(net, transport, p.core.Trigger)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	p.ended.Go(func() {
		if err := p.core.Run(ctx, nil); err != nil && !p.faulty.Load() {
			t.Error(err)
		}
		if err := wiring.close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(p.stop)
	return p
}

func (p *process) stop() {
	p.cancel()
	p.ended.Wait()
}

// systemName returns a name that no other test uses, and has what is left of it removed.
func systemName(t *testing.T) string {
	if rt.SharedFolder() == "" {
		t.Skip("SKIPPED: no shared memory here")
	}
	name := fmt.Sprintf("test-%d-%s", os.Getpid(), strings.NewReplacer("/", "-", " ", "-").Replace(t.Name()))
	t.Cleanup(func() { _ = os.RemoveAll(shm.Folder(name)) })
	return name
}

func TestFrontsSeeTheLinksOfTheirProcesses(t *testing.T) {
	testkit.NoLeaks(t)
	system := systemName(t)
	build := func() *diagram.Diagram {
		d := diagram.New(system)
		d.Thread(diagram.Thread{Name: "fast", Period: time.Millisecond, Process: "one"})
		d.Thread(diagram.Thread{Name: "slow", Period: 5 * time.Millisecond, Process: "two"})
		d.Add("source", &source{}, diagram.Place{Thread: "fast"})
		d.Add("sink", &sink{}, diagram.Place{Thread: "slow"})
		d.Link("source.out -> sink.in")
		return d
	}
	two := run(t, system, build(), "two")
	testkit.Await(t, "the receiver reports that there is no sender", func() bool {
		l := two.core.Front().Links()[0]
		return !l.Connected && l.Problem != "" && !l.Outgoing && l.From == "one" && l.To == "two" && l.Name == "source.out"
	})
	one := run(t, system, build(), "one")
	testkit.Await(t, "both are connected", func() bool {
		out, in := one.core.Front().Links()[0], two.core.Front().Links()[0]
		return out.Connected && out.Packets > 10 && out.Outgoing && in.Connected && in.Packets > 10 && in.Age > 0 && in.Problem == ""
	})
	shortest := math.Inf(1)
	testkit.Await(t, "the shortest of many reported ages is below 10 ms: that of a link at 1 kHz, not that of the report", func() bool {
		shortest = min(shortest, two.core.Front().Links()[0].Age)
		return shortest > 0 && shortest < 0.010
	})
	one.stop()
	testkit.Await(t, "the receiver reports that the sender has gone", func() bool {
		l := two.core.Front().Links()[0]
		return !l.Connected && l.Age > 0.1
	})
}

// A process that dies takes the blocks of others to rest that cannot do without its data; with its successor they run again.
func TestSenderDiesAndReturns(t *testing.T) {
	for _, reader := range []diagram.Thread{
		{Name: "slow", Period: 5 * time.Millisecond, Process: "two"},
		{Name: "slow", Triggered: true, Process: "two"},
	} {
		t.Run(fmt.Sprint("triggered ", reader.Triggered), func(t *testing.T) {
			testkit.NoLeaks(t)
			system := systemName(t)
			build := func(s *sink) *diagram.Diagram {
				d := diagram.New(system)
				d.Thread(diagram.Thread{Name: "fast", Period: time.Millisecond, Process: "one"})
				d.Thread(reader)
				d.Add("source", &source{}, diagram.Place{Thread: "fast"})
				d.Add("sink", s, diagram.Place{Thread: "slow"})
				l, err := diagram.ParseLink("source.out -> sink.in")
				if err != nil {
					t.Fatal(err)
				}
				l.Timeout = 100 * time.Millisecond
				d.Join(l)
				return d
			}
			two := run(t, system, build(&sink{}), "two").core.Front()
			one := run(t, system, build(&sink{}), "one")
			flows := func() bool { return len(two.Warnings()) == 0 && valueOf(t, two, "sink", "out") > 0 }
			rests := func() bool { return len(two.Warnings()) == 1 && valueOf(t, two, "sink", "out") == -1 }
			testkit.Await(t, "data flow", flows)
			one.stop()
			testkit.Await(t, "the block rests", rests)
			run(t, system, build(&sink{}), "one")
			testkit.Await(t, "data flow again", flows)
		})
	}
}

// valueOf asks a running net for the number at a port.
func valueOf(t *testing.T, front *thread.Front, block, port string) float64 {
	t.Helper()
	for _, b := range front.Net().Blocks {
		if b.Name != block {
			continue
		}
		p := b.Port(port)
		ctx, cancel := context.WithTimeout(context.Background(), testkit.Patience())
		defer cancel()
		answer, err := front.Read(p).Await(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return math.Float64frombits(binary.LittleEndian.Uint64(answer[len(answer)-8:]))
	}
	t.Fatalf("no block %q", block)
	return 0
}

// lidar writes what it has measured some time ago.
type lidar struct{ Out block.Out[float64] }

const scanTime = 80 * time.Millisecond

func (l *lidar) Step(t clock.Tick) error {
	l.Out.WriteAt(1, t.Time.Add(-scanTime))
	return nil
}

// A measurement that is 80 ms old when it is written is at least as old when another process reads it.
func TestAgeOfAMeasurementCrossesProcesses(t *testing.T) {
	testkit.NoLeaks(t)
	system := systemName(t)
	build := func(r *relay) *diagram.Diagram {
		d := diagram.New(system)
		d.Thread(diagram.Thread{Name: "a", Period: 5 * time.Millisecond, Process: "one"})
		d.Thread(diagram.Thread{Name: "b", Period: 5 * time.Millisecond, Process: "two"})
		d.Add("lidar", &lidar{}, diagram.Place{Thread: "a"})
		d.Add("relay", r, diagram.Place{Thread: "b"})
		d.Link("lidar.out -> relay.in")
		return d
	}
	r := &relay{}
	two := run(t, system, build(r), "two")
	one := run(t, system, build(&relay{}), "one")
	testkit.Await(t, "fifty values have come", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.read) >= 50
	})
	one.stop()
	two.stop()
	for at, n := range r.read {
		if n.age < scanTime {
			t.Errorf("at %v the value is %v old, less than %v", at, n.age, scanTime)
		}
	}
}

package hierarchy

import (
	"context"
	"fmt"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/remote"
	"github.com/sinew-robotics/sinew/net/link/shm"
	"github.com/sinew-robotics/sinew/net/link/udp"
	"github.com/sinew-robotics/sinew/net/thread"
)

const (
	senseTime   = 4 * time.Millisecond
	controlTime = 8 * time.Millisecond
)

var testBegin = time.Now()

// stamp is the time of the machine as a value of a port; since returns how long ago that was.
func stamp() float64 { return float64(time.Since(testBegin)) }

func since(stamp float64) time.Duration { return time.Duration(float64(time.Since(testBegin)) - stamp) }

// shortest keeps the shortest of the durations that it is given.
type shortest struct{ atomic.Int64 }

func (s *shortest) add(d time.Duration) {
	if int64(d) < s.Load() {
		s.Store(int64(d))
	}
}

// worker is a module that takes long for both halves. Its sensor value is the time at which Sense has finished.
type worker struct {
	Out block.Out[float64] `part:"sense"`
	Cmd block.In[float64]  `part:"control"`
	age shortest           // of the command, when Control begins
}

func (w *worker) Sense(clock.Tick) error {
	time.Sleep(senseTime)
	w.Out.Write(stamp())
	return nil
}

func (w *worker) Control(clock.Tick) error {
	if v, status := w.Cmd.Read(); status == block.NewData {
		w.age.add(since(v))
	}
	time.Sleep(controlTime)
	return nil
}

// leader is a quick module above it. Its command is the time at which it was written.
type leader struct {
	In    block.In[float64]  `part:"sense"`
	Cmd   block.Out[float64] `part:"control"`
	delay shortest           // from the end of the worker's Sense until it is seen here
}

func (l *leader) Sense(clock.Tick) error {
	if v, status := l.In.Read(); status == block.NewData {
		l.delay.add(since(v))
	}
	return nil
}

func (l *leader) Control(clock.Tick) error {
	l.Cmd.Write(stamp())
	return nil
}

// longCycle returns two parts, the lower one with a long cycle, for one process or all of them.
func longCycle(w *worker, l *leader, process string) *Hierarchy {
	w.age.Store(math.MaxInt64)
	l.delay.Store(math.MaxInt64)
	h := New("test", levelsOfTest)
	low := h.Part(0, diagram.Thread{Name: "low", Period: 20 * time.Millisecond, Process: "low"}, levelsOfTest)
	high := h.Part(1, diagram.Thread{Name: "high", Period: time.Millisecond, Process: "high"}, levelsOfTest)
	a, b := low.Module(0, "worker", w, diagram.Place{}), high.Module(0, "leader", l, diagram.Place{})
	low.Expose(a.SensorOut())
	low.Expose(a.ControlIn())
	high.Expose(b.SensorIn())
	high.Expose(b.ControlOut())
	h.Edge(low.SensorOut(), high.SensorIn())
	h.Edge(high.ControlOut(), low.ControlIn())
	h.Diagram().Process(process)
	return h
}

// Sensor values go to higher parts between Sense and Control, and commands of higher parts are taken there: a long Sense does
// not age the commands, and a long Control does not delay the sensor values, wherever the parts run. The limits are those that
// a part which exchanges everything at the ends of its cycle cannot keep; the shortest times of many cycles are compared, so
// that a busy machine does no harm.
func TestPartsPassDataBetweenSenseAndControl(t *testing.T) {
	check := func(t *testing.T, w *worker, l *leader, nets ...*diagram.Net) {
		ctx, stop := context.WithCancel(context.Background())
		var running sync.WaitGroup
		for _, net := range nets {
			running.Go(func() {
				if err := thread.New(net, thread.Options{}).Run(ctx, nil); err != nil {
					t.Error(err)
				}
			})
		}
		good := func() bool {
			return l.delay.Load() < int64(controlTime/2) && w.age.Load() < int64(senseTime/2)
		}
		defer func() {
			stop()
			running.Wait()
			t.Logf("sensor values arrive %v after Sense, commands are %v old at Control", time.Duration(l.delay.Load()), time.Duration(w.age.Load()))
		}()
		testkit.Await(t, "sensor values arrive, and commands are used, at about the time at which they were written", good)
	}
	t.Run("in one process", func(t *testing.T) {
		w, l := &worker{}, &leader{}
		check(t, w, l, build(t, longCycle(w, l, "")))
	})
	apart := func(t *testing.T, low, high link.Transport) {
		w, l := &worker{}, &leader{}
		nets := []*diagram.Net{build(t, longCycle(w, &leader{}, "low")), build(t, longCycle(&worker{}, l, "high"))}
		bind(t, nets[0], low)
		bind(t, nets[1], high)
		check(t, w, l, nets...)
	}
	t.Run("in two processes", func(t *testing.T) {
		shared, err := shm.New(fmt.Sprintf("cycle-%d", os.Getpid()))
		if err != nil {
			t.Skip("SKIPPED:", err)
		}
		apart(t, shared, shared)
	})
	t.Run("on two hosts", func(t *testing.T) {
		low, high := hosts(t)
		apart(t, low, high)
	})
}

// bind connects the links of a net to other processes.
func bind(t *testing.T, net *diagram.Net, transport link.Transport) {
	t.Helper()
	for _, o := range net.Outlets {
		tx, err := transport.Send(o.Link())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { tx.Close() })
		o.Bind(tx)
	}
	for _, i := range net.Inlets {
		rx, err := transport.Receive(i.Link())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { rx.Close() })
		i.Bind(rx)
	}
}

// hosts returns what two hosts see of each other.
func hosts(t *testing.T) (low, high *remote.Peer) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	open := func(name string) (*remote.Endpoint, remote.Identity) {
		id, err := remote.NewIdentity()
		check(err)
		h, err := remote.Open(udp.Carrier(), remote.Config{Name: name, Local: "127.0.0.1:0", Identity: id})
		check(err)
		t.Cleanup(func() { h.Close() })
		return h, id
	}
	a, aID := open("low")
	b, bID := open("high")
	low, err := a.Peer(remote.PeerConfig{Name: "high", Key: bID.Public()})
	check(err)
	high, err = b.Peer(remote.PeerConfig{Name: "low", Key: aID.Public(), Address: a.Addr().String()})
	check(err)
	return low, high
}

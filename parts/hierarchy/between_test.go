package hierarchy

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// swift is the module of a higher part. It counts its cycles, and commands the number of the cycle.
type swift struct {
	In  block.In[float64]  `part:"sense"`
	Cmd block.Out[float64] `part:"control"`

	cycles atomic.Int64
	seen   atomic.Int64 // the newest value of In
}

func (s *swift) Sense(clock.Tick) error {
	v, _ := s.In.Read()
	s.seen.Store(int64(v))
	s.cycles.Add(1)
	return nil
}

func (s *swift) Control(clock.Tick) error {
	s.Cmd.Write(float64(s.cycles.Load()))
	return nil
}

// awaitCycle returns when a whole cycle has passed since the call, or the test ends.
func (s *swift) awaitCycle(ended context.Context) {
	for until := s.cycles.Load() + 2; s.cycles.Load() < until && ended.Err() == nil; {
		time.Sleep(100 * time.Microsecond)
	}
}

// awaiting is the module of a lower part. A whole cycle of the higher part passes within each of its halves.
type awaiting struct {
	Out block.Out[float64] `part:"sense"`
	Cmd block.In[float64]  `part:"control"`

	higher *swift
	ended  context.Context
	n      int64
	before int64        // cycles of the higher part when Sense began
	rounds atomic.Int64 // so far
	stale  atomic.Int64 // commands that the higher part had written before Sense
	unseen atomic.Int64 // sensor values that the higher part did not get before the end of Control
}

func (a *awaiting) Sense(clock.Tick) error {
	a.before = a.higher.cycles.Load()
	a.n++
	a.Out.Write(float64(a.n))
	a.higher.awaitCycle(a.ended)
	return nil
}

func (a *awaiting) Control(clock.Tick) error {
	if v, _ := a.Cmd.Read(); int64(v) <= a.before {
		a.stale.Add(1)
	}
	a.higher.awaitCycle(a.ended)
	if a.higher.seen.Load() < a.n {
		a.unseen.Add(1)
	}
	a.rounds.Add(1)
	return nil
}

// A higher part runs a whole cycle during Sense of a lower one, and another during its Control. As published, "pass all data from and to
// higher parts" comes between the two: Control uses the command of the first cycle, and the second one has the value that Sense wrote.
// A part that exchanges everything at the ends of its cycle does neither, in any round. The other tests of parts run in virtual time,
// where nothing happens between the two halves.
func TestHigherPartActsWhileALowerOneSensesAndControls(t *testing.T) {
	const rounds = 20
	ctx, stop := context.WithCancel(t.Context())
	high := &swift{}
	low := &awaiting{higher: high, ended: ctx}
	h := New("test", levelsOfTest)
	lower := h.Part(0, diagram.Thread{Name: "lower", Period: time.Millisecond}, levelsOfTest)
	higher := h.Part(1, diagram.Thread{Name: "higher", Period: time.Millisecond}, levelsOfTest)
	l, u := lower.Module(0, "low", low, diagram.Place{}), higher.Module(0, "high", high, diagram.Place{})
	lower.Expose(l.SensorOut())
	lower.Expose(l.ControlIn())
	higher.Expose(u.SensorIn())
	higher.Expose(u.ControlOut())
	h.Edge(lower.SensorOut(), higher.SensorIn())
	h.Edge(higher.ControlOut(), lower.ControlIn())
	net, ran := build(t, h), make(chan error, 1)
	go func() { ran <- thread.New(net, thread.Options{}).Run(ctx, nil) }()
	testkit.Await(t, "the lower part has run", func() bool { return low.rounds.Load() >= rounds })
	stale, unseen := low.stale.Load(), low.unseen.Load()
	stop()
	if err := <-ran; err != nil {
		t.Error(err)
	}
	if stale > 0 || unseen > 0 {
		t.Errorf("in %d rounds %d commands were older than Sense, and %d sensor values came after Control; want none", low.rounds.Load(), stale, unseen)
	}
}

package admintest

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// Move is the argument of the operation of a [Source].
type Move struct {
	Positions []float64
	Duration  float64 `unit:"s"`
}

// Source is a block that counts in steps of its gain: with values that JSON has no numbers for, an operation that returns a result
// or an error, one after which the block goes into error, and an event at each step.
type Source struct {
	In      block.In[float64]              `unit:"V"`
	Out     block.Out[float64]             `doc:"the count" show:"count"`
	Wide    block.Out[[]float64]           // a NaN and an infinity, acquired wideAge before
	Scan    block.Out[[]float64]           // 0 to 3 elements, at most 6
	Gain    block.Param[float64]           `default:"1" min:"0" max:"10" unit:"V"`
	Size    block.Param[int32]             `default:"2" min:"1" max:"9"`
	Limit   block.Const[float64]           `default:"1" max:"inf"`
	Weights block.Param[[]float64]         `default:"[1, 2, 3]" spread:"yes"`
	Move    block.Operation[Move, float64] `unit:"m"`
	Fail    block.Operation[block.None, block.None]
	Tick    block.Event[float64]
	fails   bool
}

// wideAge is how old the values of [Source.Wide] are when they are written.
const wideAge = 80 * time.Millisecond

var errWanted = errors.New("wanted")

// Setup implements the interface of blocks with vectors.
func (s *Source) Setup(u *block.Setup) error {
	u.Len(2, &s.Wide, &s.Move)
	u.MaxLen(6, &s.Scan)
	s.Move.Handle(func(m Move) (float64, error) {
		if m.Duration <= 0 {
			return 0, errWanted
		}
		return m.Positions[0] + m.Positions[1] + m.Duration, nil
	})
	s.Fail.Handle(func(block.None) (block.None, error) { s.fails = true; return block.None{}, nil })
	return nil
}

// Step implements [block.Block].
func (s *Source) Step(t clock.Tick) error {
	if s.fails {
		s.fails = false
		return errWanted
	}
	v, _ := s.In.Read()
	s.Out.Write(s.Out.Value() + s.Gain.Value() + v)
	w := *s.Wide.Slot()
	w[0], w[1] = math.NaN(), math.Inf(1)
	s.Wide.CommitAt(t.Time.Add(-wideAge))
	scan := s.Scan.Slot()
	*scan = append((*scan)[:0], 1, 2, 3)[:t.N%4]
	s.Scan.Commit()
	s.Tick.Emit(s.Out.Value())
	return nil
}

// Plant executes a net of one [Source] with that name in real time, 1 ms a step, until the test ends.
func Plant(t *testing.T, name string) *admin.Local {
	t.Helper()
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: time.Millisecond})
	d.Add(name, &Source{Limit: block.NewConst(math.Inf(1))}, diagram.Place{Thread: "main"})
	if group, _, in := strings.Cut(name, "."); in {
		d.Group(diagram.Group{Name: group, Levels: 2, Ports: []diagram.GroupPort{
			{Name: "in", Ends: []diagram.End{{Block: name, Port: "in"}}},
			{Name: "count", Ends: []diagram.End{{Block: name, Port: "out"}}},
			{Name: "second", Ends: []diagram.End{{Block: name, Port: "wide", Elements: []int{1}}}},
		}})
	}
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(net, thread.Options{})
	done := make(chan error, 1)
	go func() { done <- core.Run(context.Background(), nil) }()
	t.Cleanup(func() { core.Stop(); <-done })
	return admin.NewLocal(core.Front(), nil)
}

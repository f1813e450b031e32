package thread

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/link"
)

// motion is the argument of the mover's operation.
type motion struct {
	To   []float64
	Time float64
}

// mover moves to the given position immediately. It returns an error for a negative time and panics at a time of 0.
type mover struct {
	MoveTo block.Operation[motion, int64]
	at     []float64
	moves  int64
}

var errTime = errors.New("wants a positive time")

func (m *mover) Setup(s *block.Setup) error {
	s.Len(2, &m.MoveTo)
	m.at = make([]float64, 2)
	m.MoveTo.Handle(func(to motion) (int64, error) {
		switch {
		case to.Time == 0:
			panic("in no time")
		case to.Time < 0:
			return 0, errTime
		}
		copy(m.at, to.To)
		m.moves++
		return m.moves, nil
	})
	return nil
}

func (m *mover) Step(clock.Tick) error { return nil }

// planner sends a motion as soon as the last one has its answer.
type planner struct {
	move    block.Caller[motion, int64]
	handle  block.Handle[motion, int64]
	next    motion
	under   bool
	answers int64
	result  int64
	err     error
}

func (p *planner) Setup(s *block.Setup) error {
	block.Bind(s, &p.move, "mover", "moveTo")
	return nil
}

func (p *planner) Step(clock.Tick) (err error) {
	if p.under {
		result, done, err := p.handle.Poll()
		if !done {
			return nil
		}
		p.under, p.result, p.err = false, result, err
		p.answers++
	}
	p.next.To[0]++
	p.handle, err = p.move.Send(p.next)
	p.under = true
	return err
}

// callNet is a planner and a mover, in the process of that name, or in one where it is "".
func callNet(t *testing.T, process string, takes float64) (*diagram.Net, *planner, *mover) {
	t.Helper()
	p, m := &planner{next: motion{To: []float64{0, 7}, Time: takes}}, &mover{}
	d := diagram.New("test")
	d.Process(process)
	d.Thread(diagram.Thread{Name: "plans", Period: time.Millisecond, Process: "one"})
	d.Thread(diagram.Thread{Name: "moves", Period: time.Millisecond, Process: "two"})
	d.Add("planner", p, diagram.Place{Thread: "plans"})
	d.Add("mover", m, diagram.Place{Thread: "moves"})
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net, p, m
}

func TestCallsOfOtherThreadsReturnResultsAndErrors(t *testing.T) {
	for _, test := range []struct {
		time  float64
		err   error
		fault string
	}{{1, nil, ""}, {-1, errTime, ""}, {0, block.ErrPanicked, `block "mover" is in error: panic in an operation: in no time (call_test.go:`}} {
		net, p, m := callNet(t, "", test.time)
		err := New(net, Options{Until: clock.At(50 * time.Millisecond)}).RunVirtual(context.Background())
		if (err == nil) != (test.fault == "") || err != nil && !strings.HasPrefix(err.Error(), test.fault) {
			t.Errorf("time %v: the run ends with %v, want %q", test.time, err, test.fault)
		}
		if !errors.Is(p.err, test.err) || p.answers < 20 {
			t.Errorf("time %v: %d answers, the last error is %v, want %v", test.time, p.answers, p.err, test.err)
		}
		if test.err == nil && (p.result < 20 || m.at[0] < 20 || m.at[1] != 7) {
			t.Errorf("after %d moves it is at %v", p.result, m.at)
		}
	}
}

// slot carries packets from an outlet to an inlet; the newest counts.
type slot struct {
	packet []byte
	full   bool
}

func (s *slot) Forward(packet []byte, _ time.Duration) error {
	s.packet, s.full = append(s.packet[:0], packet...), true
	return nil
}

func (s *slot) TryReceive(packet []byte) (link.Stamp, bool) {
	full := s.full
	copy(packet, s.packet)
	s.full = false
	return link.Stamp{Size: len(packet)}, full
}

func (s *slot) State() link.State { return link.State{} }

func TestCallsOfOtherProcessesAllocateNothing(t *testing.T) {
	for _, time := range []float64{1, -1} {
		here, p, _ := callNet(t, "one", time)
		there, _, m := callNet(t, "two", time)
		slots := map[string]*slot{}
		for _, net := range []*diagram.Net{here, there} {
			for _, o := range net.Outlets {
				slots[o.Name] = &slot{}
				o.Bind(slots[o.Name])
			}
		}
		for _, net := range []*diagram.Net{here, there} {
			for _, i := range net.Inlets {
				i.Bind(slots[i.Name])
			}
		}
		one, two := New(here, Options{}), New(there, Options{})
		now := clock.Time(0)
		testkit.NoAllocs(t, 5000, func() {
			now++
			one.threads[0].activate(now)
			two.threads[0].activate(now)
		})
		if p.answers < 2000 {
			t.Errorf("%d answers in 5000 cycles", p.answers)
		}
		if time > 0 && (m.moves < 2000 || p.result < m.moves-1) {
			t.Errorf("it has moved %d times, the planner knows of %d", m.moves, p.result)
		} else if time < 0 && (p.err == nil || p.err.Error() != errTime.Error()) {
			t.Errorf("the error is %v, want %v", p.err, errTime)
		}
	}
}

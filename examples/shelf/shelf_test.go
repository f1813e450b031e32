package shelf

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/motion"
	"github.com/sinew-robotics/sinew/parts/torque"
)

// TestArmAvoidsTheBallBetweenItsStations runs two tours without the ball, then the ball in the way for a while.
func TestArmAvoidsTheBallBetweenItsStations(t *testing.T) { run(t, watch) }

// TestArmGoesOnUnlessTheBallIsPutIntoIt puts the ball into its way at twenty moments of the tour, as the README describes.
func TestArmGoesOnUnlessTheBallIsPutIntoIt(t *testing.T) {
	on, inside := 0, 0
	for k := range 20 {
		run(t, func(s session) {
			now := 10 + 0.34*float64(k)
			s.wait(now)
			s.put(inTheWay)
			stations, last, least := 0, int64(0), 1e9
			for at := now; at < now+8; at += 0.02 {
				s.wait(at)
				state := s.read("executor.state").(int64)
				if state == 0 && last != 0 {
					stations++
				}
				last, least = state, min(least, s.read("monitor.distance").(float64))
			}
			switch {
			case stations > 0:
				on++
			case least < 0:
				inside++
			default:
				s.t.Errorf("a ball that comes at %.2f s is %.1f mm from the arm, which waits: outcome %v", now, 1000*least, s.read("planner.outcome"))
			}
		})
	}
	t.Logf("the arm goes on after %d balls of 20; %d are put into it", on, inside)
	if on < 16 {
		t.Errorf("the arm goes on after %d balls of 20, want 16", on)
	}
}

// inTheWay is the place of the ball in the README's command.
var inTheWay = []any{0.46, 0.0, 0.6}

// session is a client of the running system. It panics where a call fails: it has a goroutine of its own.
type session struct {
	t     *testing.T
	p     *thread.Participant
	local *admin.Local
}

func (s session) read(port string) any {
	r, err := s.local.Read(context.Background(), port)
	if err != nil {
		panic(err)
	}
	return r.Value
}

func (s session) put(ball []any) {
	if err := s.local.SetParams(context.Background(), "ball", map[string]any{"value": ball}); err != nil {
		s.t.Error(err)
	}
}

// wait waits until a time, s.
func (s session) wait(at float64) {
	if err := s.p.Wait(clock.At(time.Duration(at*float64(time.Second))), nil); err != nil {
		panic(err)
	}
}

// run runs the system in virtual time, with a client.
func run(t *testing.T, client func(session)) {
	s, err := system.Load("shelf.yaml", system.Options{Registry: block.NewRegistry(flow.Blocks(), motion.Blocks(), torque.Blocks())})
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(s.Net, thread.Options{})
	local := admin.NewLocal(core.Front(), s)
	core.Front().Go(func(p *thread.Participant) {
		defer core.Front().Stop()
		client(session{t, p, local.As(p)})
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, fault := range core.Front().Faults() {
		t.Error(fault)
	}
}

func watch(s session) {
	stations, loaded, least, last, off := 0, 0, 1e9, int64(0), 0.0
	stopped := false
	tour := func(from, to float64) {
		for at := from; at < to; at += 0.02 {
			s.wait(at)
			state := s.read("executor.state").(int64)
			if state == 0 && last != 0 {
				stations++
			}
			last = state
			stopped = stopped || state == 3
			if s.read("executor.loaded").(bool) {
				loaded++
			}
			is, wanted := s.read("robot.position").([]any), s.read("executor.position").([]any)
			for i := range wanted {
				off = max(off, math.Abs(is[i].(float64)-wanted[i].(float64)))
			}
			if d, ok := s.read("monitor.distance").(float64); ok && at > 0.1 {
				least = min(least, d)
			}
		}
	}
	tour(0.05, 10)
	if stations < 2 || loaded == 0 || stopped {
		s.t.Errorf("%d stations in 10 s, %d readings with the load, stopped: %t", stations, loaded, stopped)
	}
	before := stations
	now := 10.0
	for ; s.read("executor.state").(int64) != 0; now += 0.02 {
		tour(now, now+0.02)
	}
	for ; s.read("executor.state").(int64) != 2; now += 0.02 { // it leaves a station, which the ball is not near
		tour(now, now+0.02)
	}
	s.put(inTheWay)
	tour(now, 30)
	around := stations - before
	s.put([]any{0.0, 0.0, 3.0})
	tour(30, 40)
	if off > 0.01 {
		s.t.Errorf("the arm is up to %g rad from where the executor wants it", off)
	}
	s.t.Logf("%d stations, %d with the ball in the way, stopped before it: %t, least distance %.1f mm, at most %.2g rad from the motion", stations, around, stopped, 1000*least, off)
	if around < 3 || stations < before+around+2 || !stopped || least < 0.005 {
		s.t.Errorf("%d stations after %d, %d with the ball in the way, stopped: %t, least distance %g m", stations, before, around, stopped, least)
	}
}

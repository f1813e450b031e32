package thread

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// unplugged writes its step's number, but has trouble between some steps.
type unplugged struct {
	Out     block.Out[float64] `safe:"-1"`
	trouble block.Trouble
	steps   int
}

func (u *unplugged) Step(t clock.Tick) error {
	u.steps++
	u.Out.Write(float64(t.N))
	if t.N >= 10 && t.N < 20 {
		return &u.trouble
	}
	return nil
}

func TestTroubleMakesOutputsSafeAndPasses(t *testing.T) {
	u := &unplugged{trouble: block.Trouble{Why: errors.New("scanner at serial:///dev/x: lost")}}
	w := &witness{seen: make([]float64, 0, 100)}
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "t", Period: time.Millisecond})
	d.Add("u", u, diagram.Place{Thread: "t"})
	d.Add("w", w, diagram.Place{Thread: "t"})
	d.Link("u.out -> w.in")
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := New(net, Options{Until: clock.At(100 * time.Millisecond)})
	var warnings []string
	front := core.Front()
	front.OnWarning(func(w Warning) { warnings = append(warnings, w.String()) })
	front.Go(func(p *Participant) {
		for k := 1; k < 100 && p.Wait(clock.At(time.Duration(k)*time.Millisecond), nil) == nil; k++ {
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Error(err)
	}
	for i, x := range w.seen {
		if want := float64(i); i >= 10 && i < 20 && x != -1 || (i < 10 || i >= 20) && x != want {
			t.Errorf("step %d: the receiver reads %v", i, x)
		}
	}
	want := []string{`block "u": scanner at serial:///dev/x: lost; it is tried again`, `block "u" works again`}
	if u.steps != 101 || front.FaultCount() != 0 || !slices.Equal(warnings, want) {
		t.Errorf("%d steps, %d faults, warnings %q", u.steps, front.FaultCount(), warnings)
	}
}

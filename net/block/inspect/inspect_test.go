package inspect_test

import (
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

type adder struct {
	A, B block.In[float64]
	Sum  block.Out[float64]
}

func (a *adder) Step(clock.Tick) error {
	a.Sum.Write(a.A.Value() + a.B.Value())
	return nil
}

func TestPortOfReturnsThePortThatTheInspectorFound(t *testing.T) {
	var in inspect.Inspector
	var a adder
	if p := inspect.PortOf(&a.B); p != nil {
		t.Errorf("before Inspect PortOf = %v; want nil", p)
	}
	i, errs := in.Inspect("add", &a, port.Given{})
	if errs != nil {
		t.Fatal(errs)
	}
	if p := inspect.PortOf(&a.B); p == nil || p != i.Port("b") {
		t.Errorf("PortOf(&a.B) = %v; want %v", p, i.Port("b"))
	}
}

func TestPortOfPanicsWithAnythingButAPort(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("PortOf(new(int)) returned; want a panic")
		}
	}()
	inspect.PortOf(new(int))
}

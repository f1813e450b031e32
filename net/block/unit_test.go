package block

import (
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// cylinder has units of the user's choice.
type cylinder struct {
	Max      Param[float64]  `unit:"{Pressure}/{Length}"`
	Length   Const[string]   `default:"m"`
	Pressure Const[string]   `default:"Pa"`
	Speed    Out[float64]    `unit:"{Length}/s"`
	Force    Out[float64]    `unit:"{Length.force}"`
	Mass     Param[float64]  `unit:"{Length.inertia}/{Length}"`
	State    Out[[2]float64] `doc:"length and speed [{Length}, {Length}/s], not {this}"`

	Push Operation[float64, float64] `unit:"{Pressure}" doc:"push; a {Length}"`
}

func (c *cylinder) Step(clock.Tick) error {
	c.Speed.Write(0)
	c.Force.Write(0)
	return nil
}

func (c *cylinder) Setup(*Setup) error {
	c.Push.Handle(func(p float64) (float64, error) { return p, nil })
	return nil
}

func TestUnitsTakeTheValuesOfConstants(t *testing.T) {
	for _, c := range []struct {
		block        *cylinder
		given        map[string]any
		speed, limit string
	}{
		{&cylinder{}, nil, "m/s", "Pa/m"},
		{&cylinder{Length: NewConst("mm")}, nil, "mm/s", "Pa/mm"},
		{&cylinder{Length: NewConst("mm")}, map[string]any{"length": "in", "pressure": "bar", "max": "3 bar/in"}, "in/s", "bar/in"},
	} {
		i, errs := (&inspector{}).Inspect("b", c.block, port.Given{Params: c.given})
		if errs != nil {
			t.Fatal(errs)
		}
		if got := i.Port("speed").Unit; got != c.speed {
			t.Errorf("%v: the speed is in %q, expected %q", c.given, got, c.speed)
		}
		if got := i.Param("max").Unit; got != c.limit {
			t.Errorf("%v: max is in %q, expected %q", c.given, got, c.limit)
		}
		length := strings.TrimSuffix(c.speed, "/s")
		if got, want := i.Port("state").Doc, "length and speed ["+length+", "+c.speed+"], not {this}"; got != want {
			t.Errorf("%v: the state is %q, expected %q", c.given, got, want)
		}
		push := i.Operation("push")
		if pressure, _, _ := strings.Cut(c.limit, "/"); push.Unit != pressure || push.Doc != "push; a "+length {
			t.Errorf("%v: push is %q in %q", c.given, push.Doc, push.Unit)
		}
	}
	_, errs := (&inspector{}).Inspect("b", &cylinder{}, port.Given{Params: map[string]any{"max": "3 bar/m"}})
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "wants Pa/m") {
		t.Errorf("another unit: %v", errs)
	}
}

// Force and inertia belong to a coordinate: their product with it, or with its acceleration, is an energy.
func TestForcesHaveTheUnitThatBelongsToTheirCoordinate(t *testing.T) {
	for length, want := range map[string][2]string{"rad": {"N m", "kg m²/rad"}, "m": {"N", "kg/m"}, "mm": {"J/mm", "J s²/mm²/mm"}} {
		i, errs := (&inspector{}).Inspect("b", &cylinder{}, port.Given{Params: map[string]any{"length": length}})
		if errs != nil {
			t.Fatal(errs)
		}
		if got := [2]string{i.Port("force").Unit, i.Param("mass").Unit}; got != want {
			t.Errorf("a coordinate in %s: force and inertia by length are in %q, expected %q", length, got, want)
		}
	}
}

// unmeasured takes its unit from a field that it does not have.
type unmeasured struct {
	Speed Out[float64] `unit:"{Length}/s"`
}

func (u *unmeasured) Step(clock.Tick) error { return nil }

func TestUnitOfAnUnknownFieldIsAMisuse(t *testing.T) {
	defer func() {
		if m, ok := recover().(*Misuse); !ok || !strings.Contains(m.Error(), `takes its unit from "Length"`) {
			t.Errorf("recovered %v", m)
		}
	}()
	_, _ = (&inspector{}).Inspect("b", &unmeasured{}, port.Given{})
}

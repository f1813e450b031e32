package block

import (
	"testing"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// hatch has a lock only with its constant locks.
type hatch struct {
	Locks Const[bool]

	Open    In[float64]
	Key     In[float64]
	Unlock  Operation[None, None]
	Knocked Handler[None]
}

func (d *hatch) Setup(s *Setup) error {
	if !d.Locks.Value() {
		s.Omit("locks is false", &d.Key, &d.Unlock, &d.Knocked)
	}
	return nil
}

func (d *hatch) Step(clock.Tick) error { return nil }

func TestOmittedPortsAndOperationsAreNotThere(t *testing.T) {
	with := inspect(t, &hatch{Locks: NewConst(true)}, nil)
	if with.Port("key") == nil || with.Operation("unlock") == nil || with.Port("knocked") == nil || with.WhyOmitted("key") != "" {
		t.Error("a hatch with a lock lacks its port or its operation")
	}
	without := inspect(t, &hatch{}, nil)
	if without.Port("key") != nil || without.Operation("unlock") != nil || without.Port("knocked") != nil || without.Port("open") == nil {
		t.Errorf("a hatch without a lock has the ports %v and the operations %v", without.Ports, without.Operations)
	}
	for _, name := range []string{"key", "unlock", "knocked"} {
		if why := without.WhyOmitted(name); why != ": locks is false" {
			t.Errorf("%s is missing with the reason %q", name, why)
		}
	}
}

// gate needs its key only with its constant locks.
type gate struct {
	Locks Const[bool]
	Key   In[float64]
}

func (g *gate) Setup(s *Setup) error {
	if g.Locks.Value() {
		s.Require(&g.Key)
	}
	return nil
}

func (g *gate) Step(clock.Tick) error { return nil }

func TestRequireMakesAnInputRequired(t *testing.T) {
	for _, locks := range []bool{true, false} {
		if got := inspect(t, &gate{Locks: NewConst(locks)}, nil).Port("key").Required; got != locks {
			t.Errorf("with locks %v the key is required: %v", locks, got)
		}
	}
}

// base calls the method that an outer type puts in the place of its own.
type base struct{ called func() string }

func (b *base) Setup(s *Setup) error {
	b.called = s.Block().(interface{ name() string }).name
	return nil
}

func (b *base) Step(clock.Tick) error { return nil }
func (b *base) name() string          { return "base" }

type derived struct{ base }

func (d *derived) name() string { return "derived" }

func TestEmbeddedBaseFindsTheOuterBlock(t *testing.T) {
	outer, alone := &derived{}, &base{}
	for _, b := range []Block{outer, alone} {
		if _, errs := (&inspector{}).Inspect("b", b, port.Given{}); errs != nil {
			t.Fatal(errs)
		}
	}
	if outer.called() != "derived" || alone.called() != "base" {
		t.Errorf("the base calls %s and %s", outer.called(), alone.called())
	}
}

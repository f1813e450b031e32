package exchange

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/quantized"
	"github.com/sinew-robotics/sinew/net/port"
)

// encoded returns both ends of a link whose values take four bits, with ticks or without, the wire between them, the block that writes, and a recoding of
// its output.
func encoded(t *testing.T, ticked int) (*Outlet, *Inlet, *wire, *number, *Recoding) {
	t.Helper()
	var in inspect.Inspector
	source := &number{}
	inst, errs := in.Inspect("n", source, port.Given{})
	if errs != nil {
		t.Fatal(errs)
	}
	out := inst.Port("out")
	if err := out.Allocate(); err != nil {
		t.Fatal(err)
	}
	coded := &link.Coded{Encoding: quantized.Encoding(), Options: map[string]string{"min": "-7", "max": "7", "bits": "4"}} // steps of 1
	spec := Spec{Name: "n.out.q", Type: out.Type, Size: out.Layout().Size(), From: "one", Ticked: ticked, Encoded: coded, Layout: out.Layout()}
	var grid *Grid
	if ticked > 0 {
		grid = &Grid{Sender: Ticks{Period: ms}, Reader: Ticks{Period: ms}}
	}
	o, i, w := NewOutlet(spec, out), NewInlet(spec, "two", 0, out.Shadow(), grid), &wire{}
	o.Bind(w)
	i.Bind(w)
	return o, i, w, source, NewRecoding(spec, out)
}

func TestEncodedLinkCarriesFewerBytesAndTheNearestValue(t *testing.T) {
	for _, ticked := range []int{0, 9} {
		o, i, w, source, r := encoded(t, ticked)
		for n, x := range []float64{0, 3.4, -6.6, 2.5} {
			source.Out.Write(x)
			o.Publish(at(n), LeaderTime{})
			if got := len(w.packets[0]); got != 5+ticked/9*trailerSize { // the head of CDR, and four bits
				t.Fatalf("a packet has %d bytes", got)
			}
			i.Fetch(at(n+1), LeaderTime{})
			r.renew()
			if got, within := *i.Shadow().Number(), *r.Value().Number(); got != math.Round(x) || within != got {
				t.Errorf("%v arrives as %v, and within the process as %v", x, got, within)
			}
			if *r.Value().Count() != uint64(n+1) || *r.Value().Written() != *o.port.Written() {
				t.Errorf("value %d: count and time within the process: %d, %v", n, *r.Value().Count(), *r.Value().Written())
			}
		}
		if s := i.State(); s.Rejected != 0 || o.State().Clipped != 0 {
			t.Errorf("%d rejected, %d clipped", s.Rejected, o.State().Clipped)
		}
		w.packets = [][]byte{make([]byte, 3)}
		if i.Fetch(at(9), LeaderTime{}); i.State().Rejected != 1 {
			t.Errorf("of a packet that is none %d rejected", i.State().Rejected)
		}
	}
}

func TestValuesOutsideOfTheRangeAreCountedAndNamed(t *testing.T) {
	o, _, _, source, r := encoded(t, 0)
	for n, x := range []float64{9, math.NaN(), 1} {
		source.Out.Write(x)
		o.Publish(at(n), LeaderTime{})
		r.renew()
	}
	for _, s := range []link.State{o.State(), r.State()} {
		if s.Clipped != 2 || !strings.Contains(s.Problem, "2 values could not be encoded as they were: numbers outside of -7 to 7") {
			t.Errorf("%+v", s)
		}
	}
}

func TestEncodedEndsThatDifferDoNotMatch(t *testing.T) {
	o, _, _, _, _ := encoded(t, 0)
	other := o.Spec
	coded := *other.Encoded
	coded.Options = map[string]string{"min": "-8", "max": "8", "bits": "4"}
	other.Encoded = &coded
	if o.Link().Schema == other.Link().Schema {
		t.Error("two ranges have one description")
	}
}

func TestEncodedLinkAllocatesNothing(t *testing.T) {
	o, i, w, source, r := encoded(t, 0)
	for n := range 2 {
		source.Out.Write(1)
		o.Publish(at(n), LeaderTime{})
	}
	packet := w.packets[0]
	k := 0
	o.Bind(discard{})
	testkit.NoAllocs(t, 200, func() {
		k++
		source.Out.Write(9) // clipped
		o.Publish(at(k), LeaderTime{})
		i.decodeValue(packet)
		r.renew()
	})
}

// discard is a link without a receiver.
type discard struct{}

func (discard) Forward([]byte, time.Duration) error { return nil }
func (discard) State() link.State                   { return link.State{} }

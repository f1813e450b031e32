package diagram

import (
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
)

// adder takes missing inputs for 0.
type adder struct {
	A   block.In[float64] `missing:"0"`
	B   block.In[float64] `missing:"0"`
	Out block.Out[float64]
}

func (a *adder) Step(clock.Tick) error { a.Out.Write(0); return nil }

// truth writes a truth value.
type truth struct{ Out block.Out[bool] }

func (t *truth) Step(clock.Tick) error { t.Out.Write(true); return nil }

func TestInputsThatMayComeLateAreListedWithTheReason(t *testing.T) {
	for _, c := range []struct {
		links []Link
		want  []string
		late  [2]bool
	}{
		{nil, nil, [2]bool{true, true}}, // they are listed as unlinked
		{[]Link{{From: End{Block: "first", Port: "out"}, To: End{Block: "sum", Port: "a"}}}, nil, [2]bool{false, true}},
		{[]Link{{From: End{Block: "sum", Port: "out"}, To: End{Block: "sum", Port: "a"}, Delay: true}},
			[]string{"sum.a counts as 0 until sum.out -> sum.a brings the first value: the link has a delay"}, [2]bool{true, true}},
		{[]Link{{From: End{Block: "far", Port: "out"}, To: End{Block: "sum", Port: "a"}}, {From: End{Block: "first", Port: "out"}, To: End{Block: "sum", Port: "b"}}},
			[]string{`sum.a counts as 0 until far.out -> sum.a brings the first value: it comes from thread "other"`}, [2]bool{true, false}},
		{[]Link{{From: End{Block: "far", Port: "out"}, To: End{Block: "first", Port: "in"}}, {From: End{Block: "first", Port: "out"}, To: End{Block: "sum", Port: "a"}}},
			[]string{`sum.a counts as 0 until first.out -> sum.a brings the first value: block "first" may wait for in: it comes from thread "other"`}, [2]bool{true, true}},
		{[]Link{{From: End{Block: "yes", Port: "out"}, To: End{Block: "first", Port: "enable"}}, {From: End{Block: "first", Port: "out"}, To: End{Block: "sum", Port: "a"}}},
			[]string{`sum.a counts as 0 until first.out -> sum.a brings the first value: block "first" runs while it is enabled`}, [2]bool{true, true}},
		{[]Link{{From: End{Block: "rare", Port: "out"}, To: End{Block: "sum", Port: "b"}}},
			[]string{`sum.b counts as 0 until rare.out -> sum.b brings the first value: block "rare" runs first in activation 3`}, [2]bool{true, true}},
		{[]Link{{From: End{Block: "far", Port: "out"}, To: End{Block: "other", Port: "a"}}, {From: End{Block: "other", Port: "out"}, To: End{Block: "sum", Port: "a"}}},
			[]string{
				`other.a counts as 0 until far.out -> other.a brings the first value: it comes from thread "other"`,
				`sum.a counts as 0 until other.out -> sum.a brings the first value: block "other" may have no input: it comes from thread "other"`,
			}, [2]bool{true, true}},
		{[]Link{{From: End{Block: "far", Port: "out"}, To: End{Block: "other", Port: "a"}}, {From: End{Block: "first", Port: "out"}, To: End{Block: "other", Port: "b"}}, {From: End{Block: "other", Port: "out"}, To: End{Block: "sum", Port: "a"}}},
			[]string{`other.a counts as 0 until far.out -> other.a brings the first value: it comes from thread "other"`}, [2]bool{false, true}},
	} {
		d := New("test")
		d.Thread(Thread{Name: "main", Period: time.Millisecond})
		d.Thread(Thread{Name: "other", Period: time.Millisecond})
		d.Add("yes", &truth{}, Place{Thread: "main"})
		d.Add("first", &relay{}, Place{Thread: "main"})
		d.Add("rare", &relay{}, Place{Thread: "main", Every: 5, Offset: 3})
		d.Add("far", &relay{}, Place{Thread: "other"})
		d.Add("other", &adder{}, Place{Thread: "main"})
		sum := &adder{}
		d.Add("sum", sum, Place{Thread: "main"})
		for _, l := range c.links {
			d.Join(l)
		}
		net, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range net.Late {
			got = append(got, l.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: late are %q; want %q", c.links, got, c.want)
		}
		if late := [2]bool{inspect.PortOf(&sum.A).Late, inspect.PortOf(&sum.B).Late}; late != c.late {
			t.Errorf("%v: late are %v of the inputs of sum; want %v", c.links, late, c.late)
		}
	}
}

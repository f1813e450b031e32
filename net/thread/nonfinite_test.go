package thread

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// divider writes NaN or infinity where it is asked to.
type divider struct {
	Out             block.Out[float64]
	Pair            block.Out[[]float64]
	One, Two, Third block.Out[float64]
	bad             float64 // 0: all values are finite
}

func (d *divider) Setup(s *block.Setup) error { s.Len(2, &d.Pair); return nil }

func (d *divider) Step(clock.Tick) error {
	d.Out.Write(1)
	pair := *d.Pair.Slot()
	pair[0], pair[1] = 2, 3+d.bad
	d.Pair.Commit()
	return nil
}

func TestFrontFindsOutputsWithNumbersThatAreNotFinite(t *testing.T) {
	var d divider
	net := diagram.New("test")
	net.Thread(diagram.Thread{Name: "main", Period: 1000000})
	net.Add("divider", &d, diagram.Place{Thread: "main"})
	built, err := net.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := New(built, Options{})
	b, th, f := built.Blocks[0], core.threads[0], core.Front()
	out, pair := b.Port("out"), b.Port("pair")
	for i, bad := range []float64{0, math.NaN(), math.Inf(-1), 0} {
		d.bad = bad
		for n := range clock.Time(3) { // more than the thread needs for all outputs
			th.activate(clock.Time(i)*10 + n)
		}
		if f.NonFinite(out) || f.NonFinite(pair) != (bad != 0) {
			t.Errorf("with %v: out %v, pair %v", bad, f.NonFinite(out), f.NonFinite(pair))
		}
	}
	now := clock.Time(100)
	testkit.NoAllocs(t, 1000, func() {
		now++
		d.bad = math.NaN()
		if now%3 == 0 {
			d.bad = 0
		}
		th.activate(now)
	})
}

package exchange

import (
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/clock"
)

const ms = time.Millisecond

// The judge is the documentation of Simulink's block Rate Transition (MathWorks, Simulink Reference, R14 and later, labels 1/z and ZOH): with data integrity and
// deterministic transfer it acts as a unit delay of the slow rate from slow to fast, and as a zero-order hold at the slow rate from fast
// to slow. The first is ours by tick. The second, without any delay, is ours on a direct link; by tick it holds the fast value of one
// fast period before. In the numbers of the documentation, u is sampled at 0, Ts, 2 Ts, …, and y(t) is u at the time that is listed.
func TestRatesChangeAsSimulinkDocumentsIt(t *testing.T) {
	const none = -1
	for name, c := range map[string]struct {
		grid Grid
		want []int // by tick of the reader, in ms: the time of the value that it reads
	}{
		"slow to fast, 1/z at the slow rate": {
			Grid{Sender: Ticks{Period: 4 * ms}, Reader: Ticks{Period: 1 * ms}},
			[]int{none, none, none, none, 0, 0, 0, 0, 4, 4, 4, 4, 8},
		},
		"fast to slow, zero-order hold": {
			Grid{Sender: Ticks{Period: 1 * ms}, Reader: Ticks{Period: 4 * ms}, Direct: true},
			[]int{0, 4, 8, 12},
		},
		"fast to slow, by tick: a hold of the fast period before": {
			Grid{Sender: Ticks{Period: 1 * ms}, Reader: Ticks{Period: 4 * ms}},
			[]int{none, 3, 7, 11},
		},
		"equal rates, the sender has the earlier offset": {
			Grid{Sender: Ticks{Period: 4 * ms}, Reader: Ticks{Period: 4 * ms, Offset: 1 * ms}, Direct: true},
			[]int{0, 4, 8},
		},
		"equal rates, by tick: 1/z": {
			Grid{Sender: Ticks{Period: 4 * ms}, Reader: Ticks{Period: 4 * ms}},
			[]int{none, 0, 4, 8},
		},
	} {
		for tick, want := range c.want {
			at := clock.At(c.grid.Reader.Offset + time.Duration(tick)*c.grid.Reader.Period)
			got := c.grid.Source(at)
			if want == none && got >= 0 || want != none && got != clock.At(time.Duration(want)*ms) {
				t.Errorf("%s: at %v the reader takes the value of %v, want %d ms", name, at, got, want)
			}
		}
	}
}

// For random periods and offsets, multiples or not: what is published under the number that the reader asks for is what Source
// promises, and its age lies within Delay.
func TestNumbersLeadToTheSource(t *testing.T) {
	rng := testkit.Rand(t)
	for range 3000 {
		ticks := func() Ticks {
			p := time.Duration(1+rng.IntN(12)) * ms
			return Ticks{p, time.Duration(rng.IntN(int(p/ms))) * ms}
		}
		g := Grid{Sender: ticks(), Reader: ticks(), Direct: rng.IntN(2) == 0}
		published := map[int64]clock.Time{}
		sent := clock.At(g.Sender.Offset)
		least, most := g.Delay()
		for tick := range 40 {
			at := clock.At(g.Reader.Offset + time.Duration(tick)*g.Reader.Period)
			for ; int64(sent)+g.lag() <= int64(at); sent = sent.Add(g.Sender.Period) {
				published[g.number(sent)] = sent
			}
			source := g.Source(at)
			if source < 0 {
				if len(published) > 0 {
					t.Fatalf("%+v at %v: nothing is read, though something has been completed", g, at)
				}
				continue
			}
			if got := published[g.wanted(at)]; got != source {
				t.Fatalf("%+v at %v: number %d was published at %v, want %v", g, at, g.wanted(at), got, source)
			}
			if age := at.Sub(source); age < least || age > most {
				t.Fatalf("%+v at %v: the value is %v old, not %v to %v", g, at, age, least, most)
			}
		}
	}
}

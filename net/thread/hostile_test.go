package thread

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// apart is a net whose core and front have their own views of one memory, as in two processes.
type apart struct {
	mem   []byte
	core  *Core
	front *Front
	now   clock.Time
}

func newApart(t testing.TB) *apart {
	t.Helper()
	d := diagram.New("apart")
	d.Thread(diagram.Thread{Name: "t", Period: time.Millisecond})
	d.Add("count", &counter{}, diagram.Place{Thread: "t"})
	d.Add("add", &adder{}, diagram.Place{Thread: "t"})
	d.Add("bell", &bell{}, diagram.Place{Thread: "t"})
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	a := &apart{mem: lockfree.Memory(BoundarySize(net))}
	cores, err := LayBoundary(net, a.mem)
	if err != nil {
		t.Fatal(err)
	}
	fronts, err := LayBoundary(net, a.mem)
	if err != nil {
		t.Fatal(err)
	}
	a.core, a.front = NewCore(net, cores, Options{}), NewFront(net, fronts)
	for _, log := range []bool{false, true} {
		if _, err := a.front.Tap(net.Blocks[2].Port("pair"), 1, log, func(Sample) {}); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// turn lets both sides do their work once.
func (a *apart) turn() {
	a.now += 1e6
	a.core.threads[0].activate(a.now)
	a.front.poll()
	a.front.pollLog()
	for _, s := range a.front.Stats() {
		_ = s.Cycle.Quantile(0.5) + s.Jitter.Max()
	}
	for _, b := range a.front.Net().Blocks {
		a.front.State(b)
	}
	a.front.InError()
	a.front.Links()
}

// mustAnswer checks that requests are answered again.
func (a *apart) mustAnswer(t *testing.T) {
	t.Helper()
	for range 5 {
		r := a.front.Read(a.front.Net().Blocks[0].Port("out"))
		a.turn()
		a.turn()
		if r.Ready() {
			if _, err := r.Result(); err == nil {
				return
			}
		}
	}
	t.Fatal("the core does not answer any more")
}

// FuzzBoundary writes words into the memory of core and front, and records into their rings: neither side panics, the core goes
// on stepping, and requests are answered when it is over.
//
// The first byte of a stroke selects what happens: below 64 a turn, below 128 a word of 8 bytes at a place of 4, else a record of up
// to 63 bytes in one of the rings.
func FuzzBoundary(f *testing.F) {
	at := func(place uint32, word uint64) []byte {
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32([]byte{64}, place), word)
	}
	record := func(ring byte, b []byte) []byte { return append([]byte{128 | ring, byte(len(b))}, b...) }
	for kind := range uint8(12) {
		for _, index := range []int{0, 3, 1 << 31, 1<<32 - 1} {
			f.Add(append(record(0, newRequest(kind, 1, index, 0, make([]byte, 12))), 0))
			f.Add(append(record(0, newRequest(kind, 1, 0, index, make([]byte, 9))), 0))
			f.Add(append(record(0, newRequest(kind, 1, 1, index, []byte{0, 0, 255, 255, 255, 255, 1})), 0))
		}
		f.Add(append(record(1, []byte{kind, 0, 0, 0, 255, 255, 255, 255}), 0))
	}
	for n := range 20 {
		for ring := range byte(4) {
			f.Add(append(record(ring, make([]byte, n)), 0))
		}
	}
	for place := uint32(0); place < 512; place++ {
		f.Add(append(append([]byte{0}, at(place, 1<<64-1)...), 0))
		f.Add(append(append([]byte{0}, at(place, 3)...), 0))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a := newApart(t)
		e := a.front.boundary.edges[0]
		rings := []*lockfree.Ring{e.mailbox, a.core.boundary.edges[0].replies, a.core.boundary.edges[0].live, a.core.boundary.edges[0].log}
		for n := 0; len(data) > 0 && n < 100; n++ {
			what := data[0]
			data = data[1:]
			switch {
			case what < 64:
				a.turn()
			case what < 128 && len(data) >= 12:
				place := int(binary.LittleEndian.Uint32(data)) * 8 % (len(a.mem) &^ 7)
				copy(a.mem[place:], data[4:12])
				data = data[12:]
			case what >= 128 && len(data) > 0:
				size := min(int(data[0])%64, len(data)-1)
				rings[what%4].Put(data[1 : 1+size])
				data = data[1+size:]
			}
		}
		before := a.core.threads[0].steps[0].n
		a.turn()
		if a.core.threads[0].steps[0].n != before+1 && !a.core.threads[0].states[0].faulted && a.core.net.Blocks[0].Enabled() {
			t.Fatal("the core does not step any more")
		}
		a.mustAnswer(t)
	})
}

// TestCoreReportsAFrontThatWritesWrongWords damages the mailbox while the front is watched.
func TestCoreReportsAFrontThatWritesWrongWords(t *testing.T) {
	a := newApart(t)
	var warnings []string
	a.front.OnWarning(func(w Warning) { warnings = append(warnings, w.String()) })
	a.front.boundary.edges[0].mailbox.Put(make([]byte, 3))
	a.turn()
	a.turn()
	if len(warnings) != 1 || !strings.Contains(warnings[0], "was damaged") {
		t.Errorf("warnings %q", warnings)
	}
	a.mustAnswer(t)
}

// TestTimeOfTheCoreIsItsOwn runs a core in real time while its front writes another time into what they share.
func TestTimeOfTheCoreIsItsOwn(t *testing.T) {
	a := newApart(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.core.Serve(ctx) }()
	head, counted := a.front.boundary.head, &a.front.boundary.edges[0].counters.activations
	testkit.Await(t, "the core begins", func() bool { return counted.Load() >= 5 })
	head.base.Store(1 << 62)
	head.stop.Store(77)
	before := counted.Load()
	testkit.Await(t, "the core's threads go on", func() bool { return counted.Load() >= before+20 })
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

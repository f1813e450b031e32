package thread

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// The tests of this file hold the net against the text of Bäuml and Hirzinger, Agile Robot Development (aRD), 2006.

// lastReader notes what it reads.
type lastReader struct {
	In   block.In[float64]
	read []float64
}

func (r *lastReader) Step(clock.Tick) error {
	if v, status := r.In.Read(); status != block.NoData {
		r.read = append(r.read, v)
	}
	return nil
}

// Line 112 of the text: "The receiving block simply reads the last sent data, regardless if its rate is faster (reading the same data multiple
// times) or slower (reading only every n-th data)".
func TestReceiversReadTheLastSentValueAtAnyRate(t *testing.T) {
	for _, c := range []struct {
		sender, receiver int // executed in every nth cycle
		want             []float64
	}{
		{1, 1, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{1, 3, []float64{1, 4, 7}},                   // only every third
		{3, 1, []float64{1, 1, 1, 2, 2, 2, 3, 3, 3}}, // the same three times
	} {
		var from counter
		var to lastReader
		d := diagram.New("test")
		d.Thread(diagram.Thread{Name: "main", Period: time.Millisecond})
		d.Add("from", &from, diagram.Place{Thread: "main", Every: c.sender})
		d.Add("to", &to, diagram.Place{Thread: "main", Every: c.receiver})
		d.Link("from.out -> to.in")
		net, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		if err := New(net, Options{Until: clock.At(8*time.Millisecond + 1)}).RunVirtual(context.Background()); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(to.read, c.want) {
			t.Errorf("sender every %d, receiver every %d: read %v, want %v", c.sender, c.receiver, to.read, c.want)
		}
	}
}

// Line 106: synchronized blocks "can run at different rates (multirate), but all rates have to be integer multiples of the fastest rate, the so
// called base rate, of the group". Line 256: a subsystem at 10 kHz in a system at 1 kHz.
func TestSynchronizedRatesAreIntegerMultiplesOfTheBaseRate(t *testing.T) {
	for period, right := range map[time.Duration]bool{
		100 * time.Microsecond: true, time.Millisecond: true, 300 * time.Microsecond: true, 6 * time.Millisecond: true, 250 * time.Microsecond: false, 150 * time.Microsecond: false,
	} {
		d := diagram.New("test")
		d.Thread(diagram.Thread{Name: "base", Period: 100 * time.Microsecond})
		d.Thread(diagram.Thread{Name: "other", Period: period, Follow: "base"})
		d.Add("a", &counter{}, diagram.Place{Thread: "base"})
		d.Add("b", &counter{}, diagram.Place{Thread: "other"})
		if _, err := d.Build(); (err == nil) != right || err != nil && !strings.Contains(err.Error(), "neither a multiple nor a whole part") {
			t.Errorf("%v beside a base of 100 µs: %v", period, err)
		}
	}
}

// Lines 96 to 100: "A block's output port can be connected to any other block's input ports, as long as the data formats match", without
// a distinction of clients and servers: here both send and receive.
func TestAnyOutputDrivesAnyInputsOfItsFormat(t *testing.T) {
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: time.Millisecond})
	var a, b adder
	d.Add("a", &a, diagram.Place{Thread: "main"})
	d.Add("b", &b, diagram.Place{Thread: "main"})
	d.Add("c", &lastReader{}, diagram.Place{Thread: "main"})
	d.Link("a.sum -> b.in")
	d.Link("a.sum -> c.in") // distributed to several receivers
	back, err := diagram.ParseLink("b.sum -> a.in")
	if err != nil {
		t.Fatal(err)
	}
	back.Delay = true
	d.Join(back)
	if _, err := d.Build(); err != nil {
		t.Errorf("two equal blocks: %v", err)
	}
	d = diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: time.Millisecond})
	d.Add("a", &counter{}, diagram.Place{Thread: "main"})
	d.Add("b", &flag{}, diagram.Place{Thread: "main"})
	d.Link("a.out -> b.in")
	if _, err := d.Build(); err == nil || !strings.Contains(err.Error(), "b.in") {
		t.Errorf("float64 to bool: %v", err)
	}
}

// flag has an input of another format.
type flag struct {
	In  block.In[bool]
	Out block.Out[bool]
}

func (f *flag) Step(clock.Tick) error {
	f.Out.Write(f.In.Value())
	return nil
}

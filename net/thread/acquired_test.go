package thread

import (
	"context"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// scanTime is how old the scans are when they are written.
const scanTime = 80 * time.Millisecond

// slowSensor writes what it has measured some time ago.
type slowSensor struct{ Out block.Out[float64] }

func (s *slowSensor) Step(t clock.Tick) error {
	s.Out.WriteAt(1, t.Time.Add(-scanTime))
	return nil
}

// ageReader notes the age of what it reads.
type ageReader struct {
	In  block.In[float64]
	age time.Duration
}

func (a *ageReader) Step(clock.Tick) error {
	if _, status := a.In.Read(); status != block.NoData {
		a.age = a.In.Age()
	}
	return nil
}

// The age of a value is that of the measurement, in the same thread, in another one, and in what tools and the log get.
func TestAgeIsThatOfTheMeasurement(t *testing.T) {
	const period = 10 * time.Millisecond
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "a", Period: period})
	d.Thread(diagram.Thread{Name: "b", Period: period})
	here, there := &ageReader{}, &ageReader{}
	d.Add("sensor", &slowSensor{}, diagram.Place{Thread: "a"})
	d.Add("here", here, diagram.Place{Thread: "a"})
	d.Add("there", there, diagram.Place{Thread: "b"})
	d.Link("sensor.out -> here.in")
	d.Link("sensor.out -> there.in")
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	c := New(net, Options{Until: clock.At(scanTime)})
	var samples [3]Sample // of the output and of both inputs
	for i, port := range []string{"out", "in", "in"} {
		if _, err := c.Front().Tap(net.Blocks[i].Port(port), 1, true, func(s Sample) { samples[i] = s }); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	if here.age != scanTime || there.age != scanTime+period {
		t.Errorf("ages %v in the thread and %v in another, want %v and %v", here.age, there.age, scanTime, scanTime+period)
	}
	for i, want := range []time.Duration{scanTime, scanTime, scanTime + period} {
		if s := samples[i]; s.CDR == nil || s.Time.Sub(s.Since) != want {
			t.Errorf("the sample of %v at %v was acquired at %v, want %v before", net.Blocks[i].Name, s.Time, s.Since, want)
		}
	}
}

// A time-out counts from the acquisition of a value, in the same thread and in another: new values that are too old bring their reader to rest.
func TestTimeoutCountsFromTheAcquisition(t *testing.T) {
	const period = 10 * time.Millisecond
	for thread, delay := range map[string]time.Duration{"a": 0, "b": period} {
		for timeout, rests := range map[time.Duration]bool{scanTime + delay - time.Millisecond: true, scanTime + delay + time.Millisecond: false} {
			d := diagram.New("test")
			d.Thread(diagram.Thread{Name: "a", Period: period})
			d.Thread(diagram.Thread{Name: "b", Period: period})
			reader := &ageReader{}
			d.Add("sensor", &slowSensor{}, diagram.Place{Thread: "a"})
			d.Add("reader", reader, diagram.Place{Thread: thread})
			l, err := diagram.ParseLink("sensor.out -> reader.in")
			if err != nil {
				t.Fatal(err)
			}
			l.Timeout = timeout
			d.Join(l)
			net, err := d.Build()
			if err != nil {
				t.Fatal(err)
			}
			c := New(net, Options{Until: clock.At(4 * scanTime)})
			if err := c.RunVirtual(context.Background()); err != nil {
				t.Fatal(err)
			}
			if reader.age == 0 != rests {
				t.Errorf("in thread %s with a time-out of %v the reader rests: %v, want %v", thread, timeout, reader.age == 0, rests)
			}
		}
	}
}

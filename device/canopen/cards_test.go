package canopen

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// wheels is a robot with two axes, whose velocity is proportional to the voltage.
type wheels struct {
	axes [2]wheel
}

// wheel is an axis with 1000 counts in a turn and an index mark in each.
type wheel struct {
	volts, x     float64
	power, brake bool
	latched      int64
	marked       bool
}

func (w *wheels) Open() error        { return nil }
func (w *wheels) Start() error       { return nil }
func (w *wheels) Stop() error        { return nil }
func (w *wheels) Close() error       { return nil }
func (w *wheels) Axes() int          { return len(w.axes) }
func (w *wheels) AxisPart(i int) any { return &w.axes[i] }

func (w *wheels) Step(dt time.Duration) error {
	for i := range w.axes {
		a := &w.axes[i]
		before := math.Floor(a.x / 1000)
		if a.power && !a.brake {
			a.x += 1000 * a.volts * dt.Seconds()
		}
		if a.marked = math.Floor(a.x/1000) != before; a.marked {
			a.latched = int64(1000 * math.Floor(max(a.x, 1000*before+1000)/1000))
		}
	}
	return nil
}

func (w *wheel) Counts() int64                  { return int64(math.Floor(w.x)) }
func (w *wheel) Index() (int64, bool)           { return w.latched, w.marked }
func (w *wheel) SetVoltage(volts float64) error { w.volts = volts; return nil }
func (w *wheel) MaxVoltage() float64            { return 24 }
func (w *wheel) SetPower(on bool)               { w.power = on }
func (w *wheel) SetBrake(on bool)               { w.brake = on }
func (w *wheel) Held() bool                     { return w.brake }

func TestCardsConform(t *testing.T) {
	devicetest.RunDriver(t, devicetest.Rig{
		Kind:     wire.Frames,
		Driver:   func(w wire.Wire) devicetest.Driver { return CardsOn(w, 1, 2) },
		Emulator: func(w wire.Wire) driver.Emulator { return NewCardEmulator(w, &wheels{}) },
	})
}

func TestCardsDriveAndCountAndStopWithoutTheirMaster(t *testing.T) {
	near, far := wire.PipeOf("memory://cards", wire.Frames)
	_ = far.Open()
	c, e := CardsOn(near, 1, 2), NewCardEmulator(far, &wheels{})
	run := func(d time.Duration) (marks int) {
		t.Helper()
		for ; d > 0; d -= time.Millisecond {
			if err := e.Step(time.Millisecond); err != nil {
				t.Fatal(err)
			}
			_ = c.Step(time.Millisecond)
			if index, marked := c.Card(1).Index(); marked {
				marks++
				if index%1000 != 0 {
					t.Errorf("index mark at %d", index)
				}
			}
		}
		return marks
	}
	if err := errors.Join(c.Open(), c.Start()); err != nil {
		t.Fatal(err)
	}
	run(100 * time.Millisecond)
	a := c.Card(1)
	if a.MaxVoltage() != 24 || !a.Held() || a.Counts() != 0 {
		t.Errorf("%v V, held %v, %d counts", a.MaxVoltage(), a.Held(), a.Counts())
	}
	a.SetPower(true)
	a.SetBrake(false)
	_ = a.SetVoltage(2)
	if marks := run(2 * time.Second); marks != 3 || a.Held() || math.Abs(float64(a.Counts())-4000) > 20 {
		t.Errorf("%d counts and %d marks after 2 s at 2000 counts/s, held %v", a.Counts(), marks, a.Held())
	}
	if n := c.Card(0).Counts(); n != 0 {
		t.Errorf("the other axis moved by %d counts", n)
	}
	for range HeartbeatTime/time.Millisecond + 2 {
		_ = e.Step(time.Millisecond)
	}
	if w := e.cards[1].axis.(*wheel); w.power || !w.brake {
		t.Errorf("without its master the card has power %v, brake %v", w.power, w.brake)
	}
}

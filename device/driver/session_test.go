package driver_test

import (
	"bytes"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// counter is the smallest driver: it asks "?" and is answered by a number, "count 17\n".
type counter struct {
	driver.Session
	wire   wire.Wire
	asked  bool
	line   []byte
	buffer [64]byte
	value  float64
}

var errNoCount = errors.New("not a count")

func newCounter(w wire.Wire) *counter {
	c := &counter{wire: w, line: make([]byte, 0, 64)}
	c.Session = driver.NewSession("counter", w, (*conversation)(c))
	return c
}

func (c *counter) Distance() float64                { return c.value }
func (c *counter) Reach() (least, greatest float64) { return 0, 1e9 }

type conversation counter

func (c *conversation) Reset() { c.asked, c.line, c.value = false, c.line[:0], 0 }

func (c *conversation) Patience() time.Duration { return 100 * time.Millisecond }

func (c *conversation) End() {
	c.buffer[0] = '.'
	_, _ = c.wire.Write(c.buffer[:1])
}

func (c *conversation) Exchange(time.Duration) (p driver.Progress, err error) {
	if !c.asked {
		c.buffer[0] = '?'
		n, err := c.wire.Write(c.buffer[:1])
		if err != nil {
			return 0, err
		}
		c.asked = n == 1
	}
	n, err := c.wire.Read(c.buffer[:])
	for _, b := range c.buffer[:n] {
		if len(c.line) == cap(c.line) {
			c.line = c.line[:0]
		}
		if c.line = append(c.line, b); b != '\n' {
			continue
		}
		digits, ok := bytes.CutPrefix(bytes.TrimSpace(c.line), []byte("count "))
		c.line = c.line[:0]
		c.asked = false
		value := 0.0
		for _, d := range digits {
			ok = ok && d >= '0' && d <= '9'
			value = 10*value + float64(d-'0')
		}
		if !ok || len(digits) == 0 {
			return driver.Damaged, errNoCount
		}
		c.value = value
		p = driver.Complete
	}
	return p, err
}

// counting is the device that counts its answers.
type counting struct {
	wire wire.Wire
	n    int
	text []byte
	b    [1]byte
}

func (e *counting) Step(time.Duration) error {
	for {
		n, err := e.wire.Read(e.b[:])
		if n == 0 {
			return driver.AwaitDriver(e.wire, err)
		}
		if e.b[0] == '?' {
			e.n++
			e.text = append(strconv.AppendInt(append(e.text[:0], "count "...), int64(e.n), 10), '\n')
			_, _ = e.wire.Write(e.text)
		}
	}
}

func TestSessionConforms(t *testing.T) {
	devicetest.RunDriver(t, devicetest.Rig{
		Driver:   func(w wire.Wire) devicetest.Driver { return newCounter(w) },
		Emulator: func(w wire.Wire) driver.Emulator { return &counting{wire: w} },
		Greeting: []byte("login: \r\n"),
	})
}

func TestSilenceNamesWhatWasDamaged(t *testing.T) {
	near, far := wire.Pipe("memory://line")
	_ = far.Open()
	c := newCounter(near)
	if err := errors.Join(c.Open(), c.Start()); err != nil {
		t.Fatal(err)
	}
	var err error
	for range 200 {
		_, _ = far.Write([]byte("hello\n"))
		if err = c.Step(time.Millisecond); c.State() == device.Faulty {
			break
		}
	}
	if err == nil || err.Error() != "counter at memory://line: no valid answer for 100ms: not a count" || !errors.Is(err, errNoCount) {
		t.Error(err)
	}
}

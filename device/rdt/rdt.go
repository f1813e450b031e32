// Package rdt reads force-torque sensors of ATI over RDT, raw data transfer by UDP, and emulates them.
//
// Protocol: ATI Industrial Automation, Network Force/Torque Sensor System (Net F/T) Manual 9610-05-1022, chapter "UDP interface using RDT", port 49152; numbers are big-endian:
//
//	request  1234h (2)  command (2)  number of records (4), 0: without end
//	record   RDT sequence (4)  F/T sequence (4)  status (4)  Fx Fy Fz Tx Ty Tz (4 each), counts
//
// The command 2 starts a Net F/T, 1 an Axia; 0 stops, 42h sets the zero.
package rdt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// The commands.
const (
	stop      = 0
	startAxia = 1
	startNet  = 2
	setZero   = 0x42
)

const (
	mark         = 0x1234
	requestBytes = 8
	recordBytes  = 36
	failed       = 1 << 31 // in the status: the sensor has an error
)

// ErrForm is a datagram that is no record. Test for it with errors.Is.
var ErrForm = errors.New("not a record of RDT")

// StatusError is an error that the sensor reports.
type StatusError struct {
	Status uint32 // bits of the sensor's manual; bit 31 is set
}

// Error implements error.
func (e *StatusError) Error() string {
	return fmt.Sprintf("the sensor reports status %08Xh: its measurements are not valid; its web page explains the bits", e.Status)
}

// Options are the figures of a sensor; its web page shows them.
type Options struct {
	Axia            bool    // an Axia, which is started by another command than a Net F/T
	CountsPerForce  float64 // a N; 0 means 1,000,000
	CountsPerTorque float64 // a N m; 0 means 1,000,000
}

func (o Options) complete() Options {
	if o.CountsPerForce == 0 {
		o.CountsPerForce = 1e6
	}
	if o.CountsPerTorque == 0 {
		o.CountsPerTorque = 1e6
	}
	return o
}

func (o Options) start() byte {
	if o.Axia {
		return startAxia
	}
	return startNet
}

// Sensor is a force-torque sensor.
type Sensor struct {
	driver.Session
	wire   wire.Wire
	o      Options
	buffer [64]byte

	begun    bool
	zero     bool // must be set
	known    bool
	sequence uint32
	missed   uint64
	status   StatusError
	force    spatial.Force
}

var (
	_ device.Device            = (*Sensor)(nil)
	_ device.ForceTorqueSensor = (*Sensor)(nil)
)

// New returns the sensor with an address, closed: udp://192.168.1.1:49152. It fails as [wire.New] does.
func New(address string, o Options) (*Sensor, error) {
	w, err := wire.New(address, wire.Datagrams)
	if err != nil {
		return nil, err
	}
	return On(w, o), nil
}

// On returns the sensor at the other end of a channel of datagrams, closed.
func On(w wire.Wire, o Options) *Sensor {
	s := &Sensor{wire: w, o: o.complete()}
	s.Session = driver.NewSession("RDT force-torque sensor", w, (*conversation)(s))
	return s
}

// ForceTorque returns the latest measurement, N and N m, in the sensor's frame; NaN while the sensor is not running.
func (s *Sensor) ForceTorque() spatial.Force { return s.force }

// Zero makes the present load the zero, from the next Step on. It has no effect while the sensor is not running.
func (s *Sensor) Zero() { s.zero = s.known }

// Missed returns how many records were lost since the sensor was made, by their sequence.
func (s *Sensor) Missed() uint64 { return s.missed }

// conversation is the protocol of a [Sensor].
type conversation Sensor

// Reset implements [driver.Conversation].
func (c *conversation) Reset() {
	nan := math.NaN()
	v := spatial.Vec3{X: nan, Y: nan, Z: nan}
	c.begun, c.zero, c.known, c.force = false, false, false, spatial.Force{Linear: v, Angular: v}
}

// Patience implements [driver.Conversation].
func (c *conversation) Patience() time.Duration { return 100 * time.Millisecond }

// End implements [driver.Conversation]: the sensor sends nothing more.
func (c *conversation) End() { _, _ = c.request(stop) }

func (c *conversation) request(command byte) (sent bool, err error) {
	b := binary.BigEndian.AppendUint16(c.buffer[:0], mark)
	n, err := c.wire.Write(append(b, 0, command, 0, 0, 0, 0))
	return n == requestBytes, err
}

// Exchange implements [driver.Conversation].
func (c *conversation) Exchange(time.Duration) (progress driver.Progress, err error) {
	if !c.begun {
		if c.begun, err = c.request(c.o.start()); err != nil {
			return driver.Nothing, err
		}
	}
	if c.zero {
		sent, err := c.request(setZero)
		if err != nil {
			return driver.Nothing, err
		}
		c.zero = !sent
	}
	for range 256 {
		n, err := c.wire.Read(c.buffer[:])
		if err != nil {
			return driver.Nothing, err
		}
		if n == 0 {
			break
		}
		if n != recordBytes {
			if progress == driver.Nothing {
				progress = driver.Damaged
			}
			continue
		}
		if err := c.take(c.buffer[:n]); err != nil {
			return driver.Nothing, err
		}
		progress = driver.Complete
	}
	if progress == driver.Damaged {
		return progress, ErrForm
	}
	return progress, nil
}

// take takes a record. One that an earlier one has overtaken is dropped.
func (c *conversation) take(b []byte) error {
	sequence := binary.BigEndian.Uint32(b)
	step := int32(sequence - c.sequence)
	if c.known && step <= 0 && step > -1000 {
		return nil
	}
	if c.known && step > 1 && step < 1e6 {
		c.missed += uint64(step) - 1
	}
	if status := binary.BigEndian.Uint32(b[8:]); status&failed != 0 {
		c.status.Status = status
		return &c.status
	}
	c.sequence, c.known = sequence, true
	value := func(i int, counts float64) float64 {
		return float64(int32(binary.BigEndian.Uint32(b[12+4*i:]))) / counts
	}
	f, t := c.o.CountsPerForce, c.o.CountsPerTorque
	c.force.Linear = spatial.Vec3{X: value(0, f), Y: value(1, f), Z: value(2, f)}
	c.force.Angular = spatial.Vec3{X: value(3, t), Y: value(4, t), Z: value(5, t)}
	return nil
}

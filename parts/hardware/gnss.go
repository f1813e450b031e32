package hardware

import (
	"fmt"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/nmea"
	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// GNSS is a satellite receiver:
//
//	┌──────┐
//	│      ├─► position    [rad, m]
//	│ GNSS ├─► velocity    [m/s]
//	│      ├─► deviation   [m]
//	│      ├─► quality
//	└──────┘
//
// A position has three elements, or two where the height is not measured, and none without a fix: no number stands for a place that is not known. Velocity and deviations have no
// elements either where the receiver does not send them. The qualities are those of NMEA 0183: 0 no fix, 1 by satellites alone, 2 differential, 4 and 5 RTK, 6 dead reckoning.
//
// Drivers: sim stands at the parameter place; nmea is a receiver that sends NMEA 0183 at an address such as serial:///dev/ttyACM0?baud=9600, tcp://192.168.0.30:10110, or
// udp+listen://:10110 for one that sends datagrams. While the receiver is absent the outputs are as without a fix, and a warning names the reason.
type GNSS struct {
	Driver  block.Const[string]    `default:"sim" doc:"sim, or nmea for receivers that send NMEA 0183"`
	Address block.Const[string]    `doc:"of the receiver's channel; sim needs none"`
	Place   block.Param[[]float64] `unit:"rad, m" default:"[0.8394, 0.2021, 518]" min:"-10000" max:"100000" doc:"latitude, longitude and height of the simulated receiver; without elements it has no fix"`
	Rate    block.Const[float64]   `unit:"Hz" default:"10" min:"0.1" max:"100" doc:"solutions of the simulated receiver in a second"`

	Position   block.Out[[]float64] `unit:"rad, m" safe:"[]" watch:"yes" doc:"latitude, longitude (WGS 84, north and east positive), height above mean sea level"`
	Velocity   block.Out[[]float64] `unit:"m/s" safe:"[]" doc:"to the north and to the east"`
	Deviation  block.Out[[]float64] `unit:"m" safe:"[]" doc:"standard deviations to the north, to the east, and of the height"`
	Quality    block.Out[int64]     `safe:"0" watch:"yes" doc:"of the fix; 0: there is none"`
	Satellites block.Out[int64]     `safe:"0" doc:"in use"`
	Solutions  block.Out[int64]     `safe:"0" doc:"number of the solution, from 1; those without a fix count too"`

	life
	receiver device.SatelliteReceiver
	sim      *sim.Instruments // nil: real
	wait     time.Duration    // until the next simulated solution
	last     uint64
}

// Setup makes the device.
func (g *GNSS) Setup(s *block.Setup) error {
	s.MaxLen(3, &g.Position, &g.Deviation)
	s.MaxLen(2, &g.Velocity)
	switch driver := g.Driver.Value(); driver {
	case "sim":
		if n := len(g.Place.Value()); n != 3 && n != 0 {
			return &port.ParamError{Param: "place", Err: fmt.Errorf("place has length %d: expected latitude, longitude and height, or none", n)}
		}
		g.sim = sim.NewInstruments(sim.InstrumentOptions{})
		g.device, g.receiver = g.sim, g.sim
	case "nmea":
		d, err := nmea.New(g.Address.Value())
		if err != nil {
			return badAddress(err)
		}
		g.device, g.receiver = d, d
	default:
		return unknownDriver(driver, "sim", "nmea")
	}
	return nil
}

// stand places the simulated receiver.
func (g *GNSS) stand() {
	f := &g.sim.World.Fix
	*f = device.Fix{}
	if at := g.Place.Value(); len(at) == 3 {
		*f = device.Fix{Latitude: at[0], Longitude: at[1], Height: at[2], Deviation: [3]float64{1, 1, 2}, Quality: device.Simulated, Satellites: 12}
	}
}

// Step writes the solution, if there is a new one.
func (g *GNSS) Step(t clock.Tick) error {
	if g.sim != nil {
		if g.wait -= t.Dt; g.wait > 0 {
			return nil
		}
		g.wait += time.Duration(float64(time.Second) / g.Rate.Value())
		g.stand()
	}
	if ok, err := g.step(t); !ok {
		return err
	}
	f := g.receiver.Fix()
	if f.Sequence == g.last {
		return nil
	}
	g.last = f.Sequence
	position, velocity, deviation := g.Position.Slot(), g.Velocity.Slot(), g.Deviation.Slot()
	*position, *velocity, *deviation = (*position)[:0], (*velocity)[:0], (*deviation)[:0]
	if f.Quality != device.NoFix {
		*position = append(*position, f.Latitude, f.Longitude)
		if !math.IsNaN(f.Height) {
			*position = append(*position, f.Height)
		}
		if !math.IsNaN(f.North + f.East) {
			*velocity = append(*velocity, f.North, f.East)
		}
		if d := f.Deviation; !math.IsNaN(d[0] + d[1] + d[2]) {
			*deviation = append(*deviation, d[:]...)
		}
	}
	g.Position.Commit()
	g.Velocity.Commit()
	g.Deviation.Commit()
	g.Quality.Write(int64(f.Quality))
	g.Satellites.Write(int64(f.Satellites))
	g.Solutions.Write(int64(f.Sequence))
	return nil
}

package hardware

import (
	"fmt"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/pb9"
	"github.com/sinew-robotics/sinew/device/scip"
	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// Scanner is a laser scanner:
//
//	┌─────────┐
//	│         ├─► ranges   [m]
//	│ Scanner ├─► nearest  [m]
//	│         ├─► scans
//	└─────────┘
//
// Beam i points at first + i·step about the scanner's z axis; 0 is along x. A range is 0 without a valid measurement, and the scanner's
// reach where nothing is within it. The defaults are those of a Hokuyo URG-04LX. A scanner that has other beams than the parameters
// say is an error, which names the right ones.
//
// Drivers: sim is a scanner in the middle of a room, around which a pillar goes; scip is a scanner of Hokuyo (SCIP 2.0) at an address such as
// serial:///dev/ttyACM0 or tcp://192.168.0.10:10940; pb9 is a PB9-11 behind an adapter at an address such as serial:///dev/ttyUSB0?baud=57600, with 91
// beams over 162° whatever beams, first and step are. A scan counts as new when it has come whole, as the drivers know no other time of it: its first
// beams are older by up to a turn. While the scanner is absent all outputs are 0, and a warning names the reason.
type Scanner struct {
	Driver  block.Const[string]  `default:"sim" doc:"sim, scip for scanners of Hokuyo, or pb9 for the PB9-11"`
	Address block.Const[string]  `doc:"of the scanner's channel; sim needs none"`
	Beams   block.Const[int]     `default:"682" min:"1" max:"10000" doc:"of a scan; pb9 has its own"`
	First   block.Const[float64] `unit:"rad" default:"-2.0862138" min:"-3.2" max:"3.2" doc:"angle of the first beam; pb9 has its own"`
	Angle   block.Const[float64] `name:"step" unit:"rad" default:"0.0061359232" min:"0.00001" max:"1" doc:"angle from beam to beam; pb9 has its own"`

	Rate   block.Const[float64]   `unit:"Hz" default:"10" min:"0.1" max:"1000" doc:"scans of the simulated scanner in a second"`
	Reach  block.Const[float64]   `unit:"m" default:"5.6" min:"0.01" max:"1000" doc:"of the simulated scanner"`
	Room   block.Const[[]float64] `unit:"m" default:"[6, 4]" min:"0.1" max:"1000" doc:"length and width of the room of the simulated scanner"`
	Pillar block.Const[[]float64] `default:"[0.2, 1, 8]" min:"0" max:"1000" doc:"of that room: its radius and distance in m, and the time in which it goes around in s; 0 s: it stands in front"`

	Ranges  block.Out[[]float64] `unit:"m" safe:"0" doc:"of the latest scan"`
	Nearest block.Out[float64]   `unit:"m" safe:"0" watch:"yes" doc:"the least valid range; 0 if there is none"`
	Scans   block.Out[int64]     `safe:"0" doc:"number of the scan, from 1"`

	life
	scanner device.Scanner
	beams   int     // of a scan
	first   float64 // angle of the first one, rad
	angle   float64 // from one to the next, rad
	last    uint64
}

// Setup makes the device.
func (s *Scanner) Setup(setup *block.Setup) error {
	s.beams, s.first, s.angle = s.Beams.Value(), s.First.Value(), s.Angle.Value()
	switch driver := s.Driver.Value(); driver {
	case "sim":
		room, pillar := s.Room.Value(), s.Pillar.Value()
		if len(room) != 2 {
			return &port.ParamError{Param: "room", Err: fmt.Errorf("room has length %d: expected length and width", len(room))}
		}
		if len(pillar) != 3 || pillar[1] <= pillar[0] && pillar[0] > 0 {
			return &port.ParamError{Param: "pillar", Err: fmt.Errorf("pillar is %v: expected its radius, a greater distance, and a time", pillar)}
		}
		d := sim.NewScanner(sim.ScannerOptions{
			First: s.first, Step: s.angle, Beams: s.beams, Reach: s.Reach.Value(),
			Period: time.Duration(float64(time.Second) / s.Rate.Value()),
			Room:   sim.Room{Length: room[0], Width: room[1], Pillar: pillar[0], Orbit: pillar[1], Period: pillar[2]},
		})
		s.device, s.scanner = d, d
	case "scip":
		d, err := scip.New(s.Address.Value())
		if err != nil {
			return badAddress(err)
		}
		s.device, s.scanner = d, d
	case "pb9":
		d, err := pb9.New(s.Address.Value())
		if err != nil {
			return badAddress(err)
		}
		s.device, s.scanner = d, d
		s.beams = pb9.Sectors
		s.first, s.angle = pb9.Angles()
	default:
		return unknownDriver(driver, "sim", "scip", "pb9")
	}
	setup.Len(s.beams, &s.Ranges)
	return nil
}

// Step writes the scan, if there is a new one.
func (s *Scanner) Step(t clock.Tick) error {
	if ok, err := s.step(t); !ok {
		return err
	}
	scan := s.scanner.Scan()
	if scan.Sequence == s.last {
		return nil
	}
	if len(scan.Ranges) != s.beams || math.Abs(scan.First-s.first) > s.angle/2 || math.Abs(scan.Step-s.angle)*float64(s.beams) > s.angle/2 {
		return fmt.Errorf("the scanner has other beams: set beams: %d, first: %.7f, step: %.10f", len(scan.Ranges), scan.First, scan.Step)
	}
	s.last = scan.Sequence
	reach := s.reach()
	ranges, nearest := *s.Ranges.Slot(), reach
	valid := false
	for i, x := range scan.Ranges {
		if math.IsNaN(x) {
			ranges[i] = 0
			continue
		}
		ranges[i] = min(x, reach)
		nearest, valid = min(nearest, x), true
	}
	if !valid {
		nearest = 0
	}
	s.Ranges.Commit()
	s.Nearest.Write(nearest)
	s.Scans.Write(int64(scan.Sequence))
	return nil
}

// reach returns the greatest range of the scanner in m.
func (s *Scanner) reach() float64 {
	switch d := s.scanner.(type) {
	case *scip.Scanner:
		p, _ := d.Parameters()
		return float64(p.Greatest) / 1000
	case *pb9.Scanner:
		return pb9.Reach
	}
	return s.Reach.Value()
}

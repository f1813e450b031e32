package sim

import (
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device"
)

// Room is what a simulated or emulated scanner sees: it stands in the middle of a rectangle, and looks along its length. A pillar goes
// around it.
type Room struct {
	Length, Width float64 // m
	Pillar        float64 // radius, m; 0: there is none
	Orbit         float64 // distance of the pillar's middle from the scanner, m
	Period        float64 // in which it goes around, s; 0: it stands in front
}

// Distance returns the distance in m to what lies in the direction angle (rad) at a time.
func (r Room) Distance(angle float64, at time.Duration) float64 {
	sin, cos := math.Sincos(angle)
	distance := math.Min(r.Length/2/math.Abs(cos), r.Width/2/math.Abs(sin))
	if r.Pillar <= 0 {
		return distance
	}
	phase := 0.0
	if r.Period > 0 {
		phase = 2 * math.Pi * at.Seconds() / r.Period
	}
	y, x := math.Sincos(phase)
	along := r.Orbit * (x*cos + y*sin)
	across := r.Orbit * (y*cos - x*sin)
	if half := r.Pillar*r.Pillar - across*across; along > 0 && half >= 0 {
		distance = math.Min(distance, along-math.Sqrt(half))
	}
	return distance
}

// ScannerOptions are the figures of a [Scanner].
type ScannerOptions struct {
	First, Step float64       // angle of the first beam, and from beam to beam, rad
	Beams       int           // of a scan; more than 0
	Period      time.Duration // of a scan; more than 0
	Reach       float64       // m; beyond it is +Inf
	Room        Room
}

// Scanner is a simulated laser scanner.
type Scanner struct {
	life device.Life
	o    ScannerOptions
	now  time.Duration
	next time.Duration // when the next scan is due
	scan device.Scan
}

var (
	_ device.Device  = (*Scanner)(nil)
	_ device.Scanner = (*Scanner)(nil)
)

// NewScanner returns a scanner, closed. It panics if the period or the number of beams is not positive.
func NewScanner(o ScannerOptions) *Scanner {
	if o.Period <= 0 || o.Beams <= 0 {
		panic("device/sim: a scanner needs a period and beams")
	}
	return &Scanner{o: o, scan: device.Scan{First: o.First, Step: o.Step, Ranges: make([]float64, o.Beams)}}
}

// Scan returns the latest scan.
func (s *Scanner) Scan() device.Scan { return s.scan }

// Open takes the scanner.
func (s *Scanner) Open() error { return s.life.Do(device.OpenCalled) }

// Start begins to measure: the first Step makes a scan.
func (s *Scanner) Start() error {
	if !s.life.Started() {
		s.now, s.next = 0, 0
	}
	return s.life.Do(device.StartCalled)
}

// Step lets the time dt pass, and makes a scan if one is due.
func (s *Scanner) Step(dt time.Duration) error {
	if err := s.life.CheckStep(dt); err != nil {
		return err
	}
	if s.now += dt; s.now >= s.next {
		for s.now >= s.next {
			s.next += s.o.Period
		}
		for i := range s.scan.Ranges {
			x := s.o.Room.Distance(s.o.First+float64(i)*s.o.Step, s.now)
			if x > s.o.Reach {
				x = math.Inf(1)
			}
			s.scan.Ranges[i] = x
		}
		s.scan.Sequence++
	}
	return s.life.Do(device.StepComplete)
}

// Stop ends the measurement.
func (s *Scanner) Stop() error { return s.life.Do(device.StopCalled) }

// Close stops the scanner.
func (s *Scanner) Close() error { return s.life.Do(device.CloseCalled) }

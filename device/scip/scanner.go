package scip

import (
	"bytes"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// Scanner is a laser scanner that speaks SCIP 2.0. Distances below its range are NaN, as are the codes of failed measurements there;
// those beyond it are +Inf.
type Scanner struct {
	driver.Session
	wire   wire.Wire
	stage  stage
	sent   int // bytes of the command
	buffer [4096]byte

	command    []byte // of the stage, with its line feed
	answers    answers
	status     StatusError
	parameters Parameters
	known      bool // the parameters are
	damaged    uint64

	next      []float64 // the scan that is coming
	rest      [3]byte   // characters of a distance that began in a line before
	restCount int
	scan      device.Scan
	sequence  uint64
}

var (
	_ device.Device  = (*Scanner)(nil)
	_ device.Scanner = (*Scanner)(nil)
)

// stage is a command, and what is expected of its answer.
type stage uint8

const (
	stopping   stage = iota // QT
	switching               // SCIP2.0
	resuming                // TM2
	asking                  // PP
	requesting              // MD, and its first answer
	scanning                // its other answers
)

// New returns the scanner with an address, closed: serial:///dev/ttyACM0 or tcp://192.168.0.10:10940. It fails as [wire.New] does.
func New(address string) (*Scanner, error) {
	w, err := wire.New(address, wire.Bytes)
	if err != nil {
		return nil, err
	}
	return On(w), nil
}

// On returns the scanner at the other end of a channel of bytes, closed.
func On(w wire.Wire) *Scanner {
	s := &Scanner{wire: w, command: make([]byte, 0, 32), next: make([]float64, 0, MaxBeams)}
	s.scan.Ranges = make([]float64, 0, MaxBeams)
	s.Session = driver.NewSession("SCIP scanner", w, (*conversation)(s))
	return s
}

// Scan returns the latest complete scan at the last Step; its sequence is 0 while the scanner is not running.
func (s *Scanner) Scan() device.Scan { return s.scan }

// Parameters returns what the scanner measures; ok is false until it has answered.
func (s *Scanner) Parameters() (p Parameters, ok bool) { return s.parameters, s.known }

// Damaged returns how many answers were not understood since the scanner was made: noise on the line, or another device.
func (s *Scanner) Damaged() uint64 { return s.damaged }

// conversation is the protocol of a [Scanner].
type conversation Scanner

// Reset implements [driver.Conversation].
func (c *conversation) Reset() {
	c.answers = answers{}
	c.known = false
	c.scan = device.Scan{Ranges: c.scan.Ranges[:0]}
	c.enter(stopping)
}

// enter begins a stage.
func (c *conversation) enter(s stage) {
	b := c.command[:0]
	switch s {
	case stopping:
		b = append(b, "QT"...)
	case switching:
		b = append(b, "SCIP2.0"...)
	case resuming:
		b = append(b, "TM2"...)
	case asking:
		b = append(b, "PP"...)
		c.parameters = Parameters{}
	case requesting:
		b = append(b, "MD"...)
		b = appendDecimal(b, c.parameters.First, 4)
		b = appendDecimal(b, c.parameters.Last, 4)
		b = append(b, "01000"...)
	}
	c.command, c.stage, c.sent = append(b, '\n'), s, 0
}

// Patience implements [driver.Conversation]: a motor at rest takes seconds to reach its speed, and five turns may be damaged.
func (c *conversation) Patience() time.Duration {
	switch {
	case c.stage < requesting:
		return 300 * time.Millisecond
	case c.scan.Sequence == 0:
		return 4 * time.Second
	}
	return 5 * time.Minute / time.Duration(c.parameters.TurnsPerMinute)
}

// End implements [driver.Conversation].
func (c *conversation) End() { _, _ = c.wire.Write(append(c.command[:0], "QT\n"...)) }

// Exchange implements [driver.Conversation].
func (c *conversation) Exchange(time.Duration) (driver.Progress, error) {
	if c.stage < scanning && c.sent < len(c.command) {
		n, err := c.wire.Write(c.command[c.sent:])
		if err != nil {
			return driver.Nothing, err
		}
		c.sent += n
	}
	progress, damage := driver.Nothing, error(nil)
	for range 16 { // 64 kB
		n, err := c.wire.Read(c.buffer[:])
		if err != nil {
			return driver.Nothing, err
		}
		if n == 0 {
			break
		}
		for _, b := range c.buffer[:n] {
			line, row, ok := c.answers.next(b)
			if !ok {
				continue
			}
			p, err := c.take(line, row)
			if p == driver.Damaged {
				damage = err
				c.damaged++
				c.answers.skip = len(line) > 0
			} else if err != nil {
				return p, err
			} else {
				progress = max(progress, p)
			}
		}
	}
	if progress != driver.Complete && damage != nil {
		return driver.Damaged, damage
	}
	return progress, nil
}

// take takes a line of an answer; row 0 is the command, and an empty line the end.
func (c *conversation) take(line []byte, row int) (driver.Progress, error) {
	if row == 0 {
		if want := c.command[:len(c.command)-1]; !bytes.Equal(line, want) {
			c.answers.skip = true
			if c.stage == stopping { // scans of a measurement that has not ended yet
				return driver.Nothing, nil
			}
			return driver.Damaged, ErrForm
		}
		return driver.Nothing, nil
	}
	if len(line) == 0 {
		return c.finish()
	}
	if row == 1 {
		return c.takeStatus(line)
	}
	data := line[:len(line)-1]
	sum := line[len(line)-1]
	if c.stage == asking {
		if n := len(data); n > 0 && data[n-1] == ';' {
			data = data[:n-1]
		}
		if sum != checksum(data) {
			return driver.Damaged, ErrChecksum
		}
		if !c.parameters.set(data) {
			return driver.Damaged, ErrForm
		}
		return driver.Nothing, nil
	}
	if sum != checksum(data) {
		return driver.Damaged, ErrChecksum
	}
	if c.stage != scanning {
		return driver.Nothing, nil
	}
	if row == 2 {
		if _, ok := decode(data); !ok || len(data) != 4 {
			return driver.Damaged, ErrForm
		}
		c.next, c.restCount = c.next[:0], 0
		return driver.Nothing, nil
	}
	return c.distances(data)
}

// takeStatus takes the second line of an answer.
func (c *conversation) takeStatus(line []byte) (driver.Progress, error) {
	if c.stage == stopping && len(line) == 1 { // SCIP 1.1
		c.answers.skip = true
		c.enter(switching)
		return driver.Answered, nil
	}
	if c.stage == switching && len(line) <= 3 { // "0", or a refusal of a scanner that knows SCIP 2.0 only
		return driver.Nothing, nil
	}
	if len(line) != 3 {
		return driver.Damaged, ErrForm
	}
	status := [2]byte(line[:2])
	if line[2] != checksum(line[:2]) {
		return driver.Damaged, ErrChecksum
	}
	switch {
	case c.stage == stopping && status == [2]byte{'0', 'E'}: // it adjusts its time
		c.answers.skip = true
		c.enter(resuming)
		return driver.Answered, nil
	case c.stage == resuming, status == [2]byte{'0', '0'} && c.stage != scanning, status == [2]byte{'9', '9'} && c.stage == scanning:
		return driver.Nothing, nil
	}
	c.status = StatusError{[2]byte(c.command[:2]), status}
	return driver.Nothing, &c.status
}

// distances takes a line of a scan.
func (c *conversation) distances(data []byte) (driver.Progress, error) {
	if len(data) > blockLength {
		return driver.Damaged, ErrForm
	}
	for _, b := range data {
		c.rest[c.restCount] = b
		if c.restCount++; c.restCount < len(c.rest) {
			continue
		}
		c.restCount = 0
		mm, ok := decode(c.rest[:])
		if !ok {
			return driver.Damaged, ErrForm
		}
		if len(c.next) == c.parameters.Beams() {
			return driver.Damaged, ErrLength
		}
		c.next = append(c.next, c.parameters.metres(mm))
	}
	return driver.Nothing, nil
}

// metres returns a distance as [device.Scan] has it.
func (p *Parameters) metres(mm int) float64 {
	switch {
	case mm < p.Least:
		return math.NaN()
	case mm > p.Greatest:
		return math.Inf(1)
	}
	return float64(mm) / 1000
}

// finish takes the end of an answer.
func (c *conversation) finish() (driver.Progress, error) {
	switch c.stage {
	case stopping:
		c.enter(asking)
	case switching, resuming:
		c.enter(stopping)
	case asking:
		if !c.parameters.check() {
			c.enter(asking)
			return driver.Damaged, ErrParameters
		}
		c.known = true
		c.enter(requesting)
	case requesting:
		c.stage = scanning
	case scanning:
		if len(c.next) != c.parameters.Beams() || c.restCount != 0 {
			return driver.Damaged, ErrLength
		}
		first, step := c.parameters.Angles()
		c.sequence++
		c.scan, c.next = device.Scan{First: first, Step: step, Ranges: c.next, Sequence: c.sequence}, c.scan.Ranges[:0]
		c.next = c.next[:0]
		return driver.Complete, nil
	}
	return driver.Answered, nil
}

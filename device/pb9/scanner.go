package pb9

import (
	"encoding/binary"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// Scanner is a laser scanner PB9-11. Distances without a valid measurement are NaN; those beyond 4 m are +Inf.
type Scanner struct {
	driver.Session
	wire    wire.Wire
	out, in []byte
	asked   bool // out has been filled
	known   bool // the scanner has described itself

	status   StatusError
	damaged  uint64
	next     []float64 // the scan that is read
	scan     device.Scan
	sequence uint64
}

var (
	_ device.Device  = (*Scanner)(nil)
	_ device.Scanner = (*Scanner)(nil)
)

// New returns the scanner with an address, closed: serial:///dev/ttyUSB0?baud=57600. It fails as [wire.New] does.
func New(address string) (*Scanner, error) {
	w, err := wire.New(address, wire.Bytes)
	if err != nil {
		return nil, err
	}
	return On(w), nil
}

// On returns the scanner at the other end of a channel of bytes, closed.
func On(w wire.Wire) *Scanner {
	s := &Scanner{wire: w, out: make([]byte, 0, overhead), in: make([]byte, 0, 8*frameBytes), next: make([]float64, 0, Sectors)}
	s.scan.Ranges = make([]float64, 0, Sectors)
	s.Session = driver.NewSession("PB9-11 scanner", w, (*conversation)(s))
	return s
}

// Scan returns the latest scan at the last Step; its sequence is 0 while the scanner is not running.
func (s *Scanner) Scan() device.Scan { return s.scan }

// Damaged returns how many pieces of what has arrived were not understood since the scanner was made: noise on the line, or another device.
func (s *Scanner) Damaged() uint64 { return s.damaged }

// conversation is the protocol of a [Scanner].
type conversation Scanner

// Reset implements [driver.Conversation].
func (c *conversation) Reset() {
	c.out, c.in, c.asked, c.known = c.out[:0], c.in[:0], false, false
	c.scan = device.Scan{Ranges: c.scan.Ranges[:0]}
}

// Patience implements [driver.Conversation]: the time of five scans.
func (c *conversation) Patience() time.Duration { return 500 * time.Millisecond }

// End implements [driver.Conversation]: the scanner sends nothing more.
func (c *conversation) End() { _, _ = c.wire.Write(end(begin(c.out[:0], stop, 0), 0)) }

// Exchange implements [driver.Conversation].
func (c *conversation) Exchange(time.Duration) (progress driver.Progress, err error) {
	if !c.asked {
		c.out, c.asked = end(begin(c.out[:0], start, 0), 0), true
	}
	if len(c.out) > 0 {
		n, err := c.wire.Write(c.out)
		if err != nil {
			return driver.Nothing, err
		}
		c.out = c.out[:copy(c.out, c.out[n:])]
	}
	damage := error(nil)
	for range 4 { // to 8 kB
		n, err := c.wire.Read(c.in[len(c.in):cap(c.in)])
		if err != nil {
			return driver.Nothing, err
		}
		if n == 0 {
			break
		}
		c.in = c.in[:len(c.in)+n]
		rest := c.in
		for {
			kind, data, used, err := next(rest)
			if used == 0 {
				break
			}
			rest = rest[used:]
			p := driver.Damaged
			if err == nil {
				p, err = c.take(kind, data)
			}
			switch {
			case p == driver.Damaged:
				c.damaged++
				if damage == nil {
					damage = err
				}
			case err != nil:
				return driver.Nothing, err
			default:
				progress = max(progress, p)
			}
		}
		c.in = c.in[:copy(c.in, rest)]
	}
	if progress < driver.Answered && damage != nil {
		return driver.Damaged, damage
	}
	return progress, nil
}

// take takes a message. Those of other types or lengths, and scans of an earlier start, are dropped.
func (c *conversation) take(kind byte, data []byte) (driver.Progress, error) {
	switch {
	case kind == started && len(data) == startedBytes:
		if data[0] != Sectors || binary.BigEndian.Uint16(data[1:]) != aperture || binary.BigEndian.Uint16(data[3:]) != reachMillimetres {
			return driver.Nothing, ErrScanner
		}
		c.known = true
		return driver.Answered, nil
	case kind == scan && len(data) == scanBytes && c.known:
		return c.takeScan(data)
	}
	return driver.Nothing, nil
}

// takeScan takes a scan.
func (c *conversation) takeScan(data []byte) (driver.Progress, error) {
	if data[2] != 0 {
		c.status.Status = data[2]
		return driver.Nothing, &c.status
	}
	c.next = c.next[:0]
	for b := data[3:]; len(b) > 0; b = b[2:] {
		x, ok := metres(binary.BigEndian.Uint16(b))
		if !ok {
			return driver.Damaged, ErrDistance
		}
		c.next = append(c.next, x)
	}
	first, step := Angles()
	c.sequence++
	c.scan, c.next = device.Scan{First: first, Step: step, Ranges: c.next, Sequence: c.sequence}, c.scan.Ranges
	return driver.Complete, nil
}

package wire

import "fmt"

// slcan is a CAN adapter on a serial line that speaks the protocol of Lawicel's CAN232: lines of ASCII that end with CR.
//
//	S0…S8, O, C    choose the bit rate, open, close the bus
//	tiiildd…       a frame: identifier of 3 hexadecimal digits, length, data
//	Tiiiiiiiildd…  the same with an identifier of 29 bits; r, R: remote frames
//	\a             the adapter refuses a command
type slcan struct {
	line   Wire
	faults *faults
	setup  []byte // what still has to be sent to open the bus
	begin  []byte // all of it

	in     [256]byte // what was received and not yet read
	queued int
	out    [32]byte // what of a frame has not been sent yet
	unsent []byte
}

// lawicel are the bit rates that the protocol numbers.
var lawicel = []int{10_000, 20_000, 50_000, 100_000, 125_000, 250_000, 500_000, 800_000, 1_000_000}

// maxSlcan is the length of the longest line: a frame of 29 bits with 8 bytes and a time stamp.
const maxSlcan = 1 + 8 + 1 + 16 + 4 + 1

func newSlcan(a *address) (Wire, error) {
	rate, err := a.number("bitrate", 0, 1, 1_000_000)
	if err != nil {
		return nil, err
	}
	number := -1
	for i, r := range lawicel {
		if r == rate {
			number = i
		}
	}
	if number < 0 {
		return nil, fmt.Errorf("bitrate=%d: expected one of %v", rate, lawicel)
	}
	a.options.Del("bitrate")
	line, err := newSerial(a)
	if err != nil {
		return nil, err
	}
	return newSlcanOn(line, number), nil
}

func newSlcanOn(line Wire, rate int) *slcan {
	return &slcan{line: line, faults: newFaults(line.String()), begin: fmt.Appendf(nil, "\rC\rS%d\rO\r", rate)}
}

// String implements [Wire].
func (s *slcan) String() string { return s.line.String() }

// Open implements [Wire].
func (s *slcan) Open() error {
	s.queued, s.unsent, s.setup = 0, nil, s.begin
	return s.line.Open()
}

// Close implements [Wire]. It closes the bus, too, if the line takes the command.
func (s *slcan) Close() error {
	_, _ = s.line.Write([]byte("C\r"))
	return s.line.Close()
}

// flush sends what is left of the set-up or of a frame, and reports whether all is sent.
func (s *slcan) flush() (bool, error) {
	for _, rest := range []*[]byte{&s.setup, &s.unsent} {
		if len(*rest) == 0 {
			continue
		}
		n, err := s.line.Write(*rest)
		if *rest = (*rest)[n:]; err != nil || len(*rest) > 0 {
			return false, err
		}
	}
	return true, nil
}

// Read implements [Wire]. It skips answers of the adapter and lines that are not frames.
func (s *slcan) Read(p []byte) (int, error) {
	if len(p) < frameBytes {
		return 0, &s.faults.frame
	}
	if _, err := s.flush(); err != nil {
		return 0, err
	}
	n, err := s.line.Read(s.in[s.queued:])
	s.queued += n
	for at := 0; at < s.queued; at++ {
		if c := s.in[at]; c != '\r' && c != '\a' {
			continue
		}
		f, ok := parseSlcan(s.in[:at])
		s.queued = copy(s.in[:], s.in[at+1:s.queued])
		if at = -1; ok {
			return len(appendFrame(p[:0], f)), nil
		}
	}
	if s.queued > maxSlcan { // noise without an end of line
		s.queued = 0
	}
	return 0, err
}

// Write implements [Wire].
func (s *slcan) Write(p []byte) (int, error) {
	f, ok := parseFrame(p)
	if !ok {
		return 0, &s.faults.frame
	}
	if sent, err := s.flush(); err != nil || !sent {
		return 0, err
	}
	s.unsent = appendSlcan(s.out[:0], f)
	_, err := s.flush() // what does not fit now is sent by the next call
	return len(p), err
}

const hexDigits = "0123456789ABCDEF"

// appendSlcan appends the line of a frame.
func appendSlcan(b []byte, f Frame) []byte {
	letter, digits := byte('t'), 3
	if f.Extended {
		letter, digits = 'T', 8
	}
	if f.Remote {
		letter -= 't' - 'r'
	}
	b = append(b, letter)
	for i := digits - 1; i >= 0; i-- {
		b = append(b, hexDigits[f.ID>>(4*i)&15])
	}
	b = append(b, '0'+f.Length)
	if !f.Remote {
		for _, x := range f.Bytes() {
			b = append(b, hexDigits[x>>4], hexDigits[x&15])
		}
	}
	return append(b, '\r')
}

// parseSlcan reads the line of a frame, without its end. A time stamp of four digits may follow the data.
func parseSlcan(line []byte) (f Frame, ok bool) {
	if len(line) == 0 {
		return f, false
	}
	digits := 3
	switch line[0] {
	case 't':
	case 'r':
		f.Remote = true
	case 'T':
		f.Extended, digits = true, 8
	case 'R':
		f.Extended, f.Remote, digits = true, true, 8
	default:
		return f, false
	}
	if line = line[1:]; len(line) < digits+1 {
		return f, false
	}
	for _, c := range line[:digits] {
		x, ok := hexDigit(c)
		if !ok {
			return f, false
		}
		f.ID = f.ID<<4 | uint32(x)
	}
	if f.Length = line[digits] - '0'; f.Length > 8 || !f.valid() {
		return f, false
	}
	line = line[digits+1:]
	if !f.Remote {
		if len(line) < 2*int(f.Length) {
			return f, false
		}
		for i := range int(f.Length) {
			high, ok := hexDigit(line[2*i])
			low, alsoOK := hexDigit(line[2*i+1])
			if !ok || !alsoOK {
				return f, false
			}
			f.Data[i] = high<<4 | low
		}
		line = line[2*int(f.Length):]
	}
	return f, len(line) == 0 || len(line) == 4
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	}
	return 0, false
}

package scip

import (
	"errors"
	"fmt"
	"math"
)

// Lengths of the protocol.
const (
	blockLength = 64  // characters of data in a line, before its checksum
	lineLength  = 256 // longest line that is accepted
)

// checksum returns the sum of a line's characters as the specification defines it: its lowest six bits plus 30h.
func checksum(line []byte) byte {
	sum := byte(0)
	for _, c := range line {
		sum += c
	}
	return sum&0x3f + 0x30
}

// decode returns the number that characters encode, six bits each; ok is false for characters outside 30h to 6Fh.
func decode(characters []byte) (value int, ok bool) {
	for _, c := range characters {
		if c < 0x30 || c > 0x6f {
			return 0, false
		}
		value = value<<6 | int(c-0x30)
	}
	return value, true
}

// appendEncoded appends the lowest bits of a number in the given number of characters.
func appendEncoded(b []byte, value, characters int) []byte {
	for i := characters - 1; i >= 0; i-- {
		b = append(b, byte(value>>(6*i)&0x3f)+0x30)
	}
	return b
}

// appendDecimal appends a number with the given number of digits.
func appendDecimal(b []byte, value, digits int) []byte {
	scale := 1
	for range digits - 1 {
		scale *= 10
	}
	for ; scale > 0; scale /= 10 {
		b = append(b, byte('0'+value/scale%10))
	}
	return b
}

// Parameters are what a scanner measures: its answer to the command PP.
type Parameters struct {
	Least, Greatest int // distances, mm
	Turn            int // steps in 360°
	First, Last     int // steps that are measured
	Front           int // step of the x axis
	TurnsPerMinute  int
}

// Beams returns the number of distances of a scan.
func (p *Parameters) Beams() int { return p.Last - p.First + 1 }

// Angles returns the angle of the first beam, counterclockwise from the front, and that from beam to beam, rad.
func (p *Parameters) Angles() (first, step float64) {
	step = 2 * math.Pi / float64(p.Turn)
	return float64(p.First-p.Front) * step, step
}

// MaxBeams is the number of steps that a command can name.
const MaxBeams = 10000

// check reports whether the parameters belong to a scanner.
func (p *Parameters) check() bool {
	return p.Least >= 0 && p.Greatest > p.Least && p.Turn > 0 && p.First >= 0 && p.Last >= p.First && p.Last < MaxBeams &&
		p.Beams() <= p.Turn+1 && p.TurnsPerMinute >= 60
}

// set takes a line of an answer to PP, without its checksum: "DMIN:20". Others are ignored. It reports whether it is one.
func (p *Parameters) set(line []byte) bool {
	if len(line) < 6 || line[4] != ':' {
		return false
	}
	var to *int
	switch string(line[:4]) {
	case "DMIN":
		to = &p.Least
	case "DMAX":
		to = &p.Greatest
	case "ARES":
		to = &p.Turn
	case "AMIN":
		to = &p.First
	case "AMAX":
		to = &p.Last
	case "AFRT":
		to = &p.Front
	case "SCAN":
		to = &p.TurnsPerMinute
	default:
		return true
	}
	value := 0
	for _, c := range line[5:] {
		if c < '0' || c > '9' || value > 1<<24 {
			return false
		}
		value = 10*value + int(c-'0')
	}
	*to = value
	return true
}

// The errors of data that a scanner sends. Test for them with errors.Is.
var (
	ErrChecksum   = errors.New("wrong checksum")
	ErrForm       = errors.New("not an answer of SCIP 2.0")
	ErrParameters = errors.New("the answer to PP does not describe a scanner")
	ErrLength     = errors.New("a scan has another number of distances than its command names")
)

// StatusError is a status that is not good.
type StatusError struct {
	Command [2]byte
	Status  [2]byte
}

// Error implements error.
func (e *StatusError) Error() string {
	meaning := "command refused"
	switch {
	case e.Status[0] >= '5' && e.Status[0] <= '9':
		meaning = "hardware trouble: laser or motor"
	case e.Status == [2]byte{'1', '0'}:
		meaning = "the laser is off"
	case e.Status == [2]byte{'0', 'I'}:
		meaning = "the scanner is being updated; restart it"
	}
	return fmt.Sprintf("the scanner answers %s with status %s (%s)", e.Command[:], e.Status[:], meaning)
}

// answers splits what a scanner sends into answers and their lines.
type answers struct {
	line [lineLength]byte
	n    int
	row  int  // of the answer, from 0
	skip bool // the rest of this answer is not understood
}

// next takes a byte. ok reports whether a line has ended, which is valid until the next call; its row counts from 0, and an empty line ends the answer.
func (a *answers) next(c byte) (line []byte, row int, ok bool) {
	if c == '\r' {
		return nil, 0, false
	}
	if c != '\n' {
		if a.n == len(a.line) { // not of this protocol: what fits is checked, and refused
			a.skip = true
			return nil, 0, false
		}
		a.line[a.n] = c
		a.n++
		return nil, 0, false
	}
	line, row = a.line[:a.n], a.row
	a.n = 0
	if a.row++; len(line) == 0 {
		skipped := a.skip
		a.row, a.skip = 0, false
		return line, row, !skipped && row > 0
	}
	return line, row, !a.skip
}

package nmea

import (
	"math"
	"time"
)

const (
	maxSentence = 120 // characters; the standard allows 82, receivers of high precision send more
	maxFields   = 32
)

// sentence is a sentence in its parts.
type sentence struct {
	kind   [3]byte
	fields [maxFields][]byte // behind the type
	n      int
	bad    int // the first field that could not be read; 0: none
}

// checksum returns the exclusive or of characters.
func checksum(b []byte) (sum byte) {
	for _, c := range b {
		sum ^= c
	}
	return sum
}

// digit returns the value of a hexadecimal digit; -1: none.
func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// parse takes a line apart, from $ to the checksum, without its end. The fields lie in the memory of the line.
func (s *sentence) parse(line []byte) error {
	end := len(line) - 3
	if end < 6 || line[0] != '$' || line[end] != '*' {
		return ErrForm
	}
	high, low := digit(line[end+1]), digit(line[end+2])
	if high < 0 || low < 0 {
		return ErrForm
	}
	body := line[1:end]
	if checksum(body) != byte(high<<4|low) {
		return ErrChecksum
	}
	s.n, s.bad, s.kind = -1, 0, [3]byte{}
	for from, i := 0, 0; i <= len(body); i++ {
		if i < len(body) && body[i] != ',' {
			continue
		}
		field := body[from:i]
		switch {
		case s.n == maxFields:
			return ErrForm
		case s.n >= 0:
			s.fields[s.n] = field
		case len(field) == 5 && field[0] != 'P': // P: a sentence of the maker's own
			s.kind = [3]byte(field[2:])
		}
		s.n++
		from = i + 1
	}
	return nil
}

// field returns a field, from 1; it is empty where the sentence has none.
func (s *sentence) field(i int) []byte {
	if i > s.n {
		return nil
	}
	return s.fields[i-1]
}

// fail notes that a field could not be read.
func (s *sentence) fail(i int) {
	if s.bad == 0 {
		s.bad = i
	}
}

// decimal reads digits with at most one point: whole·10^-places.
func decimal(b []byte) (whole uint64, places int, ok bool) {
	point := false
	for _, c := range b {
		switch {
		case c == '.' && !point:
			point = true
			continue
		case c < '0' || c > '9' || whole >= 1e14: // so that the number is exact
			return 0, 0, false
		}
		whole = 10*whole + uint64(c-'0')
		if point {
			places++
		}
	}
	return whole, places, len(b) > 0 && !(point && len(b) == 1)
}

// scaled returns whole·10^-places.
func scaled(whole uint64, places int) float64 { return float64(whole) / math.Pow10(places) }

// number reads a field with a number; NaN where it is empty.
func (s *sentence) number(i int) float64 {
	b := s.field(i)
	if len(b) == 0 {
		return math.NaN()
	}
	sign := 1.0
	if b[0] == '-' || b[0] == '+' {
		if b[0] == '-' {
			sign = -1
		}
		b = b[1:]
	}
	whole, places, ok := decimal(b)
	if !ok {
		s.fail(i)
		return math.NaN()
	}
	return sign * scaled(whole, places)
}

// natural reads a field with a natural number up to most; 0 where it is empty.
func (s *sentence) natural(i, most int) int {
	b := s.field(i)
	if len(b) == 0 {
		return 0
	}
	whole, places, ok := decimal(b)
	if !ok || places > 0 || whole > uint64(most) {
		s.fail(i)
		return 0
	}
	return int(whole)
}

// letter reads a field with one of two letters: 1 for the first, -1 for the second.
func (s *sentence) letter(i int, first, second byte) float64 {
	b := s.field(i)
	if len(b) == 1 && b[0] == first {
		return 1
	}
	if len(b) != 1 || b[0] != second {
		s.fail(i)
	}
	return -1
}

// angle reads degrees and minutes (dddmm.mmm) and the letter of their direction in the field behind; rad.
func (s *sentence) angle(i, most int, positive, negative byte) float64 {
	whole, places, ok := decimal(s.field(i))
	unit := uint64(math.Pow10(min(places, 15)))
	degrees, minutes := whole/(100*unit), whole%(100*unit)
	if !ok || minutes >= 60*unit || degrees > uint64(most) || degrees == uint64(most) && minutes > 0 {
		s.fail(i)
		return math.NaN()
	}
	return s.letter(i+1, positive, negative) * (float64(degrees) + scaled(minutes, places)/60) * math.Pi / 180
}

// clock reads a time of the day (hhmmss.sss); 0 where it is empty.
func (s *sentence) clock(i int) time.Duration {
	b := s.field(i)
	if len(b) == 0 {
		return 0
	}
	whole, places, ok := decimal(b)
	unit := uint64(math.Pow10(min(places, 15)))
	hour, minute, second := whole/(10000*unit), whole/(100*unit)%100, whole%(100*unit)
	if !ok || hour > 23 || minute > 59 || second >= 61*unit { // a leap second has number 60
		s.fail(i)
		return 0
	}
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(math.Round(scaled(second, places)*1e9))
}

// lines splits what arrives into sentences.
type lines struct {
	line [maxSentence]byte
	n    int
	lost bool // what has come since the last end of a line was no sentence
}

// next takes a byte. ok reports whether a line has ended, which is valid until the next call; err is ErrForm for what was no sentence.
func (l *lines) next(c byte) (line []byte, ok bool, err error) {
	switch {
	case c == '\n' || c == '\r':
		line, l.n = l.line[:l.n], 0
		if l.lost {
			l.lost = false
			return nil, false, ErrForm
		}
		return line, len(line) > 0 && line[0] == '$', nil
	case c == '$' || c == '!': // a sentence, or one of AIS, begins; one before it was cut off
		if l.n > 0 {
			err = ErrForm
		}
		l.line[0], l.n, l.lost = c, 1, false
		return nil, false, err
	case l.n == 0 || l.n == len(l.line):
		l.lost, l.n = true, 0
		return nil, false, nil
	}
	l.line[l.n] = c
	l.n++
	return nil, false, nil
}

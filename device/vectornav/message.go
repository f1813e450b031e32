package vectornav

import (
	"bytes"
	"math"
)

const (
	maxMessage = 200 // characters
	numbers    = 12  // of a YMR message
)

// checksum returns the exclusive or of characters.
func checksum(b []byte) (sum byte) {
	for _, c := range b {
		sum ^= c
	}
	return sum
}

const digits = "0123456789ABCDEF"

// end completes the message that begins at from.
func end(b []byte, from int) []byte {
	sum := checksum(b[from+1:])
	return append(b, '*', digits[sum>>4], digits[sum&15], '\r', '\n')
}

// parse returns what stands between $ and the checksum.
func parse(line []byte) (body []byte, err error) {
	n := len(line) - 3
	if n < 6 || line[n] != '*' || !bytes.HasPrefix(line, []byte("$VN")) {
		return nil, ErrForm
	}
	sum := checksum(line[1:n])
	if line[n+1] != digits[sum>>4] || line[n+2] != digits[sum&15] {
		return nil, ErrChecksum
	}
	return line[1:n], nil
}

// decimal reads a number such as +00.2901 or -09.758.
func decimal(b []byte) (x float64, ok bool) {
	sign := 1.0
	if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		if b[0] == '-' {
			sign = -1
		}
		b = b[1:]
	}
	whole, places, point := uint64(0), 0, false
	for _, c := range b {
		switch {
		case c == '.' && !point:
			point = true
			continue
		case c < '0' || c > '9' || whole >= 1e14: // so that the number is exact
			return 0, false
		}
		whole = 10*whole + uint64(c-'0')
		if point {
			places++
		}
	}
	return sign * float64(whole) / math.Pow10(places), len(b) > 0 && !(point && len(b) == 1)
}

// list reads the numbers of a YMR message, from behind its name.
func list(b []byte) (x [numbers]float64, ok bool) {
	for i := range x {
		field, rest, more := bytes.Cut(b, []byte(","))
		if x[i], ok = decimal(field); !ok || more != (i < numbers-1) {
			return x, false
		}
		b = rest
	}
	return x, true
}

// lines splits what arrives into messages.
type lines struct {
	line [maxMessage]byte
	n    int
}

// next takes a byte. ok reports whether a line has ended, which is valid until the next call. One that is too long is cut off, so that it is refused.
func (l *lines) next(c byte) (line []byte, ok bool) {
	if c == '\n' || c == '\r' {
		line, l.n = l.line[:l.n], 0
		return line, len(line) > 0
	}
	if l.n < len(l.line) {
		l.line[l.n] = c
		l.n++
	}
	return nil, false
}

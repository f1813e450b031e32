package wire

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Recording is what went over a channel, in its order.
type Recording []Exchange

// Exchange is what one call moved.
type Exchange struct {
	Time time.Duration // since the recording began
	Sent bool          // by the driver; otherwise received
	Data []byte
}

// recordingTitle begins the file of a recording.
const recordingTitle = "# sinew wire recording, s since its begin, > sent, < received"

// maxExchange is the length of an exchange that [ReadRecording] accepts.
const maxExchange = 1 << 20

// WriteTo writes the recording as text: a line for each exchange with its time, > or <, and its bytes in hexadecimal.
func (r Recording) WriteTo(w io.Writer) (int64, error) {
	var written int64
	n, err := fmt.Fprintln(w, recordingTitle)
	written += int64(n)
	for _, x := range r {
		if err != nil {
			break
		}
		sign := '<'
		if x.Sent {
			sign = '>'
		}
		n, err = fmt.Fprintf(w, "%.6f %c % x\n", x.Time.Seconds(), sign, x.Data)
		written += int64(n)
	}
	return written, err
}

// ReadRecording reads what [Recording.WriteTo] wrote. Empty lines and lines that begin with # are comments. Errors name the line.
func ReadRecording(r io.Reader) (Recording, error) {
	var list Recording
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 3*maxExchange+64)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		x, err := parseExchange(line)
		if err == nil && len(list) > 0 && x.Time < list[len(list)-1].Time {
			err = fmt.Errorf("time %v is before that of the line before", x.Time)
		}
		if err != nil {
			return nil, fmt.Errorf("recording, line %d: %w", number, err)
		}
		list = append(list, x)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	return list, nil
}

func parseExchange(line string) (x Exchange, err error) {
	when, rest, _ := strings.Cut(line, " ")
	seconds, err := strconv.ParseFloat(when, 64)
	if err != nil || !(seconds >= 0 && seconds < 1e9) {
		return x, fmt.Errorf("time %q: expected seconds", when)
	}
	x.Time = time.Duration(seconds * float64(time.Second))
	sign, digits, _ := strings.Cut(rest, " ")
	if x.Sent = sign == ">"; !x.Sent && sign != "<" {
		return x, fmt.Errorf("%q: expected > or < after the time", sign)
	}
	if x.Data, err = hex.DecodeString(strings.ReplaceAll(digits, " ", "")); err != nil {
		return x, fmt.Errorf("bytes: %w", err)
	}
	if len(x.Data) == 0 || len(x.Data) > maxExchange {
		return x, fmt.Errorf("%d bytes: expected 1 to %d", len(x.Data), maxExchange)
	}
	return x, nil
}

// Recorder records what a driver exchanges over the channel that it wraps.
type Recorder struct {
	Wire
	begin  time.Time
	list   Recording // its data lie in bytes
	bytes  []byte
	missed int
}

// NewRecorder returns a channel that moves everything to and from w, and remembers up to limit bytes in up to limit/4 exchanges.
func NewRecorder(w Wire, limit int) *Recorder {
	return &Recorder{Wire: w, begin: time.Now(), list: make(Recording, 0, limit/4), bytes: make([]byte, 0, limit)}
}

// Read implements [Wire].
func (r *Recorder) Read(p []byte) (int, error) {
	n, err := r.Wire.Read(p)
	r.note(false, p[:n])
	return n, err
}

// Write implements [Wire].
func (r *Recorder) Write(p []byte) (int, error) {
	n, err := r.Wire.Write(p)
	r.note(true, p[:n])
	return n, err
}

func (r *Recorder) note(sent bool, data []byte) {
	if len(data) == 0 {
		return
	}
	if len(r.list) == cap(r.list) || len(data) > cap(r.bytes)-len(r.bytes) || r.missed > 0 {
		r.missed++
		return
	}
	from := len(r.bytes)
	r.bytes = append(r.bytes, data...)
	r.list = append(r.list, Exchange{time.Since(r.begin), sent, r.bytes[from:len(r.bytes):len(r.bytes)]})
}

// Recording returns what was recorded, and how many exchanges came after the limit. It is valid as long as the recorder is used.
func (r *Recorder) Recording() (list Recording, missed int) { return r.list, r.missed }

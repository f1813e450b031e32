package nats

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
)

// A message with samples is
//
//	{"run":"…","seq":n,"samples":[[id,time_ns,count,value],…]}
//
// with the members in this order and no spaces, and the age in ns behind a value that has one. It is written and read by hand: a thousand signals 60 times a second are
// 60,000 samples. seq counts all samples of the run before those of the message, and so those that a client has missed.

// beginTelemetry writes what stands before the samples of a message.
func beginTelemetry(b []byte, run string, seq uint64) []byte {
	b = append(b, `{"run":"`...)
	b = append(b, run...)
	b = append(b, `","seq":`...)
	b = strconv.AppendUint(b, seq, 10)
	return append(b, `,"samples":[`...)
}

// endTelemetry ends a message.
func endTelemetry(b []byte) []byte { return append(b, "]}"...) }

// appendSample writes a sample but for its tap, which has another id for each client.
func appendSample(b []byte, s admin.Sample) []byte {
	b = strconv.AppendInt(b, int64(s.Time), 10)
	b = append(b, ',')
	b = strconv.AppendUint(b, uint64(s.Count), 10)
	b = append(b, ',')
	b = admin.AppendValue(b, s.Value)
	if s.Age != 0 {
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(s.Age), 10)
	}
	return append(b, ']')
}

// appendTapped writes a sample that [appendSample] has written as one of the tap id.
func appendTapped(b []byte, id int, sample []byte) []byte {
	if b[len(b)-1] != '[' {
		b = append(b, ',')
	}
	b = append(b, '[')
	b = strconv.AppendInt(b, int64(id), 10)
	b = append(b, ',')
	return append(b, sample...)
}

var errTelemetry = errors.New("this is no message with samples")

// telemetry is a message with samples that is read: first its head, then sample by sample.
type telemetry struct {
	run  string
	seq  uint64
	scan scanner
	any  bool
}

// readTelemetry reads the head of a message.
func readTelemetry(data []byte) (*telemetry, error) {
	t := &telemetry{scan: scanner{text: data}}
	s := &t.scan
	s.want(`{"run":`)
	t.run, _ = s.value().(string)
	s.want(`,"seq":`)
	t.seq = uint64(s.integer())
	s.want(`,"samples":[`)
	return t, s.problem()
}

// next reads a sample; ok is false at the end of the message, or of what of it can be read.
func (t *telemetry) next() (id int, sample admin.Sample, ok bool) {
	s := &t.scan
	if s.next() == ']' {
		s.want("]}")
		return 0, admin.Sample{}, false
	}
	if t.any {
		s.want(",")
	}
	t.any = true
	s.want("[")
	id = int(s.integer())
	s.want(",")
	sample.Time = clock.Time(s.integer())
	s.want(",")
	sample.Count = uint32(s.integer())
	s.want(",")
	sample.Value = s.value()
	if m, ok := sample.Value.(map[string]any); ok {
		sample.Value = admin.Number(m) // it may be a bulk
	}
	if s.next() == ',' {
		s.want(",")
		sample.Age = time.Duration(s.integer())
	}
	s.want("]")
	return id, sample, !s.failed
}

// problem returns what is wrong with the text so far.
func (s *scanner) problem() error {
	if s.failed {
		return fmt.Errorf("at byte %d of %d: %w", s.at, len(s.text), errTelemetry)
	}
	return nil
}

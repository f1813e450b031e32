package record

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
)

// mostUnpaired limits the samples of one instant that wait for that of the other run, in bytes.
const mostUnpaired = 64 << 20

// comparer compares the samples of two runs in one pass over their logs, instant by instant. Of each log it holds the chunks at the
// instant.
type comparer struct {
	within span
	most   int // limit of unpaired, in bytes

	instant  int64
	waiting  []*pairing // signals with unpaired samples, and those that had some at this instant
	unpaired int        // bytes of all samples that wait
}

// pairing compares a signal of two runs.
type pairing struct {
	SignalComparison
	side    int      // run that the unpaired samples are of
	samples [][]byte // unpaired ones at the instant, the oldest first
}

// stream is what is left of a log.
type stream struct {
	side    int // run of the log
	signals map[ID]*pairing
	sample  Sample // the next one
	next    func() (Sample, error, bool)
}

// compare compares the signals of the logs of both runs.
func (c *comparer) compare(logs []comparedLog) error {
	var streams []*stream
	for _, l := range logs {
		if len(l.names) == 0 {
			continue
		}
		next, stop := iter.Pull2(l.reader.Samples(Filter{Channels: l.names, From: c.within.from, To: c.within.until + 1}))
		defer stop()
		s := &stream{side: l.side, signals: l.signals, next: next}
		if more, err := s.advance(); err != nil {
			return err
		} else if more {
			streams = append(streams, s)
		}
	}
	side := 1
	for len(streams) > 0 {
		i := first(streams, 1-side)
		s := streams[i]
		side = s.side
		if err := c.take(s); err != nil {
			return err
		}
		more, err := s.advance()
		if err != nil {
			return err
		}
		if !more {
			streams = slices.Delete(streams, i, i+1)
		}
	}
	c.endInstant()
	return nil
}

// first returns the stream with the earliest sample. Of several it prefers one of a side: with turns few samples wait.
func first(streams []*stream, side int) int {
	best := 0
	for i, s := range streams {
		t, least := s.sample.LogTime, streams[best].sample.LogTime
		if t < least || t == least && s.side == side && streams[best].side != side {
			best = i
		}
	}
	return best
}

// advance reads the next sample and reports whether there is one.
func (s *stream) advance() (more bool, err error) {
	s.sample, err, more = s.next()
	return more, err
}

// take compares the sample of a stream with that of the other run, or keeps it until the end of the instant.
func (c *comparer) take(s *stream) error {
	if s.sample.LogTime != c.instant {
		c.endInstant()
		c.instant = s.sample.LogTime
	}
	p := s.signals[s.sample.Channel]
	if len(p.samples) == 0 || p.side == s.side {
		if c.unpaired += len(s.sample.CDR); c.unpaired > c.most {
			return fmt.Errorf("compare logs: more than %d bytes of samples at %s have no counterpart: too many to hold", c.most, instant(c.instant))
		}
		if p.samples == nil {
			c.waiting = append(c.waiting, p)
		}
		p.side, p.samples = s.side, append(p.samples, bytes.Clone(s.sample.CDR)) // a part of its chunk would hold the whole
		return nil
	}
	other := p.samples[0]
	p.samples = p.samples[1:]
	c.unpaired -= len(other)
	if bytes.Equal(other, s.sample.CDR) {
		p.Equal++
	} else {
		p.Differ++
		p.part(c.instant, &c.within)
	}
	return nil
}

// endInstant counts the samples that the other run does not have.
func (c *comparer) endInstant() {
	for _, p := range c.waiting {
		for range p.samples {
			p.Only[p.side]++
			p.part(c.instant, &c.within)
		}
		p.samples = nil
	}
	c.waiting, c.unpaired = c.waiting[:0], 0
}

// part notes a difference at a time.
func (s *SignalComparison) part(t int64, within *span) {
	if s.First < 0 {
		s.First = t
	}
	switch {
	case within.explains(t):
		s.Named++
	case s.Open < 0:
		s.Open = t
	}
}

// comparedLog is a log with those of its signals that are compared.
type comparedLog struct {
	reader  *Reader
	side    int // run of the log
	names   []string
	signals map[ID]*pairing
}

// comparedLogs returns the logs of both runs, and the comparison of each signal that both have, by name.
func comparedLogs(a, b LogSet, signals map[string][2]*Reader, names []string) (logs []comparedLog, list []*pairing) {
	pairs := map[string]*pairing{}
	for _, name := range names {
		p := &pairing{SignalComparison: SignalComparison{Name: name, First: -1, Open: -1}}
		list = append(list, p)
		x, _ := signals[name][0].Channel(name)
		y, _ := signals[name][1].Channel(name)
		if x.Type != nil && y.Type != nil && x.Type.Definition() != y.Type.Definition() {
			p.Type, p.First = fmt.Sprintf("%s in one log, %s in the other", x.Type.Name(), y.Type.Name()), 0
			continue
		}
		pairs[name] = p
	}
	for side, run := range []LogSet{a, b} {
		for _, r := range run {
			l := comparedLog{reader: r, side: side, signals: map[ID]*pairing{}}
			for _, channel := range r.Channels() {
				if p := pairs[channel.Name]; p != nil {
					l.names, l.signals[channel.ID] = append(l.names, channel.Name), p
				}
			}
			logs = append(logs, l)
		}
	}
	return logs, list
}

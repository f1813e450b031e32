package system

import (
	"encoding/json"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/schema"
	"github.com/sinew-robotics/sinew/net/thread"
)

// Recorder writes the log of a run and sums up the signals that are watched.
type Recorder struct {
	sys   *System
	front *thread.Front
	path  string
	sink  record.Sink // nil where no log is written
	begin time.Time

	mu       sync.Mutex
	signals  map[string]*Signal
	failure  error
	channels map[*block.Port]*channel
}

// channel is one recorded port.
type channel struct {
	id      record.ID
	last    uint32 // count of its last sample
	every   int
	signal  *Signal
	leaf    schema.Leaf
	written bool // to the log, not only summed up
}

// Signal sums up a watched port of one number.
type Signal struct {
	RMS    float64
	MaxAbs float64
	Last   float64
	sum    float64
	n      int
}

func (s *Signal) add(x float64) {
	s.Last = x
	s.MaxAbs = math.Max(s.MaxAbs, math.Abs(x))
	s.sum += x * x
	s.n++
	s.RMS = math.Sqrt(s.sum / float64(s.n))
}

// StartRecording taps the ports that the file's record section names, and all that are watched, before the core runs.
// With an empty path no log is written; a path ending in .csv gives a table instead of an MCAP file.
func (s *System) StartRecording(front *thread.Front, logPath string) (*Recorder, error) {
	r := &Recorder{
		sys: s, front: front, path: logPath, begin: time.Now(),
		signals: map[string]*Signal{}, channels: map[*block.Port]*channel{},
	}
	if logPath != "" {
		var err error
		if r.sink, err = openSink(logPath); err != nil {
			return nil, err
		}
	}
	for _, b := range s.Net.Blocks {
		for _, p := range b.Ports {
			if err := r.add(p); err != nil {
				if r.sink != nil {
					_ = r.sink.Close()
				}
				return nil, err
			}
		}
	}
	return r, nil
}

func openSink(logPath string) (record.Sink, error) {
	if strings.EqualFold(filepath.Ext(logPath), ".csv") {
		return record.CreateCSV(logPath)
	}
	return record.Create(logPath)
}

// add taps a port, if it is to be recorded or summed up.
func (r *Recorder) add(p *block.Port) error {
	c := &channel{every: 1, written: r.sink != nil && r.wants(p)}
	if p.Watch {
		if leaves := p.Layout().Leaves(); len(leaves) == 1 {
			c.signal, c.leaf = &Signal{}, leaves[0]
			r.signals[p.Ref()] = c.signal
		}
	}
	if !c.written && c.signal == nil {
		return nil
	}
	if c.written {
		var err error
		if c.id, err = r.sink.AddChannel(p.Ref(), p.Layout()); err != nil {
			return fmt.Errorf("record %s: %w", p.Ref(), err)
		}
		if r.sys.Record != nil && c.signal == nil {
			c.every = max(r.sys.Record.Every, 1)
		}
	}
	r.channels[p] = c
	_, err := r.front.Tap(p, c.every, true, r.take)
	return err
}

// wants reports whether a port belongs into the log.
func (r *Recorder) wants(p *block.Port) bool {
	if p.Watch {
		return true
	}
	if r.sys.Record == nil || r.sys.Record.Ports == nil {
		return p.Kind == block.OutPort
	}
	for _, pattern := range r.sys.Record.Ports {
		if ok, _ := path.Match(pattern, p.Ref()); ok {
			return true
		}
	}
	return false
}

// take gets one sample from the core.
func (r *Recorder) take(s thread.Sample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.channels[s.Port]
	if c.signal != nil {
		c.signal.add(c.leaf.Float(s.CDR))
	}
	if !c.written {
		return
	}
	if gap := s.Count - c.last; c.every == 1 && c.last != 0 && gap > 1 {
		r.sink.Lost(c.id, uint64(gap-1))
	}
	c.last = s.Count
	err := r.sink.Write(record.Sample{
		Channel: c.id, LogTime: int64(s.Time), PublishTime: int64(s.Time), Sequence: s.Count, CDR: s.CDR,
	})
	if r.failure == nil {
		r.failure = err
	}
}

// Path returns where the log is written; "" where none is.
func (r *Recorder) Path() string { return r.path }

// Signals returns the sums of the watched signals, by "block.port".
func (r *Recorder) Signals() map[string]Signal {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := map[string]Signal{}
	for ref, s := range r.signals {
		list[ref] = *s
	}
	return list
}

// Lost returns how many samples found no room on their way to the recorder.
func (r *Recorder) Lost() uint64 {
	n := uint64(0)
	for _, t := range r.front.Stats() {
		n += t.Lost.Log
	}
	return n
}

// Close ends the log, with the run's statistics and the text of its files in it. Call it after the run.
func (r *Recorder) Close(virtual bool) error {
	if r.sink == nil {
		return nil
	}
	if w, ok := r.sink.(*record.Writer); ok && r.failure == nil {
		statistics, err := json.Marshal(r.statistics(virtual))
		if err == nil {
			err = w.Attach(record.StatisticsName, "application/json", statistics)
		}
		for _, file := range r.sys.Files {
			if text, readErr := readFile(file); readErr == nil && err == nil {
				err = w.Attach(filepath.Base(file), contentType(file), text)
			}
		}
		if err != nil {
			r.failure = err
		}
	}
	if err := r.sink.Close(); err != nil {
		return err
	}
	return r.failure
}

// contentType is the media type of a file that a system reads.
func contentType(file string) string {
	switch filepath.Ext(file) {
	case ".yaml", ".yml":
		return "application/yaml"
	case ".urdf", ".xml":
		return "application/xml"
	}
	return "application/octet-stream"
}

func (r *Recorder) statistics(virtual bool) record.RunStatistics {
	s := Statistics(r.front, r.sys.Name)
	s.Wall, s.Virtual = time.Since(r.begin).Seconds(), virtual
	return s
}

// Statistics returns what the threads of a running system have done so far.
func Statistics(f *thread.Front, name string) record.RunStatistics {
	s := record.RunStatistics{
		System: name, Duration: f.Now().Seconds(), Threads: []record.ThreadStatistics{},
		Links: []record.LinkStatistics{}, Faults: []string{}, Warnings: []string{}, Units: map[string]string{},
	}
	for _, b := range f.Net().Blocks {
		for _, p := range b.Ports {
			if p.Unit != "" {
				s.Units[p.Ref()] = p.Unit
			}
		}
	}
	for _, l := range f.Net().Links { // what shows a signal without saying its unit has that of its source
		if l.Source == nil || l.Target == nil { // of a foreign block
			continue
		}
		if ref := l.Target.Ref(); s.Units[ref] == "" && l.Source.Unit != "" {
			s.Units[ref] = l.Source.Unit
		}
	}
	s.FaultCount = f.FaultCount()
	for _, fault := range f.InError() {
		s.Faults = append(s.Faults, fault.String())
	}
	for _, w := range f.Warnings() {
		s.Warnings = append(s.Warnings, w.String())
	}
	for _, t := range f.Stats() {
		e := record.ThreadStatistics{
			Name: t.Thread, Period: t.Period.Seconds(), Priority: t.Priority, Activations: t.Activations, Slips: t.Slips,
			PageFaults: t.PageFaults, LostSamples: t.Lost.Log, Jitter: distribution(t.Jitter), Cycle: distribution(t.Cycle),
		}
		if e.Follow = t.Follow; t.Pace != nil {
			e.Pace = &record.PaceStatistics{
				Locked: t.Pace.Locked, Heard: t.Pace.Heard.Seconds(), Losses: t.Pace.Losses, Shift: t.Pace.Shift.Seconds(),
				Phase: distribution(t.Pace.Phase),
			}
		}
		for _, step := range t.Steps {
			e.Steps = append(e.Steps, record.StepStatistics{
				Block: step.Block, Part: step.Part.String(), Timeouts: step.Timeouts, Begin: int64(step.Begin), End: int64(step.End),
				P50: int64(step.Time.Quantile(0.5)), P99: int64(step.Time.Quantile(0.99)), Max: int64(step.Time.Max()),
			})
		}
		s.Threads = append(s.Threads, e)
	}
	for _, l := range f.Links() {
		s.Links = append(s.Links, record.LinkStatistics{
			Name: l.Name, From: l.From, To: l.To, Outgoing: l.Outgoing, Connected: l.Connected, Packets: l.Packets, Lost: l.Lost,
			Stale: l.Stale, Rejected: l.Rejected, Age: l.Age.Seconds(), Problem: l.Problem,
		})
	}
	return s
}

func distribution(h *thread.Histogram) record.Distribution {
	d := record.Distribution{
		P50: int64(h.Quantile(0.5)), P99: int64(h.Quantile(0.99)), P999: int64(h.Quantile(0.999)), Max: int64(h.Max()),
		Buckets: []record.Bucket{},
	}
	for _, b := range h.Buckets() {
		d.Buckets = append(d.Buckets, record.Bucket{From: int64(b.From), To: int64(b.To), Count: b.Count})
	}
	return d
}

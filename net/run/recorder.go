package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/schema"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// Recorder writes the log of a run and sums up the watched signals.
type Recorder struct {
	sys     *system.System
	front   *thread.Front
	path    string
	sink    record.Sink // nil where no log is written
	begin   time.Time
	earlier string // name that the log got which was at the path before

	mu       sync.Mutex
	signals  map[string]*Signal
	failure  error
	complete clock.Time // with a failure: the log has everything until then
	channels map[*port.Port]*channel
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

// Signal sums up a watched port of one number since the start of the run, in the unit of the port.
type Signal struct {
	RMS    float64 // root of the mean square of all values; 0 before the first
	MaxAbs float64 // greatest magnitude, 0 or more
	Last   float64 // newest value
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

// StartRecording taps the ports that the file's record section names, and all that are watched, before the core runs. With an
// empty path no log is written; a path ending in .csv gives a table instead of an MCAP file. An existing log at the path is
// renamed, see [record.SetAside]. It fails if the log cannot be created.
func StartRecording(sys *system.System, front *thread.Front, logPath string) (*Recorder, error) {
	r := &Recorder{
		sys: sys, front: front, path: logPath, begin: time.Now(),
		signals: map[string]*Signal{}, channels: map[*port.Port]*channel{},
	}
	if logPath != "" {
		if err := r.open(); err != nil {
			return nil, err
		}
	}
	for _, b := range sys.Net.Blocks {
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

// openTries is how often a path is tried at which other runs begin logs at the same moment.
const openTries = 5

// open sets aside the log that is at the path and begins a new one.
func (r *Recorder) open() (err error) {
	keep := record.DefaultKeep
	if r.sys.Record != nil {
		keep = r.sys.Record.Keep
	}
	if info, statErr := os.Stat(r.path); statErr != nil || info.Mode().IsRegular() { // else SetAside names what is there
		if err := record.CheckPath(r.path); err != nil {
			return fmt.Errorf("record to %s: %w", r.path, err)
		}
	}
	for range openTries {
		if r.earlier, err = record.SetAside(r.path, keep); err != nil {
			return err
		}
		if r.sink, err = r.create(); !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return err
}

func (r *Recorder) create() (record.Sink, error) {
	if record.IsTable(r.path) {
		return record.CreateCSV(r.path)
	}
	w, err := record.CreateFor(r.path, strings.TrimSuffix(r.sys.Name, "."+r.sys.Options().Process))
	if err != nil {
		return nil, err
	}
	w.OnFailure(func(complete time.Duration, err error) { r.fail(clock.At(complete), err) })
	return w, nil
}

// fail notes once, and warns, that the log ends before the run does.
func (r *Recorder) fail(complete clock.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.noteFailure(complete, err)
}

// noteFailure is fail for callers that hold mu.
func (r *Recorder) noteFailure(complete clock.Time, err error) {
	if r.failure != nil {
		return
	}
	r.failure, r.complete = err, complete
	r.front.Warn(fmt.Sprintf("the log %s is complete only until %.3f s: %v; the system goes on", r.path, complete.Seconds(), err), "")
}

// Failure returns the error because of which the log is incomplete, and the time up to which it is complete; nil if it is
// complete.
func (r *Recorder) Failure() (complete clock.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.complete, r.failure
}

// Earlier returns the new name of the log that was at the path before; "" if there was none.
func (r *Recorder) Earlier() string { return r.earlier }

// add taps a port, if it will be recorded or summed up.
func (r *Recorder) add(p *port.Port) error {
	c := &channel{every: 1, written: r.sink != nil && r.wants(p)}
	if p.Watch && !p.Layout().Bounded() { // which may be empty
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
func (r *Recorder) wants(p *port.Port) bool {
	if _, names := r.sys.Watched(p); p.Watch || names != nil {
		return true
	}
	if r.sys.Record == nil || r.sys.Record.Ports == nil {
		return p.Kind == port.Output
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
	// An input has the count of its source, of which a slower thread takes some values only: there a gap is no loss.
	if gap := s.Count - c.last; c.every == 1 && c.last != 0 && gap > 1 && s.Port.Kind != port.Input {
		r.sink.Lost(c.id, uint64(gap-1))
	}
	c.last = s.Count
	err := r.sink.Write(record.Sample{
		Channel: c.id, LogTime: int64(s.Time), PublishTime: max(int64(s.Since), 0), Sequence: s.Count, CDR: s.CDR,
	})
	if err != nil && record.IsTable(r.path) { // a log reports its failure itself
		r.noteFailure(s.Time, err)
	}
}

// Path returns the path of the log; "" if none is written.
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

// Lost returns how many samples were dropped because the recorder's ring was full.
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
	_, failure := r.Failure()
	if w, ok := r.sink.(*record.Writer); ok && failure == nil {
		statistics, err := json.Marshal(r.statistics(virtual))
		if err == nil {
			err = w.Attach(record.StatisticsName, "application/json", statistics)
		}
		for _, file := range r.sys.Files {
			if text, readErr := system.ReadFile(file); readErr == nil && err == nil {
				err = w.Attach(filepath.Base(file), contentType(file), text)
			}
		}
		if err != nil {
			r.fail(r.front.Now(), err)
		}
	}
	if err := r.sink.Close(); err != nil {
		r.fail(r.front.Now(), err)
		return err
	}
	_, failure = r.Failure()
	return failure
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
	s := admin.Statistics(r.front, r.sys.Name)
	s.Wall, s.Virtual = time.Since(r.begin).Seconds(), virtual
	for _, p := range r.sys.Watch {
		s.Watch = append(s.Watch, p.String())
	}
	return s
}

// logPath returns where the log of this process goes: nowhere unless the options or the system file ask for one. Each process of a
// system has a log of its own, run.PROCESS.mcap for run.mcap.
func (r *Running) logPath() string {
	path := r.options.Log
	if path == "" && r.sys.Record != nil {
		path = r.sys.Record.File
	}
	if path == "" || r.process() == "" {
		return path
	}
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "." + r.process() + ext
}

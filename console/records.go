package console

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/schema"
)

// The limits of logs.
const (
	maxLogs      = 200 // that are listed, the newest ones
	maxOpenLogs  = 8
	maxLogPoints = 1 << 15 // of one signal in an answer
)

// logFile is a log that may be opened.
type logFile struct {
	File string `json:"file"` // relative to the system's folder
	Size int64  `json:"size"`
	Time int64  `json:"time_ns"` // of its last change, since 1970
}

// listLogs returns the logs in the system's folder and in that which the console was started in, the newest first.
func (s *Server) listLogs(ctx context.Context, _ *call, a systemRequest) (any, error) {
	dir, err := s.folderOf(ctx, a.System)
	if err != nil {
		return nil, err
	}
	return logsIn(dir), nil
}

func logsIn(dir string) []logFile {
	list := []logFile{}
	here, _ := filepath.Abs(".")
	for _, d := range []string{dir, here} {
		entries, _ := os.ReadDir(d)
		for _, e := range entries {
			info, err := e.Info()
			if err != nil || !info.Mode().IsRegular() || filepath.Ext(e.Name()) != ".mcap" {
				continue
			}
			name := e.Name()
			if d != dir {
				name = filepath.Join(d, name)
			}
			list = append(list, logFile{name, info.Size(), info.ModTime().UnixNano()})
		}
		if here == dir {
			break
		}
	}
	slices.SortFunc(list, func(a, b logFile) int { return int(max(-1, min(1, b.Time-a.Time))) })
	return list[:min(len(list), maxLogs)]
}

// openLog is a log that pages look into.
type openLog struct {
	id      string
	mu      sync.Mutex // of the reader
	reader  *record.Reader
	signals map[string]logSignal // by name, as "joint.q[0]"
	order   []string
}

// logSignal is a number in a log.
type logSignal struct {
	channel record.Channel
	leaf    schema.Leaf
	size    int // of a sample with it, bytes
}

// logs are those that are open; the one that was used least lately makes room.
type logs struct {
	mu   sync.Mutex
	open []*openLog // the newest use last
}

type logRequest struct {
	System string `json:"system"`
	File   string `json:"file"`
}

// logReply tells what is in a log.
type logReply struct {
	ID      string          `json:"id"`
	Start   int64           `json:"start_ns"`
	End     int64           `json:"end_ns"`
	Signals []recordedEntry `json:"signals"`
	Damage  []string        `json:"damage,omitempty"`
}

type recordedEntry struct {
	Ref     string `json:"ref"`
	Element *int   `json:"element,omitempty"`
	Type    string `json:"type"`
}

// openRecord opens one of the listed logs.
func (s *Server) openRecord(ctx context.Context, _ *call, a logRequest) (any, error) {
	dir, err := s.folderOf(ctx, a.System)
	if err != nil {
		return nil, err
	}
	all := logsIn(dir)
	i := slices.IndexFunc(all, func(f logFile) bool { return f.File == a.File })
	if i < 0 {
		var names []string
		for _, f := range all {
			names = append(names, f.File)
		}
		return nil, fmt.Errorf("no log %q%s", a.File, nearest.Hint(a.File, names))
	}
	path := a.File
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	l, err := s.logs.get(path, all[i])
	if err != nil {
		return nil, err
	}
	return l.describe(), nil
}

// get returns an open log, which it opens where it is not yet, or has changed since.
func (ls *logs) get(path string, f logFile) (*openLog, error) {
	id := versionOf(fmt.Appendf(nil, "%s\n%d\n%d", path, f.Size, f.Time))
	if l := ls.find(id); l != nil {
		return l, nil
	}
	r, err := record.Open(path)
	if err != nil {
		return nil, err
	}
	l := &openLog{id: id, reader: r, signals: map[string]logSignal{}}
	for _, c := range r.Channels() {
		l.add(c)
	}
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.open = append(ls.open, l)
	if len(ls.open) > maxOpenLogs {
		ls.open[0].close()
		ls.open = ls.open[1:]
	}
	return l, nil
}

func (ls *logs) find(id string) *openLog {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	i := slices.IndexFunc(ls.open, func(l *openLog) bool { return l.id == id })
	if i < 0 {
		return nil
	}
	l := ls.open[i]
	ls.open = append(slices.Delete(ls.open, i, i+1), l)
	return l
}

func (ls *logs) close() {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for _, l := range ls.open {
		l.close()
	}
	ls.open = nil
}

func (l *openLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.reader.Close()
	l.reader = nil
}

// add names the numbers of a channel, after its first sample that can be read.
func (l *openLog) add(c record.Channel) {
	if c.Type == nil || c.Samples == 0 {
		return
	}
	for sample, err := range l.reader.Samples(record.Filter{Channels: []string{c.Name}}) {
		if err != nil {
			continue
		}
		lengths, err := c.Type.Lengths(sample.CDR)
		if err != nil {
			return
		}
		layout := c.Type.Layout(lengths...)
		for _, leaf := range layout.Leaves() {
			name := c.Name + strings.TrimPrefix(leaf.Path, "data")
			if c.Type.Kind() == schema.Struct {
				name = c.Name + "." + leaf.Path
			}
			l.signals[name] = logSignal{c, leaf, layout.Size()}
			l.order = append(l.order, name)
		}
		return
	}
}

func (l *openLog) describe() logReply {
	l.mu.Lock()
	defer l.mu.Unlock()
	reply := logReply{ID: l.id, Signals: []recordedEntry{}}
	reply.Start, reply.End = l.reader.Span()
	for _, name := range l.order {
		reply.Signals = append(reply.Signals, newRecordedEntry(name, l.signals[name]))
	}
	for _, err := range l.reader.Damage() {
		reply.Damage = append(reply.Damage, err.Error())
	}
	return reply
}

func newRecordedEntry(name string, s logSignal) recordedEntry {
	e := recordedEntry{Ref: name, Type: s.leaf.Kind.String()}
	var n int
	if rest, ok := strings.CutPrefix(name, s.channel.Name+"["); ok {
		if _, err := fmt.Sscanf(rest, "%d]", &n); err == nil && rest == fmt.Sprintf("%d]", n) {
			e.Ref, e.Element = s.channel.Name, &n
		}
	}
	return e
}

type readLogRequest struct {
	System  string          `json:"system"`
	ID      string          `json:"id"`
	Signals []signalRequest `json:"signals"`
	From    int64           `json:"from_ns"`
	To      int64           `json:"to_ns"`
	Points  int             `json:"points"` // at most so many of each signal: of more the extremes stay
}

// readRecord returns what signals were in a span of time.
func (s *Server) readRecord(ctx context.Context, _ *call, a readLogRequest) (any, error) {
	l := s.logs.find(a.ID)
	switch {
	case l == nil:
		return nil, errors.New("this log is no longer open: open it again")
	case a.To <= a.From || len(a.Signals) > maxSignals:
		return nil, fmt.Errorf("record.read: wants from_ns < to_ns and at most %d signals", maxSignals)
	}
	points := min(max(a.Points, 2), maxLogPoints)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reader == nil {
		return nil, errors.New("this log is no longer open: open it again")
	}
	list := [][3]any{}
	for i, g := range a.Signals {
		name := g.Ref
		if g.Element != nil {
			name = fmt.Sprintf("%s[%v]", g.Ref, g.Element)
		}
		times, values, err := l.span(ctx, name, a.From, a.To, points)
		if err != nil {
			return nil, err
		}
		list = append(list, [3]any{i, times, finite(values)})
	}
	return map[string][][3]any{"s": list}, nil
}

package recordings

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/schema"
)

// The limits of logs.
const (
	maxLogs     = 200 // that are listed, the newest ones
	maxOpenLogs = 8
	maxSignals  = 4096    // in a request
	maxPoints   = 1 << 15 // of one signal in an answer
	maxAnswer   = 1 << 19 // times and values of an answer, of all signals together
)

// Recordings opens logs that pages look into.
type Recordings struct {
	folders Folders
	record  string // absolute path of the log that runs write; "": none
	mu      sync.Mutex
	open    []*openLog // most recently used last
}

// Folders finds the folders of systems.
type Folders interface {
	// Folder returns the path of something in the folder of a system's file, or of the folder itself.
	Folder(ctx context.Context, system string, inside ...string) (string, error)
}

// New returns recordings without open logs. record is the path of the log that the console's runs write, "" for none: it and its parts are
// listed wherever they are.
func New(folders Folders, record string) *Recordings {
	if record != "" {
		record, _ = filepath.Abs(record)
	}
	return &Recordings{folders: folders, record: record}
}

// LogFile is a log that may be opened.
type LogFile struct {
	File string `json:"file"`    // relative to the system's folder, or absolute
	Size int64  `json:"size"`    // bytes
	Time int64  `json:"time_ns"` // of its last change, in ns since 1970
	// Other is the name of the system that it is a log of, if that is not the system asked about.
	Other string `json:"other,omitempty"`
}

// path returns the path of a log of a system with the folder dir.
func (f LogFile) path(dir string) string {
	if filepath.IsAbs(f.File) {
		return f.File
	}
	return filepath.Join(dir, f.File)
}

// List returns the MCAP files in the system's folder and in the console's working directory, and those of the runs' log, the newest first. Logs that name
// another system follow after the others. It fails if the system is unknown; folders that cannot be read count as empty.
func (r *Recordings) List(ctx context.Context, system string) ([]LogFile, error) {
	dir, err := r.folders.Folder(ctx, system)
	if err != nil {
		return nil, err
	}
	list := r.logsIn(dir)
	for i := range list {
		if of, err := record.SystemOf(list[i].path(dir)); err == nil && of != system { // Open reports why a log cannot be read
			list[i].Other = of
		}
	}
	slices.SortStableFunc(list, func(a, b LogFile) int { return cmp.Compare(min(len(a.Other), 1), min(len(b.Other), 1)) })
	return list, nil
}

func (r *Recordings) logsIn(dir string) []LogFile {
	list := []LogFile{}
	here, _ := filepath.Abs(".")
	folders := []string{dir, here}
	if r.record != "" {
		folders = append(folders, filepath.Dir(r.record))
	}
	stem := strings.TrimSuffix(filepath.Base(r.record), filepath.Ext(r.record)) // of the log's parts: NAME.mcap, NAME-2.mcap
	for i, d := range folders {
		if slices.Contains(folders[:i], d) {
			continue
		}
		entries, _ := os.ReadDir(d)
		for _, e := range entries {
			info, err := e.Info()
			if err != nil || !info.Mode().IsRegular() || filepath.Ext(e.Name()) != ".mcap" {
				continue
			}
			name := e.Name()
			if i == 2 && !strings.HasPrefix(name, stem) {
				continue // a log of something else
			}
			if d != dir {
				name = filepath.Join(d, name)
			}
			list = append(list, LogFile{File: name, Size: info.Size(), Time: info.ModTime().UnixNano()})
		}
	}
	slices.SortFunc(list, func(a, b LogFile) int { return cmp.Compare(b.Time, a.Time) })
	return list[:min(len(list), maxLogs)]
}

// openLog is a log that pages look into.
type openLog struct {
	id      string
	mu      sync.Mutex // of the reader
	reader  *record.Reader
	signals map[string]logSignal // by name, such as "joint.q[0]"
	order   []string
}

// logSignal is a number in a log.
type logSignal struct {
	channel record.Channel
	leaf    schema.Leaf
	size    int // of a sample with it, bytes
}

// OpenRequest names a log of a system.
type OpenRequest struct {
	System string `json:"system"`
	File   string `json:"file"` // as in the list
}

// Contents describes a log.
type Contents struct {
	ID      string   `json:"id"`       // with which it is read
	Start   int64    `json:"start_ns"` // of the first sample
	End     int64    `json:"end_ns"`   // of the last one
	Signals []Entry  `json:"signals"`
	Damage  []string `json:"damage,omitempty"` // what cannot be read
}

// Entry is a number in a log.
type Entry struct {
	Ref     string `json:"ref"`               // "block.port", or with the member of a structure
	Element *int   `json:"element,omitempty"` // of a list, from 0
	Type    string `json:"type"`
}

// Open opens one of the listed logs for pages. It fails for a name that List does not return, and names the nearest.
func (r *Recordings) Open(ctx context.Context, q OpenRequest) (*Contents, error) {
	path, f, err := r.file(ctx, q)
	if err != nil {
		return nil, err
	}
	l, err := r.get(path, f)
	if err != nil {
		return nil, err
	}
	return l.describe(), nil
}

// Reader opens one of the listed logs for the caller, who closes it. It fails as Open does.
func (r *Recordings) Reader(ctx context.Context, q OpenRequest) (*record.Reader, error) {
	path, _, err := r.file(ctx, q)
	if err != nil {
		return nil, err
	}
	return record.Open(path)
}

// file finds one of the listed logs, and its path.
func (r *Recordings) file(ctx context.Context, q OpenRequest) (path string, f LogFile, err error) {
	dir, err := r.folders.Folder(ctx, q.System)
	if err != nil {
		return "", f, err
	}
	all := r.logsIn(dir)
	i := slices.IndexFunc(all, func(f LogFile) bool { return f.File == q.File })
	if i < 0 {
		var names []string
		for _, f := range all {
			names = append(names, f.File)
		}
		return "", f, fmt.Errorf("no log %q%s", q.File, nearest.Hint(q.File, names))
	}
	return all[i].path(dir), all[i], nil
}

// get returns an open log; it opens one that is not open or has changed since.
func (r *Recordings) get(path string, f LogFile) (*openLog, error) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%d", path, f.Size, f.Time))
	id := hex.EncodeToString(sum[:8])
	if l := r.find(id); l != nil {
		return l, nil
	}
	reader, err := record.Open(path)
	if err != nil {
		return nil, err
	}
	l := &openLog{id: id, reader: reader, signals: map[string]logSignal{}}
	for _, c := range reader.Channels() {
		l.add(c)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open = append(r.open, l)
	if len(r.open) > maxOpenLogs {
		r.open[0].close()
		r.open = r.open[1:]
	}
	return l, nil
}

func (r *Recordings) find(id string) *openLog {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.open, func(l *openLog) bool { return l.id == id })
	if i < 0 {
		return nil
	}
	l := r.open[i]
	r.open = append(slices.Delete(r.open, i, i+1), l)
	return l
}

// Close closes all logs.
func (r *Recordings) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.open {
		l.close()
	}
	r.open = nil
}

func (l *openLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.reader.Close()
	l.reader = nil
}

// add names the numbers of a channel, after its first sample that can be read. Lists whose values have lengths of their own are no
// curves.
func (l *openLog) add(c record.Channel) {
	if c.Type == nil || c.Samples == 0 || c.Type.Most() > 0 {
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

func (l *openLog) describe() *Contents {
	l.mu.Lock()
	defer l.mu.Unlock()
	reply := &Contents{ID: l.id, Signals: []Entry{}}
	reply.Start, reply.End = l.reader.Span()
	for _, name := range l.order {
		reply.Signals = append(reply.Signals, newEntry(name, l.signals[name]))
	}
	for _, err := range l.reader.Damage() {
		reply.Damage = append(reply.Damage, err.Error())
	}
	return reply
}

func newEntry(name string, s logSignal) Entry {
	e := Entry{Ref: name, Type: s.leaf.Kind.String()}
	var n int
	if rest, ok := strings.CutPrefix(name, s.channel.Name+"["); ok {
		if _, err := fmt.Sscanf(rest, "%d]", &n); err == nil && rest == fmt.Sprintf("%d]", n) {
			e.Ref, e.Element = s.channel.Name, &n
		}
	}
	return e
}

// Signal names a number in a log.
type Signal struct {
	Ref     string `json:"ref"`
	Element *int   `json:"element,omitempty"` // of a list, from 0
}

// name returns the name that the log has for the signal.
func (s Signal) name() string {
	if s.Element == nil {
		return s.Ref
	}
	return fmt.Sprintf("%s[%d]", s.Ref, *s.Element)
}

// ReadRequest asks what signals were in a span of time.
type ReadRequest struct {
	System  string   `json:"system"`
	ID      string   `json:"id"`      // of the open log
	Signals []Signal `json:"signals"` // at most 4,096, each once
	From    int64    `json:"from_ns"` // in the time of the log, as To; less than To
	To      int64    `json:"to_ns"`
	Points  int      `json:"points"` // most of each signal, 2 to 32,768, and 262,144 of all; of more samples the extremes stay
}

// ReadReply holds what signals were.
type ReadReply struct {
	Series [][3]any `json:"s"` // the signal's index in the request, its times in ns, its values
}

// Read returns what signals were in a span of time. It fails if the log is no longer open, unless from_ns < to_ns, above
// the maximum number of signals, and for one that is named twice.
func (r *Recordings) Read(ctx context.Context, q ReadRequest) (*ReadReply, error) {
	l := r.find(q.ID)
	switch {
	case l == nil:
		return nil, errors.New("the log is closed: open it again")
	case q.To <= q.From || len(q.Signals) > maxSignals:
		return nil, fmt.Errorf("record.read: from_ns must be less than to_ns; limit: %d signals", maxSignals)
	}
	points := max(min(q.Points, maxPoints, maxAnswer/2/max(len(q.Signals), 1)), 2)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reader == nil {
		return nil, errors.New("the log is closed: open it again")
	}
	reply := &ReadReply{Series: [][3]any{}}
	named := map[string]int{}
	for i, g := range q.Signals {
		name := g.name()
		if first, twice := named[name]; twice {
			return nil, fmt.Errorf("record.read: the signals %d and %d are the same, %s: name each once", first, i, name)
		}
		named[name] = i
		times, values, err := l.span(ctx, name, q.From, q.To, points)
		if err != nil {
			return nil, err
		}
		reply.Series = append(reply.Series, [3]any{i, times, admin.Numbers(values)})
	}
	return reply, nil
}

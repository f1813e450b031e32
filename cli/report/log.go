package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/record"
)

// Log is an open log for drawing.
type Log struct {
	*record.Reader
	Statistics *record.RunStatistics // nil if the log has none
	names      []string              // of all signals
}

// OpenReader opens a log, even one that was cut off. Where there is none, the error names the nearest one, or how to record one.
func OpenReader(file string) (*record.Reader, error) {
	r, err := record.Open(file)
	switch ext := strings.ToLower(filepath.Ext(file)); {
	case errors.Is(err, record.ErrNotLog) && (ext == ".yaml" || ext == ".yml"):
		return nil, fmt.Errorf("%w; sinew run %s --record run.mcap writes a log of that system", err, file)
	case errors.Is(err, record.ErrNotLog):
		return nil, fmt.Errorf("%w; sinew run FILE --record run.mcap writes a log", err)
	case !errors.Is(err, fs.ErrNotExist):
		return r, err
	}
	there, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.mcap"))
	if hint := nearest.Hint(file, there); hint != "" {
		return nil, fmt.Errorf("%w%s", err, hint)
	}
	return nil, fmt.Errorf("%w; sinew run FILE --record %s writes one", err, file)
}

// Open opens a log as [OpenReader] does, and reads its statistics and the names of its signals.
func Open(file string) (*Log, error) {
	r, err := OpenReader(file)
	if err != nil {
		return nil, err
	}
	l := &Log{Reader: r}
	if l.names, err = r.Signals(); err != nil {
		r.Close()
		return nil, err
	}
	if text, err := r.Attachment(record.StatisticsName); err == nil {
		l.Statistics = &record.RunStatistics{}
		if err := json.Unmarshal(text, l.Statistics); err != nil {
			r.Close()
			return nil, fmt.Errorf("statistics in %s: %w", file, err)
		}
	}
	return l, nil
}

// Title returns the name of the log's system, or of its file.
func (l *Log) Title() string {
	name := strings.TrimSuffix(path.Base(l.Path()), ".mcap")
	if l.Statistics != nil && !strings.HasPrefix(name, l.Statistics.System) {
		return l.Statistics.System + " – " + name
	}
	return name
}

// Signal is one number over time.
type Signal struct {
	Name   string
	Unit   string // "" if unknown
	Time   []float64
	Values []float64 // NaN if there is none at that time
}

var element = regexp.MustCompile(`\[\d+\]$`)

// Signal reads one signal.
func (l *Log) Signal(name string) (Signal, error) {
	t, v, err := l.Series(name)
	if err != nil {
		return Signal{}, fmt.Errorf("%s in %s: %w%s", name, l.Path(), err, nearest.Hint(name, l.names))
	}
	s := Signal{Name: name, Time: t, Values: v}
	if l.Statistics != nil {
		s.Unit = l.Statistics.Units[element.ReplaceAllString(name, "")]
	}
	return s, nil
}

// Select reads the signals that patterns select, in the syntax of [record.Pattern] and the order of the patterns. A pattern without a
// match is an error.
func (l *Log) Select(patterns []string) ([]Signal, error) {
	var list []Signal
	var taken []string
	for _, text := range patterns {
		pattern, err := record.ParsePattern(text)
		if err != nil {
			return nil, err
		}
		found := false
		for _, name := range l.names {
			if !pattern.Match(name) {
				continue
			}
			found = true
			if slices.Contains(taken, name) {
				continue
			}
			taken = append(taken, name)
			s, err := l.Signal(name)
			if err != nil {
				return nil, err
			}
			list = append(list, s)
		}
		if !found {
			return nil, fmt.Errorf("no signal %q in %s%s", text, l.Path(), l.hint(text))
		}
	}
	return list, nil
}

// hint describes what a pattern without a match may have meant: other elements of its vector, or the nearest signal.
func (l *Log) hint(pattern string) string {
	port, _, selects := strings.Cut(pattern, "[")
	if selects {
		if n := l.elements(port); n > 0 {
			return fmt.Sprintf(": %s has the elements 0 to %d", port, n-1)
		}
	}
	ports := make([]string, len(l.names))
	for i, name := range l.names {
		ports[i] = element.ReplaceAllString(name, "")
	}
	return nearest.Hint(pattern, slices.Concat(l.names, slices.Compact(ports)))
}

// elements returns how many elements of a vector the log has; 0 where it has none.
func (l *Log) elements(port string) (n int) {
	for _, name := range l.names {
		if name != port && element.ReplaceAllString(name, "") == port {
			n++
		}
	}
	return n
}

// Summary lists the ports of the log: at most 12 of them.
func (l *Log) Summary() string {
	const most = 12
	var ports []string
	for _, name := range l.names {
		if ref := element.ReplaceAllString(name, ""); !slices.Contains(ports, ref) {
			ports = append(ports, ref)
		}
	}
	text := strings.Join(ports[:min(len(ports), most)], ", ")
	if left := len(ports) - most; left > 0 {
		text += fmt.Sprintf(" and %d more", left)
	}
	return text
}

// Watched returns the signals that the system file names under watch, in its order.
func (l *Log) Watched() []string {
	if l.Statistics == nil {
		return nil
	}
	return l.Statistics.Watch
}

// Between returns the part of the signal between two times in seconds; to = 0 means the end.
func (s Signal) Between(from, to float64) Signal {
	lo, _ := slices.BinarySearch(s.Time, from)
	hi := len(s.Time)
	if to > 0 {
		hi, _ = slices.BinarySearch(s.Time, to)
	}
	s.Time, s.Values = s.Time[lo:max(lo, hi)], s.Values[lo:max(lo, hi)]
	return s
}

// Between cuts signals as [Signal.Between] does. Those without values in that time are left out, and missing describes them.
func Between(signals []Signal, from, to float64) (cut []Signal, missing []error) {
	when := fmt.Sprintf("from %g s on", from)
	if to > 0 {
		when = fmt.Sprintf("from %g s to %g s", from, to)
	}
	for _, s := range signals {
		part := s.Between(from, to)
		switch n := len(s.Time); {
		case n == 0:
			missing = append(missing, fmt.Errorf("%s has no values", s.Name))
		case len(part.Time) == 0:
			missing = append(missing, fmt.Errorf("%s has no values %s: it has some from %.6g s to %.6g s", s.Name, when, s.Time[0], s.Time[n-1]))
		default:
			cut = append(cut, part)
		}
	}
	return cut, missing
}

// RMS returns the root mean square of the finite values.
func (s Signal) RMS() float64 {
	sum, n := 0.0, 0
	for _, v := range s.Values {
		if finite(v) {
			sum += v * v
			n++
		}
	}
	return math.Sqrt(sum / float64(max(n, 1)))
}

// MaxAbs returns the greatest magnitude of the finite values.
func (s Signal) MaxAbs() float64 {
	most := 0.0
	for _, v := range s.Values {
		if finite(v) {
			most = math.Max(most, math.Abs(v))
		}
	}
	return most
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

var errorName = regexp.MustCompile(`^[\w.]+\.error\d*(\[\d+\])?$`)

// errors returns the error signals of the log from when it has data: those of scopes, otherwise those of any block, otherwise the
// differences of desired and measured positions.
func (l *Log) errors() ([]Signal, error) {
	var names []string
	for _, name := range l.names {
		if errorName.MatchString(name) {
			names = append(names, name)
		}
	}
	if slices.ContainsFunc(names, isScope) {
		names = slices.DeleteFunc(names, func(n string) bool { return !isScope(n) })
	}
	if len(names) == 0 {
		return l.differences()
	}
	list, err := l.Select(names)
	if err != nil {
		return nil, err
	}
	begin, err := l.begin()
	for i := range list {
		list[i] = list[i].Between(begin, 0)
	}
	return list, err
}

func isScope(name string) bool { return strings.HasPrefix(name, "scope.") }

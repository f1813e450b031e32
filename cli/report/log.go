package report

import (
	"encoding/json"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/record"
)

// Log is a log that is drawn.
type Log struct {
	*record.Reader
	Statistics *record.RunStatistics // nil where the log holds none
	names      []string              // of all signals
}

// Open opens a log, also one that was cut off.
func Open(file string) (*Log, error) {
	r, err := record.Open(file)
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

// Signal is one line of a plot.
type Signal struct {
	Name   string
	Unit   string // "" where the log does not say
	Time   []float64
	Values []float64 // NaN where there is none
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

// Select reads the signals that patterns name, as path.Match takes them, in the order of the patterns. A pattern that
// names none is an error.
func (l *Log) Select(patterns []string) ([]Signal, error) {
	var list []Signal
	var taken []string
	for _, pattern := range patterns {
		found := false
		for _, name := range l.names {
			ok, _ := path.Match(pattern, name)
			if !ok && name != pattern {
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
			return nil, fmt.Errorf("no signal %q in %s%s", pattern, l.Path(), nearest.Hint(pattern, l.names))
		}
	}
	return list, nil
}

// Between returns the part of the signal from one time to another in seconds; to = 0 means the end.
func (s Signal) Between(from, to float64) Signal {
	lo, _ := slices.BinarySearch(s.Time, from)
	hi := len(s.Time)
	if to > 0 {
		hi, _ = slices.BinarySearch(s.Time, to)
	}
	s.Time, s.Values = s.Time[lo:max(lo, hi)], s.Values[lo:max(lo, hi)]
	return s
}

// RMS returns the root of the mean square of the values that are numbers.
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

// MaxAbs returns the greatest magnitude of the values that are numbers.
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

// pair is a desired and a measured signal of one joint.
type pair struct {
	number            string
	desired, measured Signal
}

var (
	desiredName  = regexp.MustCompile(`^[\w.]+\.ref(\d+)$`)
	measuredName = regexp.MustCompile(`^[\w.]*?(\d+)\.position$`)
	errorName    = regexp.MustCompile(`^scope\.error\d+$|^[\w.]+\.error\d+$`)
)

// pairs finds the joints of the log: block.refN beside the position of a block whose name ends in N.
func (l *Log) pairs() ([]pair, error) {
	var list []pair
	for _, name := range l.names {
		m := desiredName.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		for _, other := range l.names {
			k := measuredName.FindStringSubmatch(other)
			if k == nil || k[1] != m[1] {
				continue
			}
			desired, err := l.Signal(name)
			if err != nil {
				return nil, err
			}
			measured, err := l.Signal(other)
			if err != nil {
				return nil, err
			}
			list = append(list, pair{m[1], desired, measured})
			break
		}
	}
	return list, nil
}

// errors finds the error signals of the log: those of a scope, else those of any block.
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
		return nil, nil
	}
	return l.Select(names)
}

func isScope(name string) bool { return strings.HasPrefix(name, "scope.") }

package report

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// pair is the desired and the measured position of a joint, or of all joints of a robot.
type pair struct {
	desired, measured []Signal // equally many
}

// candidate is a port of the log that may be a half of a pair.
type candidate struct {
	ref    string
	unit   string
	show   string // what pictures take it for
	number string // by which ports of one joint belong together; "" for none
	names  []string
}

var (
	desiredPort  = regexp.MustCompile(`(?i)^(ref|reference|desired|planned|setpoint|target|goal)(_?(position|angle|q))?(\d*)$`)
	measuredPort = regexp.MustCompile(`(?i)^(measured|actual|joint)?_?(position|angle|q)(\d*)$`)
	digits       = regexp.MustCompile(`\d+$`)
)

// The tags show of ports with joint positions.
const (
	showsDesired  = "joint_desired"
	showsMeasured = "joint_position"
)

// candidates returns the ports of the log that hold desired or measured positions: those that pictures take for such, and those
// with usual names.
func (l *Log) candidates() (desired, measured []candidate) {
	for _, name := range l.names {
		ref := element.ReplaceAllString(name, "")
		add := func(list *[]candidate, number string) {
			if n := len(*list); n > 0 && (*list)[n-1].ref == ref {
				(*list)[n-1].names = append((*list)[n-1].names, name)
				return
			}
			c := candidate{ref: ref, number: number, names: []string{name}}
			if l.Statistics != nil {
				c.unit, c.show = l.Statistics.Units[ref], l.Statistics.Shows[ref]
			}
			*list = append(*list, c)
		}
		dot := strings.LastIndexByte(ref, '.')
		if dot < 0 {
			continue
		}
		block, port, show := ref[:dot], ref[dot+1:], ""
		if l.Statistics != nil {
			show, _, _ = strings.Cut(l.Statistics.Shows[ref], " ")
		}
		switch {
		case show == showsDesired || desiredPort.MatchString(port):
			add(&desired, digits.FindString(port))
		case show == showsMeasured || measuredPort.MatchString(port):
			add(&measured, digits.FindString(block))
		}
	}
	return desired, measured
}

// fit returns how well a measured port fits a desired one; negative: not at all.
func (d candidate) fit(m candidate) int {
	if d.unit != m.unit || len(d.names) != len(m.names) || d.number != "" && m.number != "" && d.number != m.number {
		return -1
	}
	score := 0
	if d.number != "" && d.number == m.number {
		score += 4
	}
	if m.show != "" {
		score += 2
	}
	if group(d.ref) == group(m.ref) {
		score++
	}
	return score
}

// group returns the group that the block of a port is in; "" for none.
func group(ref string) string {
	parts := strings.Split(ref, ".")
	return strings.Join(parts[:max(0, len(parts)-2)], ".")
}

// pairs returns the desired positions of the log with the measured ones: of the same unit and number of elements. Each port is in
// one pair at most.
func (l *Log) pairs() ([]pair, error) {
	desired, measured := l.candidates()
	var list []pair
	for _, d := range desired {
		best, score := -1, -1
		for i, m := range measured {
			if s := d.fit(m); s > score {
				best, score = i, s
			}
		}
		if best < 0 {
			continue
		}
		var p pair
		for i := range d.names {
			want, err := l.Signal(d.names[i])
			if err != nil {
				return nil, err
			}
			got, err := l.Signal(measured[best].names[i])
			if err != nil {
				return nil, err
			}
			p.desired, p.measured = append(p.desired, want), append(p.measured, got)
		}
		list = append(list, p)
		measured = slices.Delete(measured, best, best+1)
	}
	return list, nil
}

// mostEmpty is how many samples a block may have written before it had data.
const mostEmpty = 5

// begin returns the time from which the measured signals of a pair hold data. The first outputs of a block that had no data yet are
// 0: at most mostEmpty samples in which all elements are 0 do not count.
func (p pair) begin() float64 {
	empty := mostEmpty + 1
	first := p.measured[0]
	for _, s := range p.measured {
		n := 0
		for n < len(s.Values) && n <= mostEmpty && s.Values[n] == 0 {
			n++
		}
		if n == len(s.Values) {
			n = mostEmpty + 1
		}
		empty = min(empty, n)
	}
	switch {
	case len(first.Time) == 0:
		return 0
	case empty > mostEmpty: // it is at 0
		return first.Time[0]
	}
	return first.Time[empty]
}

// begin returns the time from which errors of the log count: one sample after all measured positions hold data.
func (l *Log) begin() (float64, error) {
	pairs, err := l.pairs()
	if err != nil {
		return 0, err
	}
	begin := 0.0
	for _, p := range pairs {
		t := p.begin()
		if times := p.measured[0].Time; len(times) > 0 && t > times[0] {
			if next, _ := slices.BinarySearch(times, t); next+1 < len(times) {
				t = times[next+1]
			}
			begin = max(begin, t)
		}
	}
	return begin, nil
}

// differences returns the desired minus the measured positions, at the times of the measured ones.
func (l *Log) differences() ([]Signal, error) {
	pairs, err := l.pairs()
	var list []Signal
	for _, p := range pairs {
		begin := p.begin()
		for i, m := range p.measured {
			list = append(list, difference(p.desired[i], m.Between(begin, 0)))
		}
	}
	return list, err
}

// difference returns desired minus measured: the newest desired value at each time of a measured one.
func difference(desired, measured Signal) Signal {
	d := Signal{Name: desired.Name + " − " + measured.Name, Unit: measured.Unit}
	k := -1
	for i, t := range measured.Time {
		for k+1 < len(desired.Time) && desired.Time[k+1] <= t {
			k++
		}
		if k >= 0 {
			d.Time, d.Values = append(d.Time, t), append(d.Values, desired.Values[k]-measured.Values[i])
		}
	}
	return d
}

const (
	chartLines = 16 // in a chart at most
	mostLines  = 48 // of a log whose file watches no signals
)

// overview returns the signals that are drawn beside desired and measured positions: those that the system file watches, or all
// of a log that has neither those nor positions. left is how many of them are not drawn.
func (l *Log) overview(motion bool) (list []Signal, left int, err error) {
	watched := l.Watched()
	for _, pattern := range watched {
		some, err := l.Select([]string{pattern})
		if err != nil {
			continue // another process of the system has it, or it is not recorded
		}
		list = append(list, some...)
	}
	if watched != nil || motion {
		return list, 0, nil
	}
	names := l.names
	if len(names) > mostLines {
		names, left = names[:mostLines], len(names)-mostLines
	}
	for _, name := range names {
		s, err := l.Signal(name)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, s)
	}
	return list, left, nil
}

// mostErrors is how many errors are drawn; the table has all.
const mostErrors = 16

// greatestErrors returns which errors are drawn: those with the greatest root mean square in any log.
func greatestErrors(names []string, found map[string][]Signal) map[string]bool {
	rms := map[string]float64{}
	for _, name := range names {
		for _, s := range found[name] {
			rms[name] = max(rms[name], s.RMS())
		}
	}
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(rms[b], rms[a]) })
	drawn := map[string]bool{}
	for _, name := range sorted[:min(len(sorted), mostErrors)] {
		drawn[name] = true
	}
	return drawn
}

// charts draws signals: those of one unit together, at most chartLines in a chart.
func charts(title string, signals []Signal) (list []captioned) {
	for _, one := range byUnit(signals) {
		unit := ""
		if one[0].Unit != "" {
			unit = " [" + one[0].Unit + "]"
		}
		parts := slices.Collect(slices.Chunk(one, chartLines))
		for i, part := range parts {
			caption := title + unit
			if len(parts) > 1 {
				caption += ", " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(parts))
			}
			list = append(list, captioned{caption, lines(part, nil)})
		}
	}
	return list
}

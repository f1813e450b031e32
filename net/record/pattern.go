package record

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/net/schema"
)

// Pattern selects signals by their names, as [Reader.Signals] returns them:
//
//	arm.position        one signal, or all elements of a vector, or all numbers of a message
//	arm.*, joint?.ref   * stands for any characters, ? for one
//	arm.position[2]     one element
//	arm.position[0:3]   the elements 0, 1 and 2, as in links; [0,2,5] lists elements
//	arm.position[*]     all elements
//
// The zero value selects nothing.
type Pattern struct {
	text   string
	re     *regexp.Regexp // its groups are the numbers in brackets, one for each of ranges
	ranges [][][2]int     // of each bracket but [*]: from, to and not to itself
}

// ParsePattern reads a pattern.
func ParsePattern(text string) (Pattern, error) {
	p := Pattern{text: text}
	var re strings.Builder
	re.WriteByte('^')
	for rest := text; rest != ""; {
		c := rest[0]
		switch rest = rest[1:]; c {
		case '*':
			re.WriteString(".*")
		case '?':
			re.WriteByte('.')
		case '[':
			inner, after, ok := strings.Cut(rest, "]")
			if !ok {
				return Pattern{}, fmt.Errorf("pattern %q: the bracket does not close", text)
			}
			rest = after
			if inner == "*" {
				re.WriteString(`\[\d+\]`)
				continue
			}
			ranges, err := parseRanges(inner)
			if err != nil {
				return Pattern{}, fmt.Errorf("pattern %q: %w", text, err)
			}
			p.ranges = append(p.ranges, ranges)
			re.WriteString(`\[(\d+)\]`)
		case ']':
			return Pattern{}, fmt.Errorf("pattern %q: the bracket does not open", text)
		default:
			re.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	if text == "" {
		return Pattern{}, fmt.Errorf("the pattern is empty")
	}
	re.WriteString(`(?:[.\[].*)?$`)
	var err error
	p.re, err = regexp.Compile(re.String())
	return p, err
}

// parseRanges reads "2", "0:3" or "0,2,5".
func parseRanges(text string) (list [][2]int, err error) {
	for word := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(word), ":")
		from, err := strconv.Atoi(first)
		to := from + 1
		if isRange && err == nil {
			to, err = strconv.Atoi(last)
		}
		if err != nil || from < 0 || to <= from {
			return nil, fmt.Errorf("%q is neither an element, as 2, nor a range, as 0:3, nor *", word)
		}
		list = append(list, [2]int{from, to})
	}
	return list, nil
}

// String returns the pattern as it was written.
func (p Pattern) String() string { return p.text }

// Match reports whether the pattern selects a signal.
func (p Pattern) Match(signal string) bool {
	if p.re == nil {
		return false
	}
	m := p.re.FindStringSubmatch(signal)
	if m == nil {
		return false
	}
	for i, ranges := range p.ranges {
		n, err := strconv.Atoi(m[i+1])
		inside := false
		for _, r := range ranges {
			inside = inside || err == nil && r[0] <= n && n < r[1]
		}
		if !inside {
			return false
		}
	}
	return true
}

// SignalNames returns the names of the signals of a channel or port, one for each leaf of its layout.
func SignalNames(channel string, t *schema.Type, leaves []schema.Leaf) []string {
	names := make([]string, len(leaves))
	for i, leaf := range leaves {
		names[i] = signalName(channel, t, leaf)
	}
	return names
}

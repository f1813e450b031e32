package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// test is a test that failed at least once.
type test struct {
	name   string
	place  string // package and line, or file
	output string // of its last failure
	passed bool   // in its last run
	absent bool   // it cannot run here; output is why
	final  bool   // its failure does not depend on the machine: a later run that passes does not count
}

// ledger is the failed tests of a stage, in the order of their first failure.
type ledger struct {
	keys  []string
	tests map[string]*test
}

func (l *ledger) failed(key string, t test) {
	if l.tests == nil {
		l.tests = map[string]*test{}
	}
	if old := l.tests[key]; old != nil {
		t.final = t.final || old.final
	} else {
		l.keys = append(l.keys, key)
	}
	l.tests[key] = &t
}

func (l *ledger) skipped(key string, t test) {
	t.passed, t.absent = true, true
	l.failed(key, t)
}

func (l *ledger) passed(key string) {
	if t := l.tests[key]; t != nil {
		t.passed = true
	}
}

// leaves returns the tests without those that failed because a subtest did.
func (l *ledger) leaves() []test {
	var list []test
	for _, key := range l.keys {
		above := false
		for _, other := range l.keys {
			above = above || strings.HasPrefix(other, key+"/")
		}
		if !above {
			list = append(list, *l.tests[key])
		}
	}
	return list
}

// outcome is what happened in a stage.
type outcome struct {
	stage     string
	err       error    // of the command
	tests     []test   // those that failed at least once
	left      []string // processes that still ran at its end
	tail      []string // the last lines of its output
	duration  time.Duration
	processor time.Duration // of all its commands
	load      load          // when the machine was busiest
}

// broken returns the tests that count as failed.
func (o outcome) broken() []test {
	var list []test
	for _, t := range o.tests {
		if !t.passed || t.final {
			list = append(list, t)
		}
	}
	return list
}

func (o outcome) failed() bool { return o.err != nil || len(o.broken()) > 0 }

// report is what happened in all stages.
type report struct {
	outcomes []outcome
	duration time.Duration
}

func (r report) failed() bool {
	for _, o := range r.outcomes {
		if o.failed() {
			return true
		}
	}
	return false
}

const (
	reportLines  = 60
	leastOutput  = 2  // lines of a failed test
	mostOutput   = 40 // lines of a failed test
	maxLineWidth = 200
)

// write prints durations, second runs and leftovers, and then the failures in at most 60 lines.
func (r report) write(to io.Writer) {
	fmt.Fprintf(to, "\n%-10s %8s %10s %6s\n", "stage", "time", "processor", "load")
	var processor time.Duration
	var again, absent, left []string
	for _, o := range r.outcomes {
		result := ""
		if o.failed() {
			result = "FAILED"
		}
		fmt.Fprintf(to, "%-10s %8s %10s %6.1f %s\n", o.stage, o.duration.Round(time.Second), o.processor.Round(time.Second), o.load.average, result)
		processor += o.processor
		for _, t := range o.tests {
			if t.absent {
				absent = append(absent, fmt.Sprintf("%s: %s, %s: %s", o.stage, t.name, t.place, t.output))
			} else if t.passed {
				again = append(again, fmt.Sprintf("%s: %s, %s", o.stage, t.name, t.place))
			}
		}
		for _, name := range o.left {
			left = append(left, o.stage+": "+name)
		}
	}
	fmt.Fprintf(to, "%-10s %8s %10s\n", "together", r.duration.Round(time.Second), processor.Round(time.Second))
	list(to, "Cannot run here:", absent)
	list(to, "Passed only in a second run; each is a defect to be mended:", again)
	list(to, "Left running by a stage, and ended by the gate:", left)
	r.writeFailures(to)
}

func list(to io.Writer, heading string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(to, "\n%s\n", heading)
	for _, line := range lines {
		fmt.Fprintf(to, "  %s\n", clip(line))
	}
}

func (r report) writeFailures(to io.Writer) {
	var heads, bodies [][]string
	for _, o := range r.outcomes {
		if !o.failed() {
			continue
		}
		head := []string{fmt.Sprintf("FAILED: stage %s: %v; the load was up to %.1f", o.stage, o.err, o.load.average)}
		for _, p := range o.load.busiest {
			head = append(head, "  busy: "+p)
		}
		broken := o.broken()
		if len(broken) == 0 {
			heads, bodies = append(heads, head), append(bodies, o.tail)
		}
		for _, t := range broken {
			why := ""
			if t.passed {
				why = " (passes when run again, which does not count)"
			}
			heads = append(heads, append(head, fmt.Sprintf("--- %s%s: %s", t.name, why, t.place)))
			bodies = append(bodies, textLines(t.output))
			head = nil
		}
	}
	if len(heads) == 0 {
		return
	}
	room := reportLines - 1
	for _, head := range heads {
		room -= len(head)
	}
	share := max(leastOutput, min(mostOutput, room/len(heads)))
	fmt.Fprintln(to)
	for i, head := range heads {
		for _, line := range head {
			fmt.Fprintln(to, clip(line))
		}
		// The end of a long output has the reason.
		body := bodies[i]
		for _, line := range body[max(0, len(body)-share):] {
			fmt.Fprintln(to, "    "+clip(line))
		}
	}
}

func clip(line string) string {
	if len(line) > maxLineWidth {
		return strings.ToValidUTF8(line[:maxLineWidth], "") + "…"
	}
	return line
}

// textLines returns the lines of a text that are not empty.
func textLines(text string) []string {
	var list []string
	for line := range strings.Lines(colour.ReplaceAllString(text, "")) {
		if line = strings.TrimRight(line, " \r\n"); line != "" {
			list = append(list, line)
		}
	}
	return list
}

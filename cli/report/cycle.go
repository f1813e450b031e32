package report

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/cli/figure"
	"github.com/sinew-robotics/sinew/net/record"
)

// span is an execution of a step in a cycle; times in µs.
type span struct {
	thread     int // index in cycle.threads
	name       string
	begin, end float64
	median     float64 // of all executions in measured cycles
}

// cycle is what the threads of a process have done at one nominal time, in the order of their beginning.
type cycle struct {
	threads []string
	spans   []span
	without []string // threads that did not run in it, or were not measured
	left    float64  // µs, in which only steps ran that except has left out
}

// stepName returns the name of a step: that of its block, with the direction if it has two.
func stepName(k record.StepStatistics) string {
	if k.Part == "Step" {
		return k.Block
	}
	return k.Block + "." + k.Part
}

// stepsOf returns the names of all steps of a run.
func stepsOf(s *record.RunStatistics) (names []string) {
	if s == nil {
		return nil
	}
	for _, t := range s.Threads {
		for _, k := range t.Steps {
			names = append(names, stepName(k))
		}
	}
	return names
}

// cycleOf returns the last cycle that was measured, of those the one in which the most steps ran. It begins with the first step.
func cycleOf(s *record.RunStatistics) (c cycle) {
	if s == nil {
		return c
	}
	ran := map[int64]int{}
	var at int64
	for _, t := range s.Threads {
		for _, k := range t.Steps {
			if k.End > 0 && t.Start != 0 {
				ran[t.Measured]++
			}
		}
		if n := ran[t.Measured]; n > ran[at] || n == ran[at] && t.Measured > at {
			at = t.Measured
		}
	}
	var start int64 = math.MaxInt64
	for _, t := range s.Threads {
		if t.Start != 0 && t.Measured == at {
			start = min(start, t.Start)
		}
	}
	for _, t := range s.Threads {
		n := len(c.spans)
		for _, k := range t.Steps {
			if t.Start == 0 || t.Measured != at || k.End == 0 {
				continue
			}
			shift := float64(t.Start - start)
			add := func(begin, end int64) {
				c.spans = append(c.spans, span{
					len(c.threads), stepName(k), (shift + float64(begin)) / 1e3, (shift + float64(end)) / 1e3, float64(k.P50) / 1e3,
				})
			}
			add(k.Begin, k.End)
			if k.AgainEnd > 0 {
				add(k.Again, k.AgainEnd)
			}
		}
		if len(c.spans) == n {
			c.without = append(c.without, t.Name)
			continue
		}
		c.threads = append(c.threads, t.Name)
	}
	slices.SortStableFunc(c.spans, func(a, b span) int { return cmp.Compare(a.begin, b.begin) })
	return c.from(0)
}

// sum returns what a step takes, by its median and in this cycle, with all executions; ok is false where it has none.
func (c cycle) sum(name string) (median, drawn float64, ok bool) {
	for _, s := range c.spans {
		if s.name == name {
			median, drawn, ok = median+s.median, drawn+s.end-s.begin, true
		}
	}
	return median, drawn, ok
}

// from returns the steps from the i-th on, with their times counted from its beginning.
func (c cycle) from(i int) cycle {
	if i < len(c.spans) {
		zero := c.spans[i].begin
		c.spans = slices.Clone(c.spans[i:])
		for k := range c.spans {
			c.spans[k].begin -= zero
			c.spans[k].end -= zero
		}
	}
	return c
}

// between returns the steps from the beginning of one to the end of another: without one of them, none.
func (c cycle) between(from, to string) cycle {
	first := slices.IndexFunc(c.spans, func(s span) bool { return s.name == from })
	last := len(c.spans) - 1
	for last >= 0 && c.spans[last].name != to {
		last--
	}
	if first < 0 || last < first {
		c.spans = nil
		return c
	}
	c = c.from(first)
	end := c.spans[last-first].end
	c.spans = slices.DeleteFunc(c.spans, func(s span) bool { return s.end > end })
	for len(c.spans) > 0 && c.spans[len(c.spans)-1].name != to {
		c.spans = c.spans[:len(c.spans)-1]
	}
	return c
}

// except leaves steps out: the others keep their times, and the length does not count the time in which only these ran.
func (c cycle) except(names []string) cycle {
	var kept []span
	with, without := 0.0, 0.0 // when all steps, and those that are kept, have ended
	for _, s := range c.spans {
		c.left += max(0, s.end-max(s.begin, with))
		with = max(with, s.end)
		if !slices.Contains(names, s.name) {
			c.left -= max(0, s.end-max(s.begin, without))
			without = max(without, s.end)
			kept = append(kept, s)
		}
	}
	c.spans = kept
	return c
}

// rest returns the steps after the one that takes most of the cycle, such as input and output, so that the others are visible;
// it has none if no step takes that much.
func (c cycle) rest() cycle {
	const most = 0.6
	for i, s := range c.spans {
		if s.end-s.begin > most*c.length() {
			if i+1 < len(c.spans) {
				return c.from(i + 1)
			}
			break
		}
	}
	c.spans = nil
	return c
}

// length returns the time from the beginning of the first step to the end of the last, without that of steps that were left out.
func (c cycle) length() (length float64) {
	for _, s := range c.spans {
		length = max(length, s.end)
	}
	return length - c.left
}

// last returns the name of the step that ends last.
func (c cycle) last() (name string) {
	end := math.Inf(-1)
	for _, s := range c.spans {
		if s.end >= end {
			name, end = s.name, s.end
		}
	}
	return name
}

// median returns the sum of the steps' medians.
func (c cycle) median() (sum float64) {
	for _, s := range c.spans {
		sum += s.median
	}
	return sum
}

// draw draws the steps on one line of time, a row each, in the colour of their thread.
func (c cycle) draw() template.HTML {
	const row, left = 18.0, 190.0 // names need more room than numbers
	var used []int
	for _, s := range c.spans {
		if !slices.Contains(used, s.thread) {
			used = append(used, s.thread)
		}
	}
	top := marginTop
	if len(used) > 1 {
		top += row
	}
	height := top + marginBelow + row*float64(len(c.spans))
	f := newFrame(0, max(c.length(), 1e-3), 0, 1, height)
	x := func(us float64) float64 { return left + us/f.x1*(chartWidth-left-90) }
	for _, v := range figure.Ticks(0, f.x1, 8) {
		f.line("grid", x(v), top, x(v), height-marginBelow)
		f.text("tick middle", x(v), height-marginBelow+16, short(v))
	}
	f.text("label middle", x(f.x1/2), height-3, "time since the first of these steps began [µs]")
	color := func(thread int) string { return fmt.Sprintf("bar t%d", thread%len(figure.Palette())) }
	if len(used) > 1 {
		at := left
		for _, i := range used {
			name := c.threads[i]
			fmt.Fprintf(&f.b, `<rect class="%s" x="%.1f" y="%.1f" width="12" height="10"/>`, color(i), at, marginTop-4)
			f.text("legend", at+16, marginTop+5, name)
			at += 32 + 6.5*float64(len(name))
		}
	}
	for i, s := range c.spans {
		y := top + row*float64(i)
		f.text("legend end", left-8, y+12.5, s.name)
		fmt.Fprintf(&f.b, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`,
			color(s.thread), x(s.begin), y+3, math.Max(x(s.end)-x(s.begin), 1), row-6)
		f.text("tick", math.Max(x(s.end), x(s.begin)+1)+5, y+12.5, microseconds(int64(1e3*(s.end-s.begin))))
	}
	return f.end()
}

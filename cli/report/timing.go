package report

import (
	"fmt"
	"html/template"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/net/record"
)

// timeline draws what the blocks of a thread did in one cycle, one row each.
func timeline(t record.ThreadStatistics) template.HTML {
	last := int64(1)
	for _, s := range t.Steps {
		last = max(last, s.End)
	}
	const row = 18.0
	height := marginTop + marginBelow + row*float64(len(t.Steps))
	f := newFrame(0, float64(last)/1e3, 0, 1, height)
	const left = 170.0 // names need more room than numbers
	x := func(us float64) float64 { return left + us/f.x1*(chartWidth-left-90) }
	for _, v := range ticks(0, f.x1, 8) {
		f.line("grid", x(v), marginTop, x(v), height-marginBelow)
		f.text("tick middle", x(v), height-marginBelow+16, short(v))
	}
	f.text("label middle", x(f.x1/2), height-3, "time since the cycle began [µs]")
	for i, s := range t.Steps {
		y := marginTop + row*float64(i)
		name := s.Block
		if s.Part != "Step" {
			name += "." + s.Part
		}
		begin, end := float64(s.Begin)/1e3, float64(s.End)/1e3
		f.text("legend end", left-8, y+12.5, name)
		fmt.Fprintf(&f.b, `<rect class="bar" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, x(begin), y+3, math.Max(x(end)-x(begin), 1), row-6)
		f.text("tick", math.Max(x(end), x(begin)+1)+5, y+12.5, microseconds(s.End-s.Begin))
	}
	return f.end()
}

// rest returns the thread without the steps up to the one that takes most of the cycle, as input and output do, so that
// the others can be seen; without steps where no step takes so much.
func rest(t record.ThreadStatistics) record.ThreadStatistics {
	const most = 0.6
	all := t.Steps
	t.Steps = nil
	for i, s := range all {
		if float64(s.End-s.Begin) > most*float64(all[len(all)-1].End) {
			for _, r := range all[i+1:] {
				r.Begin, r.End = r.Begin-s.End, r.End-s.End
				t.Steps = append(t.Steps, r)
			}
		}
	}
	return t
}

// histogram draws a distribution of durations over a logarithmic axis.
func histogram(d record.Distribution) template.HTML {
	if len(d.Buckets) == 0 {
		return "<p class=\"missing\">Nothing was measured.</p>"
	}
	lo, hi, most := math.Inf(1), 0.0, 0.0
	for _, b := range d.Buckets {
		lo, hi = math.Min(lo, math.Max(float64(b.From), 1)), math.Max(hi, float64(b.To))
		most = math.Max(most, float64(b.Count))
	}
	x0, x1 := math.Floor(math.Log10(lo)), math.Ceil(math.Log10(hi))
	f := newFrame(x0, math.Max(x1, x0+1), 0, math.Log10(most+1), 170)
	for e := x0; e <= f.x1; e++ {
		f.line("grid", f.x(e), marginTop, f.x(e), f.height-marginBelow)
		f.text("tick middle", f.x(e), f.height-marginBelow+16, time.Duration(math.Pow(10, e)).String())
	}
	for n := 1.0; n <= most; n *= 10 {
		y := f.y(math.Log10(n + 1))
		f.line("grid", marginLeft, y, chartWidth-marginRight, y)
		f.text("tick end", marginLeft-6, y+3.5, short(n))
	}
	for _, b := range d.Buckets {
		left, right := f.x(math.Log10(math.Max(float64(b.From), 1))), f.x(math.Log10(float64(b.To)))
		top := f.y(math.Log10(float64(b.Count) + 1))
		fmt.Fprintf(&f.b, `<rect class="bar" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`,
			left, top, math.Max(right-left-0.6, 0.8), f.height-marginBelow-top)
	}
	f.line("axis", marginLeft, f.height-marginBelow, chartWidth-marginRight, f.height-marginBelow)
	f.text("label middle", (marginLeft+chartWidth-marginRight)/2, f.height-3, "duration")
	fmt.Fprintf(&f.b, `<text class="label middle" transform="translate(12 %.1f) rotate(-90)">how often</text>`, (f.height-marginBelow+marginTop)/2)
	for i, line := range []string{"p50 " + microseconds(d.P50), "p99 " + microseconds(d.P99), "p99.9 " + microseconds(d.P999), "max " + microseconds(d.Max)} {
		f.text("legend", chartWidth-marginRight+12, marginTop+12+16*float64(i), line)
	}
	return f.end()
}

func microseconds(ns int64) string {
	if ns < 100_000 {
		return fmt.Sprintf("%.3g µs", float64(ns)/1e3)
	}
	return time.Duration(ns).Round(time.Microsecond).String()
}

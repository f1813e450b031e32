package report

import (
	"fmt"
	"html/template"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/net/record"
)

// histogram draws a distribution of durations over a logarithmic axis.
func histogram(d record.Distribution) template.HTML {
	if len(d.Buckets) == 0 {
		return "<p class=\"missing\">No data were measured.</p>"
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
	fmt.Fprintf(&f.b, `<text class="label middle" transform="translate(12 %.1f) rotate(-90)">count</text>`, (f.height-marginBelow+marginTop)/2)
	for i, line := range []string{"p50 " + microseconds(d.P50), "p99 " + microseconds(d.P99), "p99.9 " + microseconds(d.P999), "max " + microseconds(d.Max)} {
		f.text("legend", chartWidth-marginRight+12, marginTop+12+16*float64(i), line)
	}
	return f.end()
}

func microseconds(ns int64) string {
	switch v := float64(ns); {
	case v < 999.5e3:
		return fmt.Sprintf("%.3g µs", v/1e3)
	case v < 999.5e6:
		return fmt.Sprintf("%.3g ms", v/1e6)
	default:
		return fmt.Sprintf("%.1f s", v/1e9)
	}
}

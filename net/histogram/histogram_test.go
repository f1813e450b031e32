package histogram

import (
	"testing"
	"time"
)

func TestQuantilesAreExactToTheWidthOfABucket(t *testing.T) {
	for ns := int64(1); ns < int64(time.Minute); ns = ns*5/4 + 1 {
		var h Durations
		for range 99 {
			h.Add(ns)
		}
		h.Add(time.Hour.Nanoseconds())
		if got := h.Quantile(0.5); float64(got) < float64(ns)*0.88 || float64(got) > float64(ns)*1.12 {
			t.Errorf("the median of %d ns is %d ns", ns, got)
		}
		if h.Count() != 100 || h.Max() != time.Hour || h.Quantile(1) < 18*time.Minute {
			t.Errorf("%d ns: count %d, max %v, last %v", ns, h.Count(), h.Max(), h.Quantile(1))
		}
	}
}

func TestEachDurationIsInItsBucket(t *testing.T) {
	for ns := int64(0); ns < int64(10*time.Minute); ns = ns*9/8 + 1 {
		var h Durations
		h.Add(ns)
		b := h.Buckets()
		if len(b) != 1 || b[0].Count != 1 || ns < int64(b[0].From) || ns >= int64(b[0].To) {
			t.Errorf("%d ns is in %v", ns, b)
		}
	}
}

func TestEmptyHistogramHasNoQuantile(t *testing.T) {
	var h Durations
	if h.Quantile(0.5) != 0 || h.Count() != 0 || len(h.Buckets()) != 0 {
		t.Error("an empty histogram has durations")
	}
	h.Add(-1)
	if h.Quantile(1) != 0 || h.Count() != 1 || h.Max() != 0 {
		t.Error("a negative duration does not count as 0")
	}
}

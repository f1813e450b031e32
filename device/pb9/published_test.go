package pb9

import (
	"math"
	"testing"
)

// FAST-Robots, lines 202-204 and 415-417 of the text: "The sensor scans a symmetric area 162 degrees wide subdivided in 91 sectors and can measure
// distances up to 4 meters."
func TestScannerHasThePublishedFigures(t *testing.T) {
	s, _, _, run := bench(t)
	for s.Scan().Sequence == 0 {
		if err := run(1); err != nil {
			t.Fatal(err)
		}
	}
	scan := s.Scan()
	last := scan.First + float64(len(scan.Ranges)-1)*scan.Step
	if len(scan.Ranges) != 91 || math.Abs((last-scan.First)*180/math.Pi-162) > 1e-6 || math.Abs(scan.First+last) > 1e-9 {
		t.Errorf("%d sectors from %v to %v rad, want 91 over 162°, symmetric", len(scan.Ranges), scan.First, last)
	}
	for i, x := range scan.Ranges {
		if x > 4 && !math.IsInf(x, 1) {
			t.Errorf("sector %d reaches %v m, want at most 4", i, x)
		}
	}
}

package trajectory

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"
)

// No motion lasts longer than that of ruckig, the published generator that enumerates profiles.
func TestNotSlowerThanRuckig(t *testing.T) {
	file, err := os.Open("testdata/ruckig.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	planner, motion := NewPlanner(3), NewTrajectory(3)
	var in Input
	var theirs float64
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		f := numbers(t, lines.Text())
		if len(f) == 1 {
			in.Axes, theirs = nil, f[0]
			continue
		}
		in.Axes = append(in.Axes, Axis{
			Control: Control(f[0]), Start: state(f[1], f[2], f[3]), Target: state(f[4], f[5], f[6]),
			Limits: Limits{f[7], f[8], f[9], f[10], f[11]},
		})
		if len(in.Axes) < 3 {
			continue
		}
		if err := planner.Plan(&in, motion); err != nil {
			t.Fatal(err)
		}
		if err := verify(&in, motion); err != nil {
			t.Error(err)
		}
		if ours := motion.Duration(); ours > theirs*(1+1e-8)+1e-9 {
			t.Errorf("%v s, ruckig needs %v s for %+v", ours, theirs, in)
		}
	}
}

func numbers(t *testing.T, line string) []float64 {
	var all []float64
	for _, word := range strings.Fields(line) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	return all
}

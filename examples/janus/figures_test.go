package janus

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/cli/report"
)

// published.yaml has the figures of the text of Santini and Lages (2011), lines 375 to 392, and no measured ones: those belong to the log and the benchmark.
func TestPublishedFiguresAreThoseOfTheText(t *testing.T) {
	file, err := os.Open("published.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	p, err := report.ReadPublished(file, "published.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var got []float64
	for _, f := range p.Figures {
		got = append(got, f.Published)
		if regexp.MustCompile(`\d`).MatchString(f.Note) {
			t.Errorf("%s: the note %q has a number", f.Name, f.Note)
		}
	}
	if want := []float64{724, 362, 331, 10, 259, 259, 20, 30, 10, 150}; !slices.Equal(got, want) {
		t.Errorf("figures %v, want %v", got, want)
	}
}

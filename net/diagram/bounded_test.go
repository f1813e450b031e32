package diagram

import (
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// cloud has an output whose values have up to most elements, one of fixed length, and inputs that take them.
type cloud struct {
	Points block.Out[[]float64]
	Fixed  block.Out[[]float64]
	Number block.Out[float64]
	Any    block.In[[]float64]
	Three  block.In[[]float64]
	One    block.In[[]float64]
	most   int
	takes  int
}

func (c *cloud) Setup(s *block.Setup) error {
	s.MaxLen(c.most, &c.Points)
	s.MaxLen(c.takes, &c.Any)
	s.Len(3, &c.Fixed, &c.Three)
	return nil
}

func (c *cloud) Step(clock.Tick) error { return nil }

func TestLinksOfValuesWithOwnLengthsAreChecked(t *testing.T) {
	for link, want := range map[string]string{
		"a.points -> b.any":     "",
		"a.fixed -> b.any":      "",
		"a.fixed -> b.one":      "",
		"a.points -> b.three":   `each value of a.points has a length of its own, up to 5 elements, but b.three takes values of one length: the block "b" must declare the input with Setup.MaxLen`,
		"a.points -> b.one":     `but b.one takes values of one length`,
		"a.points[0] -> b.any":  "the values of a.points have lengths of their own, so none of their elements can be chosen: link all of it",
		"a.fixed[0] -> b.any":   "the values of b.any have lengths of their own, so none of their elements can be chosen",
		"a.number -> b.any":     "a.number carries std_msgs/msg/Float64, but b.any takes sinew_msgs/msg/Float64Array",
		"a.points -> small.any": "a.points has up to 5 elements, but small.any takes at most 4",
		"none.points -> b.any":  "the most elements of its values are unknown",
	} {
		d := New("test")
		d.Thread(Thread{Name: "t", Period: time.Millisecond})
		for name, c := range map[string]*cloud{"a": {most: 5}, "b": {most: 1}, "small": {most: 1, takes: 4}, "none": {}} {
			d.Add(name, c, Place{Thread: "t"})
		}
		d.Link(link)
		_, err := d.Build()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", link, err, want)
		}
	}
}

// wrongCloud asks for what a port cannot have.
type wrongCloud struct {
	Points block.Out[[]float64]
	Number block.In[float64]
	most   int
	number bool
}

func (c *wrongCloud) Setup(s *block.Setup) error {
	s.MaxLen(c.most, &c.Points)
	if c.number {
		s.MaxLen(3, &c.Number)
	}
	return nil
}

func (c *wrongCloud) Step(clock.Tick) error { return nil }

func TestImpossibleLargestLengthsAreErrors(t *testing.T) {
	for want, c := range map[string]*wrongCloud{
		"Setup gives a port at most -1 elements: wants 0 to 67108864":                            {most: -1},
		"Setup gives a port a largest number of elements, but a float64 has none: wants an In":   {most: 1, number: true},
		"port points of block \"w\": a value of 80,000,000 bytes is larger than 64 MiB":          {most: 10_000_000},
		"port w.points: a value has up to 24,000,012 bytes, so it can be linked, but neither sh": {most: 3_000_000},
	} {
		d := New("test")
		d.Thread(Thread{Name: "t", Period: time.Millisecond})
		d.Add("w", c, Place{Thread: "t"})
		net, err := d.Build()
		text := ""
		if err != nil {
			text = err.Error()
		} else {
			for _, n := range net.Notices {
				text += n.Text
			}
		}
		if !strings.Contains(text, want) {
			t.Errorf("at most %d: %q, want %q", c.most, text, want)
		}
	}
}

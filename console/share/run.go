package share

import (
	"context"
	"maps"
	"time"

	"github.com/sinew-robotics/sinew/console/robots"
)

// Run is what a page shows: a span of a system's time.
type Run struct {
	Title    string         `json:"title"`
	System   string         `json:"system"`
	Start    int64          `json:"start_ns"` // in the system's time
	End      int64          `json:"end_ns"`
	Wall     *time.Time     `json:"wall,omitempty"` // time of day of End; nil if unknown
	Notes    []string       `json:"notes"`          // of people
	Facts    []string       `json:"facts"`          // about the whole run, such as its faults
	Robots   []robots.Robot `json:"robots"`
	Plots    []Plot         `json:"plots"`
	Events   []Event        `json:"events"` // oldest first
	Slips    []Slip         `json:"slips"`
	Problems []string       `json:"problems"` // parts that are missing

	Signals []*Signal         `json:"-"`
	Files   map[string][]byte `json:"-"` // descriptions and meshes of robots, by the address in the description
}

// New returns an empty run of a system. Its lists are not nil, so that they are lists in JSON.
func New(system string) *Run {
	return &Run{Title: system, System: system, Notes: []string{}, Facts: []string{}, Robots: []robots.Robot{}, Plots: []Plot{},
		Events: []Event{}, Slips: []Slip{}, Problems: []string{}}
}

// PlotAll makes a plot of each port.
func (r *Run) PlotAll() {
	var names []string
	for _, s := range r.Signals {
		names = append(names, s.Name)
	}
	r.Plots = plotsOf(names)
}

// Plot is a picture of some signals.
type Plot struct {
	Title   string   `json:"title"`
	Signals []string `json:"signals"`
}

// Event is a change or another event of the run.
type Event struct {
	Time int64  `json:"time_ns"` // in the system's time
	Kind string `json:"kind"`    // as in the console
	Text string `json:"text"`
	User string `json:"user,omitempty"`
}

// Slip counts the slips of a thread in a second.
type Slip struct {
	Time   int64  `json:"time_ns"` // in the system's time
	Thread string `json:"thread"`
	Count  uint64 `json:"count"`
}

// Signal is a number over time.
type Signal struct {
	Name    string    `json:"name"`              // such as "joint1.position" or "arm.q[0]"
	Ref     string    `json:"ref"`               // the port; of a structure, with its member
	Element *int      `json:"element,omitempty"` // of a list, from 0
	Unit    string    `json:"unit"`
	Times   []int64   `json:"-"` // ns in the system's time, rising; signals of one port may share them
	Values  []float64 `json:"-"` // in Unit, one for each time
}

// NewSignal returns a signal without samples: a name that ends in "[3]" is an element of a port.
func NewSignal(name, unit string) *Signal {
	ref, element := split(name)
	return &Signal{Name: name, Ref: ref, Element: element, Unit: unit}
}

// Has reports whether the run has values of a port.
func (r *Run) Has(ref string) bool {
	for _, s := range r.Signals {
		if s.Ref == ref && len(s.Times) > 0 {
			return true
		}
	}
	return false
}

// AddRobots adds robots with their descriptions and meshes.
func (r *Run) AddRobots(ctx context.Context, all *robots.Robots, list []robots.Robot) error {
	if r.Files == nil {
		r.Files = map[string][]byte{}
	}
	for _, robot := range list {
		if robot.Problem == "" {
			files, problems, err := all.Embed(ctx, r.System, robot.Name)
			if err != nil {
				return err
			}
			maps.Copy(r.Files, files)
			r.Problems = append(r.Problems, problems...)
		}
		robot.Contacts = []string{} // structures are not kept
		r.Robots = append(r.Robots, robot)
	}
	return nil
}

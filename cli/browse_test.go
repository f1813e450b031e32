package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/admin"
)

func TestBrowserCompletesNamesStepByStep(t *testing.T) {
	b := &browser{structure: &admin.Structure{
		Blocks: []admin.Block{{Name: "left.knee", Ports: []admin.Port{{Name: "in"}, {Name: "out"}}}, {Name: "left.hip"}, {Name: "wave"}},
		Groups: []admin.Group{{Name: "left"}}, Types: map[string]string{"a_msgs/msg/B": ""},
	}}
	for line, want := range map[string]string{
		"ls ":                  "left left. wave",
		"ls left.":             "left.hip left.knee",
		"disable w":            "wave",
		"watch left.knee.":     "left.knee.in left.knee.out",
		"watch left.knee.o 10": "",
		"types ":               "a_msgs/msg/B",
		"events ":              "",
	} {
		if got := strings.Join(b.complete(line), " "); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestBrowserRemembersTheLastEvents(t *testing.T) {
	var l eventLog
	told := 0
	l.onEvent(func(admin.Event) { told++ })
	for i := range maxEvents + 50 {
		l.add(admin.Event{Kind: "set", Text: fmt.Sprint(i), By: "bob@desk, process 1"})
	}
	if list := l.last(2 * maxEvents); len(list) != maxEvents || list[0].Text != "50" || told != maxEvents+50 {
		t.Errorf("%d events from %q on, told of %d", len(list), list[0].Text, told)
	}
}

func TestWatchedSignalsAreBounded(t *testing.T) {
	var l watchList
	w := &watched{ref: "b.out", unit: "rad", end: func() {}}
	l.list = []*watched{w, {ref: "b.wide", end: func() {}}}
	for i := range 1000 {
		w.take(admin.Sample{Value: float64(i % 7)})
	}
	wide := make([]any, 500)
	for i := range wide {
		wide[i] = float64(i) / 3
	}
	l.list[1].take(admin.Sample{Value: wide, Count: 3})
	if len(w.trail) != watchTrail || w.least != 0 || w.most != 6 {
		t.Errorf("%d values from %v to %v", len(w.trail), w.least, w.most)
	}
	lines := strings.Split(strings.TrimSuffix(l.view(80), "\n"), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], "rad") || slices.ContainsFunc(lines, func(s string) bool { return len([]rune(s)) > 80 }) {
		t.Errorf("the view is %q", lines)
	}
	l.clear()
	if l.view(80) != "" {
		t.Error("something is watched still")
	}
}

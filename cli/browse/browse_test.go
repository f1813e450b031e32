package browse

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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
	own := admin.NewActor("bob")
	l := eventLog{own: own}
	shown := 0
	l.onEvent(func(admin.Event) { shown++ })
	l.add(admin.Event{Kind: admin.EventSet, Actor: own}) // is kept and not announced
	for i := range maxEvents + 50 {
		l.add(admin.Event{Kind: admin.EventSet, Text: fmt.Sprint(i), Actor: admin.NewActor("bob")})
	}
	if list := l.last(2 * maxEvents); len(list) != maxEvents || list[0].Text != "50" || shown != maxEvents+50 {
		t.Errorf("%d events from %q on, %d shown", len(list), list[0].Text, shown)
	}
}

func TestEventsOfProcessesAreInTheOrderOfTime(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	var l eventLog
	l.add(admin.Event{Process: "a", Text: "3", At: at(3)})
	l.add(admin.Event{Process: "b", Text: "2", At: at(2)})
	l.begin([]admin.Event{{Process: "a", Text: "1", At: at(1)}, {Process: "b", Text: "4", At: at(4)}, {Process: "b", Text: "2", At: at(2)}})
	var order string
	for _, e := range l.last(10) {
		order += e.Text
	}
	if order != "1234" {
		t.Errorf("the order is %s", order)
	}
	if text := eventText(admin.Event{At: at(1), Kind: admin.EventWarning, Text: "w"}); !strings.HasPrefix(text, at(1).Local().Format("15:04:05.000")) {
		t.Errorf("an event is shown without its time: %s", text)
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
		t.Error("a signal is still watched")
	}
}

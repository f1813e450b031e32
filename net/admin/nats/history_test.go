package nats_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// TestHistoryHoldsTheNewestEventsAndLines asks a system for its history only after it has logged and changed something.
func TestHistoryHoldsTheNewestEventsAndLines(t *testing.T) {
	ownFolder(t)
	ctx := context.Background()
	process := admintest.Plant(t, "plant.source")
	server := serve(t, "test", process)
	for i := range 700 {
		fmt.Fprintln(server.Log(), "line", i)
	}
	if err := process.SetParams(ctx, "plant.source", map[string]any{"gain": 3.0}); err != nil {
		t.Fatal(err)
	}
	history, err := dialed(t)(nats.Dial("test")).History(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(history.Lines); n != 500 || history.Lines[0].Text != "line 200" || history.Lines[n-1].Text != "line 699" || history.Lines[0].Seq != 201 || history.Lines[0].Process != "main" {
		t.Errorf("%d lines, from %+v to %+v", n, history.Lines[0], history.Lines[n-1])
	}
	if !slices.IsSortedFunc(history.Lines, func(a, b admin.LogLine) int { return a.At.Compare(b.At) }) {
		t.Error("lines run backwards in time")
	}
	var kinds []admin.EventKind
	for _, e := range history.Events {
		kinds = append(kinds, e.Kind)
	}
	if !slices.Equal(kinds, []admin.EventKind{admin.EventStarted, admin.EventSet}) || history.Events[1].At.Before(history.Events[0].At) {
		t.Errorf("events %+v", history.Events)
	}
	if own, err := process.History(ctx); err != nil || len(own.Events) != 1 || own.Events[0].Kind != admin.EventSet {
		t.Errorf("without a server: %+v, %v", own, err)
	}
}

// TestHistoryOfLongLinesFitsIntoAMessage logs more than a message may have.
func TestHistoryOfLongLinesFitsIntoAMessage(t *testing.T) {
	ownFolder(t)
	server := serve(t, "test", admintest.Plant(t, "plant.source"))
	for i := range 500 {
		fmt.Fprintln(server.Log(), i, strings.Repeat("x", 5000))
	}
	history, err := dialed(t)(nats.Dial("test")).History(context.Background())
	if err != nil || len(history.Lines) != 64 || !strings.HasPrefix(history.Lines[63].Text, "499 ") {
		t.Errorf("%d lines, %v", len(history.Lines), err)
	}
}

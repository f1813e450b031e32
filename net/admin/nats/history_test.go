package nats_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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
	if !slices.Equal(kindsOf(history.Events), []admin.EventKind{admin.EventStarted, admin.EventSet}) {
		t.Errorf("events %+v", history.Events)
	}
	if !slices.IsSortedFunc(history.Events, func(a, b admin.Event) int { return a.At.Compare(b.At) }) {
		t.Error("events run backwards in time")
	}
	if own, err := process.History(ctx); err != nil || !slices.Equal(kindsOf(own.Events), []admin.EventKind{admin.EventSet}) {
		t.Errorf("without a server: %+v, %v", own, err)
	}
}

// kindsOf returns the kinds of events without warnings: on a busy machine there is one of a thread that gets no processor.
func kindsOf(events []admin.Event) (kinds []admin.EventKind) {
	for _, e := range events {
		if e.Kind != admin.EventWarning {
			kinds = append(kinds, e.Kind)
		}
	}
	return kinds
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

// A supervisor notes what it did before any process ran: the event has its own time, and its actor.
func TestNotesOfASupervisorAreEventsWithTheirOwnTime(t *testing.T) {
	ownFolder(t)
	serve(t, "test", admintest.Plant(t, "plant.source"))
	client := dialed(t)(nats.Dial("test"))
	heard := make(chan admin.Event, 8)
	end, err := client.FollowEvents(func(e admin.Event) { heard <- e })
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	if err := client.Note(t.Context(), "supervisor 1", at, "main: ended with exit code 3"); err != nil {
		t.Fatal(err)
	}
	if err := client.Note(t.Context(), "supervisor 1", at, "main: ended with exit code 3"); err != nil { // again, as to another process
		t.Fatal(err)
	}
	var live admin.Event
	for live.Kind != admin.EventSupervisor {
		live = <-heard
	}
	history, err := client.History(t.Context())
	if err != nil || len(history.Events) == 0 {
		t.Fatalf("%+v, %v", history, err)
	}
	for _, e := range []admin.Event{live, history.Events[0]} { // the oldest, though the last that was sent
		if !e.At.Equal(at) || e.Run != "supervisor 1" || e.String() != "supervisor: main: ended with exit code 3" || e.Process != "main" || e.Actor.PID != client.Actor().PID {
			t.Errorf("event %+v", e)
		}
	}
	if len(history.Events) > 1 && history.Events[1].Kind == admin.EventSupervisor {
		t.Error("it is in the history twice")
	}
	if err := client.Note(t.Context(), "", at, "x"); err == nil {
		t.Error("a note without a run is accepted")
	}
}

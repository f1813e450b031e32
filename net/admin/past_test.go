package admin_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/admin"
)

// TestPast looks at a system only after it has told something.
func TestPast(t *testing.T) {
	ownFolder(t)
	ctx := context.Background()
	process := local(t, "plant.source")
	server := serve(t, "test", process)
	for i := range 700 {
		fmt.Fprintln(server.Log(), "line", i)
	}
	if err := process.SetParams(ctx, "plant.source", map[string]any{"gain": 3.0}); err != nil {
		t.Fatal(err)
	}
	past, err := dialed(t)(admin.Dial("test")).Past(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(past.Lines); n != 500 || past.Lines[0].Text != "line 200" || past.Lines[n-1].Text != "line 699" || past.Lines[0].Seq != 201 || past.Lines[0].Process != "main" {
		t.Errorf("%d lines, from %+v to %+v", n, past.Lines[0], past.Lines[n-1])
	}
	if !slices.IsSortedFunc(past.Lines, func(a, b admin.LogLine) int { return a.At.Compare(b.At) }) {
		t.Error("lines run backwards in time")
	}
	var kinds []string
	for _, e := range past.Events {
		kinds = append(kinds, e.Kind)
	}
	if !slices.Equal(kinds, []string{"started", "set"}) || past.Events[1].At.Before(past.Events[0].At) {
		t.Errorf("events %+v", past.Events)
	}
	if own, err := process.Past(ctx); err != nil || len(own.Events) != 1 || own.Events[0].Kind != "set" {
		t.Errorf("without a server: %+v, %v", own, err)
	}
}

// TestPastOfLongLines fits into a message, whatever was logged.
func TestPastOfLongLines(t *testing.T) {
	ownFolder(t)
	server := serve(t, "test", local(t, "plant.source"))
	for i := range 500 {
		fmt.Fprintln(server.Log(), i, strings.Repeat("x", 5000))
	}
	past, err := dialed(t)(admin.Dial("test")).Past(context.Background())
	if err != nil || len(past.Lines) != 64 || !strings.HasPrefix(past.Lines[63].Text, "499 ") {
		t.Errorf("%d lines, %v", len(past.Lines), err)
	}
}

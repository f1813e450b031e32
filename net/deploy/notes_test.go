package deploy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
)

// notes returns what a supervisor has written into its log.
func notes(t *testing.T, c Client) string {
	t.Helper()
	text, err := os.ReadFile(c.Log(SupervisorLog))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestNotesNameUserThatStopsAndStartsProcesses(t *testing.T) {
	c := supervise(t, trapping("a"), trapping("b"))
	await(t, c, "a", Running, nil)
	c.By = admin.Actor{User: "ann", Host: "lab", PID: 7}
	if err := c.StopProcesses(false, "a"); err != nil {
		t.Fatal(err)
	}
	c.By.User = "bob"
	if err := c.StartProcesses("a"); err != nil {
		t.Fatal(err)
	}
	await(t, c, "a", Running, nil)
	c.By = admin.Actor{}
	t.Setenv("USER", "eve")
	if _, err := c.ask(request{Ask: "stop"}); err != nil {
		t.Fatal(err)
	}
	eve := admin.NewActor("eve").String()
	for _, want := range []string{"a: stopped by ann@lab, process 7", "a: starts again by bob@lab, process 7", "all processes are stopped by " + eve, "a: stopped by " + eve, "b: stopped by " + eve} {
		testkit.Await(t, fmt.Sprintf("the log has %q", want), func() bool { return strings.Contains(notes(t, c), want+"\n") })
	}
}

func TestNotesGiveReasonOfStopWithoutRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, want := causeOf(ctx).Error(), ": the supervisor was asked to end by a signal"; got != want {
		t.Errorf("of a context without a cause: %q, want %q", got, want)
	}
	if got := (&stopCause{}).Error(); got != "" {
		t.Errorf("of a request without an actor: %q", got)
	}
}

func TestNotesReportProcessesGivenUp(t *testing.T) {
	c := supervise(t,
		PlannedProcess{Name: "broken", Command: []string{"exit 3"}, Restart: "never"},
		PlannedProcess{Name: "over", Command: []string{"exit 0"}, Restart: "on_failure"},
		PlannedProcess{Name: "once", Command: []string{"exit 0"}, Restart: "never", OneShot: true})
	await(t, c, "once", Done, nil)
	for _, want := range []string{"broken: given up: its policy is restart: never", "over: given up: its policy is restart: on_failure"} {
		testkit.Await(t, fmt.Sprintf("the log has %q", want), func() bool { return strings.Contains(notes(t, c), want+"\n") })
	}
	if strings.Contains(notes(t, c), "once: given up") {
		t.Error("a process that has done its work is given up")
	}
}

func TestNotesArePublishedLaterWithTheirOwnTime(t *testing.T) {
	q, again := newNoteQueue(), make(chan time.Time)
	begin := time.Unix(1000, 0)
	for i := range maxNotes + 3 {
		q.add(begin.Add(time.Duration(i)*time.Second), fmt.Sprintf("note %d", i))
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tried, got := make(chan int), make(chan []Note, 1)
	failures := 2
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		q.run(ctx, func(_ context.Context, notes []Note) (int, error) {
			if failures--; failures >= 0 {
				tried <- len(notes)
				return 0, errors.New("no process runs")
			}
			got <- notes
			return len(notes), nil
		}, func() <-chan time.Time { return again })
	}()
	for range 2 {
		if n := <-tried; n != maxNotes+1 {
			t.Errorf("%d notes are tried, want %d and one about those that were dropped", n, maxNotes)
		}
		again <- time.Time{}
	}
	notes := <-got
	if want := "3 earlier events of the supervisor were dropped: sinew logs shows them"; notes[0].Text != want {
		t.Errorf("the first is %q, want %q", notes[0].Text, want)
	}
	for i, n := range notes[1:] {
		if want := begin.Add(time.Duration(i+3) * time.Second); !n.At.Equal(want) || n.Text != fmt.Sprintf("note %d", i+3) {
			t.Errorf("note %d is %q at %v, want its own time %v", i, n.Text, n.At, want)
		}
	}
	q.add(begin, "set back")
	if n := <-got; len(n) != 1 || n[0].Text != "set back" || !n[0].At.After(notes[len(notes)-1].At) {
		t.Errorf("after a clock that was set back: %+v", n)
	}
	cancel()
	<-ended
}

// Notes that were published before a failure are not published again.
func TestNotesArePublishedOnce(t *testing.T) {
	q := newNoteQueue()
	for _, text := range []string{"a", "b", "c"} {
		q.add(time.Unix(1, 0), text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got string
	q.run(ctx, func(_ context.Context, notes []Note) (int, error) {
		got += notes[0].Text
		if len(got) == 3 {
			cancel()
		}
		return 1, errors.New("it has ended")
	}, func() <-chan time.Time {
		now := make(chan time.Time, 1)
		now <- time.Time{}
		return now
	})
	if got != "abc" {
		t.Errorf("published %q", got)
	}
}

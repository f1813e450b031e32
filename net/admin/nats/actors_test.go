package nats_test

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"

	gonats "github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// journal keeps the events of a system.
type journal struct {
	mu   sync.Mutex
	list []admin.Event
}

func (j *journal) add(e admin.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.list = append(j.list, e)
}

// has returns how many events are of a kind, about a reference, with a text in theirs, of actors whose text begins with actor.
func (j *journal) has(kind admin.EventKind, ref, text, actor string) (n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range j.list {
		if e.Kind == kind && e.Ref == ref && strings.Contains(e.Text, text) && strings.HasPrefix(e.Actor.String(), actor) {
			n++
		}
	}
	return n
}

// TestTwoToolsTuneOneSystem lets two clients and the process itself change the same things: the last one wins, and all see
// every change with its actor.
func TestTwoToolsTuneOneSystem(t *testing.T) {
	ownFolder(t)
	ctx := context.Background()
	plant := admintest.Plant(t, "plant.source")
	serve(t, "test", plant)
	t.Setenv("USER", "ada")
	first := dialed(t)(nats.Dial("test"))
	t.Setenv("USER", "bob")
	second := dialed(t)(nats.Dial("test"))
	journals := map[string]*journal{"first": {}, "second": {}, "in the process": {}}
	for name, s := range map[string]interface {
		FollowEvents(func(admin.Event)) (func(), error)
	}{"first": first, "second": second, "in the process": plant} {
		end, err := s.FollowEvents(journals[name].add)
		if err != nil {
			t.Fatal(err)
		}
		defer end()
	}
	const rounds = 20
	var both sync.WaitGroup
	for who, c := range map[float64]*nats.Client{1: first, 2: second} {
		both.Go(func() {
			for range rounds {
				if err := c.SetParams(ctx, "plant.source", map[string]any{"gain": who}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	both.Wait()
	if err := plant.SetParams(admin.WithActor(ctx, admin.Actor{User: "eve"}), "plant.source", map[string]any{"gain": 7.0}); err != nil {
		t.Fatal(err)
	}
	for _, s := range []admin.System{first, second, plant} {
		if v, err := s.Param(ctx, "plant.source.gain"); err != nil || v != 7.0 {
			t.Errorf("gain %v, %v", v, err)
		}
	}
	if err := first.Feed(ctx, "plant.source.out", 3.0); err != nil {
		t.Fatal(err)
	}
	if err := second.Release(admin.WithActor(ctx, admin.Actor{User: "zoe"}), "plant.source.out"); err != nil {
		t.Fatal(err)
	}
	if err := second.Enable(ctx, "plant.source", false); err != nil {
		t.Fatal(err)
	}
	for name, j := range journals {
		testkit.Await(t, "all events "+name, func() bool {
			return j.has(admin.EventSet, "plant.source", `"gain":1`, "ada@") == rounds && j.has(admin.EventSet, "plant.source", `"gain":2`, "bob@") == rounds &&
				j.has(admin.EventSet, "plant.source", `"gain":7`, "eve") == 1 && j.has(admin.EventFeed, "plant.source.out", "3", "ada@") == 1 &&
				j.has(admin.EventRelease, "plant.source.out", "", "zoe") == 1 && j.has(admin.EventEnable, "plant.source", "false", "bob@") == 1
		})
	}
}

// TestClientsOfOneProcessAreToldApart makes changes with two clients of the same user, host and PID, and as the system's own process.
func TestClientsOfOneProcessAreToldApart(t *testing.T) {
	ownFolder(t)
	ctx := context.Background()
	plant := admintest.Plant(t, "plant.source")
	serve(t, "test", plant)
	first, second := dialed(t)(nats.Dial("test")), dialed(t)(nats.Dial("test"))
	for i, s := range []admin.System{first, second, plant} {
		if err := s.SetParams(ctx, "plant.source", map[string]any{"gain": float64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	history, err := second.History(ctx)
	if err != nil || len(history.Events) != 4 {
		t.Fatalf("%+v, %v", history.Events, err)
	}
	for i, want := range []admin.Actor{{}, first.Actor(), second.Actor(), {System: "test", Host: second.Actor().Host, PID: os.Getpid()}} {
		if e := history.Events[i]; e.Actor != want || e.Actor.Is(second.Actor()) != (i == 2) {
			t.Errorf("%v by %+v, want %+v", e, e.Actor, want)
		}
	}
}

// TestUnknownClientsNameTheirUser sends the header of clients that know no actor.
func TestUnknownClientsNameTheirUser(t *testing.T) {
	ownFolder(t)
	plant := admintest.Plant(t, "plant.source")
	serve(t, "test", plant)
	conn := bare(t, "test")
	for _, header := range []string{"bob", `{"user":"eve","pid":7}`, `{"user":7}`, ""} {
		if _, err := conn.RequestMsg(&gonats.Msg{Subject: "sinew.test.main.reset", Data: []byte(`{"ref":"plant.source"}`),
			Header: gonats.Header{"Sinew-Client": {header}}}, testkit.Patience()); err != nil {
			t.Fatal(err)
		}
	}
	history, err := plant.History(t.Context())
	if err != nil || len(history.Events) != 4 {
		t.Fatalf("%+v, %v", history.Events, err)
	}
	for i, want := range []admin.Actor{{User: "bob"}, {User: "eve", PID: 7}, {User: `{"user":7}`}, {}} {
		if history.Events[i].Actor != want {
			t.Errorf("actor %+v, want %+v", history.Events[i].Actor, want)
		}
	}
}

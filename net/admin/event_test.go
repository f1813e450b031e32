package admin_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// TestActorsOfEqualPIDsAreToldApart compares clients of two hosts, and of two containers with the same host name, that have the
// same user and PID.
func TestActorsOfEqualPIDsAreToldApart(t *testing.T) {
	own := admin.Actor{User: "bob", Host: "left", PID: 7, Instance: admin.NewActor("").Instance}
	host, container := own, own
	host.Host, host.Instance = "right", admin.NewActor("").Instance
	container.Instance = admin.NewActor("").Instance
	other := own
	other.User = "eve" // at the same console
	for actor, same := range map[admin.Actor]bool{own: true, other: true, host: false, container: false, {}: false, {User: "bob", Host: "left", PID: 7}: false} {
		if own.Is(actor) != same || actor.Is(own) != same {
			t.Errorf("%+v is %+v: want %v", actor, own, same)
		}
	}
	if (admin.Actor{}).Is(admin.Actor{}) {
		t.Error("no actor is an actor")
	}
}

func TestEventsAreWrittenAsTextAndJSON(t *testing.T) {
	bob := admin.Actor{User: "bob", Host: "left", PID: 7, Instance: "x"}
	for _, c := range []struct {
		event      admin.Event
		text, json string // json: what follows the process
	}{
		{admin.Event{Kind: admin.EventSet, Ref: "a", Text: `{"named":{"gain":3}}`, Actor: bob}, `set a {"named":{"gain":3}}`,
			`"kind":"set","ref":"a","text":"{\"named\":{\"gain\":3}}","actor":{"user":"bob","host":"left","pid":7,"instance":"x"},"by":"bob@left, process 7"}`},
		{admin.Event{Kind: admin.EventReset, Ref: "a", Actor: admin.Actor{System: "arm", Host: "left", PID: 7}}, "reset a",
			`"kind":"reset","ref":"a","actor":{"system":"arm","host":"left","pid":7},"by":"system arm@left, process 7"}`},
		{admin.Event{Kind: admin.EventStop, Actor: admin.Actor{User: "eve"}}, "stop", `"kind":"stop","actor":{"user":"eve"},"by":"eve"}`},
		{admin.Event{Kind: admin.EventFault, Ref: "a", Text: "NaN"}, `block "a" is in error: NaN`, `"kind":"fault","ref":"a","text":"NaN"}`},
		{admin.Event{Kind: admin.EventWarning, Text: "late"}, "late", `"kind":"warning","text":"late"}`},
		{admin.Event{Kind: admin.EventStarted, Process: "main"}, "process main runs", `"kind":"started"}`},
		{admin.Event{Kind: admin.EventStopped, Process: "main"}, "process main has ended", `"kind":"stopped"}`},
	} {
		if got := c.event.String(); got != c.text {
			t.Errorf("%q, want %q", got, c.text)
		}
		data, err := json.Marshal(c.event)
		if err != nil || !strings.HasSuffix(string(data), c.json) {
			t.Errorf("%s, %v, want …%s", data, err, c.json)
		}
		var back admin.Event
		if err := json.Unmarshal(data, &back); err != nil || back != c.event {
			t.Errorf("%+v, %v, want %+v", back, err, c.event)
		}
	}
}

// A failure after which blocks were not brought to rest has a code, so that no program must read its text.
func TestFailuresThatLeaveBlocksRunningHaveACode(t *testing.T) {
	local := admintest.Plant(t, "plant.source")
	var got []string
	end, err := local.FollowEvents(func(e admin.Event) { got = append(got, string(e.Kind)+" "+e.Code) })
	if err != nil {
		t.Fatal(err)
	}
	local.Failed(fmt.Errorf("process main: %w", thread.ErrCoreDied))
	local.Failed(errors.New("it was not brought to rest")) // only the words
	end()
	if strings.Join(got, ", ") != "failed not_at_rest, failed " {
		t.Errorf("events %q", got)
	}
}

// gate counts, and does not return from one of its steps until it is opened.
type gate struct {
	Out  block.Out[float64]
	open chan struct{}
}

func (g *gate) Step(t clock.Tick) error {
	if t.N == 20 {
		<-g.open
	}
	g.Out.Write(float64(t.N))
	return nil
}

// taker reads.
type taker struct{ In block.In[float64] }

func (k *taker) Step(clock.Tick) error {
	_, _ = k.In.Read()
	return nil
}

// A value that is not there at its tick is an event with the link and the tick, and is in the statistics of the reader's thread.
func TestLateValueIsAnEvent(t *testing.T) {
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "a", Period: 2 * time.Millisecond, Watchdog: time.Minute})
	d.Thread(diagram.Thread{Name: "b", Period: 2 * time.Millisecond, Watchdog: time.Minute})
	g := &gate{open: make(chan struct{})}
	d.Add("gate", g, diagram.Place{Thread: "a"})
	d.Add("taker", &taker{}, diagram.Place{Thread: "b"})
	d.Link("gate.out -> taker.in")
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(net, thread.Options{})
	local, named := admin.NewLocal(core.Front(), nil), make(chan admin.Event, 1)
	late := regexp.MustCompile(`^thread "b" goes on with old values: those of its tick came late over gate\.out -> taker\.in, first at \d`)
	end, err := local.FollowEvents(func(e admin.Event) {
		if e.Kind == admin.EventWarning && late.MatchString(e.Text) {
			select {
			case named <- e:
			default:
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	done := make(chan error, 1)
	go func() { done <- core.Run(context.Background(), nil) }()
	testkit.Await(t, "an event names the link and the tick", func() bool { return len(named) == 1 })
	s, err := local.Statistics(context.Background())
	if err != nil || s.Threads[1].Name != "b" || s.Threads[1].Late == 0 {
		t.Errorf("statistics %+v, %v", s, err)
	}
	close(g.open)
	core.Stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

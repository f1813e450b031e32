package admin_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
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

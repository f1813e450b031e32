package console_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
)

// counted is a system that counts how often its condition is requested.
type counted struct {
	*admin.Local
	asked atomic.Int64
}

func (s *counted) Condition(ctx context.Context) (*admin.Condition, error) {
	s.asked.Add(1)
	return s.Local.Condition(ctx)
}

func TestPagesReceiveTheConditionOnlyWhenItChanges(t *testing.T) {
	s := &counted{Local: run(t, time.Millisecond, "a", "b")}
	r := open(t, s)
	time.Sleep(1500 * time.Millisecond)
	if n := s.asked.Load(); n != 0 {
		t.Errorf("without a page the condition was requested %d times", n)
	}
	p := r.page("")
	messages := make(chan admin.Condition, 100)
	if _, err := p.Subscribe("c."+p.id+".condition", func(msg *nats.Msg) {
		var x struct {
			System    string
			Condition admin.Condition
		}
		if err := json.Unmarshal(msg.Data, &x); err != nil || x.System != "test" {
			t.Errorf("%s: %v", msg.Data, err)
		}
		messages <- x.Condition
	}); err != nil {
		t.Fatal(err)
	}
	next := func(what string, right func(admin.Condition) bool) {
		t.Helper()
		end := time.After(testkit.Patience())
		for {
			select {
			case c := <-messages:
				if right(c) {
					return
				}
			case <-end:
				t.Fatalf("no message with %s", what)
			}
		}
	}
	next("the outputs that are not finite", func(c admin.Condition) bool {
		return slices.Equal(c.NonFinite, []string{"a.wide", "b.wide"}) && len(c.Held) == 0
	})
	p.want("feed", m{"system": "test", "ref": "a.in", "value": 1})
	next("a held input", func(c admin.Condition) bool { return slices.Equal(c.Held, []string{"a.in"}) })
	p.want("enable", m{"system": "test", "ref": "b", "value": false})
	next("a disabled block", func(c admin.Condition) bool { return slices.Equal(c.Disabled, []string{"b"}) })
	p.want("call", m{"system": "test", "ref": "a.fail"})
	next("a block in error", func(c admin.Condition) bool {
		return slices.Equal(c.Faults, []admin.BlockFault{{Block: "a", Why: "wanted"}}) && c.FaultCount == 1
	})
	before := s.asked.Load()
	testkit.Await(t, "three more requests", func() bool { return s.asked.Load() >= before+3 })
	last := ""
	for len(messages) > 0 {
		c := <-messages
		text, _ := json.Marshal(c)
		if string(text) == last {
			t.Errorf("a condition was sent again: %s", text)
		}
		last = string(text)
	}
	if c := p.want("condition", m{"system": "test"}).(m); len(c["faults"].([]any)) != 1 {
		t.Errorf("condition %v", c)
	}
}

// supervised is a system under sinew up.
type supervised struct{ *admin.Local }

func (s supervised) Structure(ctx context.Context) (*admin.Structure, error) {
	st, err := s.Local.Structure(ctx)
	if err == nil {
		st.Processes[0].Supervised = true
	}
	return st, err
}

func TestConditionNamesProgramsThatDoNotRun(t *testing.T) {
	processes := func(string) []admin.Process {
		return []admin.Process{
			{Name: "main", State: "restarting", Problem: "signal: killed"}, // on the control plane, which reports it
			{Name: "camera", State: "running"},
			{Name: "gripper", State: "failed", Problem: "exit status 1"},
		}
	}
	for _, x := range []struct {
		system admin.System
		want   []any
	}{
		{supervised{run(t, time.Millisecond, "a")}, []any{"process gripper: failed: exit status 1"}},
		{run(t, time.Millisecond, "a"), []any{}}, // without a supervisor
	} {
		p := open(t, x.system, func(o *console.Options) { o.Processes = processes }).page("")
		p.want("structure", m{"system": "test"})
		if got := p.want("condition", m{"system": "test"}).(m)["problems"].([]any); !slices.Equal(got, x.want) {
			t.Errorf("problems %v, want %v", got, x.want)
		}
	}
}

package console_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

func TestPageReadsTunesAndCalls(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a", "b"))
	p := r.page("")
	if p.Role != "own" {
		t.Errorf("role %q", p.Role)
	}
	list := p.want("systems", nil).([]any)
	if len(list) != 1 || list[0].(m)["name"] != "test" || list[0].(m)["alive"] != true {
		t.Errorf("systems %v", list)
	}
	s := p.want("structure", m{"system": "test"}).(m)
	if blocks := s["blocks"].([]any); len(blocks) != 2 {
		t.Errorf("blocks %v", blocks)
	}
	p.refuse("structure", m{"system": "tset"}, "tset", `"test"`)
	testkit.Await(t, "values", func() bool {
		return p.want("read", m{"system": "test", "ref": "a.out"}).(m)["count"].(float64) > 0
	})
	wide := p.want("read", m{"system": "test", "ref": "a.wide"}).(m)["value"].([]any)
	if wide[0] != "NaN" || wide[1] != "+Inf" {
		t.Errorf("wide %v", wide)
	}
	p.refuse("read", m{"system": "test", "ref": "a.uot"}, "uot", `"out"`)
	p.want("set", m{"system": "test", "ref": "a", "named": m{"gain": 3}})
	if v := p.want("param", m{"system": "test", "ref": "a.gain"}); v != 3.0 {
		t.Errorf("gain %v", v)
	}
	p.refuse("set", m{"system": "test", "ref": "a", "named": m{"gain": 11}}, "a.gain", "10")
	p.refuse("set", m{"system": "test", "ref": "a", "named": m{"gain": "NaN"}}, "a.gain")
	p.refuse("set", m{"system": "test", "ref": "a"}, "named")
	p.refuse("set", m{"system": "test", "blokc": "a"}, "blokc")
	if v := p.want("call", m{"system": "test", "ref": "a.add", "args": []any{41}}); v != 42.0 {
		t.Errorf("add %v", v)
	}
	p.refuse("call", m{"system": "test", "ref": "a.add"}, "argument")
	p.refuse("feed", m{"system": "test", "ref": "a.in", "value": "+Inf"}, "a.in", "+Inf")
	p.want("feed", m{"system": "test", "ref": "a.in", "value": 1e30})
	testkit.Await(t, "a large number", func() bool {
		v, ok := p.want("read", m{"system": "test", "ref": "a.out"}).(m)["value"].(float64)
		return ok && v >= 1e30
	})
	p.want("release", m{"system": "test", "ref": "a.in"})
	if s := p.want("statistics", m{"system": "test"}).(m); len(s["threads"].([]any)) != 1 {
		t.Errorf("statistics %v", s)
	}
	p.refuse("fly", nil, "fly")
	p.refuse("read", []byte("{"), "JSON")
	p.refuse("read", []byte(`{} {}`), "after")
	journal := r.journal.String()
	for _, line := range []string{"set", "a.in = ", "rejected", "user=" + p.User} {
		if !strings.Contains(journal, line) {
			t.Errorf("the log lacks %q:\n%s", line, journal)
		}
	}
}

// adder calls an operation of another block by two callers, and another operation by a third.
type adder struct {
	first, second block.Caller[float64, float64]
	fail          block.Caller[block.None, block.None]
}

func (a *adder) Setup(s *block.Setup) error {
	block.Bind(s, &a.first, "counter", "add")
	block.Bind(s, &a.second, "counter", "add")
	block.Bind(s, &a.fail, "counter", "fail")
	return nil
}

func (a *adder) Step(clock.Tick) error { return nil }

func TestStructureListsEachCalledOperationOnce(t *testing.T) {
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: time.Millisecond})
	d.Add("counter", &source{}, diagram.Place{Thread: "main"})
	d.Add("adder", &adder{}, diagram.Place{Thread: "main"})
	calls := open(t, execute(t, d)).page("").want("structure", m{"system": "test"}).(m)["calls"]
	want := []any{m{"block": "adder", "peer": "counter", "operation": "add"}, m{"block": "adder", "peer": "counter", "operation": "fail"}}
	if !reflect.DeepEqual(calls, want) {
		t.Errorf("calls %v, want %v", calls, want)
	}
	none := open(t, run(t, time.Millisecond, "a")).page("").want("structure", m{"system": "test"}).(m)["calls"]
	if list, ok := none.([]any); !ok || len(list) != 0 {
		t.Errorf("without calls: %v, want an empty list", none)
	}
}

func TestDisabledBlockStopsAlone(t *testing.T) {
	p := open(t, run(t, time.Millisecond, "a", "b")).page("")
	count := func(block string) float64 {
		return p.want("read", m{"system": "test", "ref": block + ".out"}).(m)["count"].(float64)
	}
	testkit.Await(t, "steps", func() bool { return count("a") > 0 })
	p.want("enable", m{"system": "test", "ref": "a", "value": false})
	a, b := count("a"), count("b")
	testkit.Await(t, "steps of the other", func() bool { return count("b") > b+20 })
	if count("a") != a {
		t.Errorf("a disabled block went on")
	}
	p.want("enable", m{"system": "test", "ref": "a", "value": true})
	testkit.Await(t, "steps", func() bool { return count("a") > a })
	p.refuse("enable", m{"system": "test", "ref": "a"}, "must be true or false")
	p.refuse("enable", m{"system": "test", "ref": "aa", "value": true}, "aa")
}

func TestResetEndsAFault(t *testing.T) {
	p := open(t, run(t, time.Millisecond, "a")).page("")
	p.want("call", m{"system": "test", "ref": "a.fail"})
	testkit.Await(t, "the fault", func() bool {
		return p.want("structure", m{"system": "test"}).(m)["blocks"].([]any)[0].(m)["fault"] != nil
	})
	p.want("reset", m{"system": "test", "ref": "a"})
	before := p.want("read", m{"system": "test", "ref": "a.out"}).(m)["count"].(float64)
	testkit.Await(t, "steps", func() bool {
		return p.want("read", m{"system": "test", "ref": "a.out"}).(m)["count"].(float64) > before
	})
	p.want("stop", m{"system": "test"})
}

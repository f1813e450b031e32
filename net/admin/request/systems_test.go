package request_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
)

// recorder is a system that returns what it was asked for.
type recorder struct {
	admin.System
	did   string
	began bool
}

var errWanted = errors.New("wanted")

func (r *recorder) do(format string, args ...any) error {
	r.did = fmt.Sprintf(format, args...)
	return nil
}

func (r *recorder) Param(_ context.Context, ref string) (any, error) {
	if ref == "a.k" {
		return 80.0, nil
	}
	return nil, errWanted
}
func (r *recorder) SetParams(_ context.Context, block string, values map[string]any) error {
	return r.do("set %s %v", block, values)
}
func (r *recorder) Feed(_ context.Context, ref string, v any) error {
	return r.do("feed %s %v", ref, v)
}
func (r *recorder) FeedFor(_ context.Context, ref string, v any, d time.Duration) (bool, error) {
	return r.began, r.do("feed %s %v for %v", ref, v, d)
}
func (r *recorder) Excite(_ context.Context, ref string, e *admin.Excitation, d time.Duration) (bool, error) {
	if e == nil {
		return r.began, r.do("renew %s for %v", ref, d)
	}
	return true, r.do("excite %s %v for %v", ref, e, d)
}
func (r *recorder) Call(_ context.Context, ref string, args []any, named map[string]any) (any, error) {
	return 5.0, r.do("call %s %v %v", ref, args, named)
}
func (r *recorder) Enable(_ context.Context, block string, on bool) error {
	return r.do("enable %s %t", block, on)
}
func (r *recorder) Release(_ context.Context, ref string) error { return r.do("release %s", ref) }
func (r *recorder) Reset(context.Context, string) error         { return errWanted }
func (r *recorder) Stop(context.Context) error                  { return r.do("stop") }

func TestSystemsAreSteeredAndChangesNoted(t *testing.T) {
	r := &recorder{}
	x := table(t, options(), request.Systems[person](func(name string) (admin.System, error) {
		if name != "s" {
			return nil, fmt.Errorf("no system %q", name)
		}
		return r, nil
	}, time.Minute)...)
	for _, c := range []struct {
		method, data string
		began        bool
		answer, did  string
		change       string // "" for none
	}{
		{"set", `"ref":"a","named":{"k":"-Inf"}`, false, "null", "set a map[k:-Inf]", `a.k 80 → "-Inf"`},
		{"set", `"ref":"a"`, false, "set a: the member named, the values by parameter, is missing", "", "a"},
		{"set", `"ref":"a","named":{"x":[1,2],"k":10}`, false, "null", "set a map[k:10 x:[1 2]]", "a.k 80 → 10, a.x = [1,2]"},
		{"feed", `"ref":"a.in","value":[1,2]`, false, "null", "feed a.in [1 2]", "a.in = [1,2]"},
		{"feed", `"ref":"a.in","value":1,"for_s":2`, true, "true", "feed a.in 1 for 2s", "a.in = 1"},
		{"feed", `"ref":"a.in","value":1,"for_s":2`, false, "false", "feed a.in 1 for 2s", ""},
		{"excite", `"ref":"a.in","for_s":1,"excitation":{"shape":"step","centre":1,"amplitude":2,"duration_s":3}`, false, "true",
			"excite a.in step from 1 to 3, for 3 s for 1s", "a.in step from 1 to 3, for 3 s"},
		{"excite", `"ref":"a.in","for_s":1`, false, "false", "renew a.in for 1s", ""},
		{"call", `"ref":"a.op","args":[1],"named":{"x":2}`, false, "5", "call a.op [1] map[x:2]", `a.op [1] {"x":2}`},
		{"call", `"ref":"a.op"`, false, "5", "call a.op [] map[]", "a.op"},
		{"enable", `"ref":"a","value":false`, false, "null", "enable a false", "a = false"},
		{"enable", `"ref":"a"`, false, "enable a: the member value must be true or false", "", "a = null"},
		{"release", `"ref":"a.in"`, false, "null", "release a.in", "a.in"},
		{"reset", `"ref":"a"`, false, "wanted", "", "a"},
		{"stop", ``, false, "null", "stop", " "},
	} {
		r.did, r.began = "", c.began
		data := `{"system":"s"}`
		if c.data != "" {
			data = `{"system":"s",` + c.data + `}`
		}
		q := &call{Sender: ann, Method: c.method, Data: []byte(data)}
		a := <-begin(x, q, request.NewSlots())
		got := a.data
		if a.err != nil {
			got = a.err.Error()
		}
		if got != c.answer || r.did != c.did {
			t.Errorf("%s %s: %q, has done %q; wants %q, %q", c.method, data, got, r.did, c.answer, c.did)
		}
		change, ok := q.Change(a.err)
		if ok != (c.change != "") || ok && (change.System != "s" || change.Text != c.change && c.change != " ") {
			t.Errorf("%s %s: change %+v, %t; wants %q", c.method, data, change, ok, c.change)
		}
	}
	wants(t, ask(x, ann, "stop", `{"system":7}`).err, request.Refused, `member "system": wants string, not number`)
	wants(t, ask(x, ann, "stop", `{"sysem":"s"}`).err, request.Refused, `no member "sysem"; did you mean "system"?`)
	wants(t, ask(x, ann, "stop", `{"system":"t"}`).err, request.Refused, `no system "t"`)
}

package request_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// person sends requests.
type person struct {
	name string
	role request.Role
}

func (p person) Actor() admin.Actor { return admin.Actor{User: p.name} }
func (p person) Role() request.Role { return p.role }

type call = request.Call[person]

var ann = person{"ann", request.Own}

func options() request.Options {
	return request.Options{Place: "the test", Patience: time.Minute, Holders: func(r request.Role) string { return "bob has" },
		Panicked: func(string, any, []byte) {}}
}

// table returns a table that is closed when the test ends.
func table(t testing.TB, o request.Options, methods ...request.Entry[person]) *request.Table[person] {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	x := request.NewTable(ctx, o, methods...)
	t.Cleanup(func() { cancel(); x.Close() })
	return x
}

type answer struct {
	data string
	err  error
}

// begin sends a request; the answer comes on the channel.
func begin(t *request.Table[person], c *call, slots *request.Slots) <-chan answer {
	answers := make(chan answer, 1)
	t.Accept(c, slots, func(data []byte, err error) { answers <- answer{string(data), err} })
	return answers
}

func ask(t *request.Table[person], from person, method, data string) answer {
	return <-begin(t, &call{Sender: from, Method: method, Data: []byte(data)}, request.NewSlots())
}

// wants reports an error that does not hold all the words.
func wants(t *testing.T, err error, code request.Code, words ...string) {
	t.Helper()
	if err == nil || request.CodeOf(err) != code {
		t.Errorf("error %v, wants the code %d", err, code)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q, wants %q in it", err, w)
		}
	}
}

// numbers are the arguments of the tests' method "sum".
type numbers struct {
	First  float64 `json:"first"`
	Second float64 `json:"second"`
	Name   string  `json:"name,omitempty"`
}

func sum() request.Entry[person] {
	return request.Method("sum", request.View, func(_ context.Context, _ *call, a numbers) (float64, error) { return a.First + a.Second, nil })
}

func TestAMethodIsCalledWithItsArguments(t *testing.T) {
	x := table(t, options(), sum())
	for data, want := range map[string]string{`{"first":1,"second":2}`: "3", "": "0", " {} \n": "0", `{"first":1e308,"second":1e308}`: `"+Inf"`} {
		if a := ask(x, ann, "sum", data); a.err != nil || a.data != want {
			t.Errorf("%q: %v, wants %s", data, a, want)
		}
	}
}

func TestWrongArgumentsAreNamed(t *testing.T) {
	x := table(t, options(), sum())
	for data, words := range map[string][]string{
		`{"frist":1}`:               {"sum: ", `"frist"`, `"first"`},
		`{"first":"1"}`:             {`member "first"`, "wants float64, not string"},
		`{"name":["x"]}`:            {`member "name"`, "wants string, not array"},
		`[1,2]`:                     {"no JSON object but: array"},
		`{"first":1,}`:              {"byte 12"},
		`{"first":`:                 {"ends after 9 bytes"},
		`{} {}`:                     {"after", "byte 2"},
		`{}]`:                       {"after", "byte 2"},
		`nonsense`:                  {"no JSON object"},
		strings.Repeat("[", 100000): {"no JSON object"},
	} {
		a := ask(x, ann, "sum", data)
		wants(t, a.err, request.Refused, words...)
	}
	wants(t, ask(x, ann, "smu", "").err, request.Refused, `no method "smu"`, `"sum"`)
	wants(t, ask(x, ann, "sum", strings.Repeat(" ", request.MaxBytes+1)).err, request.TooLarge, "1048577 bytes")
}

func TestALowerRoleIsRefusedBeforeArgumentsAreRead(t *testing.T) {
	x := table(t, options(), request.Command("move", request.Drive, func(context.Context, *call, numbers) error { return nil }))
	for role, refused := range map[request.Role]bool{request.View: true, request.Tune: true, request.Drive: false, request.Own: false} {
		if a := ask(x, person{"eve", role}, "move", "{}"); (a.err != nil) != refused {
			t.Errorf("%v: %v", role, a)
		}
	}
	wants(t, ask(x, person{"eve", request.View}, "move", "nonsense").err, request.Refused, "move needs the role drive", "bob has", "eve has view")
}

func TestAPanicEndsTheRequestAlone(t *testing.T) {
	o, logged := options(), make(chan string, 1)
	o.Panicked = func(method string, cause any, stack []byte) {
		logged <- fmt.Sprint(method, " ", cause, " ", len(stack) > 0)
	}
	x := table(t, o, sum(), request.Command("fail", request.View, func(context.Context, *call, request.None) error { panic("wanted") }))
	wants(t, ask(x, ann, "fail", "").err, request.Refused, "fail: panic in the test: wanted")
	if text := <-logged; text != "fail wanted true" {
		t.Error(text)
	}
	if a := ask(x, ann, "sum", "{}"); a.err != nil {
		t.Error(a.err)
	}
}

func TestHandlersHaveADeadlineAndTheActor(t *testing.T) {
	deadline := func(ctx context.Context, _ *call, _ request.None) (string, error) {
		actor, _ := admin.ActorOf(ctx)
		until, _ := ctx.Deadline()
		return fmt.Sprint(actor.User, " ", min(time.Until(until), 1000*time.Hour).Round(time.Minute)), nil
	}
	x := table(t, options(), request.Method("usual", request.View, deadline), request.Method("long", request.View, deadline).Within(time.Hour),
		request.Method("unlimited", request.View, deadline).Within(request.Unlimited))
	for method, want := range map[string]string{"usual": `"ann 1m0s"`, "long": `"ann 1h0m0s"`, "unlimited": `"ann 1000h0m0s"`} {
		if a := ask(x, ann, method, ""); a.data != want {
			t.Errorf("%s: %v, wants %s", method, a, want)
		}
	}
}

func TestUrgentRequestsHaveSlotsOfTheirOwn(t *testing.T) {
	hang := func(ctx context.Context, _ *call, _ request.None) error { <-ctx.Done(); return ctx.Err() }
	ctx, cancel := context.WithCancel(context.Background())
	x := request.NewTable(ctx, options(), request.Command("wait", request.View, hang), request.Command("hold", request.View, hang).Urgent())
	slots := request.NewSlots()
	var all []<-chan answer
	for method, most := range map[string]int{"wait": request.MaxOpen, "hold": request.MaxUrgent} {
		for range most {
			all = append(all, begin(x, &call{Sender: ann, Method: method}, slots))
		}
	}
	for _, method := range []string{"wait", "hold"} {
		wants(t, (<-begin(x, &call{Sender: ann, Method: method}, slots)).err, request.Busy, "ask again later")
	}
	all = append(all, begin(x, &call{Sender: ann, Method: "wait"}, request.NewSlots())) // of another sender
	cancel()
	x.Close()
	for _, answers := range all {
		wants(t, (<-answers).err, request.Gone, "the test has ended")
	}
	wants(t, (<-begin(x, &call{Sender: ann, Method: "wait"}, slots)).err, request.Gone)
}

func TestATurnLastsFromBeforeTheHandlerUntilTheAnswer(t *testing.T) {
	var order []string
	note := func(what string) { order = append(order, what) }
	take := func(ctx context.Context) (func(), error) {
		if actor, _ := admin.ActorOf(ctx); actor.User != "ann" {
			return func() {}, errors.New("try again later")
		}
		note("turn")
		return func() { note("end") }, nil
	}
	x := table(t, options(), request.Method("count", request.View, func(context.Context, *call, request.None) (encoded, error) {
		note("handler")
		return encoded(note), nil
	}).InTurn(take))
	if a := ask(x, ann, "count", ""); a.err != nil || strings.Join(order, " ") != "turn handler answer end" {
		t.Errorf("%v, %v", a, order)
	}
	wants(t, ask(x, person{"bob", request.Own}, "count", "").err, request.Refused, "count: try again later")
}

// encoded notes when it becomes JSON.
type encoded func(string)

func (e encoded) MarshalJSON() ([]byte, error) { e("answer"); return []byte("1"), nil }

func TestErrorsHaveCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		want request.Code
	}{
		{errors.New("x"), request.Refused},
		{fmt.Errorf("x: %w", admin.ErrGone), request.Gone},
		{fmt.Errorf("x: %w", request.Errorf(request.Version, "y")), request.Version},
	} {
		if got := request.CodeOf(c.err); got != c.want {
			t.Errorf("%v: %d, wants %d", c.err, got, c.want)
		}
	}
}

func TestTwoMethodsOfOneNamePanic(t *testing.T) {
	defer func() {
		if cause := recover(); cause == nil || !strings.Contains(fmt.Sprint(cause), `"sum"`) {
			t.Errorf("panic %v", cause)
		}
	}()
	table(t, options(), sum(), sum())
}

// FuzzArguments sends anything to a method with arguments of all kinds: it is read, or refused with the method's name.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{``, `{}`, `null`, `{"system":"x","ref":"a.b","value":[1,"NaN"],"for_s":1e400}`, `{"Ref":1}`, "{\"\xff\":0}", `{"ref":"a"}}`} {
		f.Add([]byte(seed))
	}
	x := table(f, options(), request.Method("feed", request.View, func(_ context.Context, _ *call, a request.Feed) (request.Feed, error) { return a, nil }))
	f.Fuzz(func(t *testing.T, data []byte) {
		if a := ask(x, ann, "feed", string(data)); a.err != nil && len(data) <= request.MaxBytes && !strings.HasPrefix(a.err.Error(), "feed: ") {
			t.Errorf("%q: %v", data, a.err)
		}
	})
}

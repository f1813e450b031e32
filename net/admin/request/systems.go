package request

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/record"
)

// None is the type of the arguments of a method that has none.
type None struct{}

// Target are arguments that name a system.
type Target struct {
	System string `json:"system,omitempty"` // "": the only one, of requests to a process
}

func (a Target) change() Change { return Change{System: a.System} }

// Ref are arguments that name a port, a parameter or a block of a system.
type Ref struct {
	Target
	Ref string `json:"ref"` // "block.name", or a block
}

func (a Ref) change() Change { return Change{System: a.System, Ref: a.Ref, Text: a.Ref} }

// Set are the arguments of the method set.
type Set struct {
	Target
	Ref   string         `json:"ref"`   // a block
	Named map[string]any `json:"named"` // new values by parameter; required
}

func (a Set) change() Change {
	return Change{System: a.System, Ref: a.Ref, Text: SetText(a.Ref, nil, a.Named)}
}

// SetText describes new values of a block's parameters for people: "pid1.kd = 2, pid1.kp 80 → 10". old holds the values before, where they are
// known.
func SetText(block string, old, named map[string]any) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(named)) {
		text := block + "." + name + " = "
		if before, ok := old[name]; ok {
			text = block + "." + name + " " + brief(before) + " → "
		}
		parts = append(parts, text+brief(named[name]))
	}
	if len(parts) == 0 {
		return block
	}
	return strings.Join(parts, ", ")
}

// Invocation are the arguments of the method call.
type Invocation struct {
	Target
	Ref   string         `json:"ref"` // "block.operation"
	Args  []any          `json:"args,omitempty"`
	Named map[string]any `json:"named,omitempty"`
}

func (a Invocation) change() Change {
	text := a.Ref
	if a.Args != nil {
		text += " " + brief(a.Args)
	}
	if a.Named != nil {
		text += " " + brief(a.Named)
	}
	return Change{System: a.System, Ref: a.Ref, Text: text}
}

// Feed are the arguments of the method feed.
type Feed struct {
	Target
	Ref   string   `json:"ref"`             // "block.port"
	Value any      `json:"value"`           // of the port's type, as JSON has it, with "NaN", "+Inf" and "-Inf" as strings
	For   *float64 `json:"for_s,omitempty"` // seconds after which the port is released unless it is fed again; nil: it is held until it is released
}

func (a Feed) change() Change {
	return Change{System: a.System, Ref: a.Ref, Text: a.Ref + " = " + brief(a.Value)}
}

// Excite are the arguments of the method excite.
type Excite struct {
	Target
	Ref        string            `json:"ref"`                  // "block.port"
	Excitation *admin.Excitation `json:"excitation,omitempty"` // nil: the present one lasts longer
	For        float64           `json:"for_s"`                // seconds after which the port is released unless it is renewed
}

func (a Excite) change() Change {
	text := a.Ref
	if a.Excitation != nil {
		text += " " + a.Excitation.String()
	}
	return Change{System: a.System, Ref: a.Ref, Text: text}
}

// Enable are the arguments of the method enable.
type Enable struct {
	Target
	Ref   string `json:"ref"`   // a block
	Value *bool  `json:"value"` // required
}

func (a Enable) change() Change {
	return Change{System: a.System, Ref: a.Ref, Text: a.Ref + " = " + brief(a.Value)}
}

// Find returns the system that a request names, "" where it names none.
type Find func(name string) (admin.System, error)

// stopPatience is the deadline of stop: the processes of a system end one after the other, each within seconds.
const stopPatience = time.Minute

// Systems returns the methods that inspect, tune and drive running systems. patience is the deadline of call, or [Unlimited].
func Systems[S Sender](find Find, patience time.Duration) []Entry[S] {
	type System = admin.System
	return []Entry[S]{
		of(find, "structure", View, func(ctx context.Context, _ *Call[S], s System, _ Target) (*admin.Structure, error) {
			return s.Structure(ctx)
		}),
		of(find, "condition", View, func(ctx context.Context, _ *Call[S], s System, _ Target) (*admin.Condition, error) {
			return s.Condition(ctx)
		}),
		of(find, "statistics", View, func(ctx context.Context, _ *Call[S], s System, _ Target) (*record.RunStatistics, error) {
			return s.Statistics(ctx)
		}),
		of(find, "read", View, func(ctx context.Context, _ *Call[S], s System, a Ref) (admin.Reading, error) {
			return s.Read(ctx, a.Ref)
		}),
		of(find, "param", View, func(ctx context.Context, _ *Call[S], s System, a Ref) (any, error) { return s.Param(ctx, a.Ref) }),
		of(find, "set", Tune, set[S]),
		of(find, "call", Drive, func(ctx context.Context, _ *Call[S], s System, a Invocation) (any, error) {
			return s.Call(ctx, a.Ref, admin.Number(a.Args).([]any), admin.Number(a.Named).(map[string]any))
		}).Within(patience),
		of(find, "feed", Drive, feed[S]).Urgent(),
		of(find, "excite", Drive, excite[S]),
		of(find, "release", Drive, func(ctx context.Context, _ *Call[S], s System, a Ref) (*None, error) {
			return nil, s.Release(ctx, a.Ref)
		}).Urgent(),
		of(find, "enable", Drive, enable[S]).Urgent(),
		of(find, "reset", Drive, func(ctx context.Context, _ *Call[S], s System, a Ref) (*None, error) { return nil, s.Reset(ctx, a.Ref) }).Urgent(),
		of(find, "stop", Drive, func(ctx context.Context, _ *Call[S], s System, _ Target) (*None, error) { return nil, s.Stop(ctx) }).Urgent().Within(stopPatience),
	}
}

// of makes a method of a function of the system that its arguments name. Above the role view it is noted as a change.
func of[S Sender, A interface{ change() Change }, R any](find Find, name string, role Role,
	handle func(ctx context.Context, c *Call[S], s admin.System, args A) (R, error)) Entry[S] {
	return Method(name, role, func(ctx context.Context, c *Call[S], args A) (result R, err error) {
		change := args.change()
		if role > View {
			c.Changes(change)
		}
		s, err := find(change.System)
		if err != nil {
			return result, err
		}
		return handle(ctx, c, s, args)
	})
}

func set[S Sender](ctx context.Context, c *Call[S], s admin.System, a Set) (*None, error) {
	if a.Named == nil {
		return nil, fmt.Errorf("set %s: the member named, the values by parameter, is missing", a.Ref)
	}
	old := map[string]any{}
	for name := range a.Named {
		if v, err := s.Param(ctx, a.Ref+"."+name); err == nil { // SetParams explains errors
			old[name] = v
		}
	}
	c.Changes(Change{System: a.System, Ref: a.Ref, Text: SetText(a.Ref, old, a.Named), Values: &admin.SetValues{Named: a.Named, Was: admin.Finite(old).(map[string]any)}})
	return nil, s.SetParams(ctx, a.Ref, admin.Number(a.Named).(map[string]any))
}

func enable[S Sender](ctx context.Context, _ *Call[S], s admin.System, a Enable) (*None, error) {
	if a.Value == nil {
		return nil, fmt.Errorf("enable %s: the member value must be true or false", a.Ref)
	}
	return nil, s.Enable(ctx, a.Ref, *a.Value)
}

// feed feeds a port. The answer is nil, or with a time reports whether the override has begun: only then something has changed.
func feed[S Sender](ctx context.Context, c *Call[S], s admin.System, a Feed) (*bool, error) {
	if a.For == nil {
		return nil, s.Feed(ctx, a.Ref, admin.Number(a.Value))
	}
	lasts := min(*a.For, 2*admin.LongestFeed.Seconds()) // more is refused alike
	began, err := s.FeedFor(ctx, a.Ref, admin.Number(a.Value), time.Duration(lasts*float64(time.Second)))
	if !began {
		c.Unchanged()
	}
	return &began, err
}

// excite feeds a waveform to a port, or renews one: then nothing has changed.
func excite[S Sender](ctx context.Context, c *Call[S], s admin.System, a Excite) (bool, error) {
	if a.Excitation == nil {
		c.Unchanged()
	}
	lasts := min(a.For, 2*admin.LongestFeed.Seconds()) // more is refused alike
	return s.Excite(ctx, a.Ref, a.Excitation, time.Duration(lasts*float64(time.Second)))
}

// maxBrief is how many bytes of a value a [Change] shows.
const maxBrief = 200

// brief writes a value for a [Change].
func brief(v any) string {
	text, err := json.Marshal(admin.Finite(v))
	if err != nil {
		return "?"
	}
	if len(text) > maxBrief {
		return string(text[:maxBrief]) + "…"
	}
	return string(text)
}

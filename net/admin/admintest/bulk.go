package admintest

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/admin"
)

// runBulk reads, taps and feeds the port of a source whose values have lengths of their own.
func runBulk(ctx context.Context, t *testing.T, s admin.System) {
	t.Helper()
	const port = "plant.source.scan"
	elements := func(v any) []any {
		t.Helper()
		b, ok := v.(*admin.RawValue)
		if !ok {
			t.Fatalf("the value is a %T: wants bulk", v)
		}
		list, err := b.Value()
		if err != nil || len(list.([]any)) != b.Elements || b.Type != "sinew_msgs/msg/Float64ArrayUpTo6" {
			t.Fatalf("bulk %+v: %v, %v", b, list, err)
		}
		return list.([]any)
	}
	read := func() []any {
		t.Helper()
		r, err := s.Read(ctx, port)
		if err != nil {
			t.Fatal(err)
		}
		return elements(r.Value)
	}
	lengths := make(chan int, 1000)
	end, err := s.Tap(ctx, port, 1, func(x admin.Sample) {
		if b, ok := x.Value.(*admin.RawValue); ok {
			select {
			case lengths <- b.Elements:
			default:
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for len(seen) < 4 { // the source writes 0 to 3 elements
		select {
		case n := <-lengths:
			seen[n] = true
		case <-ctx.Done():
			t.Fatalf("the tap got values of lengths %v", seen)
		}
	}
	end()
	if n := len(read()); n > 3 {
		t.Errorf("read %d elements", n)
	}
	r, err := s.Read(ctx, port)
	if err != nil {
		t.Fatal(err)
	}
	bulk := r.Value.(*admin.RawValue)
	for _, v := range []any{[]any{1.5, 2.5, 3.5, 4.5, 5.5}, []any{}, 7.0, bulk} {
		want := v
		switch x := v.(type) {
		case float64:
			want = []any{x}
		case *admin.RawValue:
			want = elements(x)
		}
		if err := s.Feed(ctx, port, v); err != nil {
			t.Fatal(err)
		}
		if got := read(); !reflect.DeepEqual(got, want) {
			t.Errorf("fed %v, read %v", v, got)
		}
	}
	for want, v := range map[string]any{
		"wants at most 6 elements, got 7": []any{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0},
		"[0]: wants float64, got true":    true,
		"wrong number of bytes":           &admin.RawValue{CDR: []byte{0, 1, 0, 0, 2, 0, 0, 0}},
		"more elements than its bound":    &admin.RawValue{CDR: []byte{0, 1, 0, 0, 200, 0, 0, 0}},
		"the value has the type a/b":      &admin.RawValue{Type: "a/b", Schema: "uint8[<=6] data\n", CDR: []byte{0, 1, 0, 0, 0, 0, 0, 0}},
	} {
		if err := s.Feed(ctx, port, v); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), port) {
			t.Errorf("feed %v: %v, want %q", v, err, want)
		}
	}
	if err := s.Release(ctx, port); err != nil {
		t.Fatal(err)
	}
	st, err := s.Structure(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range st.Blocks {
		for _, p := range b.Ports {
			if b.Name+"."+p.Name == port && p.Type != "float64[<=6]" {
				t.Errorf("the port has the type %s", p.Type)
			}
		}
	}
}

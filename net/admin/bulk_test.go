package admin

import (
	"encoding/json"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

type scans struct{ Out block.Out[[]float64] }

func (s *scans) Setup(u *block.Setup) error {
	u.MaxLen(4, &s.Out)
	return nil
}

func (s *scans) Step(clock.Tick) error { return nil }

// FuzzBulk feeds a port whose values have lengths of their own with any JSON: it gets a value of the port, or an error.
func FuzzBulk(f *testing.F) {
	for _, text := range []string{
		`{"cdr":"AAEAAAAAAAA="}`, `{"cdr":"AAEAAAEAAAAAAAAAAAAAAAAA8D8="}`, `{"cdr":"?"}`, `{"type":"t","schema":"s","elements":3}`, `[1,2]`, `[1,2,3,4,5]`, `"NaN"`, `{}`, `null`,
		`{"type":"a/b","schema":"float64[<=4] data\n","elements":1e300,"cdr":"AAEAAAAAAAA="}`,
	} {
		f.Add([]byte(text))
	}
	var inspector inspect.Inspector
	instance, errs := inspector.Inspect("scan", &scans{}, port.Given{})
	if errs != nil {
		f.Fatal(errs)
	}
	p := instance.Port("out")
	if err := p.Allocate(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var v any
		if json.Unmarshal(text, &v) != nil {
			return
		}
		v = Number(v)
		if b, ok := v.(*RawValue); ok {
			_, _ = b.Value()
		}
		if cdr, err := cdrOf(p, v); err == nil && p.Layout().Check(cdr) != nil {
			t.Fatalf("%s became % x", text, cdr)
		}
	})
}

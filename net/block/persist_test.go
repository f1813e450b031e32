package block

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

type keptPoint struct {
	X     float64
	Known bool
}

// keepsAll has every kind of value that outlives a run; its Setup notes what is there by then.
type keepsAll struct {
	keptBase

	Gain   Param[float64]   `default:"1" min:"0" max:"100" persist:"yes"`
	Gains  Param[[]float64] `default:"[1, 2]" persist:"yes"`
	Plain  Param[float64]   `default:"3"`
	Odd    Const[bool]
	N      Const[int64] `default:"3"`
	count  int64        `persist:"yes" unit:"1" doc:"steps"`
	point  keptPoint    `persist:"yes"`
	angles []float64    `persist:"yes"`

	atSetup any
}

type keptBase struct {
	turns [2]int32 `persist:"yes"`
}

func (k *keepsAll) Setup(s *Setup) error {
	k.atSetup = []any{k.Gain.Value(), slices.Clone(k.Gains.Value()), k.count, k.point, slices.Clone(k.angles), k.turns}
	k.angles = make([]float64, k.N.Value())
	if k.Odd.Value() {
		s.DoNotKeep("odd is true", &k.count)
	}
	return nil
}

func (k *keepsAll) Step(clock.Tick) error { return nil }

func number64(s string) any { return json.Number(s) }

// keptOfAll is what an earlier run has left for keepsAll.
func keptOfAll() map[string]port.Kept {
	return map[string]port.Kept{
		"gain": {Type: "float64", Value: number64("7.25")}, "gains": {Type: "float64[]", Value: []any{number64("5"), number64("6")}},
		"count": {Type: "int64", Value: number64("9007199254740993")}, "point": {Type: "KeptPoint", Value: map[string]any{"x": number64("0.1"), "known": true}},
		"angles": {Type: "float64[]", Value: []any{number64("1"), number64("2"), number64("3")}}, "turns": {Type: "int32[2]", Value: []any{number64("-1"), number64("4")}},
	}
}

func whys(i *port.Instance) map[string]string {
	m := map[string]string{}
	for _, r := range i.Restored {
		m[r.Name] = r.Why
	}
	return m
}

func TestKeptValuesAreThereBeforeSetup(t *testing.T) {
	k := new(keepsAll)
	i, errs := new(inspector).Inspect("k", k, port.Given{Kept: keptOfAll()})
	if errs != nil {
		t.Fatal(errs)
	}
	want := []any{7.25, []float64{5, 6}, int64(9007199254740993), keptPoint{0.1, true}, []float64{1, 2, 3}, [2]int32{-1, 4}}
	if !reflect.DeepEqual(k.atSetup, want) {
		t.Errorf("Setup saw %v, expected %v", k.atSetup, want)
	}
	if !slices.Equal(k.angles, []float64{1, 2, 3}) {
		t.Errorf("a slice that Setup has made again holds %v", k.angles)
	}
	var names []string
	for _, p := range i.Persistent {
		names = append(names, p.Name)
	}
	if want := []string{"gain", "gains", "turns", "count", "point", "angles"}; !slices.Equal(names, want) {
		t.Errorf("persistent are %v, expected %v", names, want)
	}
	for name, why := range whys(i) {
		if why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
}

func TestKeptValuesThatDoNotFitAreNamed(t *testing.T) {
	kept := keptOfAll()
	kept["gain"] = port.Kept{Type: "float64", Value: number64("101")}
	kept["gains"] = port.Kept{Type: "float64[]", Value: []any{number64("5")}}
	kept["count"] = port.Kept{Type: "float64", Value: number64("5")}
	kept["angles"] = port.Kept{Type: "float64[]", Value: []any{number64("1"), number64("2")}}
	kept["point"] = port.Kept{Type: "KeptPoint", Value: map[string]any{"y": number64("0.1"), "known": true}}
	kept["gone"] = port.Kept{Type: "float64", Value: number64("5")}
	k := new(keepsAll)
	i, errs := new(inspector).Inspect("k", k, port.Given{Kept: kept})
	if errs != nil {
		t.Fatal(errs)
	}
	got := whys(i)
	for name, part := range map[string]string{
		"gain": "at most 100", "gains": "2 elements", "count": "it is of type int64, and was kept as float64",
		"angles": "another number of elements than the 3", "point": "only the members x, known", "gone": "keeps no value of this name", "turns": "",
	} {
		if why, ok := got[name]; !ok || !strings.Contains(why, part) || part == "" && why != "" {
			t.Errorf("%s: %q, expected %q in it", name, why, part)
		}
	}
	if k.Gain.Value() != 1 || k.count != 0 || k.point != (keptPoint{}) || !slices.Equal(k.angles, []float64{0, 0, 0}) || !slices.Equal(k.Gains.Value(), []float64{1, 2}) {
		t.Errorf("a value that does not fit was taken: %+v", k)
	}
}

func TestKeptValueBesideAStatedOneIsNamed(t *testing.T) {
	for _, c := range []struct {
		given []string // that counts for this run
		value float64
		part  string
	}{
		{nil, 7.25, "it is 7.25 as it was kept, not 2 as the file states"},
		{[]string{"gain"}, 2, "it is 2 as --param states, not 7.25 as it was kept"},
	} {
		k := new(keepsAll)
		i, errs := new(inspector).Inspect("k", k, port.Given{Params: map[string]any{"gain": 2}, ThisRun: c.given, Kept: keptOfAll()})
		if errs != nil {
			t.Fatal(errs)
		}
		if k.Gain.Value() != c.value || whys(i)["gain"] != c.part {
			t.Errorf("gain is %v: %q, expected %v: %q", k.Gain.Value(), whys(i)["gain"], c.value, c.part)
		}
	}
}

func TestStateFieldThatIsNotKeptIsNamedWithTheReason(t *testing.T) {
	i, errs := new(inspector).Inspect("k", new(keepsAll), port.Given{Params: map[string]any{"odd": true}, Kept: keptOfAll()})
	if errs != nil {
		t.Fatal(errs)
	}
	if why := whys(i)["count"]; why != "its kept value is not used: odd is true" {
		t.Errorf("count: %q", why)
	}
	if slices.ContainsFunc(i.Persistent, func(p *port.Parameter) bool { return p.Name == "count" }) {
		t.Error("count is kept")
	}
}

func TestTagPersistIsChecked(t *testing.T) {
	type inner struct {
		X float64 `persist:"yes"`
	}
	for part, b := range map[string]any{
		"a constant never changes": new(struct {
			N Const[int] `persist:"yes"`
		}),
		`the tag persist is "true"`: new(struct {
			n int64 `persist:"true"`
		}),
		"different size on different CPUs": new(struct {
			n int `persist:"yes"`
		}),
		"not plain data": new(struct {
			n map[string]int `persist:"yes"`
		}),
		"give each a field of its own": new(struct {
			n struct{ A []float64 } `persist:"yes"`
		}),
		`did you mean "persist"`: new(struct {
			G Param[float64] `persists:"yes"`
		}),
		"which is not seen there": new(struct{ in inner }),
		`an input has no tag "persist"`: new(struct {
			In In[float64] `persist:"yes"`
		}),
		"both the parameter": new(struct {
			G Param[float64]
			g float64 `persist:"yes"`
		}),
	} {
		if problems := strings.Join(checkType(reflect.TypeOf(b)), "\n"); !strings.Contains(problems, part) {
			t.Errorf("expected %q in %q", part, problems)
		}
	}
}

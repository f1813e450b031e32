package block

import (
	"reflect"
	"testing"

	"github.com/sinew-robotics/sinew/net/port"
)

// lists has lists and arrays, whose defaults may be written in several ways.
type lists struct {
	A Param[[3]float64] `default:"0,0,0"`
	B Param[[3]float64] `default:"[1, 2, 3]"`
	C Param[[3]float64] `default:"4"`
	D Param[[]float64]  `default:"5, 6"`
	E Param[[1]float64]
	F Param[[]float64]
}

func TestDefaultsFillListsOfAnyLength(t *testing.T) {
	var l lists
	_, errs := new(inspector).Inspect("l", &l, port.Given{Params: map[string]any{"e": int64(7), "f": 8.5}})
	if errs != nil {
		t.Fatal(errs)
	}
	got := []any{l.A.Value(), l.B.Value(), l.C.Value(), l.D.Value(), l.E.Value(), l.F.Value()}
	want := []any{[3]float64{}, [3]float64{1, 2, 3}, [3]float64{4, 4, 4}, []float64{5, 6}, [1]float64{7}, []float64{8.5}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, errs := new(inspector).Inspect("l", new(lists), port.Given{Params: map[string]any{"a": 1.0}}); errs == nil {
		t.Error("one number was accepted for three")
	}
}

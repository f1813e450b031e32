package schema

import (
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// Each number of a value is spoiled in turn, in memory by Decode from CDR.
func TestFiniteSeesEachFloatOfAValue(t *testing.T) {
	v := sample()
	v.Positions[2] = 3
	ty, err := For[Command]()
	if err != nil {
		t.Fatal(err)
	}
	l := ty.Layout(len(v.Positions), len(v.Parts))
	if !l.HasFloats() || !l.Finite(unsafe.Pointer(&v)) {
		t.Fatal("a value of finite numbers is not finite")
	}
	cdr := make([]byte, l.Size())
	l.Encode(cdr, unsafe.Pointer(&v))
	floats := 0
	for _, leaf := range l.Leaves() {
		spoiled := slices.Clone(cdr)
		switch leaf.Kind {
		case Float64:
			copy(spoiled[leaf.Offset:], []byte{0, 0, 0, 0, 0, 0, 0xf0, 0xff}) // -infinity
		case Float32:
			copy(spoiled[leaf.Offset:], []byte{0, 0, 0xc0, 0x7f}) // NaN
		default:
			continue
		}
		floats++
		if err := l.Decode(unsafe.Pointer(&v), spoiled); err != nil {
			t.Fatal(err)
		}
		if l.Finite(unsafe.Pointer(&v)) {
			t.Errorf("%s is not finite, which was not seen", leaf.Path)
		}
	}
	if floats != 18 {
		t.Errorf("%d numbers were spoiled, want 18", floats)
	}
	v.Positions = v.Positions[:2]
	if !l.Finite(unsafe.Pointer(&v)) {
		t.Error("a value that Encode refuses is not finite")
	}
}

func TestFiniteReadsOnlyThePresentElementsOfABoundedSlice(t *testing.T) {
	l := boundedLayout[[]float32](t, 4)
	v := []float32{1, 2, 3, float32(math.Inf(1))}
	short := v[:3]
	if !l.Finite(unsafe.Pointer(&short)) || l.Finite(unsafe.Pointer(&v)) {
		t.Error("the fourth element is counted wrongly")
	}
	empty := v[:0]
	testkit.NoAllocs(t, 100, func() {
		if !l.Finite(unsafe.Pointer(&empty)) {
			t.Error("an empty slice is not finite")
		}
	})
	if whole := boundedLayout[[]int64](t, 4); whole.HasFloats() {
		t.Error("integers are floats")
	}
}

package schema

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/internal/testkit/oracle"
)

// uneven has padding between its elements on the wire, and less of it before the first.
type uneven struct {
	A uint8
	B uint16
	C uint8
}

func boundedLayout[T any](t testing.TB, most int) *Layout {
	t.Helper()
	typ, err := For[T]()
	if err != nil {
		t.Fatal(err)
	}
	return typ.Bounded(most).Layout()
}

// For random elements, bounds and lengths, Foxglove's reader decodes what we encode to the same values, and its writer
// encodes to the same bytes.
func TestOracleAgreesOnBoundedSlices(t *testing.T) {
	const cases = 300
	type question struct {
		Definition string `json:"definition"`
		CDR        string `json:"cdr"`
	}
	type answer struct {
		Value map[string]any `json:"value"`
		CDR   string         `json:"cdr"`
	}
	r := testkit.Rand(t)
	var asked []question
	var values []any
	for range cases {
		typ, cdr := randomBounded(t, r)
		value, err := typ.Value(cdr)
		if err != nil {
			t.Fatal(err)
		}
		asked = append(asked, question{typ.Definition(), hex.EncodeToString(cdr)})
		values = append(values, widen(typ, value))
	}
	var answers []answer
	oracle.Ask(t, "cdr.mjs", asked, &answers)
	for i, a := range answers {
		if a.CDR != asked[i].CDR {
			t.Fatalf("%s\nours   %s\noracle %s", asked[i].Definition, asked[i].CDR, a.CDR)
		}
		if want := asJSON(values[i]); !reflect.DeepEqual(a.Value["data"], want) {
			t.Fatalf("%s\nours   %v\noracle %v", asked[i].Definition, want, a.Value["data"])
		}
	}
}

// randomBounded returns a bounded slice of random elements and one value of it, which was decoded again.
func randomBounded(t *testing.T, r *rand.Rand) (*Type, []byte) {
	elem := randomElement(r, 1)
	most := 1 + r.IntN(6)
	v := reflect.New(reflect.SliceOf(elem))
	v.Elem().Set(reflect.MakeSlice(v.Elem().Type(), r.IntN(most+1), most))
	for i := range v.Elem().Len() {
		v.Elem().Index(i).Set(randomValue(r, elem))
	}
	typ, err := Of(v.Elem().Type())
	if err != nil {
		t.Fatal(err)
	}
	typ = typ.Bounded(most)
	l := typ.Layout()
	cdr := make([]byte, l.Size())
	cdr = cdr[:l.Encode(cdr, v.UnsafePointer())]
	if one, err := l.Of(cdr); err != nil || one.Size() != len(cdr) || l.SizeOf(v.Elem().Len()) != len(cdr) {
		t.Fatalf("%v elements of %s have %d bytes: SizeOf %d, Of %v", v.Elem().Len(), typ.Name(), len(cdr), l.SizeOf(v.Elem().Len()), err)
	}
	back := reflect.New(v.Elem().Type())
	back.Elem().Set(reflect.MakeSlice(v.Elem().Type(), 0, most))
	if err := l.Decode(back.UnsafePointer(), cdr); err != nil || back.Elem().Len() != v.Elem().Len() || !sameBits(back.Elem(), v.Elem()) {
		t.Fatalf("%v: %v\ngot  %v\nwant %v", elem, err, back.Elem(), v.Elem())
	}
	return typ, cdr
}

func TestBoundIsPartOfTheType(t *testing.T) {
	free, err := For[[][3]float64]()
	if err != nil {
		t.Fatal(err)
	}
	typ := free.Bounded(10)
	if typ.Definition() != "float64[<=30] data\n" || typ.Name() != "sinew_msgs/msg/Float64ArrayUpTo30" {
		t.Errorf("%s: %s", typ.Name(), typ.Definition())
	}
	if typ.Hash() == free.Hash() || typ.Hash() == free.Bounded(11).Hash() {
		t.Error("slices of other bounds have one hash")
	}
	parsed, err := Parse(typ.Name(), typ.Definition())
	if err != nil || parsed.Hash() != typ.Hash() || parsed.Most() != 30 {
		t.Errorf("parsed: %v, %v", parsed, err)
	}
	inner, err := Parse("a_msgs/msg/B", "int32[<=4] ids\nuint8[] rest\n")
	if err != nil {
		t.Fatal(err)
	}
	if l := inner.Layout(2, 3); l.Size() != 4+4+8+4+3 || inner.Definition() != "int32[<=4] ids\nuint8[] rest\n" {
		t.Errorf("%d bytes, %s", l.Size(), inner.Definition())
	}
	if _, err := inner.Value([]byte{0, 1, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}); !errors.Is(err, ErrMost) {
		t.Errorf("five elements of at most four: %v", err)
	}
	for _, text := range []string{"int32[<=0] a\n", "int32[<=] a\n", "int32[<=x] a\n", "int32[<5] a\n", "B[<=2] a\n===\nMSG: a_msgs/B\nint8[<=3] c\n"} {
		if _, err := Parse("a_msgs/msg/A", text); err == nil {
			t.Errorf("accepted: %s", text)
		}
	}
}

func TestBoundedSlicesHaveTheBytesThatTheyNeed(t *testing.T) {
	l := boundedLayout[[]uneven](t, 5)
	v := make([]uneven, 0, 5)
	buf := make([]byte, l.Size())
	for n := range 6 {
		v = v[:n]
		fixed := l.Type().Layout(n)
		if got := l.Encode(buf, unsafe.Pointer(&v)); got != fixed.Size() || fixed.Check(buf[:got]) != nil {
			t.Errorf("%d elements take %d bytes, want %d", n, got, fixed.Size())
		}
	}
	if v = make([]uneven, 6); l.Encode(buf, unsafe.Pointer(&v)) != 0 {
		t.Error("six elements of at most five were encoded")
	}
}

func TestBoundedDecodingIsStrict(t *testing.T) {
	l := boundedLayout[[]bool](t, 3)
	good := []byte{0, 1, 0, 0, 2, 0, 0, 0, 1, 0}
	for name, c := range map[string]struct {
		change func([]byte) []byte
		want   error
	}{
		"good":      {func(b []byte) []byte { return b }, nil},
		"empty":     {func(b []byte) []byte { return append(b[:4], 0, 0, 0, 0) }, nil},
		"too short": {func(b []byte) []byte { return b[:9] }, ErrSize},
		"too long":  {func(b []byte) []byte { return append(b, 0) }, ErrSize},
		"nothing":   {func(b []byte) []byte { return nil }, ErrSize},
		"no count":  {func(b []byte) []byte { return b[:7] }, ErrSize},
		"header":    {func(b []byte) []byte { b[1] = 0; return b }, ErrHeader},
		"many":      {func(b []byte) []byte { b[4] = 4; return append(b, 0) }, ErrMost},
		"huge":      {func(b []byte) []byte { b[7] = 255; return b }, ErrMost},
		"bool":      {func(b []byte) []byte { b[9] = 2; return b }, ErrBool},
	} {
		got := make([]bool, 1, 3)
		err := l.Decode(unsafe.Pointer(&got), c.change(slices.Clone(good)))
		if !errors.Is(err, c.want) || c.want == nil && err != nil {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if c.want != nil && len(got) != 1 {
			t.Errorf("%s: the value was changed to %v", name, got)
		}
	}
	small := make([]bool, 2)
	if err := l.Decode(unsafe.Pointer(&small), good); !errors.Is(err, ErrLength) {
		t.Errorf("into too little room: %v", err)
	}
	pairs := boundedLayout[[][2]uint8](t, 3)
	if err := pairs.Check([]byte{0, 1, 0, 0, 3, 0, 0, 0, 1, 2, 3}); !errors.Is(err, ErrCount) {
		t.Errorf("three bytes as pairs: %v", err)
	}
}

func TestBoundedValuesFromOutside(t *testing.T) {
	l := boundedLayout[[]float32](t, 3)
	cdr, err := l.FromValue([]any{1.5, 2})
	if err != nil || len(cdr) != 16 {
		t.Fatalf("%v, %d bytes", err, len(cdr))
	}
	if got, err := l.Type().Value(cdr); err != nil || !reflect.DeepEqual(got, []any{1.5, 2.0}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, c := range []struct {
		v    any
		want string
	}{
		{[]float64{1, 2, 3, 4}, "wants at most 3 elements, got 4"},
		{1.0, "wants a list of at most 3 float32, got 1"},
		{[]any{"a"}, `[0]: wants float32, got the string "a"`},
	} {
		if _, err := l.FromValue(c.v); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.v, err, c.want)
		}
	}
	if at := l.Outside(cdr, 0, 1.75); at != 12 {
		t.Errorf("2 lies outside at %d, want 12", at)
	}
	if l.Outside(cdr, 0, 2) != -1 || l.Outside(cdr[:8], 0, 0) != -1 {
		t.Error("numbers were found outside that are inside, or not there")
	}
}

func TestBoundedCodecAllocatesNothing(t *testing.T) {
	l := boundedLayout[[]Vec](t, 100)
	v := make([]Vec, 50, 100)
	buf := make([]byte, l.Size())
	testkit.NoAllocs(t, 1000, func() {
		n := l.Encode(buf, unsafe.Pointer(&v))
		if l.Decode(unsafe.Pointer(&v), buf[:n]) != nil || l.Decode(unsafe.Pointer(&v), buf) == nil {
			t.Error("decode")
		}
	})
	if len(l.runs) != 1 {
		t.Errorf("%d copies, want 1", len(l.runs))
	}
}

// FuzzDecodeBounded decodes arbitrary bytes, as they may arrive over a network, and compares with the decoder of tools.
func FuzzDecodeBounded(f *testing.F) {
	l := boundedLayout[[]uneven](f, 7)
	v := make([]uneven, 3, 7)
	buf := make([]byte, l.Size())
	f.Add(slices.Clone(buf[:l.Encode(buf, unsafe.Pointer(&v))]))
	f.Add([]byte{0, 1, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{0, 1, 0, 0, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, src []byte) {
		got := make([]uneven, 0, 7)
		err := l.Decode(unsafe.Pointer(&got), src)
		if _, other := l.Type().Value(src); (err == nil) != (other == nil) {
			t.Fatalf("Decode: %v, Value: %v", err, other)
		}
		_ = l.Outside(src, 0, 1)
		if err != nil {
			return
		}
		if finite := l.Outside(src, -math.MaxFloat64, math.MaxFloat64) < 0; l.Finite(unsafe.Pointer(&got)) != finite {
			t.Fatalf("Finite is %v in memory", !finite)
		}
		again := make([]byte, l.Size())
		if n := l.Encode(again, unsafe.Pointer(&got)); n != len(src) || l.Check(again[:n]) != nil {
			t.Fatalf("%d bytes became %d", len(src), n)
		}
	})
}

func BenchmarkEncodeBoundedImage640(b *testing.B) {
	l := boundedLayout[[]uint8](b, 1<<20)
	v := make([]uint8, 640*480, 1<<20)
	buf := make([]byte, l.Size())
	b.SetBytes(int64(len(v)))
	for b.Loop() {
		l.Encode(buf, unsafe.Pointer(&v))
	}
}

func TestForeignStructsOfUnevenElementsAreRefused(t *testing.T) {
	l := boundedLayout[[]uneven](t, 5)
	_, inC := l.C("x")
	_, inPython := l.Python("x")
	for _, err := range []error{inC, inPython} {
		if err == nil || !strings.Contains(err.Error(), "its elements do not lie alike in CDR") {
			t.Errorf("%v", err)
		}
	}
}

func ExampleType_Bounded() {
	typ, _ := For[[]uint8]()
	image := typ.Bounded(2000)
	fmt.Print(image.Definition())
	text, _ := image.Layout().C("image")
	fmt.Print(text)
	// Output:
	// uint8[<=2000] data
	// /* Written by sinew schema: the packets of image, sinew_msgs/msg/UInt8ArrayUpTo2000, up to 2004 bytes, for a port with ARDNET_VARIES. */
	// #include <stdint.h>
	//
	// #pragma pack(push, 1)
	// struct image {
	// 	uint32_t data_count; /* elements of data that are there: to be set when sending */
	// 	uint8_t data[2000];
	// };
	// #pragma pack(pop)
	// /* the most elements, and the bytes of a packet with count elements: for ardnet_create and ardnet_send_part */
	// #define image_most 2000
	// #define image_bytes(count) ((count) > 0 ? 5 + ((count) - 1) * 1 : 4)
}

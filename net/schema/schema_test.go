package schema

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

type Vec struct {
	X, Y, Z float64 `unit:"m"`
}

type Command struct {
	On        bool
	Mode      int8      `doc:"0 idle,\n1 run"`
	Positions []float64 `unit:"rad" doc:"desired positions"`
	Base      Vec
	Marks     [2]Vec
	Rotation  [2][2]float32
	Idle      struct{}
	Count     uint16
	Parts     []Part
	Stamp     int64
}

type Part struct {
	Mass float64
	Kind uint8
}

func sample() Command {
	return Command{
		On: true, Mode: -3, Positions: []float64{1, 2, math.Inf(1)},
		Base: Vec{1, 2, 3}, Marks: [2]Vec{{4, 5, 6}, {7, 8, 9}},
		Rotation: [2][2]float32{{1, 2}, {3, 4}}, Count: 65535,
		Parts: []Part{{1.5, 7}, {2.5, 8}}, Stamp: math.MinInt64,
	}
}

func TestDefinitionAndHashAreStable(t *testing.T) {
	ty, err := For[Command]()
	if err != nil {
		t.Fatal(err)
	}
	if got := ty.Name(); got != "schema_msgs/msg/Command" {
		t.Error("name", got)
	}
	line := strings.Repeat("=", 80)
	want := `bool on
int8 mode  # 0 idle, 1 run
float64[] positions  # [rad] desired positions
schema_msgs/Vec base
schema_msgs/Vec[2] marks
float32[4] rotation
std_msgs/Empty idle
uint16 count
schema_msgs/Part[] parts
int64 stamp
` + line + `
MSG: schema_msgs/Vec
float64 x  # [m]
float64 y  # [m]
float64 z  # [m]
` + line + `
MSG: std_msgs/Empty
` + line + `
MSG: schema_msgs/Part
float64 mass
uint8 kind
`
	if got := ty.Definition(); got != want {
		t.Errorf("definition\n%s\nwant\n%s", got, want)
	}
	if got, want := ty.Hash(), uint64(0x29497eaae0522500); got != want {
		t.Errorf("hash %#x, want %#x: links between versions of sinew would break", got, want)
	}
	parsed, err := Parse(ty.Name(), ty.Definition())
	if err != nil {
		t.Fatal(err)
	}
	if parsed.Hash() != ty.Hash() || parsed.Definition() != ty.Definition() {
		t.Errorf("parsed differently:\n%s", parsed.Definition())
	}
}

func TestNamesFollowROS2(t *testing.T) {
	type pair struct{ A, B float64 }
	for _, c := range []struct {
		v          any
		name, text string
	}{
		{float64(0), "std_msgs/msg/Float64", "float64 data\n"},
		{false, "std_msgs/msg/Bool", "bool data\n"},
		{uint8(0), "std_msgs/msg/UInt8", "uint8 data\n"},
		{int32(0), "std_msgs/msg/Int32", "int32 data\n"},
		{struct{}{}, "std_msgs/msg/Empty", ""},
		{[]float64{}, "sinew_msgs/msg/Float64Array", "float64[] data\n"},
		{[][3]uint16{}, "sinew_msgs/msg/UInt16Array", "uint16[] data\n"},
		{[2][3]float64{}, "sinew_msgs/msg/Float64Array6", "float64[6] data\n"},
		{[]pair{}, "sinew_msgs/msg/SchemaPairArray", "schema_msgs/Pair[] data\n" + separator + "\nMSG: schema_msgs/Pair\nfloat64 a\nfloat64 b\n"},
		{pair{}, "schema_msgs/msg/Pair", "float64 a\nfloat64 b\n"},
	} {
		ty, err := Of(reflect.TypeOf(c.v))
		if err != nil {
			t.Error(err)
			continue
		}
		if ty.Name() != c.name || ty.Definition() != c.text {
			t.Errorf("%T: %s\n%s", c.v, ty.Name(), ty.Definition())
		}
		p, err := Parse(ty.Name(), ty.Definition())
		if err != nil || p.Hash() != ty.Hash() || p.Kind() != ty.Kind() {
			t.Errorf("%T: parsed: %v %v", c.v, p, err)
		}
	}
	for in, want := range map[string]string{
		"PeerName": "peer_name", "Kp": "kp", "URDFPath": "urdf_path", "X1": "x1", "Joint1Pos": "joint1_pos",
		"A_B": "a_b", "HTTPServer2": "http_server2", "Float64Array": "float64_array", "KpXY": "kp_xy",
		"Ω": "x3c9", "X_": "x", "Voltage": "voltage", "U": "u",
	} {
		if got := SnakeCase(in); got != want {
			t.Errorf("SnakeCase(%s) = %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"github.com/a/b/v2": "b_msgs", "main": "main_msgs", "a/go-servo": "go_servo_msgs", "a/9p": "x9p_msgs", "v2": "v2_msgs",
	} {
		if got := packageName(in); got != want {
			t.Errorf("packageName(%s) = %s, want %s", in, got, want)
		}
	}
}

func TestTypesThatAreNotPlainDataAreRejected(t *testing.T) {
	type inner struct {
		Names  []string
		Deep   struct{ List []float64 }
		secret int
	}
	type outer struct {
		In    inner
		Ptr   *int
		Any   any
		N     int
		Z     [0]int8
		QPos  float64
		Q_Pos float64
	}
	_ = inner{}.secret
	_, err := For[outer]()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, path := range []string{
		"schema.outer.In.Names: a slice", "schema.outer.In.Deep.List: a slice", "schema.outer.In.secret: an unexported",
		"schema.outer.Ptr: *int", "schema.outer.Any: interface", "schema.outer.N: int has", "schema.outer.Z: an array", "schema.outer.Q_Pos: has the name",
	} {
		if !strings.Contains(err.Error(), path) {
			t.Errorf("%q is not in\n%v", path, err)
		}
	}
	for _, v := range []reflect.Type{nil, reflect.TypeFor[string](), reflect.TypeFor[map[string]int](), reflect.TypeFor[[][]float64](), reflect.TypeFor[[2][]float64](), reflect.TypeFor[error]()} {
		if _, err := Of(v); err == nil {
			t.Error(v, "accepted")
		}
	}
}

func TestValuesSurviveEncoding(t *testing.T) {
	v := sample()
	l, err := LayoutOf(reflect.ValueOf(v))
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, l.Size()+9)
	for i := range buf {
		buf[i] = 0xaa // Encode must leave no byte of a reused buffer
	}
	n := l.Encode(buf, unsafe.Pointer(&v))
	if n != l.Size() {
		t.Fatal("size", n, l.Size())
	}
	got := Command{Positions: make([]float64, 3), Parts: make([]Part, 2)}
	if err := l.Decode(unsafe.Pointer(&got), buf[:n]); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, v) {
		t.Errorf("got %+v", got)
	}
	// The dynamic side agrees, for the Go type and for the type parsed from text.
	parsed, err := Parse(l.Type().Name(), l.Type().Definition())
	if err != nil {
		t.Fatal(err)
	}
	for _, ty := range []*Type{l.Type(), parsed} {
		value, err := ty.Value(buf[:n])
		if err != nil {
			t.Fatal(err)
		}
		lengths, err := ty.Lengths(buf[:n])
		if err != nil {
			t.Fatal(err)
		}
		again, err := ty.Layout(lengths...).FromValue(value)
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != string(buf[:n]) {
			t.Errorf("FromValue\n% x\nEncode\n% x", again, buf[:n])
		}
		var paths, want []string
		for _, f := range ty.Layout(lengths...).Leaves() {
			paths = append(paths, f.Path)
			if f.Path == "parts[1].mass" && f.Float(again) != 2.5 || f.Path == "mode" && f.Float(again) != -3 || f.Path == "count" && f.Float(again) != 65535 {
				t.Error(f, f.Float(again))
			}
		}
		want = strings.Fields("on mode positions[0] positions[1] positions[2] base.x base.y base.z marks[0].x marks[0].y marks[0].z marks[1].x marks[1].y marks[1].z rotation[0] rotation[1] rotation[2] rotation[3] count parts[0].mass parts[0].kind parts[1].mass parts[1].kind stamp")
		if !reflect.DeepEqual(paths, want) {
			t.Error(paths)
		}
	}
}

func TestDecodeIsStrict(t *testing.T) {
	v := sample()
	l, _ := LayoutOf(reflect.ValueOf(v))
	good := make([]byte, l.Size())
	l.Encode(good, unsafe.Pointer(&v))
	refused := func(want error, change func([]byte) []byte) {
		t.Helper()
		got := sample()
		src := change(append([]byte(nil), good...))
		if err := l.Decode(unsafe.Pointer(&got), src); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
		if !reflect.DeepEqual(got, sample()) {
			t.Error("value touched")
		}
		if _, err := l.Type().Value(src); err == nil && !errors.Is(want, ErrCount) {
			t.Error("Value accepts it:", want)
		}
	}
	refused(ErrSize, func(b []byte) []byte { return b[:len(b)-1] })
	refused(ErrSize, func(b []byte) []byte { return append(b, 0) })
	refused(ErrSize, func(b []byte) []byte { return nil })
	refused(ErrHeader, func(b []byte) []byte { b[1] = 0; return b })
	refused(ErrBool, func(b []byte) []byte { b[4] = 2; return b })
	refused(ErrCount, func(b []byte) []byte { b[8]++; return b })
	short := sample()
	short.Parts = short.Parts[:1]
	if err := l.Decode(unsafe.Pointer(&short), good); !errors.Is(err, ErrLength) {
		t.Error(err)
	}
	if n := l.Encode(good, unsafe.Pointer(&short)); n != 0 {
		t.Error("encoded", n)
	}
}

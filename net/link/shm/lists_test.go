package shm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/schema"
)

// hit has padding between its elements.
type hit struct {
	Range float64
	Good  uint8
}

const mostHits = 5

// reverseC returns the elements in reverse. It is written with the struct that sinew schema --c prints.
const reverseC = `#include "ardnet.h"
int main(int argc, char **argv) {
	static struct list in, out;
	struct ardnet_port *there = ardnet_create("there", ARDNET_IN | ARDNET_VARIES, list_bytes(list_most), 0);
	struct ardnet_port *back = ardnet_create("back", ARDNET_OUT | ARDNET_VARIES, list_bytes(list_most), 0);
	if (!there || !back || ardnet_init(&argc, argv) < 0) return 1;
	while (ardnet_rec(there, &in, 10) > 0) {
		uint32_t n = in.data_count;
		if (n > list_most || ardnet_send_part(back, &out, list_bytes(list_most) + 1) != ARDNET_ERROR) return 2;
		out.data_count = n;
		for (uint32_t i = 0; i < n; i++) out.data[i] = in.data[n - 1 - i];
		if (ardnet_send_part(back, &out, (size_t)list_bytes(n)) < 0) return 3;
	}
	return 0;
}
`

const reversePython = `
import sys
import ardnet
KIND = globals().get("list") or ardnet.sequence(ardnet.Double, 5)
there, back = ardnet.create("there", ardnet.IN, KIND), ardnet.create("back", ardnet.OUT, KIND)
ardnet.init()
while there.rec(10):
    n = there.value.data_count
    back.value.data_count = n
    for i in range(n):
        back.value.data[i] = there.value.data[n - 1 - i]
    back.send()
    back.value.data_count = 6
    try:
        back.send()
        sys.exit(2)
    except ardnet.Error:
        pass
`

const reverseOctave = `
ardnet('create', 'there', 'in', 5, 0, 'variable');
ardnet('create', 'back', 'out', 5, 0, 'variable');
ardnet('init', argv());
do
	[x, ok] = ardnet('rec', 'there', 10);
	if ok
		ardnet('send', 'back', flipud(x));
	end
until !ok
`

// Programs in C, Python and Octave take and send values of 0 to 5 elements.
func TestProgramsCarryListsOfOwnLengths(t *testing.T) {
	clients := filepath.Join(testkit.Root(t), "clients")
	lists, hits := layoutOf[[]float64](t), layoutOf[[]hit](t)
	need := func(t *testing.T, tools ...string) {
		for _, tool := range tools {
			if _, err := exec.LookPath(tool); err != nil {
				t.Skipf("SKIPPED: no %s", tool)
			}
		}
	}
	program := func(t *testing.T, name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	declared := func(text string, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	floats := []any{[]float64{}, []float64{1}, []float64{1, 2, 3, 4, 5}, []float64{7, 8}}
	records := []any{[]hit{}, []hit{{1.5, 1}}, []hit{{1, 1}, {2, 0}, {3, 1}, {4, 0}, {5, 1}}, []hit{{7, 0}, {8, 1}}}
	inC := func(l *schema.Layout) func(t *testing.T) *exec.Cmd {
		return func(t *testing.T) *exec.Cmd {
			need(t, "cc")
			source := program(t, "reverse.c", declared(l.C("list"))+reverseC)
			binary := filepath.Join(t.TempDir(), "reverse")
			run(t, "cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-I", filepath.Join(clients, "c"), "-o", binary, source, filepath.Join(clients, "c", "ardnet.c"))
			return exec.Command(binary)
		}
	}
	inPython := func(declaration string) func(t *testing.T) *exec.Cmd {
		return func(t *testing.T) *exec.Cmd {
			need(t, "python3", "cc")
			cmd := exec.Command("python3", program(t, "reverse.py", declaration+reversePython))
			cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(clients, "python"), "XDG_CACHE_HOME="+t.TempDir())
			return cmd
		}
	}
	for name, c := range map[string]struct {
		start  func(t *testing.T) *exec.Cmd
		layout *schema.Layout
		values []any
	}{
		"C": {inC(lists), lists, floats}, "C with structs": {inC(hits), hits, records},
		"Python": {inPython(""), lists, floats}, "Python with structs": {inPython(declared(hits.Python("list"))), hits, records},
		"Octave": {func(t *testing.T) *exec.Cmd {
			need(t, "octave-cli", "mkoctfile")
			dir := t.TempDir()
			run(t, "mkoctfile", "--mex", "-I"+filepath.Join(clients, "c"), filepath.Join(clients, "octave", "ardnet.c"),
				filepath.Join(clients, "c", "ardnet.c"), "-o", filepath.Join(dir, "ardnet.mex"))
			return exec.Command("octave-cli", "--no-gui", "--path", dir, program(t, "reverse.m", reverseOctave))
		}, lists, floats},
	} {
		t.Run(name, func(t *testing.T) { reverses(t, c.start(t), c.layout, c.values) })
	}
}

// reverses starts a program and sends it values, which it returns in reverse.
func reverses(t *testing.T, cmd *exec.Cmd, l *schema.Layout, values []any) {
	x := transport(t)
	spec := link.Spec{Name: "there", Schema: l.Type().Definition(), Size: l.Size(), Varies: true}
	tx, err := x.Send(spec)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	spec.Name = "back"
	rx, err := x.Receive(spec)
	if err != nil {
		t.Fatal(err)
	}
	defer rx.Close()
	cmd.Args = append(cmd.Args, "-ardnet.system", x.system)
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	connected := false
	defer func() {
		if !connected {
			t.Logf("%v\n%s", tx.State(), said.String())
		}
	}()
	testkit.Await(t, "the program opens its ports", func() bool {
		connected = tx.State().Connected && rx.State().Connected
		return connected
	})
	buffer := make([]byte, l.Size())
	for _, v := range values {
		sent := reflect.New(reflect.TypeOf(v))
		sent.Elem().Set(reflect.ValueOf(v))
		if err := tx.Send(buffer[:l.Encode(buffer, sent.UnsafePointer())]); err != nil {
			t.Fatal(err)
		}
		stamp, err := rx.Receive(buffer, testkit.Patience())
		if err != nil {
			t.Fatalf("%v: %v\n%s", v, err, said.String())
		}
		got := reflect.New(reflect.TypeOf(v))
		got.Elem().Set(reflect.MakeSlice(reflect.TypeOf(v), 0, mostHits))
		if err := l.Decode(unsafe.Pointer(got.Pointer()), buffer[:stamp.Size]); err != nil {
			t.Fatalf("%v: %d bytes: %v", v, stamp.Size, err)
		}
		want := reflect.MakeSlice(reflect.TypeOf(v), 0, mostHits)
		for i := sent.Elem().Len() - 1; i >= 0; i-- {
			want = reflect.Append(want, sent.Elem().Index(i))
		}
		if fmt.Sprint(got.Elem()) != fmt.Sprint(want) {
			t.Errorf("sent %v, got %v", v, got.Elem())
		}
	}
}

func layoutOf[T any](t *testing.T) *schema.Layout {
	t.Helper()
	typ, err := schema.For[T]()
	if err != nil {
		t.Fatal(err)
	}
	return typ.Bounded(mostHits).Layout()
}

func run(t *testing.T, name string, arguments ...string) {
	t.Helper()
	if out, err := exec.Command(name, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

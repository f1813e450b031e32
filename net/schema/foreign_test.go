package schema_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/schema"
)

// mixed has everything that moves members: sizes in bad order, nested structs, arrays, a slice.
type mixed struct {
	Flag  bool
	Time  float64
	Inner struct {
		A int8
		B int64
		C uint16
	}
	Small  [3]int16
	Values []float32
	Last   int8
}

// The C compiler must put every member at its offset on the wire.
func TestCStructsMatchTheWire(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("SKIPPED: no C compiler")
	}
	typ, err := schema.For[mixed]()
	if err != nil {
		t.Fatal(err)
	}
	layout := typ.Layout(5)
	dir := t.TempDir()
	var source strings.Builder
	text, err := layout.C("packet")
	if err != nil {
		t.Fatal(err)
	}
	source.WriteString("#include <stddef.h>\n" + text)
	fmt.Fprintf(&source, "_Static_assert(sizeof(struct packet) == %d, \"size\");\n", layout.Size()-4)
	for _, leaf := range layout.Leaves() {
		if strings.Contains(leaf.Path, "[") && !strings.HasSuffix(leaf.Path, "[0]") {
			continue
		}
		name := strings.ReplaceAll(strings.TrimSuffix(leaf.Path, "[0]"), ".", "_")
		fmt.Fprintf(&source, "_Static_assert(offsetof(struct packet, %s) == %d, \"%s\");\n", name, leaf.Offset-4, leaf.Path)
	}
	path := filepath.Join(dir, "packet.c")
	if err := os.WriteFile(path, []byte(source.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(cc, "-std=c11", "-fsyntax-only", path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, source.String())
	}
}

func ExampleLayout_C() {
	typ, _ := schema.For[[]float64]()
	text, _ := typ.Layout(2).C("command")
	fmt.Print(text)
	// Output:
	// /* Written by sinew schema: the packets of command, sinew_msgs/msg/Float64Array, 24 bytes. */
	// #include <stdint.h>
	//
	// #pragma pack(push, 1)
	// struct command {
	// 	uint32_t data_count; /* length of data: to be set when sending */
	// 	uint8_t pad4[4]; /* padding */
	// 	double data[2];
	// };
	// #pragma pack(pop)
}

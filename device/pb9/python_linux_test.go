package pb9

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/wire"
)

// python runs the decoder that was written from docs/reference/pb9.md.
func python(t *testing.T, verb string, in []byte) []byte {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED: python3 is missing")
	}
	cmd := exec.Command("python3", "testdata/decode.py", verb)
	cmd.Stdin = bytes.NewReader(in)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &problems)
	}
	return out
}

// TestPythonReadsTheEmulator records a driver's and an emulator's bytes, disturbed between the scans, and lets the decoder read them.
func TestPythonReadsTheEmulator(t *testing.T) {
	near, far := wire.Pipe("memory://scanner")
	if err := errors.Join(near.Open(), far.Open()); err != nil {
		t.Fatal(err)
	}
	e := NewEmulator(far, spiral)
	requests := end(begin(nil, start, 0), 0)
	_, _ = near.Write(requests)
	var sent []byte
	var want strings.Builder
	fmt.Fprintln(&want, "answer 91 1620 4000")
	b := make([]byte, 4096)
	for k := range 50 {
		_ = e.Step(100 * time.Millisecond)
		n, _ := near.Read(b)
		sent = append(append(sent, b[:n]...), "PB noise\x00P"...)
		fmt.Fprint(&want, "scan ", k+1, " 0")
		first, step := Angles()
		for i := range Sectors {
			mm := math.Round(1000 * spiral(first+float64(i)*step, e.now))
			if mm > 4000 {
				mm = 65535
			}
			fmt.Fprint(&want, " ", max(mm, 0))
		}
		fmt.Fprintln(&want)
	}
	requests = end(begin(requests, stop, 0), len(requests))
	_, _ = near.Write(requests[overhead:])
	_ = e.Step(time.Millisecond)
	n, _ := near.Read(b)
	sent = append(sent, b[:n]...)
	want.WriteString("stopped\n")
	if got := string(python(t, "decode", sent)); got != want.String() {
		t.Errorf("the decoder reads\n%.2000s\nexpected\n%.2000s", got, want.String())
	}
	if got := string(python(t, "decode", requests)); got != "start\nstop\n" {
		t.Errorf("the decoder reads the requests as %q", got)
	}
}

// TestDriverReadsPython lets the driver read what the page's other reader has encoded.
func TestDriverReadsPython(t *testing.T) {
	distances := make([]string, Sectors)
	want := make([]float64, Sectors)
	for i := range distances {
		distances[i], want[i] = strconv.Itoa(44*i+40), float64(44*i+40)/1000
	}
	distances[3], want[3] = "65535", math.Inf(1)
	distances[90], want[90] = "4000", 4
	near, far := wire.Pipe("memory://scanner")
	_ = far.Open()
	s := On(near)
	_ = errors.Join(s.Open(), s.Start())
	_ = s.Step(time.Millisecond)
	_, _ = far.Write(python(t, "encode", []byte("1 0 "+strings.Join(distances, " ")+"\n")))
	if err := s.Step(time.Millisecond); err != nil {
		t.Fatal(err)
	}
	for i, x := range s.Scan().Ranges {
		if x != want[i] {
			t.Errorf("sector %d is %v, expected %v", i, x, want[i])
		}
	}
	if n := len(s.Scan().Ranges); n != Sectors {
		t.Errorf("%d sectors", n)
	}
}

// TestFramesAreThoseOfThePage holds the example of the page, and the check value of CRC-16/CCITT-FALSE.
func TestFramesAreThoseOfThePage(t *testing.T) {
	if got := crc([]byte("123456789")); got != 0x29b1 {
		t.Errorf("the CRC of the check value is %04X", got)
	}
	page, err := os.ReadFile("../../docs/reference/pb9.md")
	if err != nil {
		t.Fatal(err)
	}
	near, far := wire.Pipe("memory://scanner")
	_ = errors.Join(near.Open(), far.Open())
	e := NewEmulator(far, spiral)
	request := end(begin(nil, start, 0), 0)
	_, _ = near.Write(request)
	_ = e.Step(0)
	answer := make([]byte, overhead+startedBytes)
	_, _ = near.Read(answer)
	if want := fmt.Sprintf("    % X\n    % X\n", request, answer); !strings.Contains(string(page), want) {
		t.Errorf("the page lacks\n%s", want)
	}
}

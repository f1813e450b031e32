package amd64

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/tape"
)

// Words of the records of the loops that are tested: three numbers and two offsets.
const (
	offsetWord = 3
	resultWord = 4
)

// randomLoop returns a program of n operations on a record of three numbers, three rows at an offset, two rows and the shared k (2 numbers).
func randomLoop(r *rand.Rand, n int, end bool) *tape.Tape {
	t := tape.New()
	values := append(t.Record(3, true), t.Rows("x", 3, offsetWord)...)
	values = append(append(values, t.Input("y", 2)...), t.Shared("k", 2)...)
	values = append(values, t.Const(0.5), t.Const(-3))
	pick := func() tape.Value { return values[r.IntN(len(values))] }
	for range n {
		a, b := pick(), pick()
		switch r.IntN(8) {
		case 0, 1:
			values = append(values, t.Mul(a, t.Div(b, t.Sqrt(t.Add(t.Mul(b, b), t.Const(1)))))) // stays bounded
		case 2, 3:
			values = append(values, t.Add(a, t.Mul(t.Const(0.5), b)))
		case 4:
			values = append(values, t.Sub(t.Abs(a), b))
		case 5:
			values = append(values, t.Min(a, b))
		case 6:
			values = append(values, t.Max(a, t.Neg(b)))
		case 7:
			values = append(values, t.Mul(t.Const(0.1), t.Round(t.Mul(a, t.Const(0.01))))) // rarely near a half
		}
	}
	if end {
		t.Until(values[len(values)-1], t.Const(-1.5))
		return t
	}
	t.StoreRows("z", resultWord, values[len(values)-4:]...)
	return t
}

// Assembled loops must yield the results of the tape for each record and state, and end where it does. They run in a separate module.
func TestAssembledLoopsAgreeWithTheTape(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("SKIPPED: not an amd64 processor")
	}
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	var functions []Function
	var test strings.Builder
	test.WriteString(loopHarness)
	ended := 0
	for k := range 24 {
		p := randomLoop(r, 5<<(k%6), k%2 == 1)
		f, err := Loop(p, fmt.Sprintf("loop%d", k))
		if err != nil {
			t.Fatal(err)
		}
		functions = append(functions, f)
		if writeLoopCase(&test, r, p, f) {
			ended++
		}
	}
	if ended < 3 || ended > 9 {
		t.Errorf("seed %d: %d of 12 loops end before their last record: the sample is one-sided", seed, ended)
	}
	w := tape.New()
	w.StoreRows("z", resultWord, w.Widest(w.Add(w.Rows("x", 1, offsetWord)[0], w.Record(1, true)[0])))
	f, err := Loop(w, "widestLoop")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string][]byte{
		"go.mod": []byte("module assembled\n\ngo 1.24\n"), "p_test.go": []byte(test.String()), "p_amd64.s": Text("Test.", append(functions, f)...), "p.go": Stubs("Test.", "assembled", append(functions, f)...),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"vet", "-unsafeptr=false", "."}, {"test", "."}} {
		c := exec.Command("go", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", fmt.Sprintf("ASSEMBLED=%d", level()))
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("seed %d: go %s: %v\n%s", seed, args[0], err, out)
		}
	}
	if level() < 0 {
		t.Log("SKIPPED: this processor lacks AVX2")
	}
}

// writeLoopCase writes a test that runs f on five random records and compares with the tape. It reports whether the loop ends early.
func writeLoopCase(b *strings.Builder, r *rand.Rand, p *tape.Tape, f Function) bool {
	const records = 5
	numbers := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(float32(r.NormFloat64()))
		}
		return x
	}
	record, x, y, k := numbers(3*records), numbers(3*Lanes*records), numbers(2*Lanes), numbers(2)
	var z []float64
	left, lanes := 0, 0
	for i := 0; i < records && left == 0; i++ {
		of := make([][]float64, 4)
		for lane := range Lanes {
			row := func(x []float64, n int) (one []float64) {
				for j := range n {
					one = append(one, x[Lanes*j+lane])
				}
				return one
			}
			result := p.Evaluate(map[string][]float64{"record": record[3*i : 3*i+3], "x": row(x[3*Lanes*i:], 3), "y": row(y, 2), "k": k})
			for j, v := range result["z"] {
				of[j] = append(of[j], v)
			}
			if p.Exit != nil && result["exit"][0] <= 0 {
				left = records - i
				lanes |= 1 << lane
			}
		}
		for j := range of {
			z = append(z, of[j]...)
		}
	}
	fmt.Fprintf(b, "func Test_%s(t *testing.T) {\n", f.Name)
	for _, a := range []struct {
		name   string
		values []float64
	}{{"record", record}, {"x", x}, {"y", y}, {"k", k}, {"z", z}} {
		fmt.Fprintf(b, "\t%s := []float32{", a.name)
		for _, v := range a.values {
			fmt.Fprintf(b, "%v, ", v)
		}
		b.WriteString("}\n")
	}
	used := ""
	for _, a := range p.Arrays {
		if a.Place == tape.InMemory {
			used += ", &" + a.Name + "[0]"
		}
	}
	words := 5
	if p.Exit != nil {
		words = 4
	}
	for _, a := range p.Arrays {
		words = max(words, a.Word+1)
	}
	fmt.Fprintf(b, "\tmemory, records := layout(record, x, %d)\n\tleft, lanes := %s(unsafe.Pointer(&records[0]), %d, &memory[0]%s)\n", words, f.Name, records, used)
	fmt.Fprintf(b, "\tcheck(t, left, lanes, %d, %d, memory[len(x):], z)\n}\n", left, lanes)
	return left > 0
}

func TestLoopsRefuseResultsWithAnEnd(t *testing.T) {
	p := tape.New()
	x := p.Record(1, true)[0]
	p.Until(x, p.Const(0))
	if _, err := Assemble(p, "noLoop", AVX2); err == nil {
		t.Error("a loop was assembled as a function of one record")
	}
	p.Store("y", 0, x)
	if _, err := Loop(p, "both"); err == nil {
		t.Error("a loop with results and an end was accepted")
	}
}

// loopHarness is the head of the test that the assembled loops are run by.
const loopHarness = `package assembled

import (
	"math"
	"os"
	"testing"
	"unsafe"
)

func TestMain(m *testing.M) {
	if os.Getenv("ASSEMBLED") != "-1" {
		os.Exit(m.Run())
	}
}

// layout puts records of three numbers and two offsets into words, their three rows of x before the four of their results.
func layout(record, x []float32, words int) (memory, records []float32) {
	n := len(record) / 3
	memory = append(x[:len(x):len(x)], make([]float32, 4*8*n)...)
	for i := range n {
		one := append(append([]float32{}, record[3*i:3*i+3]...), offset(3*32*i), offset(4*len(x)+4*32*i))
		records = append(records, one[:words]...)
	}
	return memory, records
}

func offset(bytes int) float32 { return math.Float32frombits(uint32(bytes)) }

func check(t *testing.T, left int, lanes int32, wantLeft int, wantLanes int32, got, want []float32) {
	t.Helper()
	if left != wantLeft || lanes != wantLanes {
		t.Errorf("%d left, lanes %08b; want %d, %08b", left, lanes, wantLeft, wantLanes)
	}
	for i := range want {
		if d := float64(got[i] - want[i]); !(math.Abs(d) <= 1e-4*max(1, math.Abs(float64(want[i])))) {
			t.Errorf("%d: got %g, want %g", i, got[i], want[i])
		}
	}
}

func TestWidestIsTheGreatestOfAllLanes(t *testing.T) {
	for lane := range 8 {
		memory := make([]float32, 16)
		for i := range 8 {
			memory[i] = float32(-i)
		}
		memory[lane] = 7
		records := []float32{3, 0, 0, 0, offset(32)}
		widestLoop(unsafe.Pointer(&records[0]), 1, &memory[0])
		for i, x := range memory[8:] {
			if x != 10 {
				t.Errorf("greatest in lane %d: lane %d is %g", lane, i, x)
			}
		}
	}
}
`

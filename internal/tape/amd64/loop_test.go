package amd64

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
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
	for k := range 25 {
		p := crowdedLoop()
		if k < 24 {
			p = randomLoop(r, 5<<(k%6), k%2 == 1)
		}
		for _, level := range []Level{AVX2, AVX512} {
			f, err := Loop(p, fmt.Sprintf("loop%d%s", k, level), level)
			if err != nil {
				t.Fatal(err)
			}
			functions = append(functions, f)
			if writeLoopCase(&test, r, p, f, level) {
				ended++
			}
		}
	}
	if ended < 6 || ended > 18 {
		t.Errorf("seed %d: %d of 24 loops end before their last record: the sample is one-sided", seed, ended)
	}
	for _, level := range []Level{AVX2, AVX512} {
		for name, write := range map[string]func(string, Level) (Function, error){"Widest": widestLoop, "NaN": boundLoop} {
			f, err := write("loop"+name+level.String(), level)
			if err != nil {
				t.Fatal(err)
			}
			functions = append(functions, f)
			fmt.Fprintf(&test, "func Test_%s(t *testing.T) { test%s(t, %d, %d, %s) }\n", f.Name, name, level, level.LoopLanes(), f.Name)
		}
	}
	for _, level := range []Level{AVX2, AVX512} {
		spills := func(f Function) bool {
			return strings.HasSuffix(f.Name, level.String()) && strings.Contains(f.Text, "(SP)")
		}
		if !slices.ContainsFunc(functions, spills) {
			t.Errorf("seed %d: no loop for %s spills a register", seed, level)
		}
	}
	dir := t.TempDir()
	for name, text := range map[string][]byte{
		"go.mod": []byte("module assembled\n\ngo 1.24\n"), "p_test.go": []byte(test.String()), "p_amd64.s": Text("Test.", functions...), "p.go": Stubs("Test.", "assembled", functions...),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"vet", "-unsafeptr=false", "."}, {"test", "-v", "."}} {
		c := exec.Command("go", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", fmt.Sprintf("ASSEMBLED=%d", level()))
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("seed %d: go %s: %v\n%s", seed, args[0], err, out)
		} else if strings.Contains(string(out), "SKIPPED") {
			t.Log("SKIPPED: this processor lacks AVX2 or AVX512")
		}
	}
}

// crowdedLoop returns a program that needs 31 values at once in every order, so that registers spill.
func crowdedLoop() *tape.Tape {
	t := tape.New()
	x := append(t.Record(3, true), t.Rows("x", 3, offsetWord)...)
	x = append(append(x, t.Input("y", 2)...), t.Shared("k", 2)...)
	chain := []tape.Value{x[3]}
	for i := range 61 {
		chain = append(chain, t.Add(t.Mul(t.Const(0.9), chain[i]), x[i%len(x)]))
	}
	sum := t.Const(0)
	for i, v := range chain[:31] {
		sum = t.Add(t.Mul(t.Const(0.01), t.Mul(v, chain[61-i])), sum)
	}
	t.StoreRows("z", resultWord, sum, x[4], x[5], sum)
	return t
}

// widestLoop writes a loop that adds the record to x and takes the greatest sum of all lanes.
func widestLoop(name string, level Level) (Function, error) {
	w := tape.New()
	w.StoreRows("z", resultWord, w.Widest(w.Add(w.Rows("x", 1, offsetWord)[0], w.Record(1, true)[0])))
	return Loop(w, name, level)
}

// boundLoop writes a loop that ends where a record, a row of numbers, is at most a bound.
func boundLoop(name string, level Level) (Function, error) {
	w := tape.New()
	w.Until(w.Record(1, false)[0], w.Shared("bound", 1)[0])
	return Loop(w, name, level)
}

// writeLoopCase writes a test that runs f on five random records and compares with the tape. It reports whether the loop ends early.
func writeLoopCase(b *strings.Builder, r *rand.Rand, p *tape.Tape, f Function, level Level) bool {
	const records = 5
	width := level.LoopLanes()
	numbers := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(float32(r.NormFloat64()))
		}
		return x
	}
	record, x, y, k := numbers(3*records), numbers(3*width*records), numbers(2*width), numbers(2)
	var z []float64
	left, lanes := 0, 0
	for i := 0; i < records && left == 0; i++ {
		of := make([][]float64, 4)
		for lane := range width {
			row := func(x []float64, n int) (one []float64) {
				for j := range n {
					one = append(one, x[width*j+lane])
				}
				return one
			}
			result := p.Evaluate(map[string][]float64{"record": record[3*i : 3*i+3], "x": row(x[3*width*i:], 3), "y": row(y, 2), "k": k})
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
	fmt.Fprintf(b, "func Test_%s(t *testing.T) {\n\tneed(t, %d)\n", f.Name, level)
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
	fmt.Fprintf(b, "\tmemory, records := layout(record, x, %d, %d)\n\tleft, lanes := %s(unsafe.Pointer(&records[0]), %d, &memory[0]%s)\n", words, width, f.Name, records, used)
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
	if _, err := Loop(p, "both", AVX512); err == nil {
		t.Error("a loop with results and an end was accepted")
	}
}

// loopHarness is the head of the test that the assembled loops are run by.
const loopHarness = `package assembled

import (
	"math"
	"os"
	"strconv"
	"testing"
	"unsafe"
)

func need(t *testing.T, level int) {
	if have, _ := strconv.Atoi(os.Getenv("ASSEMBLED")); have < level {
		t.Skip("SKIPPED: no such processor")
	}
}

// layout puts records of three numbers and two offsets into words, their three rows of x before the four of their results.
func layout(record, x []float32, words, lanes int) (memory, records []float32) {
	n := len(record) / 3
	memory = append(x[:len(x):len(x)], make([]float32, 4*lanes*n)...)
	for i := range n {
		one := append(append([]float32{}, record[3*i:3*i+3]...), offset(3*4*lanes*i), offset(4*len(x)+4*4*lanes*i))
		records = append(records, one[:words]...)
	}
	return memory, records
}

func offset(bytes int) float32 { return math.Float32frombits(uint32(bytes)) }

func check(t *testing.T, left int, lanes int32, wantLeft int, wantLanes int32, got, want []float32) {
	t.Helper()
	if left != wantLeft || lanes != wantLanes {
		t.Errorf("%d left, lanes %b; want %d, %b", left, lanes, wantLeft, wantLanes)
	}
	for i := range want {
		if d := float64(got[i] - want[i]); !(math.Abs(d) <= 1e-4*max(1, math.Abs(float64(want[i])))) {
			t.Errorf("%d: got %g, want %g", i, got[i], want[i])
		}
	}
}

func testWidest(t *testing.T, level, lanes int, loop func(records unsafe.Pointer, n int, rows *float32) (int, int32)) {
	need(t, level)
	for lane := range lanes {
		memory := make([]float32, 2*lanes)
		for i := range lanes {
			memory[i] = float32(-i)
		}
		memory[lane] = 7
		records := []float32{3, 0, 0, 0, offset(4 * lanes)}
		loop(unsafe.Pointer(&records[0]), 1, &memory[0])
		for i, x := range memory[lanes:] {
			if x != 10 {
				t.Errorf("greatest in lane %d: lane %d is %g", lane, i, x)
			}
		}
	}
}

// A number that is none meets no bound: of two records with such lanes only the second ends the loop, in the lane that holds a number.
func testNaN(t *testing.T, level, lanes int, loop func(records unsafe.Pointer, n int, rows, bound *float32) (int, int32)) {
	need(t, level)
	not, bound := float32(math.NaN()), float32(2)
	for lane := range lanes {
		records := make([]float32, 2*lanes)
		for i := range records {
			records[i] = not
		}
		records[lanes+lane] = 2
		left, hit := loop(unsafe.Pointer(&records[0]), 2, &records[0], &bound)
		if left != 1 || hit != 1<<lane {
			t.Errorf("number in lane %d of the second record: %d left, lanes %b", lane, left, hit)
		}
		if left, hit := loop(unsafe.Pointer(&records[0]), 1, &records[0], &bound); left != 0 || hit != 0 {
			t.Errorf("no numbers: %d left, lanes %b", left, hit)
		}
		if left, hit := loop(unsafe.Pointer(&records[0]), 2, &records[0], &not); left != 0 || hit != 0 {
			t.Errorf("no bound: %d left, lanes %b", left, hit)
		}
	}
}
`

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

// randomTape returns a program of n operations on x (5 numbers) and the shared k (3 numbers).
func randomTape(r *rand.Rand, n int) *tape.Tape {
	t := tape.New()
	values := append(t.Input("x", 5), t.Shared("k", 3)...)
	values = append(values, t.Const(0.5), t.Const(-3))
	for range n {
		pick := func() tape.Value { // half the time something recent
			if r.IntN(2) == 0 {
				return values[len(values)-1-r.IntN(min(8, len(values)))]
			}
			return values[r.IntN(len(values))]
		}
		a, b := pick(), pick()
		switch r.IntN(12) {
		case 0, 1, 2, 3:
			values = append(values, t.Mul(a, t.Div(b, t.Sqrt(t.Add(t.Mul(b, b), t.Const(1)))))) // stays bounded
		case 4, 5, 6:
			values = append(values, t.Add(a, t.Mul(t.Const(0.5), b)))
		case 7, 8:
			values = append(values, t.Sub(t.Mul(t.Const(0.25), a), b))
		case 9:
			values = append(values, t.Neg(a))
		case 10:
			values = append(values, t.Sub(t.Neg(a), b))
		case 11:
			values = append(values, t.Sub(t.Neg(t.Mul(a, b)), a))
		}
	}
	for k := range 12 {
		t.Store("y", k, values[len(values)-1-r.IntN(len(values)/2)])
	}
	t.Store("z", 0, t.Const(7))
	t.Store("z", 1, t.Input("x", 5)[2])
	t.Store("z", 2, t.Neg(t.Input("x", 5)[3]))
	return t
}

// Assembled programs must yield the results of the tape. They run in a separate module.
func TestAssembledProgramsAgreeWithTheTape(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("SKIPPED: not an amd64 processor")
	}
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	var functions []Function
	var test strings.Builder
	test.WriteString(harness)
	for k := range 24 {
		p := randomTape(r, 5<<(k%8))
		for _, level := range []Level{AVX2, AVX512} {
			name := fmt.Sprintf("program%d%s", k, level)
			f, err := Assemble(p, name, level)
			if err != nil {
				t.Fatal(err)
			}
			functions = append(functions, f)
			writeCase(&test, r, p, f, level)
		}
	}
	for _, level := range []Level{AVX2, AVX512} {
		f := Sincos("sincos"+level.String(), level)
		functions = append(functions, f)
		fmt.Fprintf(&test, "func Test_%s(t *testing.T) { testSincos(t, %d, %s) }\n", f.Name, level, f.Name)
	}
	dir := t.TempDir()
	for name, text := range map[string][]byte{
		"go.mod": []byte("module assembled\n\ngo 1.24\n"), "p_test.go": []byte(test.String()), "p_amd64.s": Text("Test.", functions...),
		"p.go": Stubs("Test.", "assembled", functions...),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"vet", "."}, {"test", "-v", "."}} {
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

// writeCase writes a test that runs f on eight random states and compares with the tape.
func writeCase(b *strings.Builder, r *rand.Rand, p *tape.Tape, f Function, level Level) {
	shared := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	x := make([]float64, 5*8)
	results := map[string][]float64{"y": make([]float64, 12*8), "z": make([]float64, 3*8)}
	for lane := range 8 {
		one := make([]float64, 5)
		for i := range one {
			one[i] = r.NormFloat64()
			x[8*i+lane] = one[i]
		}
		for name, values := range p.Evaluate(map[string][]float64{"x": one, "k": shared}) {
			for i, v := range values {
				results[name][8*i+lane] = v
			}
		}
	}
	fmt.Fprintf(b, "func Test_%s(t *testing.T) {\n\tneed(t, %d)\n", f.Name, level)
	for _, a := range []struct {
		name   string
		values []float64
	}{{"x", x}, {"k", shared}, {"wantY", results["y"]}, {"wantZ", results["z"]}} {
		fmt.Fprintf(b, "\t%s := %#v\n", a.name, a.values)
	}
	fmt.Fprintf(b, "\ty, z, scratch := make([]float64, 96), make([]float64, 24), make([]float64, %d)\n", f.Scratch+1)
	fmt.Fprintf(b, "\tscratch[%d] = 7\n\t%s(&x[0], &k[0], &y[0], &z[0], &scratch[0])\n", f.Scratch, f.Name)
	fmt.Fprintf(b, "\tcheck(t, y, wantY)\n\tcheck(t, z, wantZ)\n\tcheck(t, scratch[%d:], []float64{7})\n}\n", f.Scratch)
}

func TestTooManyArgumentsAreAnError(t *testing.T) {
	p := tape.New()
	for k := range 12 {
		p.Store("y", k, p.Input(fmt.Sprintf("x%d", k), 1)[0])
	}
	if _, err := Assemble(p, "wide", AVX512); err == nil {
		t.Error("thirteen arguments were accepted")
	}
}

// harness is the head of the test that the assembled programs are run by.
const harness = `package assembled

import (
	"math"
	"os"
	"strconv"
	"testing"
)

func need(t *testing.T, level int) {
	if have, _ := strconv.Atoi(os.Getenv("ASSEMBLED")); have < level {
		t.Skip("SKIPPED: no such processor")
	}
}

func check(t *testing.T, got, want []float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-9*max(1, math.Abs(want[i]))) {
			t.Errorf("%d: got %g, want %g", i, got[i], want[i])
		}
	}
}

func testSincos(t *testing.T, level int, f func(x, shift, sin, cos *float64, rows, from, to int) bool) {
	need(t, level)
	const rows = 4000
	x, shift := make([]float64, rows*8), make([]float64, rows)
	sin, cos := make([]float64, rows*16), make([]float64, rows*16)
	for i := range x {
		x[i] = math.Ldexp(math.Sin(float64(i)*1.37), i%20-3)
		shift[i/8] = float64(i/8 % 5)
		if i%3 == 0 {
			x[i] = float64(i%30000) * math.Pi / 2 - shift[i/8]
		}
	}
	if !f(&x[0], &shift[0], &sin[0], &cos[0], rows, 8, 16) {
		t.Error("angles below 1e5 called wild")
	}
	worst := 0.0
	for i := range x {
		s, c := math.Sincos(x[i] + shift[i/8])
		at := i/8*16 + i%8
		for _, e := range [][2]float64{{sin[at], s}, {cos[at], c}} {
			unit := math.Nextafter(math.Abs(e[1]), 2) - math.Abs(e[1])
			// near a zero math.Sincos itself is off by its rounded π/4
			worst = max(worst, math.Abs(e[0]-e[1])/max(unit, 1e-22*math.Abs(x[i])))
		}
	}
	if worst > 2 {
		t.Errorf("worst error %g units in the last place", worst)
	}
	for _, wild := range []float64{1e5, -1e5, 1e300, math.Inf(1), math.Inf(-1), math.NaN()} {
		for lane := range 8 {
			y := make([]float64, 16)
			y[8+lane] = wild
			if f(&y[0], &make([]float64, 2)[0], &sin[0], &cos[0], 2, 8, 8) {
				t.Errorf("%g in lane %d called tame", wild, lane)
			}
		}
	}
}
`

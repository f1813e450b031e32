//go:build fcl

package geometry

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

var (
	judged = flag.Int("pairs", 100_000, "random pairs that FCL judges")
	seed   = flag.Uint64("seed", 1, "of the first batch of pairs")
	update = flag.Bool("update", false, "record testdata/fcl.txt")
)

const batch = 50_000 // pairs that FCL judges in a process

// fclProgram compiles FCL's side.
func fclProgram(t *testing.T) string {
	program := filepath.Join(t.TempDir(), "fcl")
	out, err := exec.Command("c++", "-O3", "-DNDEBUG", "-o", program, filepath.Join(testkit.Root(t), "bench/peers/fcl.cpp"),
		"-I/usr/include/eigen3", "-lfcl", "-lccd", "-loctomap", "-loctomath").CombinedOutput()
	if err != nil {
		t.Fatalf("compile FCL's side; on Debian `make bench-peers` installs libfcl-dev: %v\n%s", err, out)
	}
	return program
}

// askFCL returns the signed distances and normals of FCL.
func askFCL(t *testing.T, program string, claims []claim) (answers [][4]float64) {
	var list []*Shape
	index := map[*Shape]int{}
	var shapes, pairs bytes.Buffer
	number := func(b *bytes.Buffer, list ...float64) { _ = binary.Write(b, binary.NativeEndian, list) }
	pose := func(b *bytes.Buffer, x *spatial.Pose) {
		for i := range 3 {
			number(b, x.R[i][:]...)
		}
		number(b, x.P.X, x.P.Y, x.P.Z)
	}
	var add func(s *Shape) int
	add = func(s *Shape) int {
		if i, ok := index[s]; ok {
			return i
		}
		h := s.half
		switch s.kind {
		case Sphere, Capsule, Box, Cylinder, Cone, Ellipsoid:
			size := map[Kind][3]float64{ // a sphere and a capsule are all rounding
				Sphere: {s.round}, Capsule: {s.round, 2 * h.Z}, Box: {2 * h.X, 2 * h.Y, 2 * h.Z}, Cylinder: {h.X, 2 * h.Z}, Cone: {h.X, 2 * h.Z},
				Ellipsoid: {h.X, h.Y, h.Z},
			}[s.kind]
			round := s.round
			if s.kind <= Capsule {
				round = 0
			}
			number(&shapes, float64(s.kind), round) // FCL's side has the same order
			number(&shapes, size[:]...)
		case Hull, Mesh:
			points, triangles := s.points, [][3]int32{}
			kind := 6.0
			if s.kind == Mesh {
				kind, points, triangles = 7, s.tree.corners, s.tree.triangles
			}
			number(&shapes, kind, s.round, float64(len(points)))
			for _, p := range points {
				number(&shapes, p.X, p.Y, p.Z)
			}
			number(&shapes, float64(len(triangles)))
			for _, c := range triangles {
				number(&shapes, float64(c[0]), float64(c[1]), float64(c[2]))
			}
		case Plane:
			number(&shapes, 8, s.round)
		default:
			parts := pieces(t, s)
			at := make([]int, len(parts))
			for i, p := range parts {
				at[i] = add(p.Shape)
			}
			number(&shapes, 9, 0, float64(len(parts)))
			for i, p := range parts {
				number(&shapes, float64(at[i]))
				pose(&shapes, &p.Pose)
			}
		}
		list = append(list, s)
		index[s] = len(list) - 1
		return len(list) - 1
	}
	for i := range claims {
		x := &claims[i]
		number(&pairs, float64(add(x.a)))
		pose(&pairs, &x.pa)
		number(&pairs, float64(add(x.b)))
		pose(&pairs, &x.pb)
	}
	var all bytes.Buffer
	number(&all, float64(len(list)))
	all.Write(shapes.Bytes())
	all.Write(pairs.Bytes())
	in, out := filepath.Join(t.TempDir(), "pairs"), filepath.Join(t.TempDir(), "answers")
	if err := os.WriteFile(in, all.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if message, err := exec.Command(program, "answer", in, out).CombinedOutput(); err != nil {
		t.Fatalf("ask FCL for %d pairs: %v\n%s", len(claims), err, message)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	answers = make([][4]float64, len(claims))
	if len(data) != 32*len(answers) {
		t.Fatalf("FCL answered %d of %d pairs", len(data)/32, len(answers))
	}
	_ = binary.Read(bytes.NewReader(data), binary.NativeEndian, answers)
	return answers
}

// tally counts how claims of one kind about one pair of kinds were judged.
type tally struct{ all, agree, refused, decided int }

// TestRandomPairsAgreeWithFCL judges the answers of all queries about random pairs of all kinds by FCL. Where FCL throws, or its distance is more than 1e-6 m
// outside of a claim, [decide] proves which is right.
func TestRandomPairsAgreeWithFCL(t *testing.T) {
	program := fclProgram(t)
	total := map[string]*tally{}
	classes := map[string]int{}
	wrong := 0
	for done := 0; done < *judged; done += batch {
		c := newClaimant(t, *seed+uint64(done/batch))
		for range min(batch, *judged-done) {
			c.pair()
		}
		for i, fcl := range askFCL(t, program, c.claims) {
			x := &c.claims[i]
			n := total[x.what]
			if n == nil {
				n = &tally{}
				total[x.what] = n
			}
			n.all++
			d := fcl[0]
			if d >= x.low-agreement && d <= x.high+agreement {
				n.agree++
				continue
			}
			class := fmt.Sprintf("%s %s, %s: ", x.what, min(x.a.kind, x.b.kind), max(x.a.kind, x.b.kind))
			if math.IsNaN(d) {
				n.refused++
				class += "FCL throws"
			} else {
				n.decided++
				class += fmt.Sprintf("FCL differs by %.0e", math.Pow(10, math.Floor(math.Log10(max(x.low-d, d-x.high)))))
			}
			classes[class]++
			if err := decide(t, c.r, x, spatial.Vec3{X: fcl[1], Y: fcl[2], Z: fcl[3]}); err != nil {
				if wrong++; wrong < 20 {
					t.Errorf("%s: claim [%.9g, %.9g], FCL %.9g: %v", class, x.low, x.high, d, err)
				}
			}
		}
		if (done/batch)%20 == 19 || done+batch >= *judged {
			report(t, min(done+batch, *judged), total, classes, wrong)
		}
	}
}

// report prints the tables so far, since ten million pairs take an hour.
func report(t *testing.T, pairs int, total map[string]*tally, classes map[string]int, wrong int) {
	var text strings.Builder
	fmt.Fprintf(&text, "%d pairs, %d wrong\n", pairs, wrong)
	for _, what := range []string{"distance", "margin", "ray", "sweep"} {
		if n := total[what]; n != nil {
			fmt.Fprintf(&text, "%s: %d claims, FCL agrees with %d, throws at %d, differs in %d\n", what, n.all, n.agree, n.refused, n.decided)
		}
	}
	var lines []string
	for class, n := range classes {
		lines = append(lines, fmt.Sprintf("%8d %s", n, class))
	}
	slices.Sort(lines)
	slices.Reverse(lines)
	for _, line := range lines[:min(len(lines), 60)] {
		fmt.Fprintln(&text, line)
	}
	fmt.Fprintln(os.Stderr, text.String())
	if pairs >= *judged {
		t.Log(text.String())
	}
}

// TestRecordFCL writes the answers of FCL about the pairs of TestRecordedPairsAgreeWithFCL.
func TestRecordFCL(t *testing.T) {
	if !*update {
		t.Skip("SKIPPED: records only with -update")
	}
	c := newClaimant(t, recordedSeed)
	for range recordedPairs {
		c.pair()
	}
	var text bytes.Buffer
	for i, fcl := range askFCL(t, fclProgram(t), c.claims) {
		x := &c.claims[i]
		mark := ""
		if d := fcl[0]; !(d >= x.low-agreement && d <= x.high+agreement) {
			if err := decide(t, rand.New(rand.NewPCG(1, 1)), x, spatial.Vec3{X: fcl[1], Y: fcl[2], Z: fcl[3]}); err != nil {
				t.Fatal(err)
			}
			mark = " differs"
		}
		fmt.Fprintf(&text, "%.7g%s\n", fcl[0], mark)
	}
	if err := os.WriteFile("testdata/fcl.txt", text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

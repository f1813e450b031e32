package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/cli"
)

// evalResult is the output of `sinew model eval --json`, and the format of the reference files; in these fk is a
// list.
type evalResult struct {
	Base   string
	Joints []struct {
		Name           string
		Type           string
		IQ, NQ, IV, NV int
	}
	Links     []string
	TotalMass float64 `json:"total_mass"`
	Frame     string  `json:"jacobian_link"`
	States    []map[string]json.RawMessage
}

// evalReferences calls f for each robot with values computed by Pinocchio 3.7 (robot/multibody/testdata/README.md).
func evalReferences(t *testing.T, f func(t *testing.T, urdf string, want *evalResult, text []byte)) {
	t.Helper()
	files, err := filepath.Glob("../../../shared/data/reference/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Log("SKIPPED: ../shared/data/reference is absent; only the excerpts of robot/multibody/testdata are compared")
		files, _ = filepath.Glob("../../robot/multibody/testdata/*.json")
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".json")
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := new(evalResult)
			if err := json.Unmarshal(text, want); err != nil {
				t.Fatal(err)
			}
			f(t, name+".urdf", want, text)
		})
	}
}

// evaluate runs the command on a file of states.
func evaluate(t *testing.T, urdf string, want *evalResult, states []byte) *evalResult {
	t.Helper()
	in := filepath.Join(t.TempDir(), "states.json")
	if err := os.WriteFile(in, states, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"model", "eval", urdf, "--in", in, "--frame", want.Frame, "--json"}
	if want.Base == "floating" {
		args = append(args, "--floating")
	}
	var stdout, stderr bytes.Buffer
	if code := cli.Execute(args, &stdout, &stderr); code != 0 || stderr.Len() > 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	got := new(evalResult)
	if err := json.Unmarshal(stdout.Bytes(), got); err != nil {
		t.Fatal(err)
	}
	return got
}

// flat returns the numbers in a piece of JSON: one, a list, or a list of lists.
func flat(t *testing.T, text json.RawMessage) []float64 {
	t.Helper()
	var one float64
	if json.Unmarshal(text, &one) == nil {
		return []float64{one}
	}
	var list []float64
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatalf("%v: %.60s", err, text)
	}
	return list
}

// nearTo fails unless got and want agree to 1e-10 of the largest entry, at least 1.
func nearTo(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	scale := 1.
	for _, x := range want {
		scale = max(scale, math.Abs(x))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= 1e-10*scale) {
			t.Fatalf("%s[%d] = %.15g, want %.15g", what, i, got[i], want[i])
		}
	}
}

// TestEvalMatchesTheReferenceValues compares everything that eval writes with the references. The reference files are
// used as input: eval ignores unknown keys.
func TestEvalMatchesTheReferenceValues(t *testing.T) {
	evalReferences(t, func(t *testing.T, urdf string, want *evalResult, text []byte) {
		got := evaluate(t, urdf, want, text)
		if fmt.Sprint(got.Joints) != fmt.Sprint(want.Joints) || fmt.Sprint(got.Base, got.Frame) != fmt.Sprint(want.Base, want.Frame) {
			t.Errorf("head is %v\nwant %v", got.Joints, want.Joints)
		}
		nearTo(t, "total_mass", []float64{got.TotalMass}, []float64{want.TotalMass})
		if len(got.States) != len(want.States) {
			t.Fatalf("%d states, want %d", len(got.States), len(want.States))
		}
		for i, w := range want.States {
			g := got.States[i]
			for _, key := range []string{"rnea", "aba", "gravity_vec", "coriolis_v", "kinetic", "potential", "energy", "com", "M_upper", "J"} {
				nearTo(t, fmt.Sprintf("states[%d].%s", i, key), flat(t, g[key]), flat(t, w[key]))
			}
			var poses map[string][]float64
			if err := json.Unmarshal(g["fk"], &poses); err != nil {
				t.Fatal(err)
			}
			if len(poses) != len(want.Links) {
				t.Fatalf("%d links, want %d", len(poses), len(want.Links))
			}
			var wantPoses [][]float64
			if w["fk"] == nil {
				continue
			}
			if err := json.Unmarshal(w["fk"], &wantPoses); err != nil {
				t.Fatal(err)
			}
			for k, link := range want.Links {
				nearTo(t, fmt.Sprintf("states[%d].fk.%s", i, link), poses[link], wantPoses[k])
			}
		}
	})
}

// TestEvalFollowsTheOrderOfTheFile lists the joints in another order: every result follows it.
func TestEvalFollowsTheOrderOfTheFile(t *testing.T) {
	evalReferences(t, func(t *testing.T, urdf string, want *evalResult, text []byte) {
		plain := evaluate(t, urdf, want, text)
		order := rand.New(rand.NewPCG(1, 2)).Perm(len(want.Joints))
		var q, v []int // the places of the shuffled coordinates in the plain vectors
		names := make([]string, len(order))
		for i, k := range order {
			j := want.Joints[k]
			names[i] = j.Name
			for c := range j.NQ {
				q = append(q, j.IQ+c)
			}
			for c := range j.NV {
				v = append(v, j.IV+c)
			}
		}
		pick := func(from []float64, at []int) []float64 {
			out := make([]float64, len(at))
			for i, k := range at {
				out[i] = from[k]
			}
			return out
		}
		input := map[string]any{"joints": names}
		var states []map[string][]float64
		for _, s := range want.States {
			states = append(states, map[string][]float64{
				"q": pick(flat(t, s["q"]), q), "v": pick(flat(t, s["v"]), v), "a": pick(flat(t, s["a"]), v), "tau": pick(flat(t, s["tau"]), v),
			})
		}
		input["states"] = states
		shuffled, err := json.Marshal(input)
		if err != nil {
			t.Fatal(err)
		}
		got := evaluate(t, urdf, want, shuffled)
		n := len(v)
		for i := range want.States {
			p, g := plain.States[i], got.States[i]
			for _, key := range []string{"rnea", "aba", "gravity_vec", "coriolis_v"} {
				nearTo(t, key, flat(t, g[key]), pick(flat(t, p[key]), v))
			}
			for _, key := range []string{"kinetic", "potential", "com"} {
				nearTo(t, key, flat(t, g[key]), flat(t, p[key]))
			}
			var columns, pairs []int
			for row := range 6 {
				for _, k := range v {
					columns = append(columns, row*n+k)
				}
			}
			nearTo(t, "J", flat(t, g["J"]), pick(flat(t, p["J"]), columns))
			for r := range n {
				for c := r; c < n; c++ {
					row, column := min(v[r], v[c]), max(v[r], v[c])
					pairs = append(pairs, row*n-row*(row-1)/2+column-row)
				}
			}
			nearTo(t, "M_upper", flat(t, g["M_upper"]), pick(flat(t, p["M_upper"]), pairs))
		}
	})
}

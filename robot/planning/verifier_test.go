package planning_test

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/planningtest"
	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// verifiers are the ways to check edges, each of which can run with both engines.
var verifiers = map[string]func(v *planning.Verifier, s *scene.Scene, j *space.Joints){
	"recursive":  func(*planning.Verifier, *scene.Scene, *space.Joints) {}, // vectorized where the engine is one for lines
	"sequential": func(v *planning.Verifier, _ *scene.Scene, _ *space.Joints) { v.Sequential = true },
	"continuous": func(v *planning.Verifier, s *scene.Scene, j *space.Joints) {
		v.Continuous = must(proof.NewProver(s, j, 1e-3))
	},
}

// TestEdgeAsLongAsTheRangeHasItsPoints checks edges of 1 rad as trees make them, whose length rounding makes a little more or less: all have 32 points
// 1/32 rad apart.
func TestEdgeAsLongAsTheRangeHasItsPoints(t *testing.T) {
	b := planningtest.New(t, "panda", "cage", 2)
	r := testkit.Rand(t)
	v := must(planning.NewVerifier(nothingTouches{exact.New(b.Base)}, b.Space, 1.0/32))
	from, to, end := make([]float64, b.Space.Dim()), make([]float64, b.Space.Dim()), make([]float64, b.Space.Dim())
	for range 100 {
		for k := range from {
			from[k], to[k] = r.NormFloat64(), r.NormFloat64()
		}
		b.Space.Interpolate(from, to, 1/b.Space.Distance(from, to), end)
		v.Checked = 0
		if !v.Edge(from, end) || v.Checked != 32 {
			t.Fatalf("an edge of %.17g rad has %d points", b.Space.Distance(from, end), v.Checked)
		}
	}
}

// nothingTouches is an engine of a scene in which nothing touches.
type nothingTouches struct{ scene.Engine }

func (nothingTouches) Collide([]float64) (pair scene.Pair, hit bool, err error) {
	return pair, false, nil
}

// TestVerifiersAgreeAboutEdges checks the same edges of real robots among real obstacles by all verifiers and both engines. Those that check the same points agree; a
// continuous one finds all that they find, and what it finds beyond is a contact between their points. Long edges and short ones, beside
// contacts, in equal parts.
func TestVerifiersAgreeAboutEdges(t *testing.T) {
	for _, c := range []struct{ robot, set string }{{"panda", "cage"}, {"ur5", "bookshelf_small"}, {"fetch", "table_under_pick"}} {
		t.Run(c.robot, func(t *testing.T) {
			b := planningtest.New(t, c.robot, c.set, 2)
			r := testkit.Rand(t)
			free, hit, between := 0, 0, 0
			for i := range 3 {
				p, s := b.Problem(t, i)
				type named struct {
					name string
					*planning.Verifier
				}
				var all []named
				for _, e := range []scene.Engine{exact.New(s), must(spheres.New(s))} {
					for name, set := range verifiers {
						v := must(planning.NewVerifier(e, b.Space, resolution))
						set(v, s, b.Space)
						all = append(all, named{e.Name() + " " + name, v})
					}
				}
				fine := must(planning.NewVerifier(exact.New(s), b.Space, resolution/64))
				prover := must(proof.NewProver(s, b.Space, 1e-3))
				judge := exact.New(s)
				from, to, q := make([]float64, b.Space.Dim()), make([]float64, b.Space.Dim()), make([]float64, s.NQ())
				for range 60 {
					long := math.Pow(10, -2+2.5*r.Float64())
					for k := range from {
						_, lower, upper := b.Space.Limits(k)
						from[k] = min(max(p.Start[k]+0.02*(upper-lower)*r.NormFloat64(), lower), upper)
						to[k] = min(max(from[k]+0.3*long*(upper-lower)*r.NormFloat64(), lower), upper)
					}
					if !fine.Free(from) {
						continue
					}
					verdict, err := prover.Edge(from, to)
					if err != nil {
						t.Fatal(err)
					}
					if !verdict.Free { // an independent look at the contact that it names
						at := make([]float64, len(from))
						b.Space.Interpolate(from, to, verdict.Time, at)
						b.Space.Configuration(at, q)
						if _, touches, err := judge.Collide(q); !touches || err != nil {
							t.Fatalf("the prover finds a contact at %g of the way, where there is none: %v", verdict.Time, err)
						}
					} else if verdict.Proved && !fine.Edge(from, to) {
						t.Fatalf("an edge is proved free on which points %g apart touch: %+v", resolution/64, verdict)
					}
					verdicts := map[bool]int{}
					for _, v := range all {
						got := v.Edge(from, to)
						if v.Continuous != nil {
							if got != verdict.Free && (verdict.Proved || !verdict.Free) { // where both only sample, they differ in their points
								t.Errorf("%s: free %t, want %t as the prover reports", v.name, got, verdict.Free)
							}
							continue
						}
						verdicts[got]++
						if !got && verdict.Proved {
							t.Errorf("%s finds a contact on an edge that is proved free", v.name)
						}
					}
					switch {
					case len(verdicts) == 2 && !near(t, judge, b.Space, from, to):
						t.Errorf("verifiers that check the same points disagree: %v", verdicts)
					case verdict.Free:
						free++
					case verdicts[true] > 0:
						between++
					default:
						hit++
					}
				}
			}
			t.Logf("%d edges are free, %d are not, on %d the contact is between the points", free, hit, between)
			if free < 20 || hit < 20 {
				t.Errorf("%d free edges and %d others", free, hit)
			}
		})
	}
}

// near reports whether the points of an edge come nearer to a contact than 1e-5 m, where engines may differ.
func near(t *testing.T, e *exact.Engine, j *space.Joints, a, b []float64) bool {
	t.Helper()
	q, p := make([]float64, j.NQ()), make([]float64, j.Dim())
	n := math.Ceil(j.Distance(a, b) / resolution)
	for k := 1.0; k <= n; k++ {
		j.Interpolate(a, b, k/n, p)
		j.Configuration(p, q)
		if c := must(e.Distance(q)); math.Abs(c.Distance) < 1e-5 {
			return true
		}
	}
	return false
}

// TestContinuousVerifierSeesWhatIsBetweenPoints slides a ball through a sheet that is thinner than the resolution, and plans with it.
func TestContinuousVerifierSeesWhatIsBetweenPoints(t *testing.T) {
	sheet := scene.Object{Name: "sheet", Pose: spatial.Translation(spatial.Vec3{X: 2.01, Y: 1}), Parts: []geometry.Part{{Shape: must(geometry.NewBox(spatial.Vec3{X: 0.001, Y: 3, Z: 1}))}}}
	s := slider(0.001, 4, sheet)
	j := joints(s)
	v := must(planning.NewVerifier(exact.New(s), j, resolution))
	from, to := []float64{1, 1}, []float64{3, 1}
	if !v.Edge(from, to) {
		t.Fatal("the points of the edge touch the sheet: it is no test")
	}
	v.Continuous = must(proof.NewProver(s, j, 1e-4))
	if v.Edge(from, to) || v.Edge(to, from) {
		t.Error("the sheet is missed")
	}
	if verdict := must(v.Continuous.Edge(from, to)); verdict.Pair.String() != "ball and sheet" || math.Abs(1+2*verdict.Time-2.01) > 0.002 {
		t.Errorf("verdict %+v", verdict)
	}
	planner := must(planning.NewConnect(exact.New(s), j, resolution, 5000))
	planner.Verifier().Continuous = v.Continuous
	path, err := planner.Plan(from, to)
	if err != nil || path.Len() < 3 {
		t.Fatalf("a path of %v points: %v", path, err)
	}
	for i := 1; i < path.Len(); i++ {
		if !v.Edge(path.At(i-1), path.At(i)) {
			t.Errorf("edge %d of the path is not free", i)
		}
	}
	up := []float64{1.5, 3}
	testkit.NoAllocs(t, 20, func() { v.Edge(from, up) })
}

package geometry

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestDistanceOfConvexPairsIsCertified(t *testing.T) {
	r := testkit.Rand(t)
	var q Query
	for _, ka := range append(convexKinds, Plane) {
		for _, kb := range convexKinds {
			for i := range 300 {
				a, b := randomShape(t, r, ka, 1), randomShape(t, r, kb, 1)
				pa, pb := randomPose(r, 0.7), randomPose(r, 0.7)
				if i%3 == 0 && a.kind != Plane { // near contact
					a, _ = a.Rounded(0.2 * r.Float64())
				}
				c, err := q.Distance(a, &pa, b, &pb, nil)
				if err != nil {
					t.Fatal(err)
				}
				certify(t, r, a, &pa, b, &pb, c, 1)
			}
		}
	}
}

func TestDistanceIsSymmetricAndInvariant(t *testing.T) {
	r := testkit.Rand(t)
	var q Query
	for _, ka := range convexKinds {
		for _, kb := range convexKinds {
			for range 100 {
				a, b := randomShape(t, r, ka, 1), randomShape(t, r, kb, 1)
				pa, pb, m := randomPose(r, 0.8), randomPose(r, 0.8), randomPose(r, 3)
				c, _ := q.Distance(a, &pa, b, &pb, nil)
				d, _ := q.Distance(b, &pb, a, &pa, nil)
				testkit.Near(t, "exchanged "+ka.String()+" "+kb.String(), d.Distance, c.Distance, 1e-6)
				ma, mb := m.Mul(pa), m.Mul(pb)
				e, _ := q.Distance(a, &ma, b, &mb, nil)
				testkit.Near(t, "moved "+ka.String()+" "+kb.String(), e.Distance, c.Distance, 2e-6)
			}
		}
	}
}

func TestHitAgreesWithDistance(t *testing.T) {
	r := testkit.Rand(t)
	var q Query
	for _, ka := range append(convexKinds, Plane) {
		for _, kb := range append(convexKinds, Plane) {
			for range 200 {
				a, b := randomShape(t, r, ka, 1), randomShape(t, r, kb, 1)
				pa, pb := randomPose(r, 1), randomPose(r, 1)
				c, err := q.Distance(a, &pa, b, &pb, nil)
				for _, margin := range []float64{0, 0.1, 0.5} {
					hit, free, herr := q.Hit(a, &pa, b, &pb, margin, nil)
					if herr != nil {
						t.Fatal(herr)
					}
					if err == ErrUnbounded {
						if !hit {
							t.Fatal("two planes do not overlap")
						}
						continue
					}
					if math.Abs(c.Distance-margin) > 1e-9 && hit != (c.Distance <= margin) {
						t.Fatalf("%v, %v: distance %g, hit at margin %g: %v", ka, kb, c.Distance, margin, hit)
					}
					if !hit && (free > c.Distance+1e-9 || free < margin-1e-9) {
						t.Fatalf("%v, %v: distance %g at margin %g, but bound %g", ka, kb, c.Distance, margin, free)
					}
				}
			}
		}
	}
}

func TestWarmStartAgreesWithColdStart(t *testing.T) {
	r := testkit.Rand(t)
	var q Query
	for _, ka := range convexKinds {
		for _, kb := range convexKinds {
			a, b := randomShape(t, r, ka, 1), randomShape(t, r, kb, 1)
			pa, pb := randomPose(r, 1), randomPose(r, 1)
			var warm WarmStart
			for range 50 {
				step := randomPose(r, 0.02)
				step.R = step.R.Mul(step.R.T())
				pb = step.Mul(pb)
				c, _ := q.Distance(a, &pa, b, &pb, nil)
				w, _ := q.Distance(a, &pa, b, &pb, &warm)
				testkit.Near(t, "warm "+ka.String()+" "+kb.String(), w.Distance, c.Distance, 2e-6)
			}
		}
	}
}

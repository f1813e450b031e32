package control

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The two-state filter and the general one are the same filter.
func TestPositionKalmanEqualsGeneral(t *testing.T) {
	const h, qa, r = 0.01, 4.0, 0.001
	pk := NewPositionKalman(qa, r, h)
	kf := NewKalman(2, 0, 1)
	copy(kf.A, []float64{1, h, 0, 1})
	copy(kf.C, []float64{1, 0})
	q := qa * qa
	copy(kf.Q, []float64{q * h * h * h * h / 4, q * h * h * h / 2, q * h * h * h / 2, q * h * h})
	kf.R[0] = r * r

	rng := rand.New(rand.NewPCG(1, 2))
	z := math.Sin(0) + r*rng.NormFloat64()
	pk.Step(z)
	kf.X[0] = z
	copy(kf.P, []float64{pk.ppp, pk.ppv, pk.ppv, pk.pvv})
	for k := 1; k < 500; k++ {
		z = math.Sin(2*float64(k)*h) + r*rng.NormFloat64()
		p, v, _ := pk.Step(z)
		kf.Predict(nil)
		if err := kf.Update([]float64{z}); err != nil {
			t.Fatal(err)
		}
		if math.Abs(p-kf.X[0]) > 1e-8 || math.Abs(v-kf.X[1]) > 1e-6 {
			t.Fatalf("step %d: (%v, %v) and %v", k, p, v, kf.X)
		}
	}
}

// The errors of a filter with the true model have the covariance that the filter claims: the mean of the normalized
// squared error over many runs is the number of states.
func TestKalmanIsConsistent(t *testing.T) {
	const seed, runs, steps = 7, 400, 60
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	const h = 0.1
	var nees float64
	for range runs {
		kf := NewKalman(2, 1, 1)
		copy(kf.A, []float64{1, h, -h, 0.95})
		copy(kf.B, []float64{0, h})
		copy(kf.C, []float64{1, 0.3})
		copy(kf.Q, []float64{1e-4, 0, 0, 4e-4})
		kf.R[0] = 0.01
		copy(kf.P, []float64{1, 0, 0, 1})
		x := []float64{rng.NormFloat64(), rng.NormFloat64()}
		for k := range steps {
			u := math.Cos(float64(k) * 0.2)
			x[0], x[1] = x[0]+h*x[1]+0.01*rng.NormFloat64(), -h*x[0]+0.95*x[1]+h*u+0.02*rng.NormFloat64()
			kf.Predict([]float64{u})
			kf.Update([]float64{x[0] + 0.3*x[1] + 0.1*rng.NormFloat64()})
		}
		a, b := x[0]-kf.X[0], x[1]-kf.X[1]
		p := kf.P
		if p[1] != p[2] {
			t.Fatal("covariance lost its symmetry")
		}
		nees += (a*a*p[3] - 2*a*b*p[1] + b*b*p[0]) / (p[0]*p[3] - p[1]*p[2]) / runs
	}
	if math.Abs(nees-2) > 5*2/math.Sqrt(runs) {
		t.Errorf("mean normalized squared error %.3f, want 2", nees)
	}
}

func TestPositionKalmanPredictsThroughGaps(t *testing.T) {
	pk := NewPositionKalman(1, 0.01, 0.1)
	pk.Step(0)
	for k := range 50 {
		pk.Step(0.1 * float64(k+1))
	}
	p, v, ok := pk.Step(math.NaN())
	if ok || math.Abs(p-5.1) > 1e-3 || math.Abs(v-1) > 1e-2 {
		t.Errorf("prediction %v, %v, %v; want 5.1, 1, false", p, v, ok)
	}
}

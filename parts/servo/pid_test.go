package servo

import (
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
)

// The published law, written out, on random gains, limits and errors.
func TestPIDFollowsThePublishedLaw(t *testing.T) {
	random := testkit.Rand(t)
	saturated := 0
	for range 20 {
		kp, ki, kd, limit := 10*random.Float64(), random.Float64(), 10*random.Float64(), 1+20*random.Float64()
		pid := &PID{
			Kp: block.NewParam(kp), Ki: block.NewParam(ki), Kd: block.NewParam(kd),
			Min: block.NewParam(-limit), Max: block.NewParam(limit / 2),
		}
		r := newRig(t)
		r.add("pid", pid)
		var u, e, e1, e2 float64
		r.run(200, func(k int) {
			ref, sen := random.NormFloat64(), random.NormFloat64()
			pid.Ref.Feed(ref)
			pid.Sen.Feed(sen)
			e = ref - sen
			if k == 0 {
				e1, e2 = e, e
			}
		}, func(k int) {
			u += kp*(e-e1) + ki*e + kd*(e-2*e1+e2)
			if u < -limit || u > limit/2 {
				saturated++
			}
			u = math.Min(math.Max(u, -limit), limit/2)
			e1, e2 = e, e1
			testkit.Near(t, "u", pid.Out.Value(), u, 1e-9)
		})
	}
	if saturated == 0 {
		t.Error("nothing was saturated: the test shows too little")
	}
}

func TestPIDRestsUntilAReferenceCame(t *testing.T) {
	pid := &PID{Kp: block.NewParam(3.0), Ki: block.NewParam(1.0)}
	r := newRig(t)
	r.add("pid", pid)
	r.run(5, func(k int) {
		pid.Sen.Feed(2)
		if k == 3 {
			pid.Ref.Feed(2.5)
		}
	}, func(k int) {
		// The first error counts as one of the past: only the integral answers to it.
		if want := []float64{0, 0, 0, 0.5, 1}[k]; pid.Out.Value() != want {
			t.Errorf("step %d: out = %v, expected %v", k, pid.Out.Value(), want)
		}
	})
}

func TestPIDStopsOnNumbersThatAreNone(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		pid := &PID{Ki: block.NewParam(1.0)}
		r := newRig(t)
		r.add("pid", pid)
		faults := r.run(10, func(k int) {
			pid.Ref.Feed(5)
			pid.Sen.Feed(4)
			if k == 6 {
				pid.Sen.Feed(bad)
			}
		}, nil)
		if len(faults) != 1 || !strings.Contains(faults[0].String(), `block "pid"`) || !strings.Contains(faults[0].Why, "finite") {
			t.Errorf("sen = %v: faults %v", bad, faults)
		}
		if pid.Out.Value() != 0 {
			t.Errorf("sen = %v: out = %v, expected the safe value", bad, pid.Out.Value())
		}
	}
}

func TestPIDRefusesImpossibleTuning(t *testing.T) {
	for _, c := range []struct {
		want string
		pid  PID
	}{
		{"kp is -1 V/rad: wants at least 0", PID{Kp: block.NewParam(-1.0)}},
		{"ki is NaN", PID{Ki: block.NewParam(math.NaN())}},
		{"min is greater than max", PID{Min: block.NewParam(1.0), Max: block.NewParam(-1.0)}},
	} {
		if got := buildError(t, &c.pid); !strings.Contains(got, c.want) {
			t.Errorf("got %q, expected %q", got, c.want)
		}
	}
}

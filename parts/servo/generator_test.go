package servo

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
)

func TestGeneratorReachesItsTargetInTime(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40} {
		g := &Generator{N: block.NewConst(n)}
		target := make([]float64, n)
		for i := range target {
			target[i] = float64(i) - 3.3
		}
		r := newRig(t)
		r.add("generator", g)
		r.run(60, func(k int) {
			if k == 5 {
				if _, err := g.moveTo(Move{target, 0.4}); err != nil { // between steps 4 and 5: so until step 44
					t.Fatal(err)
				}
			}
		}, func(k int) {
			switch {
			case k < 5:
				testkit.AllNear(t, "at rest", g.Position.Value(), make([]float64, n), 0)
			case k == 24: // half-way
				for i := range target {
					testkit.Near(t, "half-way", g.Position.Value()[i], target[i]/2, 1e-12)
					testkit.Near(t, "velocity half-way", g.Velocity.Value()[i], target[i]*1.875/0.4, 1e-9)
				}
			case k >= 44:
				if !slices.Equal(g.Position.Value(), target) {
					t.Errorf("n = %d, step %d: at %v", n, k, g.Position.Value())
				}
				testkit.AllNear(t, "velocity", g.Velocity.Value(), make([]float64, n), 0)
				testkit.AllNear(t, "acceleration", g.Acceleration.Value(), make([]float64, n), 0)
			}
		})
	}
}

// Commands at any time, also while it moves: position, velocity and acceleration go on without a jump.
func TestGeneratorNeverJumps(t *testing.T) {
	random := testkit.Rand(t)
	g := &Generator{Start: block.NewConst([]float64{0.5})}
	r := newRig(t)
	r.add("generator", g)
	h := period.Seconds()
	var q, v, a float64
	r.run(5000, func(k int) {
		if random.IntN(50) == 0 {
			if _, err := g.moveTo(Move{[]float64{2*random.Float64() - 1}, 0.5 + 0.01*float64(random.IntN(100))}); err != nil {
				t.Fatal(err)
			}
		}
	}, func(k int) {
		q1, v1, a1 := g.Position.Value()[0], g.Velocity.Value()[0], g.Acceleration.Value()[0]
		if k == 0 && q1 != 0.5 {
			t.Errorf("starts at %v", q1)
		}
		if k > 0 {
			// Hermite's quintic through both ends: exact unless something jumped between them. The jerk may change
			// at a command, so the tolerance is that of its third power of h.
			predicted := q + h/2*(v+v1) + h*h/12*(a-a1)
			testkit.Near(t, "position", q1, predicted, 1e-5)
			testkit.Near(t, "velocity", v1, v+h/2*(a+a1), 1e-2)
			if math.Abs(a1-a) > 0.2*60*4*4*h*10 {
				t.Errorf("step %d: acceleration jumps from %v to %v", k, a, a1)
			}
		}
		q, v, a = q1, v1, a1
	})
}

func TestGeneratorRefusesAndGoesOn(t *testing.T) {
	g := &Generator{}
	r := newRig(t)
	r.add("generator", g)
	r.run(60, func(k int) {
		if k == 0 {
			if _, err := g.moveTo(Move{[]float64{1}, 0.3}); err != nil {
				t.Fatal(err)
			}
		}
		if k != 10 {
			return
		}
		for _, m := range []struct {
			Move
			want error
		}{
			{Move{[]float64{math.NaN()}, 1}, g.errTarget}, {Move{[]float64{math.Inf(-1)}, 1}, g.errTarget},
			{Move{[]float64{1}, 0}, errDuration}, {Move{[]float64{1}, -3}, errDuration},
			{Move{[]float64{1}, math.NaN()}, errDuration}, {Move{[]float64{1}, math.Inf(1)}, errDuration},
		} {
			if _, err := g.moveTo(m.Move); !errors.Is(err, m.want) {
				t.Errorf("moveTo(%v): %v", m.Move, err)
			}
		}
	}, nil)
	if got := g.Position.Value()[0]; got != 1 {
		t.Errorf("ended at %v", got)
	}
	if got := buildError(t, &Generator{Start: block.NewConst([]float64{1, 2})}); got == "" {
		t.Error("a start of two elements for one axis was taken")
	}
}

func TestBridgeRefJoinsTheThree(t *testing.T) {
	b := &BridgeRef{N: block.NewConst(2)}
	r := newRig(t)
	r.add("bridge", b)
	r.run(2, func(k int) {
		if k == 0 {
			b.Velocity.Feed([]float64{3, 4})
			b.Acceleration.Feed([]float64{5, 6})
			b.Position.Feed([]float64{1, 2})
		}
	}, func(int) {
		if want := []float64{1, 2, 3, 4, 5, 6}; !slices.Equal(b.Reference.Value(), want) {
			t.Errorf("reference = %v, expected %v", b.Reference.Value(), want)
		}
	})
	if n := *inspect.PortOf(&b.Reference).Count(); n != 1 {
		t.Errorf("one new position was passed on %d times", n)
	}
}

// The sequence repeats without a jump, rests while running is false, and continues.
func TestPoseSequenceRepeats(t *testing.T) {
	g := &PoseSequence{Generator: Generator{N: block.NewConst(2)}, Poses: block.NewConst([]float64{1, 0, 0, 1}),
		Times: block.NewConst([]float64{0.2, 0.4}), Running: block.NewParam(true)}
	r := newRig(t)
	r.add("g", g)
	at := map[int][]float64{0: {0, 1}, 20: {1, 0}, 60: {0, 1}, 80: {1, 0}, 200: {1, 0}}
	r.run(201, func(k int) {
		if k == 75 {
			g.Running.Set(false)
		}
	}, func(k int) {
		if want, ok := at[k]; ok {
			testkit.AllNear(t, "pose", g.Position.Value(), want, 1e-9)
		}
		for _, v := range g.Velocity.Value() {
			if math.Abs(v) > 1.875/0.2+1e-9 {
				t.Errorf("step %d: velocity %g", k, v)
			}
		}
	})
}

func TestPoseSequenceRejectsWrongPoses(t *testing.T) {
	for want, b := range map[string]*PoseSequence{
		"poses is empty":                        &PoseSequence{Generator: Generator{N: block.NewConst(2)}},
		"wants 2 positions":                     &PoseSequence{Generator: Generator{N: block.NewConst(2)}, Poses: block.NewConst([]float64{1, 2, 3}), Times: block.NewConst([]float64{1})},
		"times[1] is 0 s: wants at least 1e-06": &PoseSequence{Generator: Generator{N: block.NewConst(1)}, Poses: block.NewConst([]float64{1, 2}), Times: block.NewConst([]float64{1, 0})},
	} {
		if got := buildError(t, b); !strings.Contains(got, want) {
			t.Errorf("got %q, expected %q", got, want)
		}
	}
}

package flow

import (
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// lateSource returns a source of the number of the step, from step k on.
func lateSource(k int) *source {
	return &source{next: func(step int) []float64 {
		if step < k {
			return nil
		}
		return []float64{float64(step)}
	}}
}

// sink remembers the new values of each step.
type sink struct {
	In   block.In[[]float64]
	Flag block.In[bool]
	seen []float64
}

func (s *sink) Setup(b *block.Setup) error { b.Len(1, &s.In); return nil }

func (s *sink) Step(clock.Tick) error {
	if v, status := s.In.Read(); status == block.NewData {
		s.seen = append(s.seen, v[0])
	}
	if flag, status := s.Flag.Read(); status == block.NewData {
		s.seen = append(s.seen, map[bool]float64{true: 1}[flag])
	}
	return nil
}

func TestSumWaitsForInputsOfItsCycle(t *testing.T) {
	r, out := newRig(t), &sink{}
	r.add("a", lateSource(0))
	r.add("b", lateSource(2))
	r.add("sum", &Sum{Signs: block.NewConst("+-+")}, "a.out -> sum.in1", "b.out -> sum.in2")
	r.add("out", out, "sum.out -> out.in")
	r.run(5, func(int) {})
	if !slices.Equal(out.seen, []float64{0, 0, 0}) {
		t.Errorf("the sum is written as %v; want a - b of the steps 2, 3 and 4, where the unlinked in3 counts as 0", out.seen)
	}
}

func TestSumOfALoopStartsAtZeroAndIsListed(t *testing.T) {
	r, out := newRig(t), &sink{}
	r.d.Thread(diagram.Thread{Name: "slow", Period: 5 * period})
	r.d.Add("far", &source{next: func(int) []float64 { return []float64{1000} }}, diagram.Place{Thread: "slow", Every: 2, Offset: 1})
	r.add("one", &Constant{Value: block.NewParam([]float64{1})})
	r.add("sum", &Sum{Signs: block.NewConst("+++")}, "one.out -> sum.in1", "far.out -> sum.in3")
	r.d.Join(diagram.Link{From: diagram.End{Block: "sum", Port: "out"}, To: diagram.End{Block: "sum", Port: "in2"}, Delay: true})
	r.add("out", out, "sum.out -> out.in")
	net := r.run(4, func(int) {})
	if !slices.Equal(out.seen, []float64{1, 2, 3, 4}) {
		t.Errorf("the sum is written as %v; want 1, 2, 3, 4", out.seen)
	}
	var late []string
	for _, l := range net.Late {
		late = append(late, l.String())
	}
	if want := []string{
		"sum.in2 counts as 0 until sum.out -> sum.in2 brings the first value: the link has a delay",
		`sum.in3 counts as 0 until far.out -> sum.in3 brings the first value: it comes from thread "slow"`,
	}; !slices.Equal(late, want) {
		t.Errorf("late inputs: %q; want %q", late, want)
	}
}

// An integrator writes before it reads, so a sum behind it begins with its initial value.
func TestLoopOverAnIntegratorIsNeverLate(t *testing.T) {
	r, out := newRig(t), &sink{}
	r.add("one", &Constant{Value: block.NewParam([]float64{1})})
	r.add("plant", &Integrator{Initial: block.NewParam([]float64{5})}, "sum.out -> plant.in")
	r.add("sum", &Sum{Signs: block.NewConst("+-")}, "one.out -> sum.in1", "plant.out -> sum.in2")
	r.add("out", out, "sum.out -> out.in")
	if net := r.run(1, func(int) {}); len(net.Late) > 0 || !slices.Equal(out.seen, []float64{-4}) {
		t.Errorf("the sum is written as %v, late are %v; want -4, none", out.seen, net.Late)
	}
}

func TestLogicWaitsForInputsOfItsCycle(t *testing.T) {
	r, out := newRig(t), &sink{}
	r.add("a", lateSource(2))
	r.add("compare", &Compare{}, "a.out -> compare.in")
	r.add("nand", &Logic{Operator: block.NewConst("nand")}, "compare.out -> nand.in1")
	r.add("out", out, "nand.out -> out.flag")
	r.run(4, func(int) {})
	if len(out.seen) != 2 {
		t.Errorf("the result is written %d times in 4 steps; want 2, from step 2 on", len(out.seen))
	}
}

package servo

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
)

// bow returns points on a bow from home: joint 1 turns by 1 rad, joint 2 leans forward by 0.3 rad and comes back.
func bow(n int) (points [][]float64) {
	for k := range n {
		s := float64(k+1) / float64(n)
		q := slices.Clone(pandaHome)
		q[0] += s * s * (3 - 2*s)
		q[1] += 0.3 * math.Sin(math.Pi*s) * math.Sin(math.Pi*s)
		points = append(points, q)
	}
	return points
}

// The judge of the path is its formula; that of the limits are the numbers of the block's parameters.
func TestProgramRunsAPathOfOperations(t *testing.T) {
	r, p := programRig(t, map[string]string{"lines.yaml": lines})
	asked := false
	worst, most := 0.0, 0.0
	r.run(6000, func(k int) {
		if k == 1 {
			for i, q := range bow(150) {
				if _, err := p.addPoint(PathPoint{int64(i + 1), q}); err != nil {
					t.Fatal(err)
				}
			}
			_, err := p.runPath(block.None{})
			if asked = err == nil; err != nil {
				t.Fatal(err)
			}
		}
		if p.State.Value() == stateCompiling {
			time.Sleep(time.Millisecond) // virtual time does not wait for the goroutine
		}
	}, func(k int) {
		q := p.Position.Value()
		turned := min(1, max(0, q[0]-pandaHome[0]))
		s := 0.5 - math.Sin(math.Asin(1-2*turned)/3) // of s²(3-2s) = turned
		worst = max(worst, math.Abs(q[1]-pandaHome[1]-0.3*math.Pow(math.Sin(math.Pi*s), 2)))
		for i, a := range p.Acceleration.Value() {
			most = max(most, math.Abs(a)/p.AccelerationLimit.Value()[min(i, len(p.AccelerationLimit.Value())-1)])
		}
	})
	if !asked || p.State.Value() != stateEnded {
		t.Fatalf("state %d, want %d", p.State.Value(), stateEnded)
	}
	testkit.Near(t, "joint 1", p.Position.Value()[0], 1, 1e-9)
	if worst > 2e-3 {
		t.Errorf("joint 2 leaves the path by %.2g rad", worst)
	}
	if most > 1+1e-6 {
		t.Errorf("an acceleration is %.3g of its limit", most)
	}
}

func TestProgramRefusesPathsThatCannotBeRun(t *testing.T) {
	r, p := programRig(t, map[string]string{"lines.yaml": lines})
	r.start()
	if err := p.Step(tick); err != nil {
		t.Fatal(err)
	}
	if _, err := p.runPath(block.None{}); !errors.Is(err, errNoPath) {
		t.Errorf("no point: %v", err)
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), 100} {
		q := slices.Clone(pandaHome)
		q[3] = x
		if _, err := p.addPoint(PathPoint{1, q}); !errors.Is(err, errPoint) {
			t.Errorf("%g: %v", x, err)
		}
	}
	number := int64(0)
	add := func() error {
		number++
		_, err := p.addPoint(PathPoint{number, pandaHome})
		return err
	}
	testkit.NoAllocs(t, mostPoints/4, func() { _ = add() })
	for number < mostPoints {
		if err := add(); err != nil {
			t.Fatal(number, err)
		}
	}
	if err := add(); !errors.Is(err, errFull) {
		t.Errorf("a path of more than %d points: %v", mostPoints, err)
	}
	if number = 0; add() != nil {
		t.Error("point 1 does not begin a new path")
	}
	if number = 2; !errors.Is(add(), errOrder) {
		t.Error("point 3 is taken after point 1")
	}
}

//go:build fcl

package plan

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// FCL and the exact engine answer alike, except where bodies are nearer than FCL's rounding.
func TestFCLEngineAgreesWithTheExactOne(t *testing.T) {
	task, err := readTask("../../examples/plan/gate/gate.xml", ends{radius: pointRadius})
	if err != nil {
		t.Fatal(err)
	}
	fcl, err := newFCL(task.scene)
	if err != nil {
		t.Fatal(err)
	}
	own := exact.New(task.scene)
	r := testkit.Rand(t)
	q, p := make([]float64, task.scene.NQ()), make([]float64, task.space.Dim())
	hits := 0
	for range 400 {
		for i := range p {
			_, low, high := task.space.Limits(i)
			p[i] = max(low, -math.Pi) + r.Float64()*(min(high, math.Pi)-max(low, -math.Pi))
		}
		task.space.Configuration(p, q)
		_, hit, err := fcl.Collide(q)
		if err != nil {
			t.Fatal(err)
		}
		c, err := own.Distance(q)
		if err != nil {
			t.Fatal(err)
		}
		if hit {
			hits++
		}
		if hit != (c.Distance <= 0) && math.Abs(c.Distance) > 1e-6 {
			t.Errorf("at %v FCL's answer is %v, the distance %g m", q, hit, c.Distance)
		}
		list, err := fcl.Touching(q, nil)
		if err != nil || len(list) > 0 != hit {
			t.Errorf("touching: %v, %v; collides: %v", list, err, hit)
		}
	}
	if hits < 20 || hits > 380 {
		t.Errorf("%d of 400 configurations collide", hits)
	}
}

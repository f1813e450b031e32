package arm

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/planningtest"
)

// Both arms execute the plans of published problems (MotionBenchMaker) as a movePath under computed torque: at every step of 1 ms the commanded
// velocities, accelerations and jerks and the measured velocities are within the limits, and so are the torques.
func TestArmsExecutePlannedProblems(t *testing.T) {
	t.Run("panda", func(t *testing.T) {
		executePlans(t, "panda", nil, "panda/panda.urdf", "panda_hand", []string{"panda_finger_joint1=0.02"}, 50)
	})
	t.Run("ur5", func(t *testing.T) {
		executePlans(t, "ur5", []string{"ur5-program.yaml"}, "ur5/ur5.urdf", "tool0", nil, 10)
	})
}

// peaks are the greatest values of a run as parts of their limits.
type peaks struct{ velocity, acceleration, jerk, measured, torque, off float64 }

func executePlans(t *testing.T, robot string, overlays []string, urdf, tool string, locked []string, count int) {
	file, err := description.Read(os.DirFS("../../models"), urdf, description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Lock(locked...); err != nil {
		t.Fatal(err)
	}
	model, err := file.Model()
	if err != nil {
		t.Fatal(err)
	}
	sets := []string{"bookshelf_small", "table_pick", "box", "cage", "bookshelf_tall", "table_under_pick", "bookshelf_thin"}
	done := 0
	benches := make([]*planningtest.Bench, len(sets))
	var most peaks
	for k := 0; done < count; k++ {
		b, i := benches[k%len(sets)], k/len(sets)
		if b == nil {
			b = planningtest.New(t, robot, sets[k%len(sets)], 50_000)
			benches[k%len(sets)] = b
		}
		if problem := &b.Set.Problems[i]; problem.Valid != nil && !*problem.Valid {
			continue // an end touches something
		}
		path := plan(t, b, i)
		done++
		name := fmt.Sprintf("%s %d", sets[k%len(sets)], b.Set.Problems[i].Index)
		p := drive(t, model, overlays, tool, path)
		if p.velocity > 1 || p.acceleration > 1 || p.jerk > 1 || p.measured > 1 || p.torque > 1 || p.off > 0.005 {
			t.Errorf("%s: beyond a limit, as parts of it: %+v", name, p)
		}
		most = peaks{max(most.velocity, p.velocity), max(most.acceleration, p.acceleration), max(most.jerk, p.jerk), max(most.measured, p.measured), max(most.torque, p.torque), max(most.off, p.off)}
	}
	t.Logf("%d plans executed; greatest parts of the limits: %+v", done, most)
}

// plan returns the waypoints of problem i.
func plan(t *testing.T, b *planningtest.Bench, i int) (points [][]float64) {
	p, _ := b.Problem(t, i)
	path, err := b.Planner.Plan(p.Start, p.Goal)
	if err != nil {
		t.Fatalf("%s %d: %v", b.Set.Name, p.Index, err)
	}
	planning.NewSimplifier(b.Planner.Verifier()).Simplify(path)
	for k := range path.Len() {
		points = append(points, append([]float64(nil), path.At(k)...))
	}
	return points
}

// drive executes waypoints in the example, and returns the greatest values of all steps.
func drive(t *testing.T, model *multibody.Model, overlays []string, tool string, points [][]float64) (p peaks) {
	text, err := json.Marshal(points)
	if err != nil {
		t.Fatal(err)
	}
	start, err := json.Marshal(points[0])
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "plan.yaml")
	if err := os.WriteFile(file, fmt.Appendf(nil, "tools: {tool: {link: %s}}\nmoves:\n  - movePath: %s\n    blend: 10 mm\n", tool, text), 0o644); err != nil {
		t.Fatal(err)
	}
	watch := filepath.Join(t.TempDir(), "watch.yaml")
	if err := os.WriteFile(watch, fmt.Appendf(nil, watched, model.NV()), 0o644); err != nil {
		t.Fatal(err)
	}
	speed, effort := make([]float64, model.NV()), make([]float64, model.NV())
	model.VelocityLimits(speed)
	model.EffortLimits(effort)
	const acceleration, jerk = 5, 50 // the defaults of servo.Program
	tryFile(t, "program.yaml", append(overlays, watch), []string{"programs=[" + file + "]", "initial=" + string(start)}, func(r *trial) {
		for k := 1; ; k++ {
			r.until(0.05 * float64(k))
			if reading, err := r.local.Read(t.Context(), "program.state"); err != nil {
				panic(err) // a goroutine of its own: not t.Fatal
			} else if reading.Value.(int64) == 5 {
				break
			} else if k == 600 {
				t.Error("the program has not ended after 30 s")
				return
			}
		}
		v, a, j, measured, torque, off := r.read("watch.v"), r.read("watch.a"), r.read("watch.j"), r.read("watch.measured_v"), r.read("watch.tau"), r.read("watch.off")
		for i := range v {
			p.velocity, p.acceleration, p.jerk = max(p.velocity, v[i]/speed[i]), max(p.acceleration, a[i]/acceleration), max(p.jerk, j[i]/(jerk*(1+1e-6)))
			p.measured, p.torque, p.off = max(p.measured, measured[i]/speed[i]), max(p.torque, torque[i]/effort[i]), max(p.off, off[i])
		}
		testkit.AllNear(t, "position at the end", r.read("robot.position"), points[len(points)-1], 0.005)
	})
	return p
}

// watched adds the block that sees every step to the example.
const watched = `
blocks:
  watch: {type: arm.Watch, params: {joints: %d}}
links:
  - program.position -> watch.position
  - program.velocity -> watch.velocity
  - program.acceleration -> watch.acceleration
  - robot.position -> watch.at
  - robot.velocity -> watch.measured
  - law.torque -> watch.torque
`

// Watch holds the greatest absolute values of all steps, one for each joint.
type Watch struct {
	Joints block.Const[int64]

	Position, Velocity, Acceleration, At, Measured, Torque block.In[[]float64]

	V   block.Out[[]float64]
	A   block.Out[[]float64]
	J   block.Out[[]float64]
	M   block.Out[[]float64] `name:"measured_v"`
	Tau block.Out[[]float64]
	Off block.Out[[]float64]

	most   [6][]float64
	before []float64
	change []float64
	begun  bool
}

// Setup sets the lengths.
func (w *Watch) Setup(s *block.Setup) error {
	n := int(w.Joints.Value())
	s.Len(n, &w.Position, &w.Velocity, &w.Acceleration, &w.At, &w.Measured, &w.Torque, &w.V, &w.A, &w.J, &w.M, &w.Tau, &w.Off)
	for k := range w.most {
		w.most[k] = make([]float64, n)
	}
	w.before, w.change = make([]float64, n), make([]float64, n)
	return nil
}

// Step compares with the greatest values so far.
func (w *Watch) Step(t clock.Tick) error {
	read := func(p *block.In[[]float64]) []float64 { x, _ := p.Read(); return x }
	a, q, want := read(&w.Acceleration), read(&w.At), read(&w.Position)
	keep := func(k int, x []float64) {
		for i := range x {
			w.most[k][i] = max(w.most[k][i], math.Abs(x[i]))
		}
	}
	keep(0, read(&w.Velocity))
	keep(1, a)
	keep(3, read(&w.Measured))
	keep(4, read(&w.Torque))
	if w.begun {
		for i := range a {
			w.change[i] = (a[i] - w.before[i]) / t.Seconds()
		}
		keep(2, w.change)
		for i := range q {
			w.change[i] = q[i] - want[i]
		}
		keep(5, w.change)
	}
	copy(w.before, a)
	w.begun = true
	for k, out := range []*block.Out[[]float64]{&w.V, &w.A, &w.J, &w.M, &w.Tau, &w.Off} {
		out.Write(w.most[k])
	}
	return nil
}

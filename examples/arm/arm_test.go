package arm

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

// trial is the system in virtual time under observation by a test.
type trial struct {
	t     *testing.T
	p     *thread.Participant
	local *admin.Local
}

func try(t *testing.T, overlays, params []string, do func(*trial)) {
	t.Helper()
	tryFile(t, "arm.yaml", overlays, params, do)
}

func tryFile(t *testing.T, file string, overlays, params []string, do func(*trial)) {
	t.Helper()
	s, err := system.Load(file, system.Options{Registry: block.NewRegistry(flow.Blocks(), servo.Blocks(), torque.Blocks(), []block.Entry{block.Of[Watch]("holds the greatest values of all steps")}), Overlays: overlays, Params: params})
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(s.Net, thread.Options{})
	local := admin.NewLocal(core.Front(), s)
	core.Front().Go(func(p *thread.Participant) {
		defer core.Front().Stop()
		do(&trial{t, p, local.As(p)})
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, fault := range core.Front().Faults() {
		t.Error(fault)
	}
}

func (r *trial) until(seconds float64) {
	if err := r.p.Wait(clock.At(time.Duration(seconds*float64(time.Second))), nil); err != nil {
		panic(err) // a goroutine of its own: not t.Fatal
	}
}

func (r *trial) read(port string) (v []float64) {
	reading, err := r.local.Read(context.Background(), port)
	if err != nil {
		panic(err) // a goroutine of its own: not t.Fatal
	}
	for _, x := range reading.Value.([]any) {
		v = append(v, x.(float64))
	}
	return v
}

// Both arms follow the tour and then a goal under each controller: close to the motion, without torques that are cut, and smoothly.
func TestArmsFollowUnderEachController(t *testing.T) {
	farthest := map[string]float64{"computed-torque": 0.005, "impedance": 0.03, "pid": 0.06} // rad
	for arm, overlays := range map[string][]string{"panda": nil, "ur5": {"ur5.yaml"}} {
		for controller, most := range farthest {
			t.Run(arm+" "+controller, func(t *testing.T) {
				try(t, overlays, []string{"controller=" + controller}, func(r *trial) {
					worst, cut, chatter := 0.0, 0.0, 0.0
					var last []float64
					home := r.read("motion.position")
					for k := range 160 { // two cycles every 50 ms
						r.until(0.0505 + 0.05*float64(k))
						if k == 100 {
							goal := make([]any, len(home))
							for i, q := range r.read("motion.target") {
								goal[i] = q * 0.9
							}
							if _, err := r.local.Call(context.Background(), "motion.moveTo", []any{goal, 2.0}, nil); err != nil {
								t.Error(err)
								return
							}
						}
						last = append(last[:0], r.read("controller.law.torque")...)
						r.until(0.0515 + 0.05*float64(k))
						q, want, tau, off := r.read("robot.position"), r.read("motion.position"), r.read("controller.law.torque"), r.read("robot.cut")
						for i := range q {
							worst = max(worst, math.Abs(q[i]-want[i]))
							chatter = max(chatter, math.Abs(tau[i]-last[i]))
							cut = max(cut, math.Abs(off[i]))
						}
					}
					t.Logf("error up to %.2f mrad, torques change by up to %.2f N m a cycle", 1e3*worst, chatter)
					if worst > most || cut > 0 || chatter > 3 {
						t.Errorf("error %.4f rad (at most %v), cut %.3f N m, torques change by %.3f N m from cycle to cycle", worst, most, cut, chatter)
					}
					testkit.AllNear(t, "at the goal", r.read("robot.position"), r.read("motion.target"), 0.01)
				})
			})
		}
	}
}

// The original description with its meshes, where it is there, moves as ours.
func TestOriginalPandaMovesAsOurs(t *testing.T) {
	file := testkit.SharedData(t, "models/example-robot-data/robots/panda_description/urdf/panda.urdf")
	var at [2][]float64
	for i, params := range [][]string{nil, {"urdf=" + file}} {
		try(t, nil, params, func(r *trial) {
			r.until(1.5)
			at[i] = r.read("robot.position")
		})
	}
	testkit.AllNear(t, "position", at[1], at[0], 1e-3)
}

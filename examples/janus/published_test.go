package janus

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/script"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
)

func load(t *testing.T, overlays ...string) *system.System {
	t.Helper()
	s, err := system.Load("janus.yaml", system.Options{Registry: block.NewRegistry(flow.Blocks(), servo.Blocks()), Overlays: overlays})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestActivitiesAreThoseOfTable1 holds activities.yaml against Table 1 of Santini and Lages (2011): models, activities, periods,
// and the order of priorities. Reporter and TaskBrowser are the recorder and sinew browse: no blocks.
func TestActivitiesAreThoseOfTable1(t *testing.T) {
	const sequential = 0 // runs in its caller's activity
	table1 := []struct {
		component, model string
		priority         int // 1 is the most urgent
		period           time.Duration
	}{
		{"sampler", "servo.Sampler", 1, 10 * time.Millisecond},
		{"aic01", "servo.Card", sequential, 0}, {"aic02", "servo.Card", sequential, 0},
		{"joint1", "servo.Joint", sequential, 0}, {"joint2", "servo.Joint", sequential, 0},
		{"sensor", "servo.SensorNMux", 2, 0},
		{"bridge_ref", "servo.BridgeRef", 97, 0},
		{"generator", "servo.Generator", 98, 10 * time.Millisecond},
		{"controller", "servo.ControllerNPID", 3, 0},
		{"pid1", "servo.PID", sequential, 0}, {"pid2", "servo.PID", sequential, 0},
		{"actuator", "servo.ActuatorNDemux", 3, 0},
	}
	at := map[string]*diagram.ThreadPlan{}
	types := map[string]string{}
	for _, plan := range load(t, "activities.yaml").Net.Threads {
		for _, b := range plan.Blocks {
			at[b.Name], types[b.Name] = plan, b.Type
		}
	}
	for _, c := range table1 {
		plan := at[c.component]
		if plan == nil || types[c.component] != c.model {
			t.Fatalf("%s is a %s, want %s", c.component, types[c.component], c.model)
		}
		if c.priority == sequential {
			if !plan.Triggered {
				t.Errorf("%s is sequential, but its thread %s is periodic", c.component, plan.Name)
			}
			continue
		}
		if plan.Period != c.period || plan.Triggered != (c.period == 0) {
			t.Errorf("%s has the period %v, triggered %v; want %v", c.component, plan.Period, plan.Triggered, c.period)
		}
		for _, other := range table1 {
			if o := at[other.component]; other.priority != sequential && (c.priority < other.priority) != (plan.Priority > o.Priority) {
				t.Errorf("%s has the priority %d and %s %d: in Table 1 %d and %d, 1 first",
					c.component, plan.Priority, other.component, o.Priority, c.priority, other.priority)
			}
		}
	}
	for _, pid := range []string{"pid1", "pid2"} {
		if at[pid] != at["controller"] {
			t.Errorf("%s runs in the thread %s, not in its caller's", pid, at[pid].Name)
		}
	}
}

// TestMovesAreThoseOfTable2 looks at the planned motion around the beginning and the end of each command of Table 2.
func TestMovesAreThoseOfTable2(t *testing.T) {
	s := load(t)
	core := thread.New(s.Net, thread.Options{})
	moves, err := script.Load(os.DirFS("."), s.Script)
	if err != nil {
		t.Fatal(err)
	}
	local := admin.NewLocal(core.Front(), s)
	core.Front().Go(func(p *thread.Participant) {
		if err := moves.Run(local.As(p), io.Discard); err != nil {
			t.Error(err)
		}
	})
	const margin = 0.05 // s: what a script commands takes effect in the next cycle, and is read a cycle later
	core.Front().Go(func(p *thread.Participant) {
		janus := local.As(p)
		read := func(at float64, port string) []float64 {
			if err := p.Wait(clock.At(time.Duration(at*float64(time.Second))), nil); err != nil {
				t.Error(err)
			}
			r, err := janus.Read(context.Background(), "generator."+port)
			if err != nil {
				t.Error(err)
				return nil
			}
			q := r.Value.([]any)
			return []float64{q[0].(float64), q[1].(float64)}
		}
		still := func(v []float64) bool { return v[0] == 0 && v[1] == 0 }
		for i, m := range table2 {
			for _, c := range []struct {
				at    float64
				still bool
			}{{m.at - margin, true}, {m.at + margin, false}, {m.at + m.duration - margin, false}, {m.at + m.duration + margin, true}} {
				if v := read(c.at, "velocity"); still(v) != c.still {
					t.Errorf("command %d: at %v s the planned velocities are %v", i+1, c.at, v)
				}
			}
			if q := read(m.at+m.duration+margin, "position"); !slices.Equal(q, []float64{m.joint1, m.joint2}) {
				t.Errorf("command %d leads to %v, want %v and %v", i+1, q, m.joint1, m.joint2)
			}
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// TestFeedforwardSwapsTheControllerAndAddsTheModel holds the overlay against Table 3: another model of the controller, and one new
// component. sinew adds the inverse of the motors, which turns the model's torques into voltages.
func TestFeedforwardSwapsTheControllerAndAddsTheModel(t *testing.T) {
	types := func(s *system.System) map[string]string {
		m := map[string]string{}
		for _, b := range s.Net.Blocks {
			m[b.Name] = b.Type
		}
		return m
	}
	before, after := types(load(t)), types(load(t, "janus-feedforward.yaml"))
	var changed []string
	for name, typ := range after {
		if before[name] != typ {
			changed = append(changed, fmt.Sprintf("%s: %s", name, typ))
		}
	}
	slices.Sort(changed)
	want := []string{"controller: servo.ControllerNPIDFF", "model: servo.InverseDynamics", "motors: servo.MotorInverse"}
	if !slices.Equal(changed, want) || len(after) != len(before)+2 {
		t.Errorf("the overlay changes %q, want %q", changed, want)
	}
}

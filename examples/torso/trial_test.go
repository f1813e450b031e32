package torso

import (
	"context"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

// load reads the system, optionally with other values of parameters.
func load(t *testing.T, overlays ...string) *system.System {
	t.Helper()
	s, err := system.Load("torso.yaml", system.Options{Registry: block.NewRegistry(flow.Blocks(), servo.Blocks(), torque.Blocks()), Overlays: overlays})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// trial is the system in virtual time under observation by a test.
type trial struct {
	t     *testing.T
	p     *thread.Participant
	local *admin.Local
}

// try runs the system and calls do meanwhile.
func try(t *testing.T, do func(*trial)) {
	t.Helper()
	s := load(t)
	core := thread.New(s.Net, thread.Options{})
	local := admin.NewLocal(core.Front(), s)
	core.Front().Go(func(p *thread.Participant) {
		defer core.Front().Stop()
		do(&trial{t: t, p: p, local: local.As(p)})
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, fault := range core.Front().Faults() {
		t.Error(fault)
	}
}

// until waits for a time of the system.
func (r *trial) until(seconds float64) {
	r.t.Helper()
	if err := r.p.Wait(clock.At(time.Duration(seconds*float64(time.Second))), nil); err != nil {
		panic(err) // a goroutine of its own: not t.Fatal
	}
}

// read returns the vector at a port.
func (r *trial) read(port string) []float64 {
	r.t.Helper()
	reading, err := r.local.Read(context.Background(), port)
	if err != nil {
		panic(err) // a goroutine of its own: not t.Fatal
	}
	return numbers(reading.Value)
}

// set sets parameters of a block.
func (r *trial) set(name string, values map[string]any) {
	r.t.Helper()
	if err := r.local.SetParams(context.Background(), name, values); err != nil {
		panic(err) // a goroutine of its own: not t.Fatal
	}
}

// push feeds a force in N, in the axes of the world, on the robot's left palm.
func (r *trial) push(force []float64) {
	r.t.Helper()
	if err := r.local.Feed(context.Background(), "robot.push", force); err != nil {
		panic(err) // a goroutine of its own: not t.Fatal
	}
}

// limbs are the blocks of the controller, in the order of the robot's joints.
var limbs = []string{"torso", "left_arm", "left_hand", "right_arm", "right_hand"}

// stay ends the pose sequence at its current pose, and waits until the robot is at rest.
func (r *trial) stay() {
	r.t.Helper()
	r.set("reference", map[string]any{"running": false})
	r.until(8) // the way to the first pose takes 4 s
}

// all returns the vectors of all limbs at their ports of this name.
func (r *trial) all(port string) (v []float64) {
	r.t.Helper()
	for _, limb := range limbs {
		v = append(v, r.read(limb+"."+port)...)
	}
	return v
}

// param returns a parameter.
func (r *trial) param(name string) []float64 {
	r.t.Helper()
	v, err := r.local.Param(context.Background(), name)
	if err != nil {
		panic(err) // a goroutine of its own: not t.Fatal
	}
	return numbers(v)
}

// numbers returns a vector in the form in which tools read it.
func numbers(v any) []float64 {
	list := v.([]any)
	all := make([]float64, len(list))
	for i, x := range list {
		all[i] = x.(float64)
	}
	return all
}

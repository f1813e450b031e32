package hexapod

import (
	"context"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/hierarchy"
)

const urdf = "models/walker/walker.urdf"

// build returns the machine as a net.
func build(t *testing.T) (*Machine, *diagram.Net) {
	t.Helper()
	h, m := hierarchy.New("walker", 3), &Machine{}
	m.Write(h, os.DirFS("../../.."), urdf)
	net, err := h.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m, net
}

// trial is a machine that runs in virtual time under the control of a test.
type trial struct {
	*Machine
	t     *testing.T
	p     *thread.Participant
	front *thread.Front
	worst struct{ low, high, tilt float64 } // of the body since the last look
}

// try runs a machine while do, which starts when the machine lies.
func try(t *testing.T, do func(*trial)) {
	t.Helper()
	m, net := build(t)
	core := thread.New(net, thread.Options{})
	core.Front().Go(func(p *thread.Participant) {
		defer core.Front().Stop()
		r := &trial{Machine: m, t: t, p: p, front: core.Front()}
		r.look()
		r.wait(1)
		do(r)
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, fault := range core.Front().Faults() {
		t.Error(fault)
	}
}

// wait lets the machine move for some seconds and observes its body.
func (r *trial) wait(seconds float64) {
	end := r.front.Now().Add(time.Duration(seconds * float64(time.Second)))
	for r.front.Now() < end {
		if err := r.p.Wait(min(end, r.front.Now().Add(20*time.Millisecond)), nil); err != nil {
			r.t.Error(err)
			return
		}
		position, orientation := r.Robot.sim.base()
		up := orientation.Mat3().Col(2)
		r.worst.low, r.worst.high = min(r.worst.low, position.Z), max(r.worst.high, position.Z)
		r.worst.tilt = max(r.worst.tilt, math.Acos(min(up.Z, 1)))
	}
}

// look resets the observed extremes.
func (r *trial) look() {
	r.worst.low, r.worst.high, r.worst.tilt = math.Inf(1), 0, 0
}

// until waits for a state of the drive.
func (r *trial) until(state int64, seconds float64) {
	r.t.Helper()
	for end := r.front.Now().Add(time.Duration(seconds * float64(time.Second))); r.Locomotion.State.Value() != state; {
		if r.front.Now() > end {
			r.t.Fatalf("at %v the drive is in state %d, expected %d", r.front.Now(), r.Locomotion.State.Value(), state)
		}
		r.wait(0.02)
	}
}

// stand makes the machine stand up.
func (r *trial) stand() {
	r.t.Helper()
	r.order(r.Locomotion.standUp)
	r.until(Standing, 4)
	r.look()
}

func (r *trial) order(do func() error) {
	r.t.Helper()
	if err := do(); err != nil {
		r.t.Error(err)
	}
}

// walk makes it walk for some seconds, and then come to rest.
func (r *trial) walk(v Velocity, seconds float64) {
	r.t.Helper()
	r.order(func() error { return r.Locomotion.walk(v) })
	r.wait(seconds)
	r.order(func() error { return r.Locomotion.walk(Velocity{}) })
	r.until(Standing, 8)
}

// pose returns the body's position on the ground, and its heading.
func (r *trial) pose() (x, y, heading float64) {
	return r.Robot.sim.Q()[0], r.Robot.sim.Q()[1], r.Robot.Yaw.Value()
}

// hang holds the body at a height above the ground, while it moves on in all other ways.
func (r *trial) hang(height float64) {
	q, v := slices.Clone(r.Robot.sim.Q()), slices.Clone(r.Robot.sim.V())
	q[2], v[2] = height, 0
	r.Robot.sim.SetState(q, v)
}

// upright fails the test if the body deviated from its height by more than 1 cm or tilted by more than 0.03 rad.
func (r *trial) upright() {
	r.t.Helper()
	want := r.Locomotion.StandHeight.Value() + footRadius
	if w := r.worst; w.low < want-0.01 || w.high > want+0.01 || w.tilt > 0.03 {
		r.t.Errorf("the body was between %.3f and %.3f m high, expected %.3f, and tilted by %.3f rad", w.low, w.high, want, w.tilt)
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %.4f, expected %.4f ± %.4f", what, got, want, tolerance)
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/schema"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
)

// extreme lists numbers that a person, a file or a broken tool may give.
var extreme = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308, port.MaxMagnitude, -port.MaxMagnitude,
	math.MaxInt64, math.MinInt64, 0, -1, 1e-300}

// trial is one short run of a block.
type trial struct {
	typ   block.Entry
	files fs.FS
	given map[string]any                                                   // beside what the block cannot do without
	ask   func(f *thread.Front, b *port.Instance) (*thread.Request, error) // before the second step; may be nil
}

// needed lists the parameters that a type requires.
func needed(typ string) map[string]any {
	given := map[string]map[string]any{
		"flow.Gain": {"gain": []any{1.0, 1.0}}, "flow.Scope": {"signals": []any{"a"}},
		"servo.SimRobot": {"urdf": "models/janus/janus.urdf", "drives": "models/janus/drives.yaml"},
		"servo.Card":     {"robot": "robot"}, "servo.Joint": {"peer_name": "card"},
		"servo.CANRobot":        {"address": "can+udp://239.74.163.2:43113?interface=lo", "nodes": []any{1, 2}, "turn": []any{2000.0, 2000.0}},
		"servo.InverseDynamics": {"urdf": "models/janus/janus.urdf"},
		"servo.Kinematics":      {"urdf": "models/janus/janus.urdf", "link": "camera"},
		"servo.MotorInverse":    {"drives": "models/janus/drives.yaml", "joints": []any{"joint1", "joint2"}},
		"servo.PoseSequence":    {"poses": []any{0.0, 1.0}, "times": []any{0.02, 0.02}},
		"torque.Robot":          {"urdf": "models/janus/janus.urdf"}, "torque.RobotModel": {"urdf": "models/janus/janus.urdf"}, "torque.ComputedTorque": {"urdf": "models/janus/janus.urdf"},
		"servo.Program":     {"urdf": "models/janus/janus.urdf", "programs": []any{"cmd/sinew/testdata/turn.yaml"}, "max_velocity": []any{1.0}},
		"servo.JerkLimited": {"urdf": "models/janus/janus.urdf", "max_velocity": []any{1.0}, "max_acceleration": []any{2.0}, "max_jerk": []any{20.0}},
		"motion.Planner":    {"urdf": "examples/plan/arm.urdf"}, "motion.Monitor": {"urdf": "examples/plan/arm.urdf"},
		"motion.Avoider":  {"urdf": "examples/plan/arm.urdf", "hand_link": "hand", "radii": []any{0.1}},
		"motion.Executor": {"urdf": "examples/plan/arm.urdf", "stations": []any{0.0, 0.5, 0.5, 0.0, 0.5, 0.5, 0.5, 0.0}},
		"motion.Mapper": {
			"urdf": "examples/plan/arm.urdf", "width": 64, "height": 48, "focal": []any{50.0, 50.0}, "middle": []any{31.5, 23.5}, "at": []any{0.0, 0.0, 1.0, 0.0, 0.0, 0.0},
			"corner": []any{-1.0, -1.0, 0.0}, "size": []any{2.0, 2.0, 2.0},
		},
		"mobile.SimSkidSteer": {
			"urdf": "models/rover/rover.urdf", "left": []any{"left_front", "left_middle", "left_rear"}, "right": []any{"right_front", "right_middle", "right_rear"},
		},
		"hexapod.Robot": {"urdf": "models/walker/walker.urdf"},
	}[typ]
	if given == nil {
		given = map[string]any{}
	}
	return given
}

// build builds a net of the block, its peers, and constants for the inputs whose length other ports decide.
func (r *trial) build() (*diagram.Net, *port.Instance, error) {
	d := diagram.New("values")
	d.Thread(diagram.Thread{Name: "t", Period: time.Millisecond})
	given := needed(r.typ.Type)
	for k, v := range r.given {
		given[k] = v
	}
	place := func(params map[string]any) diagram.Place {
		return diagram.Place{Thread: "t", Given: port.Given{Params: params, Files: r.files}}
	}
	if r.typ.Type == "servo.Card" || r.typ.Type == "servo.Joint" {
		d.Add("robot", &servo.SimRobot{}, place(needed("servo.SimRobot")))
	}
	if r.typ.Type == "servo.Joint" {
		d.Add("card", &servo.Card{}, place(needed("servo.Card")))
	}
	var in inspect.Inspector
	if i, errs := in.Inspect("b", r.typ.New(), port.Given{Params: given, Files: r.files}); errs == nil {
		for _, p := range i.Ports {
			if p.Kind == port.Input && p.Type.Kind() == schema.Slice && p.Len() == 0 {
				d.Add("c_"+p.Name, &flow.Constant{Value: block.NewParam([]float64{0.25, -0.5})}, place(nil))
				d.Link("c_" + p.Name + ".out -> b." + p.Name)
			}
		}
	}
	d.Add("b", r.typ.New(), place(given))
	net, err := d.Build()
	if err != nil {
		return nil, nil, err
	}
	return net, net.Blocks[slices.IndexFunc(net.Blocks, func(b *port.Instance) bool { return b.Name == "b" })], nil
}

// run executes the block 100 times with small numbers at its inputs. It returns why the net or the request was
// rejected, and fails the test if an output is not finite or something panicked.
func (r *trial) run(t *testing.T, what string) error {
	t.Helper()
	net, b, err := r.build()
	if err != nil {
		return err
	}
	core := thread.New(net, thread.Options{Until: clock.At(100 * time.Millisecond)})
	front := core.Front()
	var refused error
	broken := ""
	front.Go(func(p *thread.Participant) {
		if r.ask != nil {
			request, err := r.ask(front, b)
			if err == nil && p.Wait(0, request.Ready) == nil {
				_, err = request.Result()
			}
			if refused = err; err != nil {
				core.Stop()
				return
			}
		}
		for k := 1; p.Wait(clock.At(time.Duration(k)*time.Millisecond), nil) == nil; k++ {
			if broken == "" {
				broken = notFinite(b, k)
			}
			for _, port := range b.Ports {
				if cdr := small(port, k); cdr != nil {
					front.Feed(port, cdr)
				}
			}
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil && len(front.Faults()) == 0 {
		return err
	}
	for _, f := range front.Faults() {
		if strings.Contains(f.Why, "panic") {
			t.Errorf("%s %s: %v", r.typ.Type, what, f)
		}
	}
	if broken != "" {
		t.Errorf("%s %s: %s", r.typ.Type, what, broken)
	}
	return refused
}

// notFinite describes an output that is not finite; "" if all are finite.
func notFinite(b *port.Instance, step int) string {
	for _, p := range b.Ports {
		if p.Kind != port.Output {
			continue
		}
		cdr := make([]byte, p.Layout().Size())
		p.Encode(cdr)
		if p.Layout().Outside(cdr, -math.MaxFloat64, math.MaxFloat64) >= 0 {
			v, _ := p.Type.Value(cdr)
			return fmt.Sprintf("output %s is %v at step %d", p.Name, v, step)
		}
	}
	return ""
}

// small returns a value of small numbers for an input or handler, or nil if a link feeds it.
func small(p *port.Port, k int) []byte {
	if p.Name == port.EnableName || p.Kind == port.Output || p.Kind == port.Event || p.Linked() {
		return nil
	}
	cdr, err := p.Layout().FromValue(filled(p.Type, p.Layout(), func(n int) float64 { return math.Sin(float64(7*n + k)) }))
	if err != nil {
		return nil
	}
	return cdr
}

// filled returns a value of a type whose n-th number is number(n).
func filled(t *schema.Type, l *schema.Layout, number func(n int) float64) any {
	lengths, n := l.Lengths(), -1
	var fill func(t *schema.Type) any
	fill = func(t *schema.Type) any {
		switch t.Kind() {
		case schema.Struct:
			m := map[string]any{}
			for _, f := range t.Fields() {
				m[f.Name] = fill(f.Type)
			}
			return m
		case schema.Slice, schema.Array:
			count := t.Count()
			if t.Kind() == schema.Slice {
				count, lengths = lengths[0], lengths[1:]
			}
			list := []any{}
			for range count {
				list = append(list, fill(t.Elem()))
			}
			return list
		case schema.Bool:
			return true
		case schema.Float32, schema.Float64:
			n++
			return number(n)
		}
		n++
		return math.Trunc(number(n))
	}
	return fill(t)
}

// TestExtremeValuesDoNoHarm gives every number of every parameter and every operation of all ready-made blocks
// extreme values, in the file and while they run, and executes them 100 times. Each value is rejected with an error
// that names its place, or does no harm.
func TestExtremeValuesDoNoHarm(t *testing.T) {
	files := os.DirFS(testkit.Root(t))
	for _, e := range allBlocks() {
		t.Run(e.Type, func(t *testing.T) {
			_, b, err := (&trial{typ: e, files: files}).build()
			if err != nil {
				t.Fatalf("it cannot be tried: %v", err)
			}
			if err := (&trial{typ: e, files: files}).run(t, "as it is"); err != nil {
				t.Fatal(err)
			}
			for _, p := range b.Params {
				for _, x := range extreme {
					tryParam(t, e, files, p, x)
				}
			}
			for k, op := range b.Operations {
				for _, first := range extreme {
					for _, others := range extreme {
						tryCall(t, e, files, k, op, first, others)
					}
				}
			}
		})
	}
}

// tryParam sets the number in a parameter, in all its elements, in the file and while the block runs.
func tryParam(t *testing.T, e block.Entry, files fs.FS, p *port.Parameter, x float64) {
	if p.Type == nil || p.Type.Kind() == schema.Bool || p.Fixed && len(p.Layout.Leaves()) == 0 {
		return
	}
	v := filled(p.Type, p.Layout, func(int) float64 { return x })
	what := fmt.Sprintf("with %s = %v", p.Name, v)
	if !enormous(p, x) {
		if err := (&trial{typ: e, files: files, given: map[string]any{p.Name: v}}).run(t, what+" in the file"); err != nil {
			mustName(t, e, p.Name, err)
		}
	}
	if p.Fixed {
		return
	}
	r := &trial{typ: e, files: files, ask: func(f *thread.Front, b *port.Instance) (*thread.Request, error) {
		own := b.Param(p.Name)
		cdr, err := own.Layout.FromValue(v)
		if err != nil {
			return nil, err
		}
		return f.SetParams(b, map[*port.Parameter][]byte{own: cdr}), nil
	}}
	if err := r.run(t, what+" while it runs"); err != nil && !errors.As(err, new(*schema.ValueError)) { // those the front names
		mustName(t, e, p.Name, err)
	}
}

// enormous reports whether a constant would be accepted but needs as much memory as a large robot.
func enormous(p *port.Parameter, x float64) bool {
	return p.Fixed && x > 1e5 && p.Max > 1e5 && x <= p.Max && p.Type.Kind() == schema.Int64
}

// mustName checks that an error names its subject.
func mustName(t *testing.T, e block.Entry, name string, err error) {
	t.Helper()
	if !strings.Contains(err.Error(), name) {
		t.Errorf("%s: the error does not name %s: %v", e.Type, name, err)
	}
}

// tryCall calls an operation with two numbers: one for the first, another for the others.
func tryCall(t *testing.T, e block.Entry, files fs.FS, k int, op *port.Operation, first, others float64) {
	if n := len(op.Args.Leaves()); n == 0 || n == 1 && first != others {
		return
	}
	args := filled(op.Args.Type(), op.Args, func(n int) float64 {
		if n == 0 {
			return first
		}
		return others
	})
	r := &trial{typ: e, files: files, ask: func(f *thread.Front, b *port.Instance) (*thread.Request, error) {
		cdr, err := op.Args.FromValue(args)
		if err != nil {
			return nil, err
		}
		return f.Call(b, b.Operations[k], cdr), nil
	}}
	_ = r.run(t, fmt.Sprintf("after %s(%v)", op.Name, args))
}

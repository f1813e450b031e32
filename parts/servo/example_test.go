package servo_test

import (
	"context"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/servo"
)

// plant is what the PID of the example controls: an axis that turns with 1 rad/s for each volt.
type plant struct {
	Voltage  block.In[float64]  `part:"control" unit:"V" trigger:"yes"`
	Position block.Out[float64] `part:"sense" unit:"rad"`
	position float64
}

func (r *plant) Sense(clock.Tick) error {
	r.Position.Write(r.position)
	return nil
}

func (r *plant) Control(t clock.Tick) error {
	u, _ := r.Voltage.Read()
	r.position += u * t.Seconds()
	return nil
}

// target writes the desired position of the axis.
type target struct {
	Out block.Out[float64] `unit:"rad"`
}

func (t *target) Step(tick clock.Tick) error {
	t.Out.Write(min(tick.Time.Seconds(), 1))
	return nil
}

// A PID makes an axis follow a ramp, in Go and without files.
func Example() {
	var (
		ramp target
		axis plant
		pid  = servo.PID{Kp: block.NewParam(10.0), Ki: block.NewParam(0.5)}
	)
	d := diagram.New("axis")
	d.Thread(diagram.Thread{Name: "servo", Period: 10 * time.Millisecond})
	d.Add("ramp", &ramp, diagram.Place{Thread: "servo"})
	d.Add("axis", &axis, diagram.Place{Thread: "servo"})
	d.Add("pid", &pid, diagram.Place{Thread: "servo"})
	diagram.Connect(d, &ramp.Out, &pid.Ref)
	diagram.Connect(d, &axis.Position, &pid.Sen)
	diagram.Connect(d, &pid.Out, &axis.Voltage)
	net, err := d.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := thread.New(net, thread.Options{Until: clock.At(3 * time.Second)}).RunVirtual(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("after 3 s the axis is at %.3f rad\n", axis.position)
	// Output: after 3 s the axis is at 1.000 rad
}

// gauge is a sensor of one's own: it reads its axis at each event of the Sampler.
type gauge struct {
	servo.Sensor
	position, before float64
	Voltage          block.In[float64] `unit:"V"`
}

// SampleNow replaces that of the base model.
func (g *gauge) SampleNow(servo.Cycle) error {
	u, _ := g.Voltage.Read()
	g.before, g.position = g.position, g.position+0.01*u // an axis that turns with 1 rad/s for each volt
	g.State.Write([]float64{g.position, g.position - g.before})
	return nil
}

// Spring is a control law of one's own: it pulls each joint to 1 rad.
type Spring struct {
	servo.Controller
	Stiffness block.Param[float64] `unit:"V/rad" default:"5" doc:"voltage per distance from the target"`
}

// ControllerNow replaces that of the base model: it runs at the first measurement after each event of the Sampler.
func (s *Spring) ControllerNow() error {
	voltages := *s.Act.Slot()
	for i, q := range s.Sensor.Value()[:len(voltages)] {
		voltages[i] = s.Stiffness.Value() * (1 - q)
	}
	s.Act.Commit()
	return nil
}

// Types of one's own embed the base models Sensor and Controller and replace what these call in a cycle.
func Example_baseModels() {
	var (
		axis    gauge
		law     Spring
		sampler servo.Sampler
		demux   servo.ActuatorNDemux
	)
	d := diagram.New("axis")
	d.Thread(diagram.Thread{Name: "servo", Period: 10 * time.Millisecond})
	d.Add("sampler", &sampler, diagram.Place{Thread: "servo"})
	d.Add("axis", &axis, diagram.Place{Thread: "servo"})
	d.Add("law", &law, diagram.Place{Thread: "servo"})
	d.Add("demux", &demux, diagram.Place{Thread: "servo"})
	for _, link := range []string{
		"sampler.sample -> axis.sample", "sampler.sample -> law.sample", "sampler.sample -> demux.sample",
		"axis.sensor -> law.sensor", "law.act -> demux.act",
	} {
		d.Link(link)
	}
	d.Join(diagram.Link{From: diagram.End{Block: "demux", Port: "voltage1"}, To: diagram.End{Block: "axis", Port: "voltage"}, Delay: true})
	net, err := d.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := thread.New(net, thread.Options{Until: clock.At(3 * time.Second)}).RunVirtual(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("after 3 s the axis is at %.3f rad\n", axis.position)
	// Output: after 3 s the axis is at 1.000 rad
}

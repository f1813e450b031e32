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

// target writes where the axis is to be.
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

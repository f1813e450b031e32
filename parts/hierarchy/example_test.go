package hierarchy_test

import (
	"context"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/hierarchy"
)

// motor is the lowest level: an axis that turns with the commanded speed.
type motor struct {
	Angle block.Out[float64] `part:"sense" unit:"rad" doc:"measured"`
	Speed block.In[float64]  `part:"control" unit:"rad/s" doc:"commanded"`
	angle float64            // Sense and Control share it
}

func (m *motor) Sense(clock.Tick) error {
	m.Angle.Write(m.angle)
	return nil
}

func (m *motor) Control(t clock.Tick) error {
	speed, _ := m.Speed.Read()
	m.angle += speed * t.Seconds()
	return nil
}

// servo turns a motor to a target position.
type servo struct {
	Angle  block.In[float64]    `part:"sense" trigger:"yes" unit:"rad" doc:"of the motor"`
	Error  block.Out[float64]   `part:"sense" unit:"rad" doc:"distance to the target"`
	Target block.In[float64]    `part:"control" unit:"rad" doc:"desired position of the motor"`
	Speed  block.Out[float64]   `part:"control" unit:"rad/s" doc:"to the motor"`
	Gain   block.Param[float64] `default:"5" min:"0" unit:"1/s" doc:"speed for each radian of distance"`
	angle  float64
}

func (s *servo) Sense(clock.Tick) error {
	s.angle, _ = s.Angle.Read()
	s.Error.Write(s.Target.Value() - s.angle)
	return nil
}

func (s *servo) Control(clock.Tick) error {
	target, _ := s.Target.Read()
	s.Speed.Write(s.Gain.Value() * (target - s.angle))
	return nil
}

// mind commands the axis to 1 rad.
type mind struct {
	Error  block.In[float64]  `part:"sense" unit:"rad" doc:"distance to the target"`
	Target block.Out[float64] `part:"control" unit:"rad" doc:"desired position of the axis"`
}

func (m *mind) Sense(clock.Tick) error { return nil }

func (m *mind) Control(clock.Tick) error {
	m.Target.Write(1)
	return nil
}

// An axis is a group of motor and servo; a mind in a slower part commands it.
func Example() {
	var (
		m motor
		s servo
		h = hierarchy.New("example", 2)
	)
	machine := h.Part(0, diagram.Thread{Name: "machine", Period: time.Millisecond, Priority: 2}, 1)
	axis := machine.Group(0, "axis", 2)                  // a group of two levels on level 0 of the part
	low := axis.Module(0, "motor", &m, diagram.Place{})  // level 0 of the group
	high := axis.Module(1, "servo", &s, diagram.Place{}) // level 1
	axis.Edge(low.SensorOut(), high.SensorIn())          // up
	axis.Edge(high.ControlOut(), low.ControlIn())        // down
	axis.Expose(high.SensorOut())                        // the group has the ports of a module
	axis.Expose(high.ControlIn())
	machine.Expose(axis.SensorOut())
	machine.Expose(axis.ControlIn())

	thinking := h.Part(1, diagram.Thread{Name: "thinking", Period: 20 * time.Millisecond, Priority: 1}, 1)
	top := thinking.Module(0, "mind", &mind{}, diagram.Place{})
	thinking.Expose(top.SensorIn())
	thinking.Expose(top.ControlOut())

	h.Edge(machine.SensorOut(), thinking.SensorIn())
	h.Edge(thinking.ControlOut(), machine.ControlIn())

	net, err := h.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range net.Threads[0].Steps {
		fmt.Println(step.Block.Name, step.Part)
	}
	core := thread.New(net, thread.Options{Until: clock.At(2 * time.Second)})
	if err := core.RunVirtual(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("after 2 s at %.3f rad\n", m.Angle.Value())
	// Output:
	// machine.axis.motor Sense
	// machine.axis.servo Sense
	// machine.axis.servo Control
	// machine.axis.motor Control
	// after 2 s at 1.000 rad
}

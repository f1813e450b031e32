package janus

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/thread"
)

// traced is a step of a block that lists, after it has run, what the whole system has written in the meantime.
type traced struct {
	run   block.Stepper
	name  string
	ports []*port.Port
	trace *[]string
}

func (s *traced) Step(t clock.Tick) error {
	before := make([]uint64, len(s.ports))
	for i, p := range s.ports {
		before[i] = *p.Count()
	}
	err := s.run.Step(t)
	line := s.name + " ->"
	for i, p := range s.ports {
		if *p.Count() != before[i] {
			line += " " + p.Block.Name + "." + p.Name
		}
	}
	*s.trace = append(*s.trace, line)
	return err
}

// The five steps of the read and write cycle (section 3.2 of Santini and Lages 2011) and the four of the controller between them
// (3.3.2), in one trace of the ninth cycle of the system file: which component runs, and which data ports and events it writes.
// It is the same with one thread and with those of Table 1. Velocities and errors are no ports of the paper.
func TestCycleIsThePublishedTrace(t *testing.T) {
	sense := []string{
		// 1. "The Sample Event is generated … the Joint1 and Joint2 components will receive the same Event".
		"sampler -> sampler.sample",
		// 2. "Each Card component will … write the appropriate displacement and index status into the Data Ports of each Joint component.
		// This will cause the update of Position, Displacement and Index Data Ports". No index mark is passed here.
		"joint1.Sense -> aic01.displacement joint1.displacement joint1.position joint1.velocity",
		"joint2.Sense -> aic02.displacement joint2.displacement joint2.position joint2.velocity",
		// 3. "After all DisplacementX Data Ports of Sensor2Mux are updated, the sensor is written to".
		"sensor -> sensor.sensor",
	}
	pids := []string{
		// 3.3.2, 1 and 2: "When a write to sensor occurs, the Controller2PID … demultiplexes its into Ref1, Ref2, Sen1 and Sen2."
		"controller.Sense -> controller.ref1 controller.ref2 controller.sen1 controller.sen2 controller.error1 controller.error2",
		// 3.3.2, 3: "Each PID component react to the write of each Sen and update each Out Data Port."
		"pid1 -> pid1.out",
		"pid2 -> pid2.out",
	}
	feedforward := []string{
		// 3.4.2: "It writes a vector with the robot position, velocity and acceleration to the In_model Data Port, which triggers the
		// robot Model component". In the paper the PIDs get their values after the model has answered, here at once.
		pids[0] + " controller.in_model",
		pids[1], pids[2],
		"model -> model.tau",
		"motors -> motors.voltage",
	}
	act := []string{
		// 3.3.2, 4: "When Out1 and Out2 are updated, the Controller2PID … writes the act vector."
		"controller.Control -> controller.act",
		// 4. "the Voltage1 and Voltage2 Data Ports … are updated and the Act Event is generated".
		"actuator -> actuator.voltage1 actuator.voltage2 actuator.acted",
		// 5. "the JointX components catch this Event and call their own motorSet Methods".
		"joint1.Control -> joint1.voltage_actuator",
		"joint2.Control -> joint2.voltage_actuator",
	}
	for _, c := range []struct {
		overlays []string
		control  []string
	}{
		{nil, pids},
		{[]string{"janus-feedforward.yaml"}, feedforward},
		{[]string{"activities.yaml"}, pids},
		{[]string{"janus-feedforward.yaml", "activities.yaml"}, feedforward},
	} {
		got, want := ninthCycle(t, c.overlays), slices.Concat(sense, c.control, act)
		if !slices.Equal(got, want) {
			t.Errorf("%v: the cycle is\n%s\nwant\n%s", c.overlays, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// ninthCycle returns the trace from the ninth event of the Sampler to the tenth, without the simulation, the scope, and the planned
// motion, which has an activity of its own.
func ninthCycle(t *testing.T, overlays []string) (cycle []string) {
	t.Helper()
	net := load(t, overlays...).Net
	var ports []*port.Port
	for _, b := range net.Blocks {
		for _, p := range b.Ports {
			if p.Kind.IsSource() {
				ports = append(ports, p)
			}
		}
	}
	var trace []string
	for _, plan := range net.Threads {
		for i := range plan.Steps {
			s := &plan.Steps[i]
			name := s.Block.Name
			if s.Run == nil || slices.Contains([]string{"robot", "scope", "generator", "bridge_ref"}, name) {
				continue
			}
			if s.Part != port.Whole {
				name = fmt.Sprintf("%s.%v", name, s.Part)
			}
			s.Run = &traced{s.Run, name, ports, &trace}
		}
	}
	core := thread.New(net, thread.Options{Until: clock.At(100 * time.Millisecond)})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, line := range trace {
		if strings.HasPrefix(line, "sampler ") {
			n++
		}
		if n == 9 {
			cycle = append(cycle, line)
		}
	}
	return cycle
}

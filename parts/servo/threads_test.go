package servo

import (
	"fmt"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// echo is a PID whose command is what it measures.
type echo struct {
	Sen block.In[float64] `trigger:"yes"`
	Out block.Out[float64]
}

func (e *echo) Step(clock.Tick) error {
	v, _ := e.Sen.Read()
	e.Out.Write(v)
	return nil
}

// measure writes the number of its step as the position of both joints.
type measure struct {
	Sensor block.Out[[]float64]
}

func (m *measure) Setup(s *block.Setup) error {
	s.Len(4, &m.Sensor)
	return nil
}

func (m *measure) Step(t clock.Tick) error {
	m.Sensor.Write([]float64{float64(t.N), float64(t.N), 0, 0})
	return nil
}

// collector notes the commands.
type collector struct {
	Act block.In[[]float64] `trigger:"yes"`
	got [][2]float64
}

func (c *collector) Setup(s *block.Setup) error {
	s.Len(2, &c.Act)
	return nil
}

func (c *collector) Step(clock.Tick) error {
	act, _ := c.Act.Read()
	c.got = append(c.got, [2]float64{act[0], act[1]})
	return nil
}

// "Then, it waits for all of its OutX* Data Ports to be updated" (3.3.2): the commands of one cycle belong together, on
// whatever threads the PIDs run.
func TestControllerWaitsForThePIDsOfOtherThreads(t *testing.T) {
	for _, controller := range []string{"main", "control"} {
		for _, pids := range [][2]string{{"main", "other"}, {"control", "other"}, {"other", "main"}, {"other", "third"}} {
			r := newRig(t)
			for _, name := range []string{"control", "other", "third"} {
				r.d.Thread(diagram.Thread{Name: name, Triggered: true})
			}
			place := func(thread string) diagram.Place { return diagram.Place{Thread: thread} }
			got := &collector{}
			r.add("sampler", &Sampler{})
			r.add("measure", &measure{})
			r.d.Add("controller", newNPID(2), place(controller))
			r.d.Add("collector", got, place(controller))
			r.link("sampler.sample -> controller.sample", "measure.sensor -> controller.sensor", "controller.act -> collector.act")
			for i, thread := range pids {
				pid := fmt.Sprintf("pid%d", i+1)
				r.d.Add(pid, &echo{}, place(thread))
				r.link(fmt.Sprintf("controller.sen%d -> %s.sen", i+1, pid), fmt.Sprintf("%s.out -> controller.out%d", pid, i+1))
			}
			r.run(20, nil, nil)
			if len(got.got) < 8 {
				t.Errorf("controller in %s, PIDs in %v: %d commands in 20 cycles", controller, pids, len(got.got))
			}
			for _, act := range got.got {
				if act[0] != act[1] {
					t.Errorf("controller in %s, PIDs in %v: the command %v is of two cycles", controller, pids, act)
					break
				}
			}
		}
	}
}

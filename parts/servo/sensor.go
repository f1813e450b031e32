package servo

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// SensorNMux collects what N joints have measured.
//
//	sensor = [q1 … qN  q1' … qN']
//
//	       sample ─► ┌────────────┐
//	position1 … N ─► │ SensorNMux ├─► sensor
//	velocity1 … N ─► └────────────┘
//
// It writes once after each sample, as soon as all 2N inputs have come.
type SensorNMux struct {
	N block.Const[int] `default:"1" min:"1" max:"1000" doc:"number of joints"`

	Sample   block.Handler[Cycle] `trigger:"yes" doc:"a cycle begins"`
	Position []block.In[float64]  `trigger:"yes" unit:"rad" doc:"position of a joint"`
	Velocity []block.In[float64]  `trigger:"yes" unit:"rad/s" doc:"velocity of a joint"`
	Sensor   block.Out[[]float64] `doc:"positions, then velocities [rad, rad/s]"`

	armed   bool   // a sample has come, and nothing was written since
	arrived []bool // which inputs have come since
}

// Setup makes the inputs.
func (m *SensorNMux) Setup(s *block.Setup) error {
	n := m.N.Value()
	m.Position, m.Velocity = make([]block.In[float64], n), make([]block.In[float64], n)
	m.arrived = make([]bool, 2*n)
	s.Len(2*n, &m.Sensor)
	return nil
}

// Step takes what has come, and writes when it is all.
func (m *SensorNMux) Step(clock.Tick) error {
	for _, ok := m.Sample.Take(); ok; _, ok = m.Sample.Take() {
		m.armed = true
		clear(m.arrived)
	}
	sensor := *m.Sensor.Slot()
	all := true
	for i := range m.arrived {
		in := m.input(i)
		if v, status := in.Read(); status == block.NewData {
			sensor[i], m.arrived[i] = v, true
		}
		all = all && m.arrived[i]
	}
	if m.armed && all {
		m.armed = false
		m.Sensor.Commit()
	}
	return nil
}

func (m *SensorNMux) input(i int) *block.In[float64] {
	if i < len(m.Position) {
		return &m.Position[i]
	}
	return &m.Velocity[i-len(m.Position)]
}

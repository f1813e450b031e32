package servo

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// SensorNMux is the [Sensor] that collects the measurements of N joints.
//
//	sensor = [q1 … qN  Δq1 … ΔqN]
//
//	           sample ─► ┌────────────┐
//	    position1 … N ─► │ SensorNMux ├─► sensor
//	displacement1 … N ─► └────────────┘
//
// It writes once after each sample, when all 2N inputs have come since.
type SensorNMux struct {
	Sensor

	Position     []block.In[float64] `required:"yes" trigger:"yes" unit:"{Coordinate}" doc:"position of a joint"`
	Displacement []block.In[float64] `required:"yes" trigger:"yes" unit:"{Coordinate}" doc:"displacement of a joint in the cycle"`

	values  []float64 // what has come
	arrived []bool    // which of it since the sample
}

// Setup makes the inputs.
func (m *SensorNMux) Setup(s *block.Setup) error {
	n := m.N.Value()
	m.Position, m.Displacement = make([]block.In[float64], n), make([]block.In[float64], n)
	m.values, m.arrived = make([]float64, 2*n), make([]bool, 2*n)
	return m.Sensor.Setup(s)
}

// SampleNow begins to wait for all inputs.
func (m *SensorNMux) SampleNow(c Cycle) error {
	clear(m.arrived)
	return m.Sensor.SampleNow(c)
}

// Step stores what has come, and writes when all have.
func (m *SensorNMux) Step(t clock.Tick) error {
	if err := m.Sensor.Step(t); err != nil {
		return err
	}
	all := true
	for i := range m.arrived {
		if v, ok := came(m.input(i)); ok {
			m.values[i], m.arrived[i] = v, true
		}
		all = all && m.arrived[i]
	}
	if m.Armed() && all {
		m.Disarm()
		m.State.Write(m.values)
	}
	return nil
}

func (m *SensorNMux) input(i int) *block.In[float64] {
	if i < len(m.Position) {
		return &m.Position[i]
	}
	return &m.Displacement[i-len(m.Position)]
}

package janus

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/parts/servo"
)

// Blocks returns the block types that cycle.yaml uses besides those of servo.
func Blocks() []block.Entry {
	return []block.Entry{
		block.Of[Card]("An actuator card that takes no time."),
		block.Of[Plan]("A planned motion that takes no time."),
	}
}

// Card is an actuator card without a motor: its encoder turns steadily, and it stores the voltage.
type Card struct {
	Displacement block.Out[int64]
	Index        block.Out[int64]

	ActuatorOn   block.Operation[block.None, block.None]
	ActuatorOff  block.Operation[block.None, block.None]
	ActuatorSet  block.Operation[float64, block.None]
	SensorRead   block.Operation[block.None, servo.Reading]
	BrakeApply   block.Operation[block.None, block.None]
	BrakeRelease block.Operation[block.None, block.None]

	hardware
}

// hardware is the common part of a card and the hand-written loop.
type hardware struct {
	bus    Bus
	counts int64
	volts  float64
	sum    float64 // of all voltages: two controllers that agree have the same
}

func (h *hardware) read() int64 {
	h.bus.Read()
	h.counts += 37
	return h.counts
}

func (h *hardware) set(volts float64) {
	h.bus.Write()
	h.volts = volts
	h.sum += volts
}

// Setup defines the operations.
func (c *Card) Setup(*block.Setup) error {
	nothing := func(block.None) (block.None, error) { return block.None{}, nil }
	c.ActuatorOn.Handle(nothing)
	c.ActuatorOff.Handle(nothing)
	c.BrakeApply.Handle(nothing)
	c.BrakeRelease.Handle(nothing)
	c.ActuatorSet.Handle(func(v float64) (block.None, error) {
		c.set(v)
		return block.None{}, nil
	})
	c.SensorRead.Handle(func(block.None) (servo.Reading, error) {
		counts := c.read()
		c.Displacement.Write(counts)
		return servo.Reading{Counts: counts}, nil
	})
	return nil
}

// Plan writes a motion of two joints at constant velocity: positions, velocities, accelerations.
type Plan struct {
	Reference block.Out[[]float64]

	motion motion
}

// Setup declares the lengths.
func (p *Plan) Setup(s *block.Setup) error {
	s.Len(6, &p.Reference)
	return nil
}

// Step writes the next point.
func (p *Plan) Step(clock.Tick) error {
	p.motion.next(*p.Reference.Slot())
	p.Reference.Commit()
	return nil
}

// motion is the plan of both controllers.
type motion struct{ n float64 }

func (m *motion) next(reference []float64) {
	m.n++
	reference[0], reference[1] = 1e-3*m.n, 0.5e-3*m.n
	reference[2], reference[3] = 0.1, 0.05
	reference[4], reference[5] = 0, 0
}

// Package model has the blocks of the systems that bench measures.
package model

import (
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Blocks returns the types.
func Blocks() []block.Entry {
	return []block.Entry{
		block.Of[Burn]("computes for a given time in every step"), block.Of[Pass]("passes a vector on"), block.Of[Trip]("measures a round trip"),
	}
}

// Burn computes for a given time in every step.
type Burn struct {
	Time block.Const[float64] `unit:"s" min:"0" default:"0" doc:"duration of a step"`
	Out  block.Out[float64]   `doc:"the time of the step"`
}

// Step computes until the time is over.
func (b *Burn) Step(t clock.Tick) error {
	x := t.Time.Seconds()
	for begin := time.Now(); time.Since(begin).Seconds() < b.Time.Value(); {
		for range 100 {
			x = 0.5*x + 1
		}
	}
	b.Out.Write(t.Time.Seconds() + 0*x)
	return nil
}

// joints is the number of elements of the vectors of [Pass] and [Trip]: those of one limb of a robot of 40 joints.
const joints = 10

// Pass passes on what it reads, as a limb that answers its commands does.
type Pass struct {
	In  block.In[[joints]float64]
	Out block.Out[[joints]float64]
}

// Step passes a value on.
func (p *Pass) Step(clock.Tick) error {
	v, _ := p.In.Read()
	p.Out.Write(v)
	return nil
}

// Trip sends the time of its step as the first element, and measures how long ago the element that comes back was sent.
type Trip struct {
	Back  block.In[[joints]float64]
	Out   block.Out[[joints]float64]
	Trip  block.Out[float64] `unit:"s" doc:"from sending to the step that reads the answer; 0 before the first"`
	value [joints]float64
}

// Step reads the answer and sends the next value.
func (p *Trip) Step(t clock.Tick) error {
	now := t.Time.Seconds()
	if v, _ := p.Back.Read(); v[0] > 0 {
		p.Trip.Write(now - v[0])
	}
	p.value[0] = now
	p.Out.Write(p.value)
	return nil
}

package main

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

const gravity = 9.81 // m/s²

// Tank is an upright tank with an outlet at its bottom, through which the water leaves by Torricelli's law.
//
//	area · dh/dt = inflow - outlet · √(2 g h)
//
//	           ┌──────┐
//	inflow ─►  │ Tank ├─► level, outflow, spilled
//	           └──────┘
//
// Each step advances the level by the implicit midpoint rule, for which the law gives a quadratic equation in √h. Water above the
// brim runs over.
type Tank struct {
	Area    block.Const[float64] `unit:"m²" default:"1.55e-3" min:"1e-6" doc:"cross section of the tank"`
	Outlet  block.Const[float64] `unit:"m²" default:"1.78e-5" min:"0" doc:"cross section of the outlet, times its discharge coefficient"`
	Height  block.Const[float64] `unit:"m" default:"0.3" min:"0.001" doc:"of the brim"`
	Initial block.Const[float64] `unit:"m" min:"0" doc:"level at first"`

	Inflow  block.In[float64]  `part:"control" unit:"m³/s" doc:"from the pump; a negative one counts as 0"`
	Level   block.Out[float64] `part:"sense" unit:"m" watch:"yes" doc:"of the water above the outlet"`
	Outflow block.Out[float64] `part:"sense" unit:"m³/s" watch:"yes" doc:"through the outlet"`
	Spilled block.Out[float64] `part:"sense" unit:"m³" doc:"volume that has run over the brim"`

	level, spilled float64
}

var errInitial = errors.New("initial is above height: the tank would be fuller than full")

// Setup checks the level at first.
func (k *Tank) Setup(*block.Setup) error {
	if k.Initial.Value() > k.Height.Value() {
		return errInitial
	}
	k.level = k.Initial.Value()
	return nil
}

// Sense writes the state.
func (k *Tank) Sense(clock.Tick) error {
	k.Level.Write(k.level)
	k.Outflow.Write(k.Outlet.Value() * math.Sqrt(2*gravity*k.level))
	k.Spilled.Write(k.spilled)
	return nil
}

// Control advances the level by one step.
func (k *Tank) Control(t clock.Tick) error {
	inflow, _ := k.Inflow.Read()
	inflow = max(inflow, 0)
	area := k.Area.Value()
	out, in := t.Seconds()*k.Outlet.Value()*math.Sqrt(2*gravity)/area, t.Seconds()*inflow/area
	root := (math.Sqrt(out*out+8*(2*k.level+in)) - out) / 4 // of the level in the middle of the step: 2 root² + out root = 2 level + in
	k.level = max(2*root*root-k.level, 0)
	if above := k.level - k.Height.Value(); above > 0 {
		k.level -= above
		k.spilled += above * area
	}
	return nil
}

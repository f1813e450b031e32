package servo

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// BridgeRef joins the generator's outputs to the controller's reference.
//
//	position, velocity,  ─► ┌───────────┐
//	acceleration         ─► │ BridgeRef ├─► reference
//	                        └───────────┘
//
//	reference = [q1 … qN  q1' … qN'  q1'' … qN'']
//
// It runs for each new position, usually on a triggered thread between the generator's and the controller's.
type BridgeRef struct {
	N block.Const[int] `default:"1" min:"1" max:"1000" doc:"number of axes"`

	Coordinate block.Const[string] `default:"rad" doc:"unit of the positions"`

	Position     block.In[[]float64]  `required:"yes" trigger:"yes" unit:"{Coordinate}" doc:"planned positions"`
	Velocity     block.In[[]float64]  `required:"yes" unit:"{Coordinate}/s" doc:"planned velocities"`
	Acceleration block.In[[]float64]  `required:"yes" unit:"{Coordinate}/s²" doc:"planned accelerations"`
	Reference    block.Out[[]float64] `doc:"planned positions, then velocities, then accelerations [{Coordinate}, {Coordinate}/s, {Coordinate}/s²]"`
}

// Setup fixes the number of axes.
func (b *BridgeRef) Setup(s *block.Setup) error {
	n := b.N.Value()
	s.Len(n, &b.Position, &b.Velocity, &b.Acceleration)
	s.Len(3*n, &b.Reference)
	return nil
}

// Step joins the three.
func (b *BridgeRef) Step(clock.Tick) error {
	reference := *b.Reference.Slot()
	n := b.N.Value()
	q, _ := b.Position.Read()
	v, _ := b.Velocity.Read()
	a, _ := b.Acceleration.Read()
	copy(reference, q)
	copy(reference[n:], v)
	copy(reference[2*n:], a)
	b.Reference.Commit()
	return nil
}

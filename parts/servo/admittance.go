package servo

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/control"
)

// Admittance lets N position-controlled axes yield to measured forces as masses on springs with dampers would (Siciliano et al., Robotics, 2009,
// section 9.2.2: [control.Admittance]).
//
//	mass x'' + damping x' + stiffness x = force,   |x| ≤ limit
//	position = desired + x,   velocity = desired_velocity + x'
//
//	           force ─► ┌────────────┐
//	         desired ─► │ Admittance ├─► position, velocity, displacement
//	desired_velocity ─► └────────────┘
//
// Axes are joints with their torques, or those of a tool with the forces on it. With a stiffness of 0 an axis is guided by hand: it stays where it
// is left. Without forces x goes to 0 as the spring pulls it; an element of a force that is not finite, or greater than 1e9, leaves its axis where
// it is for that step. Before the first desired positions come they are 0; in place of one that is not finite stands the last one that was.
type Admittance struct {
	N          block.Const[int]    `default:"1" min:"1" max:"1000" doc:"number of axes"`
	Coordinate block.Const[string] `default:"rad" doc:"unit of the positions"`

	Mass      block.Param[[]float64] `unit:"{Coordinate.inertia}" default:"[1]" min:"1e-6" max:"1e6" spread:"yes" doc:"one, or one for each axis; kg for an axis that shifts"`
	Damping   block.Param[[]float64] `unit:"{Coordinate.force} s/{Coordinate}" default:"[20]" min:"0" max:"1e9" spread:"yes" doc:"one, or one for each axis"`
	Stiffness block.Param[[]float64] `unit:"{Coordinate.force}/{Coordinate}" default:"[100]" min:"0" max:"1e9" spread:"yes" doc:"one, or one for each axis"`
	Limit     block.Param[[]float64] `unit:"{Coordinate}" default:"[0.2]" min:"1e-6" max:"1000" spread:"yes" doc:"greatest displacement: one, or one for each axis"`

	Force           block.In[[]float64]  `required:"yes" unit:"{Coordinate.force}" doc:"measured external forces or torques"`
	Desired         block.In[[]float64]  `required:"yes" unit:"{Coordinate}" doc:"desired positions"`
	DesiredVelocity block.In[[]float64]  `unit:"{Coordinate}/s" doc:"their velocities; without a link 0: velocity is that of the displacement alone"`
	Position        block.Out[[]float64] `unit:"{Coordinate}" doc:"commands to the axes"`
	Velocity        block.Out[[]float64] `unit:"{Coordinate}/s" doc:"their velocities"`
	Displacement    block.Out[[]float64] `unit:"{Coordinate}" watch:"yes" doc:"x, by how much the axes yield"`

	laws []control.Admittance
	last []float64 // desired positions that were finite
}

// Setup makes ports and parameters of N elements.
func (a *Admittance) Setup(s *block.Setup) error {
	n := a.N.Value()
	s.Len(n, &a.Force, &a.Desired, &a.DesiredVelocity, &a.Position, &a.Velocity, &a.Displacement)
	a.laws, a.last = make([]control.Admittance, n), make([]float64, n)
	for _, p := range []struct {
		name  string
		param *block.Param[[]float64]
	}{{"mass", &a.Mass}, {"damping", &a.Damping}, {"stiffness", &a.Stiffness}, {"limit", &a.Limit}} {
		if err := spread(p.name, p.param, n, "axes"); err != nil {
			return err
		}
	}
	return nil
}

// Start puts the springs at rest.
func (a *Admittance) Start() error {
	clear(a.laws)
	return nil
}

// Step writes the commands.
func (a *Admittance) Step(t clock.Tick) error {
	force, _ := a.Force.Read()
	desired, _ := a.Desired.Read()
	rate, _ := a.DesiredVelocity.Read()
	position, velocity, displacement := *a.Position.Slot(), *a.Velocity.Slot(), *a.Displacement.Slot()
	for i := range a.laws {
		law := &a.laws[i]
		law.Mass, law.Damping, law.Stiffness, law.Limit = a.Mass.Value()[i], a.Damping.Value()[i], a.Stiffness.Value()[i], a.Limit.Value()[i]
		f, h := force[i], t.Seconds()
		if !(f > -1e9 && f < 1e9) {
			f, h = 0, 0
		}
		x, v, _ := law.Step(f, h)
		displacement[i] = x
		if d := desired[i]; d-d == 0 {
			a.last[i] = d
		}
		r := rate[i]
		if r-r != 0 {
			r = 0
		}
		position[i], velocity[i] = a.last[i]+x, r+v
	}
	a.Position.Commit()
	a.Velocity.Commit()
	a.Displacement.Commit()
	return nil
}

package plan

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// carriedNear is how far from a body an object may be at the start so that it may touch it later, m.
const carriedNear = 1e-3

// carry lets the link of the tool carry the object of --carry, with its origin at that of the tool, at the configuration from. Bodies that the object touches
// there may touch it on the way.
func (r *robot) carry(f toolFlags, from []float64) error {
	fail := func(err error) error { return fmt.Errorf("--carry %s: %w", f.carry, err) }
	m := r.scene.Models()[0]
	link, at, err := toolOf(m.Model, f.tool)
	if err != nil {
		return err
	}
	k, err := m.Model.Link(link)
	if err != nil {
		return err
	}
	d := multibody.NewData(m.Model)
	multibody.FK(d, from)
	s, err := r.scene.Move(f.carry, m.Base.Mul(d.Pose(k)).Mul(at))
	if err != nil {
		return fail(err)
	}
	if s, err = s.Attach(f.carry, m.Prefix+link, from); err != nil {
		return fail(err)
	}
	if err := s.CheckGrip(f.carry, at.P); err != nil {
		return fail(err)
	}
	nearby, err := exact.New(s).Near(from, carriedNear, nil)
	if err != nil {
		return fail(err)
	}
	var held []scene.Pair
	for _, x := range nearby {
		if (x.Pair.A == f.carry || x.Pair.B == f.carry) && x.Distance > -carriedNear {
			held = append(held, x.Pair)
		}
	}
	r.scene, err = s.Allow(held...)
	return err
}

package program

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// CheckFree examines whether the motion of a program touches nothing in a scene, at all times: see [proof.Prover.Motion]. The joints of the prover must be those of the
// model, in its order. It fails with an [*Error] that names the move, the place and the bodies of a contact, or with the prover's error.
func CheckFree(p *Program, m *Motion, model *multibody.Model, prover *proof.Prover) (proof.Verdict, error) {
	v, err := prover.Motion(m, m.Limits)
	if err != nil || v.Free || len(m.Parts) == 0 {
		return v, err
	}
	k := m.PartAt(v.Time)
	s, err := m.way(p, model, k, v.Time)
	if err != nil {
		return v, err
	}
	move := &p.Moves[m.Parts[k].Move]
	return v, &Error{At: move.At, Kind: move.Kind, Number: m.Parts[k].Move + 1, S: s,
		Reason: fmt.Sprintf("%s would touch, at %.3f s: move the target or a point before it, or go another way by a movePath that sinew plan has found", v.Pair, v.Time)}
}

// way returns how far the tool of part k is along its move at a time.
func (m *Motion) way(p *Program, model *multibody.Model, k int, time float64) (sum float64, err error) {
	link, pose, err := m.Tool(p, model, k)
	if err != nil {
		return 0, err
	}
	const steps = 200
	states, q, d := make([]trajectory.State, m.axes), make([]float64, m.axes), multibody.NewData(model)
	start := m.Parts[k].Start
	for i := range steps + 1 {
		last := d.Pose(link).Mul(pose).P
		m.At(start+(time-start)*float64(i)/steps, states)
		for j := range q {
			q[j] = states[j].Position
		}
		multibody.FK(d, q)
		if i > 0 {
			sum += d.Pose(link).Mul(pose).P.Sub(last).Norm()
		}
	}
	return sum, nil
}

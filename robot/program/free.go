package program

import (
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Freedom is what [CheckFree] finds.
type Freedom struct {
	proof.Verdict

	// Scene is that at the time of a contact, with what is carried then; nil if the motion is free.
	Scene *scene.Scene

	// Absent are the objects that moves attach while the scene has no objects at all: they are not examined.
	Absent []string
}

// String describes the verdict in words.
func (f Freedom) String() string {
	text := f.Verdict.String()
	if len(f.Absent) > 0 {
		text += fmt.Sprintf("; without %s, which the scene does not have", strings.Join(f.Absent, ", "))
	}
	return text
}

// CheckFree examines whether the motion of a program touches nothing in a scene, at all times, by proofs as those of [proof.Prover.Motion] with samples at most resolution apart (rad or m).
// The joints must be those of the model, in its order, and belong to the first robot of the scene.
//
// Between an Attach and its Detach the object moves with the link of the tool, and is examined as a part of the robot; after that it rests where it was left. Fingers hold an object,
// and tables carry it, so the link and those that the tool may touch may also touch the object during the move before the Attach and the move after the Detach, and the
// object may touch the resting objects at which it is taken and left (at most 1 mm away) during the move after the Attach and the move before the Detach.
//
// CheckFree fails with an [*Error] that names the move, the place and the bodies of a contact, or an object that the scene does not have or that is farther than [scene.MaxGrip]
// from the tool when it is attached; or with the prover's error.
func CheckFree(p *Program, m *Motion, model *multibody.Model, world *scene.Scene, joints *space.Joints, resolution float64) (f Freedom, err error) {
	s := newStages(p, m, world, joints)
	if f.Absent, err = s.prepare(); err != nil {
		return f, err
	}
	f.Free, f.Proved = true, true
	times := s.events()
	for k, from := range times[:len(times)-1] {
		if err := s.reach(from, nil); err != nil {
			return f, err
		}
		now, err := s.scene(from)
		if err != nil {
			return f, err
		}
		prover, err := proof.NewProver(now, joints, resolution)
		if err != nil {
			return f, err
		}
		v, err := prover.Motion(&stage{m, from, times[k+1]}, m.Limits)
		f.Sampled, f.Checked, f.Proved = f.Sampled+v.Sampled, f.Checked+v.Checked, f.Proved && v.Proved
		if err != nil {
			return f, err
		}
		if !v.Free {
			f.Free, f.Time, f.Pair, f.Scene = false, from+v.Time, v.Pair, now
			return f, s.contact(&f, model)
		}
	}
	return f, nil
}

// contact returns the error of a contact.
func (s *stages) contact(f *Freedom, model *multibody.Model) error {
	m := s.motion
	if len(m.Parts) == 0 {
		return nil
	}
	k := m.PartAt(f.Time)
	way, err := m.way(s.program, model, k, f.Time)
	if err != nil {
		return err
	}
	move := &s.program.Moves[m.Parts[k].Move]
	e := &Error{At: move.At, Kind: move.Kind, Number: m.Parts[k].Move + 1, S: way}
	name := func(body string) string {
		c := s.carrying(body, f.Time)
		if c == nil {
			return body
		}
		e.Joint = jointOf(model, c.Link)
		return fmt.Sprintf("%s, which %s carries on joint %q,", body, c.Link, e.Joint)
	}
	e.Reason = fmt.Sprintf("%s and %s would touch, at %.3f s: move the target or a point before it, or go another way by a movePath that sinew plan has found", name(f.Pair.A), name(f.Pair.B), f.Time)
	return e
}

// jointOf returns the last joint above a link that moves.
func jointOf(model *multibody.Model, link string) string {
	at, err := model.Link(link)
	if err != nil {
		return ""
	}
	body, _ := model.LinkFrame(at)
	for _, j := range model.Joints() {
		if child, err := model.Link(j.Child); err == nil {
			if b, _ := model.LinkFrame(child); b == body {
				return j.Name
			}
		}
	}
	return ""
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

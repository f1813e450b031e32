package plan

import (
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/planning/timed"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// timeStep is the time between the points of a motion that are listed and drawn, s.
const timeStep = 0.01

// inTime is the motion in time that --timed makes of a path.
type inTime struct {
	Failure    string      `json:"failure,omitempty"`
	US         float64     `json:"us"`       // to make and examine it
	Duration   float64     `json:"duration"` // s
	Proved     bool        `json:"proved"`   // free at all times; otherwise partly sampled at 1e-3 rad or m
	Report     string      `json:"report"`
	Times      []float64   `json:"times"`      // s
	Positions  [][]float64 `json:"positions"`  // of the joints, at the times
	Velocities [][]float64 `json:"velocities"` // of the joints, at the times

	replanned int
}

// timer returns what makes motions of paths; nil without --timed.
func (m *method) timer(t *task, a *answer) (*timed.Timer, error) {
	if m.timing == nil {
		return nil, nil
	}
	joints, ok := t.space.(*space.Joints)
	if !ok {
		return nil, fmt.Errorf("--timed %s: a robot with a joint of several coordinates has no limits of time: leave --timed out", m.timing.text)
	}
	limits, notes, err := m.timing.of(joints, t.scene)
	if err != nil {
		return nil, err
	}
	prover, err := proof.NewProver(t.scene, joints, proofResolution)
	if err != nil {
		return nil, err
	}
	a.Notes = append(a.Notes, notes...)
	timer := timed.NewTimer(prover, limits)
	if t.tool != nil {
		timer.Keep = t.tool.kept
		if t.tool.line {
			timer.Deviation = lineDeviation
		}
	}
	return timer, nil
}

// time makes a motion of a path, and reports whether it is free.
func (a *answer) time(timer *timed.Timer, path *planning.Path) (bool, error) {
	begin := time.Now()
	replanned := 0
	if a.Motion != nil {
		replanned = a.Motion.replanned + 1
	}
	r := timed.Report{Replanned: replanned}
	free, err := timer.Time(path, &r)
	if err != nil {
		return false, err
	}
	a.Motion = &inTime{US: since(begin), Duration: timer.Motion().Duration(), Proved: r.Proved, Report: r.String(), replanned: replanned}
	if !free {
		a.Motion.Failure = fmt.Sprintf("the motion is not free on any of %d paths: %s", replanned+1, r.Verdict)
		return false, nil
	}
	a.Motion.list(timer.Motion())
	return true, nil
}

// list notes the positions and velocities of a motion.
func (m *inTime) list(of *trajectory.Rounded) {
	states := make([]trajectory.State, of.Axes())
	for k := 0; ; k++ {
		at := min(float64(k)*timeStep, of.Duration())
		of.At(at, states)
		q, v := make([]float64, len(states)), make([]float64, len(states))
		for i, s := range states {
			q[i], v[i] = s.Position, s.Velocity
		}
		m.Times, m.Positions, m.Velocities = append(m.Times, at), append(m.Positions, q), append(m.Velocities, v)
		if at == of.Duration() {
			return
		}
	}
}

// fastest returns the greatest speed of each joint.
func (m *inTime) fastest() []float64 {
	most := make([]float64, len(m.Velocities[0]))
	for _, v := range m.Velocities {
		for i, x := range v {
			most[i] = max(most[i], x, -x)
		}
	}
	return most
}

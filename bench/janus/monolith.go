package janus

import (
	"io/fs"
	"math"

	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/robot/control"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// Monolith is the control cycle of Janus written by hand, without blocks: one function over arrays. It uses the laws
// of package robot, like the blocks.
type Monolith struct {
	cards  [2]hardware
	plan   motion
	pids   [2]control.PID
	speed  [2]control.Differentiator
	scale  [2]control.EncoderScale
	signs  [2]float64
	ref    [6]float64
	err    [2]float64
	vel    [2]float64
	begun  bool
	model  *multibody.Data // nil without feedforward
	drives [2]sim.AxisDrive
	tau    [2]float64
}

// NewMonolith returns the loop with its cards on a bus; with files, those of models/janus, it has feedforward.
func NewMonolith(files fs.FS, bus Bus) (*Monolith, error) {
	m := &Monolith{signs: [2]float64{1, -1}, cards: [2]hardware{{bus: bus}, {bus: bus}}}
	gains := [2][3]float64{{80, 3, 100}, {60, 2.4, 60}}
	for i, g := range gains {
		m.pids[i] = control.PID{Kp: g[0], Ki: g[1], Kd: g[2], UMin: -24, UMax: 24}
		m.speed[i] = control.NewDifferentiator(20)
		m.scale[i] = control.EncoderScale{CountsPerTurn: 2000, Gear: 100, Sign: m.signs[i]}
	}
	if files == nil {
		return m, nil
	}
	robot, err := description.ReadURDF(files, "janus.urdf", description.Options{})
	if err != nil {
		return nil, err
	}
	model, err := robot.Model()
	if err != nil {
		return nil, err
	}
	drives, err := sim.ReadDrives(files, "drives.yaml")
	if err != nil {
		return nil, err
	}
	m.drives = [2]sim.AxisDrive{drives.Drives["joint1"], drives.Drives["joint2"]}
	m.model = multibody.NewData(model)
	return m, nil
}

// Step executes one control cycle.
func (m *Monolith) Step() {
	m.plan.next(m.ref[:])
	if m.model != nil {
		multibody.RNEA(m.model, m.ref[0:2], m.ref[2:4], m.ref[4:6], m.tau[:])
	}
	for i := range m.cards {
		q := m.scale[i].Position(m.cards[i].read())
		m.vel[i], _ = m.speed[i].Step(q, 0.01)
		e := m.ref[i] - q
		m.err[i] = e
		if !m.begun {
			m.pids[i].Bumpless(0, e)
		}
		u, ok := m.pids[i].Step(e)
		if !ok {
			u = 0
		}
		if m.model != nil {
			d := &m.drives[i]
			u += d.Voltage(m.tau[i]+d.Armature()*m.ref[4+i], m.ref[2+i])
			u = math.Min(math.Max(u, -24), 24)
		}
		m.cards[i].set(u * m.signs[i])
	}
	m.begun = true
}

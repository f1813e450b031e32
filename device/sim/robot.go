package sim

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	robotsim "github.com/sinew-robotics/sinew/robot/sim"
)

// Robot is a simulated robot with a number of axes. It starts at rest with all joints at 0, or at the nearest end of
// their range.
type Robot struct {
	mechanism *robotsim.Mechanism
	axes      []Axis
	phase     phase
}

type phase uint8

const (
	closed phase = iota
	open
	started
)

var _ device.Device = (*Robot)(nil)

// Load reads a robot from a URDF file (or xacro, by its name) and a file with its drives. The error lists all that is wrong
// with both files, each problem with file:line:column.
func Load(fsys fs.FS, urdf, drives string) (*Robot, error) {
	d, errD := description.ReadURDF(fsys, urdf, description.Options{})
	f, errF := ReadDrives(fsys, drives)
	if err := errors.Join(errD, errF); err != nil {
		return nil, err
	}
	tree := d.Tree()
	if err := f.match(&tree); err != nil {
		return nil, err
	}
	return New(tree, f.Drives)
}

// New returns the robot of the tree, closed, with a drive for each of its independent joints. The error says all that
// is wrong with them.
func New(tree multibody.Tree, drives map[string]Drive) (*Robot, error) {
	plain := make(map[string]robotsim.Drive, len(drives))
	var errs []error
	for _, j := range tree.Joints {
		if d, ok := drives[j.Name]; ok {
			if err := d.check(); err != nil {
				errs = append(errs, fmt.Errorf("simulated robot %q: drive of joint %q: %w", tree.Name, j.Name, err))
			}
		} else if j.Type.NV() > 0 && j.Mimic == nil {
			errs = append(errs, fmt.Errorf("simulated robot %q: joint %q has no drive", tree.Name, j.Name))
		}
	}
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	for name, d := range drives {
		plain[name] = d.Drive
	}
	m, err := robotsim.NewMechanism(tree, plain, robotsim.DefaultSubstep)
	if err != nil {
		return nil, err
	}
	r := &Robot{mechanism: m}
	q := make([]float64, len(m.Joints()))
	for i, name := range m.Joints() {
		if j, _ := m.Model().Joint(name); j.Limits != nil && j.Type != multibody.Continuous {
			q[i] = min(max(0, j.Limits.Lower), j.Limits.Upper)
		}
		d := drives[name]
		d.Drive = m.Drive(i)
		r.axes = append(r.axes, Axis{name: name, drive: d, mechanism: m, joint: i})
	}
	m.SetState(q, nil)
	for i := range r.axes {
		r.axes[i].count()
		r.axes[i].safe()
		r.axes[i].act()
	}
	return r, nil
}

// Model returns the model that the simulation uses, with the inertia of the rotors: what a feedforward controller that
// knows the robot exactly would use.
func (r *Robot) Model() *multibody.Model { return r.mechanism.Model() }

// Axes returns the number of axes.
func (r *Robot) Axes() int { return len(r.axes) }

// Axis returns axis i, from 0, in the order of the vectors of Model.
func (r *Robot) Axis(i int) *Axis { return &r.axes[i] }

// Place puts the joints of a robot that is not started at the positions q (rad or m, one for each axis) and at rest, as a
// person would by hand. It panics if the robot is started, the length is wrong or a position not finite.
func (r *Robot) Place(q []float64) {
	if r.phase == started {
		panic("device/sim: Place of a started robot")
	}
	r.mechanism.SetState(q, nil)
	for i := range r.axes {
		r.axes[i].count()
	}
}

// Open makes the encoders count from 0 at where the joints are.
func (r *Robot) Open() error {
	if r.phase != closed {
		return nil
	}
	for i := range r.axes {
		r.axes[i].zero()
	}
	r.phase = open
	return nil
}

// Start lets time run. Motors are without power and brakes applied until commanded.
func (r *Robot) Start() error {
	if r.phase == closed {
		return device.ErrNotOpen
	}
	r.phase = started
	return nil
}

// Step applies what the axes were commanded, advances the simulation by dt and takes the new readings.
func (r *Robot) Step(dt time.Duration) error {
	if r.phase != started {
		return device.ErrNotStarted
	}
	for i := range r.axes {
		r.axes[i].act()
	}
	r.mechanism.Step(dt)
	for i := range r.axes {
		r.axes[i].sense()
	}
	return nil
}

// Stop cuts the power of all motors and applies all brakes. What moves comes to rest when time goes on after the next
// Start.
func (r *Robot) Stop() error {
	if r.phase == started {
		r.phase = open
		for i := range r.axes {
			r.axes[i].safe()
			r.axes[i].act()
		}
	}
	return nil
}

// Close stops the robot. It stays where it is, but the encoders forget it.
func (r *Robot) Close() error {
	_ = r.Stop()
	r.phase = closed
	return nil
}

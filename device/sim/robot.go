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
	simulator *robotsim.Simulator
	surround  func() (*robotsim.World, error) // nil: it touches nothing
	world     *robotsim.World                 // from the first Open on
	axes      []Axis
	findings  []description.Finding
	life      device.Life
}

var (
	_ device.Device         = (*Robot)(nil)
	_ device.AxisController = (*Robot)(nil)
)

// Load reads a robot from its description, in any format of [description.Read], and a file with its drives. The error lists all
// mistakes in both files, each with file:line:column.
func Load(fsys fs.FS, robot, drives string) (*Robot, error) {
	d, errD := description.Read(fsys, robot, description.Options{})
	f, errF := ReadDrives(fsys, drives)
	if err := errors.Join(errD, errF); err != nil {
		return nil, err
	}
	tree := d.Tree()
	if err := f.match(&tree); err != nil {
		return nil, err
	}
	r, err := New(tree, f.Drives)
	if err != nil {
		return nil, err
	}
	r.findings = description.Lint(d)
	if f.World == nil {
		return r, nil
	}
	shapes, err := d.Shapes()
	if err != nil {
		return nil, err
	}
	r.surround = func() (*robotsim.World, error) {
		w, err := f.World.around(r.simulator, shapes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", drives, err)
		}
		return w, nil
	}
	if _, err := r.surround(); err != nil && !errors.Is(err, robotsim.ErrOverlap) { // Place may still move it
		return nil, err
	}
	return r, nil
}

// Findings returns what is impossible or suspicious in the description that [Load] has read: see [description.Lint].
func (r *Robot) Findings() []description.Finding { return r.findings }

// World returns what the robot touches, for its bodies and for rays; nil before the first Open and if its file of drives describes none.
func (r *Robot) World() *robotsim.World { return r.world }

// New returns the robot of the tree, closed, with a drive for each of its independent joints. The error lists all mistakes in
// them.
func New(tree multibody.Tree, drives map[string]AxisDrive) (*Robot, error) {
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
	s, err := robotsim.New(tree, robotsim.Options{Drives: plain})
	if err != nil {
		return nil, err
	}
	r := &Robot{simulator: s}
	q := make([]float64, len(s.Joints()))
	for i, name := range s.Joints() {
		if j, _ := s.Model().Joint(name); j.Limits != nil && j.Type != multibody.Continuous {
			q[i] = min(max(0, j.Limits.Lower), j.Limits.Upper)
		}
		d := drives[name]
		d.Drive = s.Drive(i)
		r.axes = append(r.axes, Axis{name: name, drive: d, simulator: s, joint: i})
	}
	s.SetState(q, nil)
	for i := range r.axes {
		r.axes[i].count()
		r.axes[i].safe()
		r.axes[i].act()
	}
	return r, nil
}

// Model returns the model that the simulation uses, with the inertia of the rotors: the model for a feedforward controller
// that knows the robot exactly.
func (r *Robot) Model() *multibody.Model { return r.simulator.Model() }

// Axes returns the number of axes.
func (r *Robot) Axes() int { return len(r.axes) }

// Axis returns axis i, from 0 to Axes()-1, in the order of the vectors of Model.
func (r *Robot) Axis(i int) *Axis { return &r.axes[i] }

// AxisPart returns axis i for its facets.
func (r *Robot) AxisPart(i int) any { return r.Axis(i) }

// Place puts the joints of a robot that is not started at the positions q (rad or m, one for each axis) and at rest, as a
// person would by hand. It panics if the robot is started, the length is wrong or a position not finite.
func (r *Robot) Place(q []float64) {
	if r.life.Started() {
		panic("device/sim: Place of a started robot")
	}
	r.simulator.SetState(q, nil)
	for i := range r.axes {
		r.axes[i].count()
	}
}

// Open sets the encoders to 0 at the joints' present positions. The first one puts the robot into its world, and fails if it overlaps a body.
func (r *Robot) Open() error {
	if r.life.State() != device.Closed {
		return nil
	}
	if r.surround != nil && r.world == nil {
		var err error
		if r.world, err = r.surround(); err != nil {
			return err
		}
	}
	for i := range r.axes {
		r.axes[i].zero()
	}
	return r.life.Do(device.OpenCalled)
}

// Start lets time run. Motors have no power and brakes are applied until commanded.
func (r *Robot) Start() error {
	return r.life.Do(device.StartCalled)
}

// Step applies the commands of the axes, advances the simulation by dt and takes the new readings.
func (r *Robot) Step(dt time.Duration) error {
	if err := r.life.CheckStep(dt); err != nil {
		return err
	}
	for i := range r.axes {
		r.axes[i].act()
	}
	if r.world != nil {
		r.world.Step(dt)
	} else {
		r.simulator.Step(dt)
	}
	for i := range r.axes {
		r.axes[i].sense()
	}
	return r.life.Do(device.StepComplete)
}

// Stop cuts the power of all motors and applies all brakes. Moving joints come to rest when time continues after the next
// Start.
func (r *Robot) Stop() error {
	if r.life.Started() {
		for i := range r.axes {
			r.axes[i].safe()
			r.axes[i].act()
		}
	}
	return r.life.Do(device.StopCalled)
}

// Close stops the robot. Its joints keep their positions, the encoders do not.
func (r *Robot) Close() error {
	_ = r.Stop()
	return r.life.Do(device.CloseCalled)
}

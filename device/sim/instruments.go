package sim

import (
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// World is what the sensors of [Instruments] measure from the next Step on. The zero value is a world with nothing in it.
type World struct {
	Force           spatial.Force // N, N m
	Distance        float64       // m; 0: +Inf
	Scan            device.Scan
	Image           device.Image
	AngularVelocity spatial.Vec3   // rad/s
	Acceleration    spatial.Vec3   // m/s²
	Fix             device.Fix     // its sequence is counted
	Velocity        spatial.Motion // of the robot, in its own frame, m/s and rad/s
	Digital         []bool         // inputs; those that are missing are off
	Analog          []float64      // V; those that are missing are 0
	Object          float64        // m: what the gripper can close on; 0: nothing
}

// Instruments is a simulated device with sensors of all kinds, a gripper, and inputs and outputs. Its program sets the [World] between steps.
type Instruments struct {
	// World is what the next Step measures. Its slices are copied then.
	World World

	life     device.Life
	o        InstrumentOptions
	now      World
	scans    uint64
	images   uint64
	pose     spatial.Pose
	outputs  []bool
	volts    []float64
	opening  float64
	wanted   float64
	closing  bool // an opening has been commanded
	holding  bool
	gripping float64 // N
}

// InstrumentOptions are sizes: what is larger in the world is cut off.
type InstrumentOptions struct {
	Beams           int     // of a scan
	ImageBytes      int     // of an image
	Inputs, Outputs int     // digital, and as many analogue ones of ±10 V
	Reach           float64 // of the range sensor and scanner, m
	MaxOpening      float64 // of the gripper, m; it moves at once
}

var (
	_ device.Device            = (*Instruments)(nil)
	_ device.ForceTorqueSensor = (*Instruments)(nil)
	_ device.RangeSensor       = (*Instruments)(nil)
	_ device.Scanner           = (*Instruments)(nil)
	_ device.Camera            = (*Instruments)(nil)
	_ device.IMU               = (*Instruments)(nil)
	_ device.SatelliteReceiver = (*Instruments)(nil)
	_ device.Odometer          = (*Instruments)(nil)
	_ device.DigitalInputs     = (*Instruments)(nil)
	_ device.DigitalOutputs    = (*Instruments)(nil)
	_ device.AnalogInputs      = (*Instruments)(nil)
	_ device.AnalogOutputs     = (*Instruments)(nil)
	_ device.Gripper           = (*Instruments)(nil)
)

// analogRange is the range of analogue outputs in V.
const analogRange = 10

// NewInstruments returns the device, closed.
func NewInstruments(o InstrumentOptions) *Instruments {
	return &Instruments{
		o: o, pose: spatial.IdentityPose(), outputs: make([]bool, o.Outputs), volts: make([]float64, o.Outputs), opening: o.MaxOpening,
		now: World{
			Scan:    device.Scan{Ranges: make([]float64, 0, o.Beams)},
			Image:   device.Image{Data: make([]byte, 0, o.ImageBytes)},
			Digital: make([]bool, o.Inputs), Analog: make([]float64, o.Inputs),
		},
	}
}

// ForceTorque returns the force of the world.
func (d *Instruments) ForceTorque() spatial.Force { return d.now.Force }

// Distance returns the distance of the world, +Inf beyond the reach.
func (d *Instruments) Distance() float64 { return d.within(d.now.Distance) }

// Reach returns 0 and the reach.
func (d *Instruments) Reach() (least, greatest float64) { return 0, d.o.Reach }

// Scan returns the scan of the world; each Step is a scan.
func (d *Instruments) Scan() device.Scan { return d.now.Scan }

// Image returns the image of the world; each Step is an image.
func (d *Instruments) Image() device.Image { return d.now.Image }

// AngularVelocity returns that of the world.
func (d *Instruments) AngularVelocity() spatial.Vec3 { return d.now.AngularVelocity }

// Acceleration returns that of the world.
func (d *Instruments) Acceleration() spatial.Vec3 { return d.now.Acceleration }

// Fix returns that of the world; each Step is a solution.
func (d *Instruments) Fix() device.Fix { return d.now.Fix }

// Odometry returns the sum of the world's velocities.
func (d *Instruments) Odometry() (pose spatial.Pose, velocity spatial.Motion) {
	return d.pose, d.now.Velocity
}

// DigitalInputs returns the number of inputs.
func (d *Instruments) DigitalInputs() int { return d.o.Inputs }

// DigitalInput returns an input of the world.
func (d *Instruments) DigitalInput(i int) bool { return d.now.Digital[i] }

// AnalogInputs returns the number of inputs.
func (d *Instruments) AnalogInputs() int { return d.o.Inputs }

// AnalogInput returns an input of the world in V.
func (d *Instruments) AnalogInput(i int) float64 { return d.now.Analog[i] }

// DigitalOutputs returns the number of outputs.
func (d *Instruments) DigitalOutputs() int { return d.o.Outputs }

// SetDigitalOutput switches an output.
func (d *Instruments) SetDigitalOutput(i int, on bool) { d.outputs[i] = on }

// DigitalOutput returns what was commanded.
func (d *Instruments) DigitalOutput(i int) bool { return d.outputs[i] }

// AnalogOutputs returns the number of outputs.
func (d *Instruments) AnalogOutputs() int { return d.o.Outputs }

// SetAnalogOutput commands an output in V.
func (d *Instruments) SetAnalogOutput(i int, value float64) error {
	if value-value != 0 {
		d.volts[i] = 0
		return device.ErrNotFinite
	}
	d.volts[i] = min(max(value, -analogRange), analogRange)
	return nil
}

// AnalogOutput returns what was commanded, in V.
func (d *Instruments) AnalogOutput(i int) float64 { return d.volts[i] }

// AnalogRange returns ±10 V.
func (d *Instruments) AnalogRange(int) (least, greatest float64) { return -analogRange, analogRange }

// SetGrip commands the gripper.
func (d *Instruments) SetGrip(opening, force float64) error {
	if opening-opening != 0 || force-force != 0 {
		return device.ErrNotFinite
	}
	d.wanted, d.gripping, d.closing = min(max(opening, 0), d.o.MaxOpening), max(force, 0), true
	return nil
}

// Grip returns the opening, and whether the object of the world keeps it.
func (d *Instruments) Grip() (opening float64, holding bool) { return d.opening, d.holding }

// MaxOpening returns that of the options.
func (d *Instruments) MaxOpening() float64 { return d.o.MaxOpening }

// Open begins the odometry.
func (d *Instruments) Open() error {
	if d.life.State() == device.Closed {
		d.pose = spatial.IdentityPose()
	}
	return d.life.Do(device.OpenCalled)
}

// Start begins to measure. Outputs are off until commanded, and the gripper stays.
func (d *Instruments) Start() error {
	if !d.life.Started() {
		d.safe()
	}
	return d.life.Do(device.StartCalled)
}

// Step takes the readings from the world and moves the gripper.
func (d *Instruments) Step(dt time.Duration) error {
	if err := d.life.CheckStep(dt); err != nil {
		return err
	}
	w, n := d.World, &d.now
	n.Force, n.Distance, n.AngularVelocity, n.Acceleration, n.Velocity = w.Force, w.Distance, w.AngularVelocity, w.Acceleration, w.Velocity
	d.scans, d.images = d.scans+1, d.images+1
	n.Fix = w.Fix
	n.Fix.Sequence = d.scans
	ranges := append(n.Scan.Ranges[:0], w.Scan.Ranges[:min(len(w.Scan.Ranges), d.o.Beams)]...)
	for i, x := range ranges {
		ranges[i] = d.within(x)
	}
	n.Scan = device.Scan{First: w.Scan.First, Step: w.Scan.Step, Ranges: ranges, Sequence: d.scans}
	data := append(n.Image.Data[:0], w.Image.Data[:min(len(w.Image.Data), d.o.ImageBytes)]...)
	n.Image = w.Image
	n.Image.Data, n.Image.Sequence = data, d.images
	clear(n.Digital)
	copy(n.Digital, w.Digital)
	clear(n.Analog)
	copy(n.Analog, w.Analog)
	h := dt.Seconds()
	d.pose = d.pose.Mul(spatial.ExpPose(spatial.Motion{Linear: w.Velocity.Linear.Scale(h), Angular: w.Velocity.Angular.Scale(h)}))
	if d.closing {
		d.opening, d.holding = max(d.wanted, w.Object), d.wanted < w.Object && d.gripping > 0
	}
	return d.life.Do(device.StepComplete)
}

// Stop switches all outputs off; the gripper stays as it is. It fails as [device.Device] describes: with [device.ErrNotOpen] or [device.ErrNotStarted].
func (d *Instruments) Stop() error {
	d.safe()
	return d.life.Do(device.StopCalled)
}

// Close stops the device.
func (d *Instruments) Close() error {
	d.safe()
	return d.life.Do(device.CloseCalled)
}

func (d *Instruments) safe() {
	clear(d.outputs)
	clear(d.volts)
	d.closing = false
}

// within returns a distance, +Inf where it is beyond the reach or there is nothing.
func (d *Instruments) within(x float64) float64 {
	if x == 0 || x > d.o.Reach {
		return math.Inf(1)
	}
	return x
}

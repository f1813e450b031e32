package device

import (
	"time"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// ForceTorqueSensor measures force and torque on a tool.
type ForceTorqueSensor interface {
	// ForceTorque returns what acts on the tool at the last Step, N and N m, in the sensor's frame.
	ForceTorque() spatial.Force
}

// RangeSensor measures a distance.
type RangeSensor interface {
	// Distance returns the distance at the last Step in m: +Inf if nothing is within reach, NaN without a valid measurement.
	Distance() float64

	// Reach returns the least and the greatest distance that the sensor measures, in m.
	Reach() (least, greatest float64)
}

// Scan is the distances of one turn or sweep of a scanner. Beam i points at First + i·Step about the scanner's z axis, 0 is along x.
type Scan struct {
	First, Step float64   // rad
	Ranges      []float64 // m; +Inf: nothing within reach, NaN: no valid measurement
	Sequence    uint64    // counts the scans, from 1; 0: none yet
}

// Scanner measures distances in many directions.
type Scanner interface {
	// Scan returns the latest complete scan at the last Step. Its ranges are valid until the next Step.
	Scan() Scan
}

// PixelFormat is how the pixels of an image are stored.
type PixelFormat string

// The formats of images.
const (
	Gray8 PixelFormat = "gray8" // one byte each
	RGB24 PixelFormat = "rgb24" // red, green, blue
	JPEG  PixelFormat = "jpeg"  // compressed; rows have no length
)

// Image is a picture of a camera.
type Image struct {
	Width, Height int // pixels
	Stride        int // bytes from row to row; 0 where they are compressed
	Format        PixelFormat
	Data          []byte // Height rows of Stride bytes, from the top, each from the left; or a JPEG file
	Sequence      uint64 // counts the images, from 1; 0: none yet
}

// Camera takes images.
type Camera interface {
	// Image returns the latest complete image at the last Step. Its data are valid until the next Step.
	Image() Image
}

// IMU is an inertial measurement unit.
type IMU interface {
	// AngularVelocity returns the angular velocity at the last Step, rad/s, in the sensor's frame.
	AngularVelocity() spatial.Vec3

	// Acceleration returns the specific force at the last Step, m/s², in the sensor's frame: at rest it points up and is 9.81.
	Acceleration() spatial.Vec3
}

// FixQuality is how a satellite receiver has found its position; the numbers are those of NMEA 0183.
type FixQuality uint8

// The qualities of a fix.
const (
	NoFix        FixQuality = 0 // there is no position
	Autonomous   FixQuality = 1 // by satellites alone
	Differential FixQuality = 2 // corrected by a reference station
	Precise      FixQuality = 3 // PPS, for authorized users
	FixedRTK     FixQuality = 4 // by the carrier's phase, centimetres
	FloatRTK     FixQuality = 5 // by the carrier's phase, decimetres
	Estimated    FixQuality = 6 // by dead reckoning, without satellites
	Manual       FixQuality = 7 // entered by hand
	Simulated    FixQuality = 8
)

// Fix is where a satellite receiver is. A number that it has not measured is NaN; without a fix everything is.
type Fix struct {
	Latitude, Longitude float64    // rad, positive to the north and east, WGS 84
	Height              float64    // above mean sea level, m
	North, East         float64    // velocity, m/s
	Deviation           [3]float64 // standard deviations to the north, to the east and of the height, m
	Quality             FixQuality
	Satellites          int           // in use
	Time                time.Duration // of the day, UTC
	Sequence            uint64        // counts the receiver's solutions, those without a fix too, from 1; 0: none yet
}

// SatelliteReceiver finds its position on the earth by satellites.
type SatelliteReceiver interface {
	// Fix returns the latest solution at the last Step.
	Fix() Fix
}

// Odometer measures the way of a mobile robot.
type Odometer interface {
	// Odometry returns the pose since Open at the last Step, in the frame at Open, and the velocity in the robot's own frame.
	Odometry() (pose spatial.Pose, velocity spatial.Motion)
}

// DigitalInputs are inputs that are on or off.
type DigitalInputs interface {
	// DigitalInputs returns their number.
	DigitalInputs() int

	// DigitalInput returns input i, from 0, at the last Step.
	DigitalInput(i int) bool
}

// DigitalOutputs are outputs that are on or off. The safe state is off.
type DigitalOutputs interface {
	// DigitalOutputs returns their number.
	DigitalOutputs() int

	// SetDigitalOutput switches output i, from 0, from the next Step on.
	SetDigitalOutput(i int, on bool)
}

// AnalogInputs are inputs with a voltage or current.
type AnalogInputs interface {
	// AnalogInputs returns their number.
	AnalogInputs() int

	// AnalogInput returns input i, from 0, at the last Step, in V or A.
	AnalogInput(i int) float64
}

// AnalogOutputs are outputs with a voltage or current. The safe state is the value of the range that is nearest to 0.
type AnalogOutputs interface {
	// AnalogOutputs returns their number.
	AnalogOutputs() int

	// SetAnalogOutput commands output i, from 0, in V or A from the next Step on, limited to its range. For NaN and infinities it
	// commands the safe value and returns ErrNotFinite.
	SetAnalogOutput(i int, value float64) error

	// AnalogRange returns the least and the greatest value of output i.
	AnalogRange(i int) (least, greatest float64)
}

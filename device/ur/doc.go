// Package ur drives arms of Universal Robots over RTDE 2, and emulates them.
//
// Protocol: Universal Robots, Real-Time Data Exchange (RTDE) Guide, protocol version 2, TCP port 30004. All numbers are big-endian. A package is its length (2 bytes), its
// type, and data:
//
//	driver                                 robot
//	V 2 ─────────────────────────────────▶        protocol version
//	O 500 Hz, names of outputs ──────────▶        what to send
//	  ◀─────────────────────────────────── O      number of the recipe, types
//	I names of inputs ───────────────────▶        what is written
//	  ◀─────────────────────────────────── I      number of the recipe, types
//	S ───────────────────────────────────▶        start
//	  ◀─────────────────────────────────── U      outputs, 500 times a second
//	U inputs ────────────────────────────▶        after each of them, from the first command on
//
// RTDE does not move the robot: a program on it does, which takes the commanded positions from the registers that the driver writes. It is
//
//	while True:
//	  if read_input_integer_register(24) == 1:
//	    q = [read_input_float_register(24), read_input_float_register(25), read_input_float_register(26),
//	         read_input_float_register(27), read_input_float_register(28), read_input_float_register(29)]
//	    servoj(q, t=0.002, lookahead_time=0.05, gain=300)
//	  else:
//	    stopj(2.0)
//	    sync()
//	  end
//	end
//
// The program has run on no robot yet.
package ur

import (
	"errors"
	"fmt"
)

// Joints is the number of joints.
const Joints = 6

// The types of packages.
const (
	requestVersion = 'V'
	textMessage    = 'M'
	dataPackage    = 'U'
	setupOutputs   = 'O'
	setupInputs    = 'I'
	startPackage   = 'S'
	pausePackage   = 'P'
)

const (
	version    = 2
	header     = 3
	maxPackage = 2048
	rate       = 500 // Hz
)

// The variables that the driver reads and writes, and the types that the robot must answer.
const (
	outputNames = "timestamp,actual_q,actual_qd,actual_current,actual_TCP_force,robot_mode,safety_mode"
	outputTypes = "DOUBLE,VECTOR6D,VECTOR6D,VECTOR6D,VECTOR6D,INT32,INT32"
	outputBytes = 8 + 4*48 + 2*4
	inputNames  = "input_int_register_24,input_double_register_24,input_double_register_25,input_double_register_26,input_double_register_27,input_double_register_28,input_double_register_29"
	inputTypes  = "INT32,DOUBLE,DOUBLE,DOUBLE,DOUBLE,DOUBLE,DOUBLE"
	inputBytes  = 4 + 6*8
)

// The errors of the other end. Test for them with errors.Is.
var (
	ErrForm     = errors.New("not a package of RTDE 2")
	ErrVersion  = errors.New("the robot does not know RTDE 2: it needs a controller of 3.2.19171 or later")
	ErrRefused  = errors.New("the robot refuses to start the exchange")
	ErrNotFound = errors.New("the robot does not know all of " + outputNames)
	ErrInUse    = errors.New("another program writes the robot's registers 24 to 29")
)

// StatusError is a package that the robot sends instead of what was asked for.
type StatusError struct{ Type byte }

// Error implements error.
func (e *StatusError) Error() string {
	return fmt.Sprintf("the robot sends an unexpected package %q", e.Type)
}

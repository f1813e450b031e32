// Package robotiq drives the grippers 2F-85, 2F-140 and Hand-E of Robotiq over Modbus, and emulates them.
//
// Protocol: Robotiq, 2F-85 & 2F-140 Instruction Manual, section 4 (control) and its examples of Modbus RTU. Each exchange (function 23) writes three registers from 03E8h and reads
// three from 07D0h:
//
//	written  action (rACT, rGTO), 0, 0, position, speed, force
//	read     status (gACT, gGTO, gSTA, gOBJ), 0, fault, echo of the position, position, current
//
// A gripper that has been switched on moves nothing before it is activated, which closes and opens it. The driver activates it with the first command,
// not before.
package robotiq

import "fmt"

// The registers.
const (
	commandAddress = 0x3e8
	statusAddress  = 0x7d0
	registers      = 3
)

// DefaultUnit is the Modbus unit of a gripper as it is delivered.
const DefaultUnit = 9

// The bits of the action and of the status.
const (
	activate     = 1 << 0 // rACT, gACT
	goTo         = 1 << 3 // rGTO, gGTO
	statusShift  = 4      // gSTA
	statusActive = 3
	objectShift  = 6 // gOBJ
)

// gOBJ: what the fingers do.
const (
	moving = iota
	stoppedOpening
	stoppedClosing
	arrived
)

// majorFault is the first of the faults that end with a new activation only.
const majorFault = 0x0a

// Model is the figures of a gripper.
type Model struct {
	Stroke               float64 // between the fingers, m: position 0; closed is position 255
	LeastForce, MaxForce float64 // N: force 0 and 255
}

// The figures of the grippers, from their manuals.
func model(name string) (Model, bool) {
	m, ok := map[string]Model{"2f-85": {0.085, 20, 235}, "2f-140": {0.140, 10, 125}, "hand-e": {0.050, 20, 185}}[name]
	return m, ok
}

// ModelOf returns the figures of the gripper 2f-85, 2f-140 or hand-e.
func ModelOf(name string) (Model, error) {
	m, ok := model(name)
	if !ok {
		return m, fmt.Errorf("gripper %q: expected 2f-85, 2f-140 or hand-e", name)
	}
	return m, nil
}

// FaultError is a fault that the gripper reports (gFLT).
type FaultError struct{ Code byte }

// Error implements error.
func (e *FaultError) Error() string {
	meaning := map[byte]string{
		0x0a: "less than the minimum voltage", 0x0b: "automatic release in progress", 0x0c: "internal fault", 0x0d: "activation fault",
		0x0e: "overcurrent", 0x0f: "automatic release completed",
	}[e.Code]
	if meaning == "" {
		meaning = "unknown"
	}
	return fmt.Sprintf("the gripper reports fault %02Xh (%s)", e.Code, meaning)
}

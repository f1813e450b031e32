package canopen

import "fmt"

// The objects of a drive (CiA 402).
const (
	abortOption       = 0x6007
	controlword       = 0x6040
	statusword        = 0x6041
	modeOfOperation   = 0x6060
	modeDisplay       = 0x6061
	positionActual    = 0x6064
	velocityActual    = 0x606c
	targetTorque      = 0x6071
	maxTorque         = 0x6072
	ratedCurrent      = 0x6075
	ratedTorque       = 0x6076
	torqueActual      = 0x6077
	currentActual     = 0x6078
	targetPosition    = 0x607a
	positionLimits    = 0x607d
	interpolationTime = 0x60c2
	targetVelocity    = 0x60ff
	supportedModes    = 0x6502
	profileDrive      = 402 // the lower half of a device type
)

// Mode is a mode of operation of a drive.
type Mode int8

// The modes of operation that the driver uses.
const (
	NoMode         Mode = 0
	CyclicPosition Mode = 8
	CyclicVelocity Mode = 9
	CyclicTorque   Mode = 10
)

// DriveState is a state of a drive (CiA 402, finite state automaton).
type DriveState byte

// The states. Only in OperationEnabled, QuickStopActive and FaultReactionActive the motor has power.
const (
	NotReadyToSwitchOn DriveState = iota
	SwitchOnDisabled
	ReadyToSwitchOn
	SwitchedOn
	OperationEnabled
	QuickStopActive
	FaultReactionActive
	Fault
)

// String returns the name of the state.
func (s DriveState) String() string {
	if s > Fault {
		return fmt.Sprintf("state %d", byte(s))
	}
	return [...]string{"not ready to switch on", "switch on disabled", "ready to switch on", "switched on", "operation enabled", "quick stop active", "fault reaction active", "fault"}[s]
}

// StateOf returns the state that a statusword reports (CiA 402, table "state coding"); ok is false if it is none.
func StateOf(statusword uint16) (s DriveState, ok bool) {
	switch statusword & 0x4f {
	case 0x00:
		return NotReadyToSwitchOn, true
	case 0x40:
		return SwitchOnDisabled, true
	case 0x0f:
		return FaultReactionActive, true
	case 0x08:
		return Fault, true
	}
	switch statusword & 0x6f {
	case 0x21:
		return ReadyToSwitchOn, true
	case 0x23:
		return SwitchedOn, true
	case 0x27:
		return OperationEnabled, true
	case 0x07:
		return QuickStopActive, true
	}
	return NotReadyToSwitchOn, false
}

// status returns the bits of a statusword that report a state.
func (s DriveState) status() uint16 {
	return [...]uint16{0x00, 0x40, 0x21, 0x23, 0x27, 0x07, 0x0f, 0x08}[s]
}

// The commands in a controlword (CiA 402, table "command coding").
const (
	Shutdown        uint16 = 0x06
	SwitchOn        uint16 = 0x07
	EnableOperation uint16 = 0x0f
	DisableVoltage  uint16 = 0x00
	QuickStop       uint16 = 0x02
	FaultReset      uint16 = 0x80 // as an edge from 0 to 1
)

// Enabling returns the controlword that brings a drive one state nearer to [OperationEnabled]. A drive in [Fault] stays there: [FaultReset] is a decision.
func Enabling(s DriveState) uint16 {
	switch s {
	case SwitchOnDisabled:
		return Shutdown
	case ReadyToSwitchOn:
		return SwitchOn
	case SwitchedOn, OperationEnabled:
		return EnableOperation
	}
	return DisableVoltage
}

// Next returns the state of a drive after a controlword (CiA 402, state machine); before is the controlword before it, because the bit that resets a
// fault works when it rises. Changes that the drive makes of its own, such as to a fault, are not part of it.
func (s DriveState) Next(before, control uint16) DriveState {
	if s == Fault {
		if before&FaultReset == 0 && control&FaultReset != 0 {
			return SwitchOnDisabled
		}
		return s
	}
	if s == NotReadyToSwitchOn || s == FaultReactionActive {
		return s
	}
	switch {
	case control&0x02 == 0: // disable voltage
		return SwitchOnDisabled
	case control&0x04 == 0: // quick stop
		if s == OperationEnabled || s == QuickStopActive {
			return QuickStopActive
		}
		return SwitchOnDisabled
	case control&0x01 == 0: // shutdown
		if s == QuickStopActive {
			return s
		}
		return ReadyToSwitchOn
	case control&0x08 == 0: // switch on; in operation: disable operation
		if s == ReadyToSwitchOn || s == OperationEnabled {
			return SwitchedOn
		}
	default: // enable operation
		if s == ReadyToSwitchOn || s == SwitchedOn {
			return OperationEnabled
		}
	}
	return s
}

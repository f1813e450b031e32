package wire

import (
	"errors"
	"fmt"
	"syscall"
)

// The faults of a channel. Test for them with errors.Is: calls return a [*Fault] that wraps one.
var (
	ErrClosed  = errors.New("closed: call Open first")
	ErrOpening = errors.New("not open yet")
	ErrLost    = errors.New("lost")                          // unplugged, refused, or closed by the other end
	ErrInUse   = errors.New("in use by another program")     // wraps ErrLost, too
	ErrFull    = errors.New("takes nothing more at present") // the channel stays open
	ErrFrame   = errors.New("not a frame of CAN 2.0")        // nothing was sent
)

// Fault is an error of a channel. It stays valid until the same channel fails again in the same way.
type Fault struct {
	Wire  string        // the address
	Kind  error         // one of the errors above
	Errno syscall.Errno // what the system reported; 0: nothing
}

// Error implements error.
func (f *Fault) Error() string {
	if f.Errno != 0 {
		return fmt.Sprintf("%s: %v: %v", f.Wire, f.Kind, f.Errno)
	}
	return fmt.Sprintf("%s: %v", f.Wire, f.Kind)
}

// Unwrap returns the kind and what the system reported.
func (f *Fault) Unwrap() []error {
	if f.Kind == ErrInUse {
		return []error{ErrInUse, ErrLost, f.Errno}
	}
	return []error{f.Kind, f.Errno}
}

// faults are the errors that a channel may return, which are filled in where they occur: none is allocated in the control cycle.
type faults struct {
	closed, opening, full, frame, inUse, ended Fault
	system                                     [256]Fault // by what the system reports
}

func newFaults(address string) *faults {
	f := &faults{
		closed:  Fault{Wire: address, Kind: ErrClosed},
		opening: Fault{Wire: address, Kind: ErrOpening},
		full:    Fault{Wire: address, Kind: ErrFull},
		frame:   Fault{Wire: address, Kind: ErrFrame},
		inUse:   Fault{Wire: address, Kind: ErrInUse},
		ended:   Fault{Wire: address, Kind: ErrLost},
	}
	for i := range f.system {
		f.system[i] = Fault{Wire: address, Kind: ErrLost, Errno: syscall.Errno(i)}
	}
	return f
}

// lost returns the error of a channel that the system reports as failed.
func (f *faults) lost(errno syscall.Errno) *Fault {
	if errno == 0 || int(errno) >= len(f.system) {
		return &f.ended
	}
	return &f.system[errno]
}

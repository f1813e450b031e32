package canopen

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/device/wire"
)

// MaxNode is the greatest number of a node; the least is 1.
const MaxNode = 127

// The functions in an identifier: its upper four bits.
const (
	toAll     = 0x000 // NMT
	syncID    = 0x080 // SYNC; EMCY with the number of a node
	tpdo      = 0x180 // and each pdoStep above it
	rpdo      = 0x200
	pdoStep   = 0x100
	sdoAnswer = 0x580
	sdoAsk    = 0x600
	heartbeat = 0x700
)

// PDOs is the number of PDOs that a node has in either direction.
const PDOs = 4

// Command is an NMT command.
type Command byte

// The NMT commands.
const (
	StartNode           Command = 1
	StopNode            Command = 2
	EnterPreOperational Command = 0x80
	ResetNode           Command = 0x81
	ResetCommunication  Command = 0x82
)

// State is the NMT state of a node, as in its heartbeat.
type State byte

// The NMT states. PDOs are exchanged in Operational only; SDOs there and in PreOperational.
const (
	Initializing   State = 0 // in a heartbeat: the node has booted
	Stopped        State = 4
	Operational    State = 5
	PreOperational State = 127
)

// String returns the name of the state.
func (s State) String() string {
	switch s {
	case Initializing:
		return "initializing"
	case Stopped:
		return "stopped"
	case Operational:
		return "operational"
	case PreOperational:
		return "pre-operational"
	}
	return fmt.Sprintf("state %d", byte(s))
}

// Emergency is an EMCY message. Code 0 reports that the errors are gone.
type Emergency struct {
	Code         uint16 // CiA 301, table 26: 8130h is a lost heartbeat
	Register     byte   // kinds of errors, as object 1001h
	Manufacturer [5]byte
}

// split returns function and node of a frame; ok is false for frames that are not of the predefined connection set.
func split(f *wire.Frame) (function uint32, node byte, ok bool) {
	return f.ID &^ MaxNode, byte(f.ID & MaxNode), !f.Extended && !f.Remote && f.ID <= wire.MaxStandardID
}

// CheckNodes checks the numbers of nodes that a master has, which is a node with the number [MasterID]: at least one, from 1 to MasterID-1, each once.
func CheckNodes(ids []int) error {
	if len(ids) == 0 {
		return errors.New("no nodes: expected the number of at least one")
	}
	seen := map[int]bool{}
	for _, id := range ids {
		if id < 1 || id >= MasterID || seen[id] {
			return fmt.Errorf("node %d: expected a number from 1 to %d, each once", id, MasterID-1)
		}
		seen[id] = true
	}
	return nil
}

// outbox holds the frames that the channel has not taken yet; more are lost, as on a bus that is overloaded.
type outbox struct {
	frames [1024]wire.Frame
	n      int
}

func (o *outbox) add(f wire.Frame) {
	if o.n < len(o.frames) {
		o.frames[o.n] = f
		o.n++
	}
}

func (o *outbox) frame(id uint32, data ...byte) {
	f := wire.Frame{ID: id, Length: byte(len(data))}
	copy(f.Data[:], data)
	o.add(f)
}

// flush sends what the channel takes.
func (o *outbox) flush(b *wire.Bus) error {
	sent := 0
	defer func() { o.n = copy(o.frames[:], o.frames[sent:o.n]) }()
	for ; sent < o.n; sent++ {
		if err := b.Send(o.frames[sent]); err != nil {
			if f, ok := err.(*wire.Fault); ok && f.Kind == wire.ErrFull {
				return nil
			}
			return err
		}
	}
	return nil
}

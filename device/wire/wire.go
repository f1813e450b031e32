package wire

import (
	"encoding/binary"
	"fmt"
)

// Wire is a channel to a device.
type Wire interface {
	// Open begins to open the channel and returns at once. On an open one it begins again; what has arrived before is dropped. It returns
	// a [*Fault] if that fails already: the file does not exist, or another program uses it.
	Open() error

	// Read copies what has arrived to p and returns its length, 0 if there is nothing: bytes as many as fit, or one datagram or frame.
	// The part of a datagram that does not fit is lost.
	Read(p []byte) (n int, err error)

	// Write sends p and returns how much of it the channel takes now: of bytes a part, of a datagram or frame all or nothing.
	Write(p []byte) (n int, err error)

	// Close closes the channel; what was sent may still be under way.
	Close() error

	// String returns the address.
	String() string
}

// Kind is what one call of Read or Write carries.
type Kind string

// The kinds of channels.
const (
	Bytes     Kind = "bytes"      // in their order, without borders
	Datagrams Kind = "datagrams"  // each whole or not at all
	Frames    Kind = "CAN frames" // of 16 bytes: see [Bus]
)

// frameBytes is the length of a frame in a channel, as SocketCAN's struct can_frame: identifier with flags (32 bits in the machine's
// order), length, three bytes that are 0, eight bytes of data.
const frameBytes = 16

// The flags of the identifier.
const (
	extendedFlag = 1 << 31
	remoteFlag   = 1 << 30
	errorFlag    = 1 << 29
)

// Bus is a channel of CAN frames.
type Bus struct {
	Wire
	buffer [frameBytes]byte
	faults *faults
}

// NewBus returns the CAN bus with an address. Open opens it.
func NewBus(address string) (*Bus, error) {
	w, err := New(address, Frames)
	if err != nil {
		return nil, err
	}
	return OnBus(w), nil
}

// OnBus returns the bus that a channel of frames is: one with a recorder around it, for example.
func OnBus(w Wire) *Bus { return &Bus{Wire: w, faults: newFaults(w.String())} }

// Receive returns the oldest frame that has arrived; ok is false if there is none. It skips reports of errors on the bus.
func (b *Bus) Receive() (f Frame, ok bool, err error) {
	for {
		n, err := b.Read(b.buffer[:])
		if err != nil || n == 0 {
			return Frame{}, false, err
		}
		if f, ok := parseFrame(b.buffer[:n]); ok {
			return f, true, nil
		}
	}
}

// Send sends a frame. It returns [ErrFull] if the channel does not take it now, and [ErrFrame] for an identifier or a length that is too great.
func (b *Bus) Send(f Frame) error {
	if !f.valid() {
		return &b.faults.frame
	}
	n, err := b.Write(appendFrame(b.buffer[:0], f))
	if err == nil && n == 0 {
		return &b.faults.full
	}
	return err
}

func appendFrame(b []byte, f Frame) []byte {
	id := f.ID
	if f.Extended {
		id |= extendedFlag
	}
	if f.Remote {
		id |= remoteFlag
	}
	b = binary.NativeEndian.AppendUint32(b, id)
	b = append(b, f.Length, 0, 0, 0)
	return append(b, f.Data[:]...)
}

func parseFrame(b []byte) (f Frame, ok bool) {
	if len(b) != frameBytes {
		return f, false
	}
	id := binary.NativeEndian.Uint32(b)
	f = Frame{ID: id & MaxStandardID, Extended: id&extendedFlag != 0, Remote: id&remoteFlag != 0, Length: b[4]}
	if f.Extended {
		f.ID = id & MaxExtendedID
	}
	copy(f.Data[:], b[8:])
	return f, id&errorFlag == 0 && f.valid()
}

// The greatest identifiers of CAN 2.0, with 11 and 29 bits.
const (
	MaxStandardID = 1<<11 - 1
	MaxExtendedID = 1<<29 - 1
)

// Frame is a frame of CAN 2.0 (ISO 11898-1).
type Frame struct {
	ID       uint32 // 0 to MaxStandardID, or to MaxExtendedID
	Extended bool   // the identifier has 29 bits
	Remote   bool   // a request for the frame, without data
	Length   uint8  // of the data, 0 to 8
	Data     [8]byte
}

// NewFrame returns a frame with an identifier of 11 bits. It panics if the identifier or the data are longer.
func NewFrame(id uint32, data ...byte) Frame {
	f := Frame{ID: id, Length: uint8(len(data))}
	if copy(f.Data[:], data) < len(data) || !f.valid() {
		panic(fmt.Sprintf("wire: frame %#x of %d bytes: expected an identifier to 0x7ff and up to 8 bytes", id, len(data)))
	}
	return f
}

// Bytes returns the data.
func (f *Frame) Bytes() []byte { return f.Data[:min(f.Length, 8)] }

// String writes a frame as candump(1) does: 123#DEADBEEF.
func (f Frame) String() string {
	id := fmt.Sprintf("%03X", f.ID)
	if f.Extended {
		id = fmt.Sprintf("%08X", f.ID)
	}
	if f.Remote {
		return fmt.Sprintf("%s#R%d", id, f.Length)
	}
	return fmt.Sprintf("%s#%X", id, f.Bytes())
}

func (f *Frame) valid() bool {
	return f.Length <= 8 && (f.ID <= MaxStandardID || f.Extended && f.ID <= MaxExtendedID)
}

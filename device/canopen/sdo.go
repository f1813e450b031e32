package canopen

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/device/wire"
)

// MaxObject is the greatest length of an object that is transferred, in bytes.
const MaxObject = 256

// AbortCode is why an SDO transfer was aborted.
type AbortCode uint32

// The codes that this package uses.
const (
	AbortToggle       AbortCode = 0x05030000
	AbortTimeout      AbortCode = 0x05040000
	AbortCommand      AbortCode = 0x05040001
	AbortMemory       AbortCode = 0x05040005
	AbortWriteOnly    AbortCode = 0x06010001
	AbortReadOnly     AbortCode = 0x06010002
	AbortNoObject     AbortCode = 0x06020000
	AbortNotMappable  AbortCode = 0x06040041
	AbortMappedLength AbortCode = 0x06040042
	AbortLength       AbortCode = 0x06070010
	AbortNoSub        AbortCode = 0x06090011
	AbortValue        AbortCode = 0x06090030
	AbortState        AbortCode = 0x08000022
)

// String returns the meaning of the code (CiA 301, table 22).
func (c AbortCode) String() string {
	text := map[AbortCode]string{
		AbortToggle:       "the toggle bit did not alternate",
		AbortTimeout:      "the protocol timed out",
		AbortCommand:      "the command is not known",
		AbortMemory:       "out of memory",
		0x06010000:        "the object does not support this access",
		AbortWriteOnly:    "the object cannot be read",
		AbortReadOnly:     "the object cannot be written",
		AbortNoObject:     "the object does not exist",
		AbortNotMappable:  "the object cannot be mapped to the PDO",
		AbortMappedLength: "the mapped objects exceed the PDO",
		0x06040043:        "the parameters are incompatible",
		0x06040047:        "the device is incompatible within itself",
		0x06060000:        "the hardware failed",
		AbortLength:       "the length of the value is wrong",
		0x06070012:        "the value is too long",
		0x06070013:        "the value is too short",
		AbortNoSub:        "the subindex does not exist",
		AbortValue:        "the value is out of range",
		0x06090031:        "the value is too great",
		0x06090032:        "the value is too small",
		0x08000000:        "general error",
		0x08000020:        "the value cannot be stored",
		0x08000021:        "the value cannot be stored because of local control",
		AbortState:        "the value cannot be stored in the present state of the device",
	}[c]
	if text == "" {
		return "not of CiA 301"
	}
	return text
}

// AbortError is an SDO transfer that either side has aborted.
type AbortError struct {
	Node  byte   // 1 to 127
	Index uint16 // of the object
	Sub   byte   // its subindex
	Code  AbortCode
}

// Error implements error.
func (e *AbortError) Error() string {
	return fmt.Sprintf("node %d, object %04Xh:%02X: %v (%08Xh)", e.Node, e.Index, e.Sub, e.Code, uint32(e.Code))
}

// The command specifiers of SDOs: the upper three bits of the first byte.
const (
	downloadSegment = 0 << 5 // asked; as an answer: a segment of an upload
	uploadSegment   = 3 << 5 // asked; as an answer: a download has begun
	beginDownload   = 1 << 5 // as an answer: a segment of a download was taken
	beginUpload     = 2 << 5 // both
	abortTransfer   = 4 << 5
	specifier       = 7 << 5

	downloadBegun  = 3 << 5
	downloadTaken  = 1 << 5
	uploaded       = 0 << 5
	expedited      = 2
	sizeGiven      = 1
	toggleBit      = 1 << 4
	lastSegment    = 1
	segmentBytes   = 7
	expeditedBytes = 4
)

// sdoTimeout is how long a node may take for an answer, and tries is how often it is asked.
const (
	sdoTimeout = 100 * time.Millisecond
	tries      = 3
)

// Client reads and writes the objects of a node by SDO, one transfer at a time.
type Client struct {
	node   byte
	out    *outbox
	busy   bool
	up     bool
	index  uint16
	sub    byte
	buffer [MaxObject]byte
	n, at  int // length of the object, and what has been transferred
	begun  bool
	toggle byte
	waited time.Duration
	asked  int
	abort  AbortError
}

// Busy reports whether a transfer is under way.
func (c *Client) Busy() bool { return c.busy }

// Upload begins to read an object. A transfer that is under way is dropped.
func (c *Client) Upload(index uint16, sub byte) {
	c.up, c.index, c.sub, c.asked = true, index, sub, 0
	c.begin()
}

// Download begins to write an object with 1 to [MaxObject] bytes. It panics for other lengths.
func (c *Client) Download(index uint16, sub byte, data []byte) {
	if len(data) < 1 || len(data) > MaxObject {
		panic(fmt.Sprintf("canopen: download of %d bytes: expected 1 to %d", len(data), MaxObject))
	}
	c.up, c.index, c.sub, c.asked = false, index, sub, 0
	c.n = copy(c.buffer[:], data)
	c.begin()
}

// Data returns what the last upload has read, until the next transfer begins.
func (c *Client) Data() []byte { return c.buffer[:c.at] }

func (c *Client) begin() {
	c.busy, c.begun, c.at, c.toggle, c.waited = true, false, 0, 0, 0
	c.asked++
	command := byte(beginUpload)
	data := [expeditedBytes]byte{}
	if !c.up {
		if c.n <= expeditedBytes {
			command = beginDownload | byte(expeditedBytes-c.n)<<2 | expedited | sizeGiven
			copy(data[:], c.buffer[:c.n])
		} else {
			command = beginDownload | sizeGiven
			binary.LittleEndian.PutUint32(data[:], uint32(c.n))
		}
	}
	c.out.frame(sdoAsk+uint32(c.node), command, byte(c.index), byte(c.index>>8), c.sub, data[0], data[1], data[2], data[3])
}

// fail aborts the transfer.
func (c *Client) fail(code AbortCode) error {
	c.out.frame(sdoAsk+uint32(c.node), abortTransfer, byte(c.index), byte(c.index>>8), c.sub, byte(code), byte(code>>8), byte(code>>16), byte(code>>24))
	return c.aborted(code)
}

func (c *Client) aborted(code AbortCode) error {
	c.busy = false
	c.abort = AbortError{c.node, c.index, c.sub, code}
	return &c.abort
}

// elapse lets time pass. A node that does not answer is asked again; after the third time the transfer is aborted.
func (c *Client) elapse(dt time.Duration) error {
	if c.waited += dt; !c.busy || c.waited < sdoTimeout {
		return nil
	}
	err := c.fail(AbortTimeout)
	if c.asked < tries {
		c.begin()
		return nil
	}
	return err
}

// take takes an answer, and reports whether the transfer is complete. An error is an *[AbortError], and ends it.
func (c *Client) take(f *wire.Frame) (done bool, err error) {
	if !c.busy || f.Length != 8 {
		return false, nil
	}
	d := &f.Data
	kind := d[0] & specifier
	named := binary.LittleEndian.Uint16(d[1:]) == c.index && d[3] == c.sub
	switch {
	case kind == abortTransfer:
		if named {
			err = c.aborted(AbortCode(binary.LittleEndian.Uint32(d[4:])))
		}
		return false, err
	case !c.begun:
		if !named || c.up && kind != beginUpload || !c.up && kind != downloadBegun {
			return false, nil // the answer to a transfer that was dropped
		}
		return c.first(d)
	case c.up:
		return c.segment(kind, d)
	case kind != downloadTaken:
		return false, c.fail(AbortCommand)
	case d[0]&toggleBit != c.toggle:
		return false, c.fail(AbortToggle)
	}
	c.at, c.toggle = min(c.n, c.at+segmentBytes), c.toggle^toggleBit
	if c.at == c.n {
		c.busy = false
		return true, nil
	}
	c.sendSegment()
	return false, nil
}

// first takes the answer to the beginning of a transfer.
func (c *Client) first(d *[8]byte) (done bool, err error) {
	c.begun, c.waited = true, 0
	switch {
	case !c.up && c.n <= expeditedBytes:
		c.busy = false
		return true, nil
	case !c.up:
		c.sendSegment()
	case d[0]&expedited != 0:
		c.at = expeditedBytes
		if d[0]&sizeGiven != 0 {
			c.at -= int(d[0] >> 2 & 3)
		}
		copy(c.buffer[:], d[4:4+c.at])
		c.busy = false
		return true, nil
	case d[0]&sizeGiven != 0 && binary.LittleEndian.Uint32(d[4:]) > MaxObject:
		return false, c.fail(AbortMemory)
	default:
		c.out.frame(sdoAsk+uint32(c.node), uploadSegment, 0, 0, 0, 0, 0, 0, 0)
	}
	return false, nil
}

// segment takes a part of an object.
func (c *Client) segment(kind byte, d *[8]byte) (done bool, err error) {
	n := segmentBytes - int(d[0]>>1&7)
	switch {
	case kind != uploaded:
		return false, c.fail(AbortCommand)
	case d[0]&toggleBit != c.toggle:
		return false, c.fail(AbortToggle)
	case c.at+n > MaxObject:
		return false, c.fail(AbortMemory)
	}
	c.at += copy(c.buffer[c.at:], d[1:1+n])
	c.toggle, c.waited = c.toggle^toggleBit, 0
	if d[0]&lastSegment != 0 {
		c.busy = false
		return true, nil
	}
	c.out.frame(sdoAsk+uint32(c.node), uploadSegment|c.toggle, 0, 0, 0, 0, 0, 0, 0)
	return false, nil
}

func (c *Client) sendSegment() {
	c.waited = 0
	c.out.add(segmentFrame(sdoAsk+uint32(c.node), downloadSegment|c.toggle, c.buffer[c.at:c.n]))
}

// segmentFrame returns a segment with the first seven bytes of the rest of an object.
func segmentFrame(id uint32, command byte, rest []byte) wire.Frame {
	f := wire.Frame{ID: id, Length: 8}
	n := copy(f.Data[1:], rest)
	f.Data[0] = command | byte(segmentBytes-n)<<1
	if n == len(rest) {
		f.Data[0] |= lastSegment
	}
	return f
}

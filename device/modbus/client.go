package modbus

import (
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// resendAfter is how long an answer may take before the request is sent again.
const resendAfter = 60 * time.Millisecond

// Client asks one unit at a time. Its methods allocate nothing and do not wait.
type Client struct {
	wire    wire.Wire
	framing Framing

	request     []byte // a frame
	written     int    // how much of it the channel has taken
	waited      time.Duration
	transaction uint16
	unit        byte
	function    byte
	want        int // registers in the answer
	asking      bool

	in        []byte // what has come of the answer
	registers []uint16
	exception ExceptionError
}

// NewClient returns a client on a channel of bytes.
func NewClient(w wire.Wire, f Framing) *Client {
	return &Client{wire: w, framing: f, request: make([]byte, 0, maxFrame), in: make([]byte, 0, 2*maxFrame), registers: make([]uint16, 0, MaxRegisters)}
}

// Reset forgets what was asked.
func (c *Client) Reset() { c.asking, c.in, c.registers = false, c.in[:0], c.registers[:0] }

// Asking reports whether an answer is awaited.
func (c *Client) Asking() bool { return c.asking }

// Registers returns the registers of the latest answer. They are valid until the next one.
func (c *Client) Registers() []uint16 { return c.registers }

// Read asks for registers: function is [ReadHolding] or [ReadInput].
func (c *Client) Read(unit, function byte, address uint16, count int) {
	if count < 1 || count > MaxRegisters || function != ReadHolding && function != ReadInput {
		panic("modbus: Read of less than 1 or more than 125 registers, or with another function")
	}
	c.start(unit, function, count)
	c.word(address)
	c.word(uint16(count))
	c.send()
}

// Write writes registers.
func (c *Client) Write(unit byte, address uint16, values []uint16) {
	checkWritten(values)
	c.start(unit, WriteMultiple, 0)
	c.words(address, values)
	c.send()
}

// WriteRead requests that a unit write values to the registers from to on, and then read count registers from from on. It panics unless it writes 1
// to 121 registers and reads 1 to 125.
func (c *Client) WriteRead(unit byte, to uint16, values []uint16, from uint16, count int) {
	checkWritten(values)
	if count < 1 || count > MaxRegisters {
		panic("modbus: WriteRead of less than 1 or more than 125 registers")
	}
	c.start(unit, WriteReadMultiple, count)
	c.word(from)
	c.word(uint16(count))
	c.words(to, values)
	c.send()
}

func checkWritten(values []uint16) {
	if len(values) < 1 || len(values) > maxWritten {
		panic("modbus: less than 1 or more than 121 registers are written")
	}
}

func (c *Client) start(unit, function byte, want int) {
	c.transaction++
	c.unit, c.function, c.want, c.asking = unit, function, want, true
	c.request = append(c.framing.begin(c.request[:0], c.transaction, unit), function)
}

func (c *Client) word(w uint16) { c.request = append(c.request, byte(w>>8), byte(w)) }

func (c *Client) words(address uint16, values []uint16) {
	c.word(address)
	c.word(uint16(len(values)))
	c.request = append(c.request, byte(2*len(values)))
	for _, v := range values {
		c.word(v)
	}
}

func (c *Client) send() {
	c.request = c.framing.end(c.request)
	c.written, c.waited, c.in = 0, 0, c.in[:0]
}

// Step sends what was asked, and takes the answer: then the progress is [driver.Complete]. An answer that is damaged or late is asked for again. Errors are
// those of the channel, and an [*ExceptionError]. dt is the time since the previous Step.
func (c *Client) Step(dt time.Duration) (driver.Progress, error) {
	if !c.asking {
		return driver.Nothing, nil
	}
	if c.waited += dt; c.waited > resendAfter {
		c.written, c.waited, c.in = 0, 0, c.in[:0]
	}
	if c.written < len(c.request) {
		n, err := c.wire.Write(c.request[c.written:])
		if err != nil {
			return driver.Nothing, err
		}
		c.written += n
	}
	var err error
	if c.in, err = driver.Receive(c.wire, c.in); err != nil {
		return driver.Nothing, err
	}
	for {
		begin, length, err := c.answer()
		switch {
		case err != nil:
			c.in = c.in[:0] // sent again when the time is over
			return driver.Damaged, err
		case length == 0:
			return driver.Nothing, nil
		case begin < 0: // to an earlier request
			c.in = c.in[:copy(c.in, c.in[length:])]
			continue
		}
		return c.take(c.in[begin:length])
	}
}

// answer finds the first answer in what has come: its function begins at begin, -1 if it belongs to an earlier request; with its end it is length
// bytes long, 0 if it is not complete.
func (c *Client) answer() (begin, length int, err error) {
	in := c.in
	if c.framing == TCP {
		if len(in) < headerTCP+2 {
			return 0, 0, nil
		}
		n := int(in[4])<<8 | int(in[5])
		if in[2] != 0 || in[3] != 0 || n < 3 || n > maxFrame-headerTCP+1 {
			return 0, 0, ErrForm
		}
		if length = headerTCP - 1 + n; len(in) < length {
			return 0, 0, nil
		}
		if uint16(in[0])<<8|uint16(in[1]) != c.transaction {
			return -1, length, nil
		}
		if in[6] != c.unit {
			return 0, 0, ErrForm
		}
		return headerTCP, length, nil
	}
	if len(in) < 3 {
		return 0, 0, nil
	}
	switch {
	case in[0] != c.unit || in[1]&0x7f != c.function:
		return 0, 0, ErrForm
	case in[1]&0x80 != 0:
		length = 3
	case c.want > 0:
		length = 3 + int(in[2])
	default:
		length = 6
	}
	if len(in) < length+2 {
		return 0, 0, nil
	}
	if crc(in[:length+2]) != 0 { // a CRC over itself is 0
		return 0, 0, ErrCRC
	}
	return 1, length, nil
}

// take takes function and data of an answer.
func (c *Client) take(pdu []byte) (driver.Progress, error) {
	if len(pdu) < 2 {
		return driver.Damaged, ErrForm
	}
	if pdu[0] == c.function|0x80 {
		c.asking = false
		c.exception = ExceptionError{c.function, pdu[1]}
		return driver.Nothing, &c.exception
	}
	good := pdu[0] == c.function
	if c.want > 0 {
		good = good && int(pdu[1]) == 2*c.want && len(pdu) == 2+2*c.want
	} else {
		good = good && len(pdu) == 5
	}
	if !good {
		c.in = c.in[:0]
		return driver.Damaged, ErrForm
	}
	c.asking = false
	c.registers = c.registers[:c.want]
	for i := range c.registers {
		c.registers[i] = uint16(pdu[2+2*i])<<8 | uint16(pdu[3+2*i])
	}
	return driver.Complete, nil
}

package modbus

import (
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// Registers are those of a device. Read and Write return false for an address that is not there, and Write also for a value that is not possible.
type Registers interface {
	Read(address uint16) (value uint16, ok bool)
	Write(address, value uint16) bool
}

// frameEnd is the silence after which a frame that is not complete is dropped.
const frameEnd = 20 * time.Millisecond

// Server answers for one unit: the end of the channel at which an emulator stands.
type Server struct {
	wire      wire.Wire
	framing   Framing
	unit      byte
	registers Registers
	in        []byte
	out       []byte
	silent    time.Duration
}

var _ driver.Emulator = (*Server)(nil)

// NewServer returns a server on an open channel.
func NewServer(w wire.Wire, f Framing, unit byte, r Registers) *Server {
	return &Server{wire: w, framing: f, unit: unit, registers: r, in: make([]byte, 0, 4*maxFrame), out: make([]byte, 0, 4*maxFrame)}
}

// Step implements [driver.Emulator].
func (s *Server) Step(dt time.Duration) error {
	if s.silent += dt; s.silent > frameEnd {
		s.in = s.in[:0]
	}
	var err error
	had := len(s.in)
	if s.in, err = driver.Receive(s.wire, s.in); err != nil {
		s.in, s.out = s.in[:0], s.out[:0]
		return driver.AwaitDriver(s.wire, err)
	}
	if len(s.in) > had {
		s.silent = 0
	}
	for len(s.out) < maxFrame {
		n := s.next()
		if n == 0 {
			break
		}
		s.in = s.in[:copy(s.in, s.in[n:])]
	}
	s.out, err = driver.Send(s.wire, s.out)
	return driver.AwaitDriver(s.wire, err)
}

// next answers the first request of what has come, and returns its length; 0 if it is not complete.
func (s *Server) next() int {
	in := s.in
	if s.framing == TCP {
		if len(in) < headerTCP+1 {
			return 0
		}
		n := int(in[4])<<8 | int(in[5])
		if in[2] != 0 || in[3] != 0 || n < 2 || n > maxFrame-headerTCP+1 {
			return len(in)
		}
		length := headerTCP - 1 + n
		if len(in) < length {
			return 0
		}
		s.serve(uint16(in[0])<<8|uint16(in[1]), in[6], in[headerTCP:length])
		return length
	}
	if len(in) < 8 {
		return 0
	}
	length := 6
	switch in[1] {
	case WriteMultiple:
		length = 7 + int(in[6])
	case WriteReadMultiple:
		if len(in) < 11 {
			return 0
		}
		length = 11 + int(in[10])
	}
	if len(in) < length+2 {
		return 0
	}
	if crc(in[:length+2]) != 0 {
		return len(in)
	}
	if in[0] == s.unit {
		s.serve(0, in[0], in[1:length])
	}
	return length + 2
}

// serve answers a request: function and data.
func (s *Server) serve(transaction uint16, unit byte, pdu []byte) {
	begin := len(s.out)
	b := append(s.framing.begin(s.out, transaction, unit), pdu[0])
	b, code := s.execute(b, pdu)
	if code != 0 {
		b = append(s.framing.begin(s.out[:begin], transaction, unit), pdu[0]|0x80, code)
	}
	s.out = append(b[:begin], s.framing.end(b[begin:])...)
}

func word(b []byte) int { return int(b[0])<<8 | int(b[1]) }

// execute appends the data of the answer, or returns the code of an exception.
func (s *Server) execute(b, pdu []byte) (answer []byte, code byte) {
	switch n := len(pdu); {
	case (pdu[0] == ReadHolding || pdu[0] == ReadInput) && n == 5:
		return s.read(b, word(pdu[1:]), word(pdu[3:]))
	case pdu[0] == WriteOne && n == 5:
		if !s.registers.Write(uint16(word(pdu[1:])), uint16(word(pdu[3:]))) {
			return b, 2
		}
		return append(b, pdu[1:]...), 0
	case pdu[0] == WriteMultiple && n >= 6 && n == 6+int(pdu[5]):
		if code := s.write(word(pdu[1:]), word(pdu[3:]), pdu[6:]); code != 0 {
			return b, code
		}
		return append(b, pdu[1:5]...), 0
	case pdu[0] == WriteReadMultiple && n >= 10 && n == 10+int(pdu[9]):
		if code := s.write(word(pdu[5:]), word(pdu[7:]), pdu[10:]); code != 0 {
			return b, code
		}
		return s.read(b, word(pdu[1:]), word(pdu[3:]))
	case pdu[0] == ReadHolding || pdu[0] == ReadInput || pdu[0] == WriteOne || pdu[0] == WriteMultiple || pdu[0] == WriteReadMultiple:
		return b, 3
	}
	return b, 1
}

func (s *Server) read(b []byte, address, count int) (answer []byte, code byte) {
	if count < 1 || count > MaxRegisters {
		return b, 3
	}
	b = append(b, byte(2*count))
	for i := range count {
		value, ok := s.registers.Read(uint16(address + i))
		if !ok || address+i > 0xffff {
			return b, 2
		}
		b = append(b, byte(value>>8), byte(value))
	}
	return b, 0
}

func (s *Server) write(address, count int, data []byte) (code byte) {
	if count < 1 || len(data) != 2*count {
		return 3
	}
	for i := range count {
		if address+i > 0xffff || !s.registers.Write(uint16(address+i), uint16(word(data[2*i:]))) {
			return 2
		}
	}
	return 0
}

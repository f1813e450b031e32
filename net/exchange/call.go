package exchange

import (
	"encoding/binary"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// This file carries calls of operations between processes. A call is a packet each way:
//
//	request  arguments in CDR, number (8 bytes)
//	answer   result in CDR, number (8 bytes), length of an error's text (1 byte) and the text
//
// A request is sent again until its answer comes, for packets get lost between hosts; its number shows whether it has been
// served. So an operation runs once, unless its process ends before it has answered.

const (
	numberSize = 8
	problemMax = 119
	sendAgain  = 100 * time.Millisecond
	wordless   = "the operation failed without words"
)

// RequestSpec describes the link with the requests for an operation, from the process of its caller.
func RequestSpec(name string, op *port.Operation, from string) Spec {
	return Spec{Name: name, Type: op.Args.Type(), Size: op.Args.Size() + numberSize, From: from}
}

// AnswerSpec describes the link with the answers of an operation, from the process of its block.
func AnswerSpec(name string, op *port.Operation, from string) Spec {
	return Spec{Name: name, Type: op.Result.Type(), Size: op.Result.Size() + numberSize + 1 + problemMax, From: from}
}

// Caller carries the calls of one caller to an operation in another process.
type Caller struct {
	Request Outlet
	Answer  Inlet
	binding *port.Binding
	number  uint64 // of the last request
	sent    clock.Time
	problem callError
}

// NewCaller returns the caller's end, in a thread, of a call that [RequestSpec] and [AnswerSpec] describe.
func NewCaller(request, answer Spec, thread int, binding *port.Binding) *Caller {
	return &Caller{
		Request: Outlet{Spec: request, To: []string{answer.From}, packet: make([]byte, request.Size)},
		Answer:  *NewInlet(answer, request.From, thread, nil, nil),
		binding: binding, number: uint64(time.Now().UnixNano()), // none that an earlier run has used
	}
}

// callError is what an operation in another process has answered.
type callError struct {
	n    int
	text [problemMax]byte
}

func (e *callError) Error() string { return strings.ToValidUTF8(string(e.text[:e.n]), "\uFFFD") }

// Fetch takes the answer if it has arrived.
func (c *Caller) Fetch() {
	if _, ok := c.Answer.receive(); !ok {
		return
	}
	at := len(c.Answer.packet) - 1 - problemMax - numberSize
	result, trailer := c.Answer.packet[:at], c.Answer.packet[at:]
	if binary.LittleEndian.Uint64(trailer) != c.number {
		return // of an older request, or of one before a restart
	}
	if n := int(trailer[numberSize]); n > 0 {
		c.problem.n = copy(c.problem.text[:], trailer[numberSize+1:][:min(n, problemMax)])
		c.binding.Answer(nil, &c.problem)
		return
	}
	c.binding.Answer(result, nil)
}

// Publish sends the request if it is new, and repeats it if its answer is overdue.
func (c *Caller) Publish(now clock.Time) {
	if c.Request.sender == nil {
		return
	}
	arguments := c.Request.packet[:len(c.Request.packet)-numberSize]
	switch {
	case c.binding.Take(arguments):
		c.number++
		binary.LittleEndian.PutUint64(c.Request.packet[len(arguments):], c.number)
	case !c.binding.Asks() || now.Sub(c.sent) < sendAgain:
		return
	}
	c.sent = now
	c.Request.send(c.Request.packet, 0)
}

// Server serves the calls of one caller in another process.
type Server struct {
	Request Inlet
	Answer  Outlet
	op      *port.Operation
	number  uint64 // of the last request; its answer is in the outlet's packet
	any     bool   // there was a request
}

// NewServer returns the operation's end, in a thread, of a call that [RequestSpec] and [AnswerSpec] describe.
func NewServer(request, answer Spec, thread int, op *port.Operation) *Server {
	return &Server{
		Request: *NewInlet(request, answer.From, thread, nil, nil),
		Answer:  Outlet{Spec: answer, To: []string{request.From}, packet: make([]byte, answer.Size)},
		op:      op,
	}
}

// Serve runs the operation for a new request, and repeats the answer to a request that was already served.
func (s *Server) Serve() {
	if _, ok := s.Request.receive(); !ok {
		return
	}
	arguments := s.Request.packet[:len(s.Request.packet)-numberSize]
	if n := binary.LittleEndian.Uint64(s.Request.packet[len(arguments):]); n != s.number || !s.any {
		s.number, s.any = n, true
		s.run(arguments)
		return
	}
	s.reply()
}

func (s *Server) run(arguments []byte) {
	at := len(s.Answer.packet) - 1 - problemMax - numberSize
	result, trailer := s.Answer.packet[:at], s.Answer.packet[at:]
	binary.LittleEndian.PutUint64(trailer, s.number)
	defer s.reply() // also where it panics
	s.fail(trailer, block.ErrPanicked)
	_, err := s.op.Serve(arguments, result)
	s.fail(trailer, err)
}

// fail puts the text of an error into an answer; none where err is nil.
func (s *Server) fail(trailer []byte, err error) {
	trailer[numberSize] = 0
	if err == nil {
		return
	}
	text := err.Error()
	if text == "" {
		text = wordless // length 0 means no error
	}
	n := min(len(text), problemMax)
	for n < len(text) && n > 0 && !utf8.RuneStart(text[n]) { // not within a letter
		n--
	}
	trailer[numberSize] = byte(max(1, copy(trailer[numberSize+1:], text[:n])))
}

func (s *Server) reply() {
	if s.Answer.sender != nil {
		s.Answer.send(s.Answer.packet, 0)
	}
}

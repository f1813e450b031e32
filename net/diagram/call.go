package diagram

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// This file has the calls of operations that leave their thread. Between processes a call is a packet each way:
//
//	request  arguments in CDR, number (8 bytes)
//	answer   result in CDR, number (8 bytes), length of an error's text (1 byte) and the text
//
// A request is sent again until its answer comes, for packets get lost between hosts; its number tells whether it has been
// served. So an operation runs once, unless its process ends before it has answered.

const (
	numberSize = 8
	problemMax = 119
	sendAgain  = 100 * time.Millisecond
)

// CallPlan is a call of an operation in another process.
type CallPlan struct {
	Caller, Peer, Operation    string // blocks, and the operation of the peer
	CallerProcess, PeerProcess string
	Request, Answer            Wire
}

// Request is where blocks of other threads and processes call an operation of a block.
type Request struct {
	Block *block.Instance // whose operation it is
	from  interface{ Serve() }
}

// Serve runs the operation if somebody has called it.
func (r *Request) Serve() { r.from.Serve() }

// Calling is a caller of an operation that is in another process.
type Calling struct {
	request Outlet
	answer  Inlet
	binding *block.Binding
	number  uint64 // of the last request
	sent    clock.Time
	problem callError
}

// callError is what an operation in another process has answered.
type callError struct {
	n    int
	text [problemMax]byte
}

func (e *callError) Error() string { return string(e.text[:e.n]) }

// Fetch takes the answer, if it has come.
func (c *Calling) Fetch() {
	if c.answer.receive == nil {
		return
	}
	if _, ok := c.answer.receive(c.answer.packet); !ok {
		return
	}
	at := len(c.answer.packet) - 1 - problemMax - numberSize
	result, trailer := c.answer.packet[:at], c.answer.packet[at:]
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

// Publish sends the request, if one waits or has waited long for its answer.
func (c *Calling) Publish(now clock.Time) {
	if c.request.send == nil {
		return
	}
	arguments := c.request.packet[:len(c.request.packet)-numberSize]
	switch {
	case c.binding.Take(arguments):
		c.number++
		binary.LittleEndian.PutUint64(c.request.packet[len(arguments):], c.number)
	case !c.binding.Asks() || now.Sub(c.sent) < sendAgain:
		return
	}
	c.sent = now
	c.request.send(c.request.packet)
}

// called serves the calls of one caller in another process.
type called struct {
	request Inlet
	answer  Outlet
	op      *block.OperationInfo
	number  uint64 // of the last request; its answer is in the outlet's packet
}

// Serve runs the operation for a request that is new, and answers again one that was served.
func (c *called) Serve() {
	if c.request.receive == nil {
		return
	}
	if _, ok := c.request.receive(c.request.packet); !ok {
		return
	}
	arguments := c.request.packet[:len(c.request.packet)-numberSize]
	if n := binary.LittleEndian.Uint64(c.request.packet[len(arguments):]); n != c.number {
		c.number = n
		c.run(arguments)
		return
	}
	c.reply()
}

func (c *called) run(arguments []byte) {
	at := len(c.answer.packet) - 1 - problemMax - numberSize
	result, trailer := c.answer.packet[:at], c.answer.packet[at:]
	binary.LittleEndian.PutUint64(trailer, c.number)
	defer c.reply() // also where it panics
	c.tell(trailer, block.ErrPanicked)
	_, err := c.op.Serve(arguments, result)
	c.tell(trailer, err)
}

func (c *called) tell(trailer []byte, err error) {
	trailer[numberSize] = 0
	if err != nil {
		trailer[numberSize] = byte(copy(trailer[numberSize+1:], err.Error()))
	}
}

func (c *called) reply() {
	if c.answer.send != nil {
		c.answer.send(c.answer.packet)
	}
}

// bind gives the callers of operations what they asked for in Setup.
func (d *Diagram) bind(net *Net) {
	for _, b := range d.blocks {
		for _, want := range b.Bindings {
			if b.thread == nil || d.broken[want.Peer] {
				continue
			}
			peer := d.byName[want.Peer]
			if peer != nil && peer.thread == nil || !d.here(b.thread) && (peer == nil || !d.here(peer.thread)) {
				continue
			}
			if op := d.operation(b, want, peer); op != nil {
				d.join(net, b, want, peer, op)
			}
		}
	}
}

// operation returns the operation that a block wants to call. Where there is none, the caller's process tells why.
func (d *Diagram) operation(b *placed, want *block.Binding, peer *placed) *block.OperationInfo {
	fail := func(format string, args ...any) {
		if d.here(b.thread) {
			d.fail(b.Source, "block %q calls %s.%s: "+format, append([]any{b.Name, want.Peer, want.Operation}, args...)...)
		}
	}
	switch {
	case d.foreign[want.Peer] != nil:
		fail("%q is a program of its own, and those have no operations: link a port instead", want.Peer)
		return nil
	case peer == nil:
		fail("no block %q%s", want.Peer, nearest.Hint(want.Peer, d.blockNames()))
		return nil
	}
	op := peer.Operation(want.Operation)
	if op == nil {
		var names []string
		for _, o := range peer.Operations {
			names = append(names, o.Name)
		}
		fail("%s has no operation %q%s", peer.Type, want.Operation, nearest.Hint(want.Operation, names))
	}
	return op
}

// join joins a caller to its operation: in the same thread by a call of the function, otherwise by requests.
func (d *Diagram) join(net *Net, b *placed, want *block.Binding, peer *placed, op *block.OperationInfo) {
	direct, away := peer.thread == b.thread, peer.thread.Process != b.thread.Process
	resolve := func() error { return want.Resolve(op, direct) }
	if away && d.process != "" {
		resolve = func() error { return want.ResolveAway(op) }
	}
	if err := resolve(); err != nil {
		d.fail(b.Source, "block %q calls %s.%s: the operation %w", b.Name, want.Peer, want.Operation, err)
		return
	}
	if !away {
		if !direct && !op.InCaller {
			plan := net.Threads[peer.thread.index]
			plan.Requests = append(plan.Requests, Request{peer.Instance, want})
		}
		return
	}
	call := newCallPlan(net, b, want, peer, op)
	if !wireNames.MatchString(call.Request.Name) || !wireNames.MatchString(call.Answer.Name) {
		d.fail(b.Source, "block %q calls %s.%s in process %q over the links %s and %s: their names want letters, digits, _ and -, at most 200 of them",
			b.Name, want.Peer, want.Operation, call.PeerProcess, call.Request.Name, call.Answer.Name)
		return
	}
	net.Calls = append(net.Calls, call)
	switch {
	case d.process == "": // both are here
		if !op.InCaller {
			plan := net.Threads[peer.thread.index]
			plan.Requests = append(plan.Requests, Request{peer.Instance, want})
		}
	case d.here(b.thread):
		c := &Calling{
			request: Outlet{Wire: call.Request, To: []string{call.PeerProcess}, packet: make([]byte, call.Request.Size)},
			answer:  Inlet{Wire: call.Answer, To: call.CallerProcess, Thread: b.thread.index, packet: make([]byte, call.Answer.Size)},
			binding: want, number: uint64(time.Now().UnixNano()), // none that an earlier run has used
		}
		plan := net.Threads[b.thread.index]
		plan.Calls = append(plan.Calls, c)
		net.Outlets, net.Inlets = append(net.Outlets, &c.request), append(net.Inlets, &c.answer)
	default:
		c := &called{
			request: Inlet{Wire: call.Request, To: call.PeerProcess, Thread: peer.thread.index, packet: make([]byte, call.Request.Size)},
			answer:  Outlet{Wire: call.Answer, To: []string{call.CallerProcess}, packet: make([]byte, call.Answer.Size)},
			op:      op,
		}
		plan := net.Threads[peer.thread.index]
		plan.Requests = append(plan.Requests, Request{peer.Instance, c})
		net.Outlets, net.Inlets = append(net.Outlets, &c.answer), append(net.Inlets, &c.request)
	}
}

// newCallPlan describes a call that leaves its process. Its wires have names that no port has.
func newCallPlan(net *Net, b *placed, want *block.Binding, peer *placed, op *block.OperationInfo) CallPlan {
	operation, n := want.Peer+"."+want.Operation, 1
	for _, c := range net.Calls {
		if c.Caller == b.Name && c.Peer == want.Peer && c.Operation == want.Operation {
			n++ // the block has several callers of one operation
		}
	}
	if n > 1 {
		operation += fmt.Sprintf(".%d", n)
	}
	from, to := b.thread.Process, peer.thread.Process
	return CallPlan{
		Caller: b.Name, Peer: want.Peer, Operation: want.Operation, CallerProcess: from, PeerProcess: to,
		Request: Wire{Name: b.Name + ".." + operation, Type: op.Args.Type(), Size: op.Args.Size() + numberSize, From: from},
		Answer:  Wire{Name: operation + ".." + b.Name, Type: op.Result.Type(), Size: op.Result.Size() + numberSize + 1 + problemMax, From: to},
	}
}

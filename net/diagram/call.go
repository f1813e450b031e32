package diagram

import (
	"fmt"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/exchange"
	netlink "github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/port"
)

// CallPlan is a call of an operation in another process.
type CallPlan struct {
	Caller, Peer, Operation    string // blocks, and the operation of the peer
	CallerProcess, PeerProcess string
	Request, Answer            exchange.Spec
}

// Service is where blocks of other threads and processes call an operation of a block.
type Service struct {
	Block *port.Instance // whose operation it is
	from  interface{ Serve() }
}

// Serve runs the operation if a request waits.
func (s *Service) Serve() { s.from.Serve() }

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

// operation returns the operation that a block wants to call. Where there is none, the caller's process reports why.
func (d *Diagram) operation(b *placed, want *port.Binding, peer *placed) *port.Operation {
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
		fail("no block %q%s", want.Peer, nearest.Later(want.Peer, d.blockNames))
		return nil
	}
	op := peer.Operation(want.Operation)
	switch why := peer.WhyOmitted(want.Operation); {
	case op != nil:
	case why != "":
		fail("%s has no operation %q%s", peer.Type, want.Operation, why)
	default:
		var names []string
		for _, o := range peer.Operations {
			names = append(names, o.Name)
		}
		fail("%s has no operation %q%s", peer.Type, want.Operation, nearest.Hint(want.Operation, names))
	}
	return op
}

// join joins a caller to its operation: in the same thread by a call of the function, otherwise by requests.
func (d *Diagram) join(net *Net, b *placed, want *port.Binding, peer *placed, op *port.Operation) {
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
			plan.Services = append(plan.Services, Service{peer.Instance, want})
		}
		return
	}
	call := newCallPlan(net, b, want, peer, op)
	if !netlink.IsName(call.Request.Name) || !netlink.IsName(call.Answer.Name) {
		d.fail(b.Source, "block %q calls %s.%s in process %q over the links %s and %s: their names want letters, digits, _ and -, at most %d of them",
			b.Name, want.Peer, want.Operation, call.PeerProcess, call.Request.Name, call.Answer.Name, netlink.MaxName)
		return
	}
	net.Calls = append(net.Calls, call)
	switch {
	case d.process == "": // both are here
		if !op.InCaller {
			plan := net.Threads[peer.thread.index]
			plan.Services = append(plan.Services, Service{peer.Instance, want})
		}
	case d.here(b.thread):
		c := exchange.NewCaller(call.Request, call.Answer, b.thread.index, want)
		plan := net.Threads[b.thread.index]
		plan.Calls = append(plan.Calls, c)
		net.Outlets, net.Inlets = append(net.Outlets, &c.Request), append(net.Inlets, &c.Answer)
	default:
		c := exchange.NewServer(call.Request, call.Answer, peer.thread.index, op)
		plan := net.Threads[peer.thread.index]
		plan.Services = append(plan.Services, Service{peer.Instance, c})
		net.Outlets, net.Inlets = append(net.Outlets, &c.Answer), append(net.Inlets, &c.Request)
	}
}

// newCallPlan describes a call that leaves its process. Its links have names that no port has.
func newCallPlan(net *Net, b *placed, want *port.Binding, peer *placed, op *port.Operation) CallPlan {
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
		Request: exchange.RequestSpec(b.Name+".."+operation, op, from),
		Answer:  exchange.AnswerSpec(operation+".."+b.Name, op, to),
	}
}

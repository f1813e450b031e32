package admin

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
)

// Server serves a system on its control socket.
//
// Goroutines: one accepts, and for each connection one reads and one writes. All end with Close.
type Server struct {
	system   System
	listener net.Listener
	ctx      context.Context
	cancel   context.CancelFunc
	all      sync.WaitGroup
}

// Listen serves system on the socket of the given name. A second system of that name is an error that says where the
// first one runs.
func Listen(name string, system System) (*Server, error) {
	listener, err := open(name)
	if err != nil {
		return nil, err
	}
	s := &Server{system: system, listener: listener}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.all.Go(s.accept)
	return s, nil
}

// Close ends the service and all connections.
func (s *Server) Close() error {
	s.cancel()
	err := s.listener.Close()
	s.all.Wait()
	return err
}

func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.all.Go(func() { s.serve(conn) })
	}
}

// connection is one client.
type connection struct {
	server  *Server
	answers chan response
	samples chan response
	lost    atomic.Uint64
	taps    map[uint64]func()
}

func (s *Server) serve(conn net.Conn) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	closeEarly := context.AfterFunc(ctx, func() { conn.Close() })
	defer closeEarly()
	c := &connection{server: s, answers: make(chan response), samples: make(chan response, MaxWaiting), taps: map[uint64]func(){}}
	var writer sync.WaitGroup
	writer.Go(func() {
		defer cancel()
		c.write(ctx, conn)
	})
	lines := bufio.NewScanner(conn)
	lines.Buffer(make([]byte, 4096), MaxRequestBytes)
	for lines.Scan() {
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			break
		}
		select {
		case c.answers <- c.answer(ctx, r):
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
	}
	for _, end := range c.taps {
		end()
	}
	cancel()
	writer.Wait()
	conn.Close()
}

// write sends answers and samples until the connection ends.
func (c *connection) write(ctx context.Context, conn net.Conn) {
	w := json.NewEncoder(conn)
	for {
		var r response
		select {
		case r = <-c.answers:
		case r = <-c.samples:
			r.Lost = c.lost.Swap(0)
		case <-ctx.Done():
			return
		}
		if w.Encode(r) != nil {
			return
		}
	}
}

func (c *connection) answer(ctx context.Context, r request) response {
	result, err := c.do(ctx, r)
	answer := response{ID: r.ID}
	if err == nil {
		answer.Result, err = encode(result)
	}
	if err != nil {
		answer.Error = err.Error()
	}
	return answer
}

func (c *connection) do(ctx context.Context, r request) (any, error) {
	s := c.server.system
	switch r.Method {
	case "structure":
		return s.Structure(ctx)
	case "read":
		return s.Read(ctx, r.Ref)
	case "feed":
		return nil, s.Feed(ctx, r.Ref, number(r.Value))
	case "release":
		return nil, s.Release(ctx, r.Ref)
	case "param":
		return s.Param(ctx, r.Ref)
	case "set":
		for k, v := range r.Named {
			r.Named[k] = number(v)
		}
		return nil, s.SetParams(ctx, r.Ref, r.Named)
	case "call":
		for i, v := range r.Args {
			r.Args[i] = number(v)
		}
		return s.Call(ctx, r.Ref, r.Args, r.Named)
	case "reset":
		return nil, s.Reset(ctx, r.Ref)
	case "statistics":
		return s.Statistics(ctx)
	case "stop":
		return nil, s.Stop(ctx)
	case "tap":
		return nil, c.tap(ctx, r)
	case "untap":
		if end := c.taps[r.Tap]; end != nil {
			end()
			delete(c.taps, r.Tap)
		}
		return nil, nil
	}
	return nil, fmt.Errorf("no method %q: client and system are of different versions", r.Method)
}

func (c *connection) tap(ctx context.Context, r request) error {
	end, err := c.server.system.Tap(ctx, r.Ref, r.Every, func(s Sample) {
		s.Value = finite(s.Value)
		select {
		case c.samples <- response{ID: r.ID, Sample: &s}:
		default:
			c.lost.Add(1)
		}
	})
	if err == nil {
		c.taps[r.ID] = end
	}
	return err
}

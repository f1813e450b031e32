package admin

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/record"
)

// Client is a system in another process. It owns one goroutine, which ends with Close or with the connection.
type Client struct {
	conn net.Conn
	send sync.Mutex // held while a request is written: the reader must go on meanwhile
	read sync.WaitGroup
	done chan struct{} // closed when the connection has ended

	next atomic.Uint64 // number of the last request

	mu    sync.Mutex
	open  map[uint64]chan response
	taps  map[uint64]func(Sample)
	lost  uint64
	ended bool
}

var _ System = (*Client)(nil)

// ErrGone is what a client returns when the system has ended or the connection is lost.
var ErrGone = errors.New("the system has ended")

// Dial reaches the system of a name on this machine. With an empty name it is the only one that runs.
func Dial(name string) (*Client, error) {
	if name == "" {
		switch running := List(); len(running) {
		case 0:
			return nil, errors.New("no system runs: start one with sinew run FILE")
		case 1:
			name = running[0]
		default:
			return nil, fmt.Errorf("several systems run: say which: %s", strings.Join(running, ", "))
		}
	}
	conn, err := net.DialTimeout("unix", socketPath(name), dialTimeout)
	if err != nil {
		return nil, fmt.Errorf("no system %q runs%s", name, nearest.Hint(name, List()))
	}
	c := &Client{conn: conn, done: make(chan struct{}), open: map[uint64]chan response{}, taps: map[uint64]func(Sample){}}
	c.read.Go(c.receive)
	return c, nil
}

// Close ends the connection; the system goes on.
func (c *Client) Close() error {
	err := c.conn.Close()
	c.read.Wait()
	return err
}

// Done returns a channel that is closed when the system has ended or the connection is lost.
func (c *Client) Done() <-chan struct{} { return c.done }

// Now returns the time of the system, 0 where it has ended.
func (c *Client) Now() clock.Time {
	s, err := c.Statistics(context.Background())
	if err != nil {
		return 0
	}
	return clock.Time(s.Duration * float64(time.Second))
}

// waitPeriod is how often Wait looks at the time and the condition.
const waitPeriod = 5 * time.Millisecond

// Wait returns nil at time until, where until > 0, or as soon as ready returns true, where it is not nil; [ErrGone]
// when the system ends before.
func (c *Client) Wait(until clock.Time, ready func() bool) error {
	ticker := time.NewTicker(waitPeriod)
	defer ticker.Stop()
	for {
		if ready != nil && ready() || until > 0 && c.Now() >= until {
			return nil
		}
		select {
		case <-ticker.C:
		case <-c.done:
			return ErrGone
		}
	}
}

// Lost returns how many samples this client was too slow for.
func (c *Client) Lost() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}

func (c *Client) receive() {
	defer c.end()
	lines := bufio.NewScanner(c.conn)
	lines.Buffer(make([]byte, 4096), 16*MaxRequestBytes)
	for lines.Scan() {
		var r response
		if json.Unmarshal(lines.Bytes(), &r) != nil {
			return
		}
		c.mu.Lock()
		c.lost += r.Lost
		answer, sink := c.open[r.ID], c.taps[r.ID]
		if r.Sample == nil {
			delete(c.open, r.ID)
		}
		c.mu.Unlock()
		switch {
		case r.Sample != nil && sink != nil:
			r.Sample.Value = number(r.Sample.Value)
			sink(*r.Sample)
		case r.Sample == nil && answer != nil:
			answer <- r
		}
	}
}

func (c *Client) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	close(c.done)
}

// ask sends a request and stores the answer's result into result, unless that is nil.
func (c *Client) ask(ctx context.Context, r request, result any) (id uint64, err error) {
	return c.askFor(ctx, r, result, nil)
}

// askFor is ask for a request that begins a tap, whose samples go to sink.
func (c *Client) askFor(ctx context.Context, r request, result any, sink func(Sample)) (id uint64, err error) {
	answer := make(chan response, 1)
	r.ID = c.next.Add(1)
	line, err := encode(r)
	if err != nil {
		return 0, fmt.Errorf("ask the system: %w", err)
	}
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return 0, ErrGone
	}
	c.open[r.ID] = answer
	if sink != nil {
		c.taps[r.ID] = sink
	}
	c.mu.Unlock()
	c.send.Lock()
	_, err = c.conn.Write(append(line, '\n'))
	c.send.Unlock()
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrGone, err)
	}
	select {
	case a := <-answer:
		if a.Error != "" {
			return r.ID, errors.New(a.Error)
		}
		if result == nil {
			return r.ID, nil
		}
		return r.ID, json.Unmarshal(a.Result, result)
	case <-c.done:
		return r.ID, ErrGone
	case <-ctx.Done():
		c.mu.Lock()
		delete(c.open, r.ID)
		c.mu.Unlock()
		return r.ID, ctx.Err()
	}
}

// Structure implements [System].
func (c *Client) Structure(ctx context.Context) (*Structure, error) {
	s := &Structure{}
	_, err := c.ask(ctx, request{Method: "structure"}, s)
	return s, err
}

// Read implements [System].
func (c *Client) Read(ctx context.Context, ref string) (Reading, error) {
	var r Reading
	_, err := c.ask(ctx, request{Method: "read", Ref: ref}, &r)
	r.Value = number(r.Value)
	return r, err
}

// Feed implements [System].
func (c *Client) Feed(ctx context.Context, ref string, value any) error {
	_, err := c.ask(ctx, request{Method: "feed", Ref: ref, Value: finite(value)}, nil)
	return err
}

// Release implements [System].
func (c *Client) Release(ctx context.Context, ref string) error {
	_, err := c.ask(ctx, request{Method: "release", Ref: ref}, nil)
	return err
}

// Param implements [System].
func (c *Client) Param(ctx context.Context, ref string) (any, error) {
	var v any
	_, err := c.ask(ctx, request{Method: "param", Ref: ref}, &v)
	return number(v), err
}

// SetParams implements [System].
func (c *Client) SetParams(ctx context.Context, block string, values map[string]any) error {
	_, err := c.ask(ctx, request{Method: "set", Ref: block, Named: finite(values).(map[string]any)}, nil)
	return err
}

// Call implements [System].
func (c *Client) Call(ctx context.Context, ref string, args []any, named map[string]any) (any, error) {
	var v any
	_, err := c.ask(ctx, request{Method: "call", Ref: ref, Args: finite(args).([]any), Named: finite(named).(map[string]any)}, &v)
	return number(v), err
}

// Reset implements [System].
func (c *Client) Reset(ctx context.Context, block string) error {
	_, err := c.ask(ctx, request{Method: "reset", Ref: block}, nil)
	return err
}

// Tap implements [System]. The sink runs on the goroutine that reads the connection and must be quick.
func (c *Client) Tap(ctx context.Context, ref string, every int, sink func(Sample)) (func(), error) {
	id, err := c.askFor(ctx, request{Method: "tap", Ref: ref, Every: every}, nil, sink)
	if err != nil {
		c.forget(id)
		return nil, err
	}
	return func() {
		c.forget(id)
		_, _ = c.ask(context.Background(), request{Method: "untap", Tap: id}, nil)
	}, nil
}

func (c *Client) forget(tap uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.taps, tap)
}

// Statistics implements [System].
func (c *Client) Statistics(ctx context.Context) (*record.RunStatistics, error) {
	s := &record.RunStatistics{}
	_, err := c.ask(ctx, request{Method: "statistics"}, s)
	return s, err
}

// Stop implements [System].
func (c *Client) Stop(ctx context.Context) error {
	_, err := c.ask(ctx, request{Method: "stop"}, nil)
	return err
}

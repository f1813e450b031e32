package live

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/deploy"
)

// remoteAddresses returns the servers of a system on other hosts, which ssh reaches.
func remoteAddresses(hosts []deploy.RemotePlan) (list []nats.Address) {
	for i := range hosts {
		remote := &hosts[i]
		if !hasServer(&remote.Plan) {
			continue
		}
		list = append(list, nats.Address{Name: remote.Plan.System + " on host " + remote.Plan.Host, Dial: func(ctx context.Context) (net.Conn, string, error) {
			host, err := remote.Reach(ctx)
			if err != nil {
				return nil, "", err
			}
			return dialPipe(ctx, host, remote.Plan.System)
		}})
	}
	return list
}

// hasServer reports whether a process of the plan is on the control plane: foreign programs are not.
func hasServer(plan *deploy.Plan) bool {
	return slices.ContainsFunc(plan.Processes, func(p deploy.PlannedProcess) bool { return p.ReportsReady })
}

// Greeting is the first line that `sinew pipe` prints, as JSON; the protocol of NATS follows, if Error is empty.
type Greeting struct {
	Token string `json:"token,omitempty"` // of the system's server: it lets a client in
	Error string `json:"error,omitempty"` // why the server cannot be reached
	Gone  bool   `json:"gone,omitempty"`  // the system has no server there
}

// dialPipe reaches the server of a system on another host through `sinew pipe` there.
func dialPipe(ctx context.Context, host *deploy.Remote, system string) (net.Conn, string, error) {
	fail := func(err error) (net.Conn, string, error) {
		return nil, "", fmt.Errorf("reach %s on host %q: %w", system, host.Name, err)
	}
	run, cancel := context.WithCancel(context.Background())
	stop := context.AfterFunc(ctx, cancel) // until it has greeted
	cmd := host.Call(run, "pipe", system)
	c := &pipeConn{cancel: cancel, name: host.SSH}
	theirIn, mine, err := os.Pipe()
	if err != nil {
		return fail(err)
	}
	theirs, theirOut, err := os.Pipe()
	if err != nil {
		return fail(errors.Join(err, theirIn.Close(), mine.Close()))
	}
	c.w, c.r = mine, theirs
	var said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirIn, theirOut, &said
	err = cmd.Start()
	_, _ = theirIn.Close(), theirOut.Close()
	if err != nil {
		return fail(errors.Join(err, c.Close()))
	}
	c.wait = func() { c.ended.Do(func() { _ = cmd.Wait() }) }
	c.lines = bufio.NewReader(theirs)
	line, err := c.lines.ReadBytes('\n')
	var g Greeting
	if err == nil {
		err = json.Unmarshal(line, &g)
	}
	switch {
	case err != nil:
		_ = c.Close()
		return fail(fmt.Errorf("%w: %s", err, strings.TrimSpace(said.String())))
	case g.Gone:
		return fail(errors.Join(&fs.PathError{Op: "reach", Path: system, Err: fs.ErrNotExist}, c.Close()))
	case g.Error != "":
		return fail(errors.Join(errors.New(g.Error), c.Close()))
	case !stop():
		return fail(errors.Join(ctx.Err(), c.Close()))
	}
	return c, g.Token, nil
}

// pipeConn is a connection through the standard streams of a program.
type pipeConn struct {
	r, w   *os.File
	lines  *bufio.Reader // what it has read beyond the Greeting
	cancel func()
	wait   func()
	ended  sync.Once
	name   string
}

var _ net.Conn = (*pipeConn)(nil)

func (c *pipeConn) Read(b []byte) (int, error)  { return c.lines.Read(b) }
func (c *pipeConn) Write(b []byte) (int, error) { return c.w.Write(b) }

// Close ends the program.
func (c *pipeConn) Close() error {
	err := errors.Join(c.w.Close(), c.r.Close())
	c.cancel()
	if c.wait != nil {
		c.wait()
	}
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

func (c *pipeConn) LocalAddr() net.Addr  { return pipeAddr("here") }
func (c *pipeConn) RemoteAddr() net.Addr { return pipeAddr(c.name) }
func (c *pipeConn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}
func (c *pipeConn) SetReadDeadline(t time.Time) error  { return c.r.SetReadDeadline(t) }
func (c *pipeConn) SetWriteDeadline(t time.Time) error { return c.w.SetWriteDeadline(t) }

// pipeAddr is the name of an end of a pipe.
type pipeAddr string

func (a pipeAddr) Network() string { return "ssh" }
func (a pipeAddr) String() string  { return string(a) }

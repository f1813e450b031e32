package nats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
)

const (
	patience = 10 * time.Second // for an answer, except to calls, which last as long as they last
	lookTime = 2 * time.Second  // without an answer a client looks whether the process is still there
	retry    = 20 * time.Millisecond
	grace    = 2 * time.Second // for processes to come back after their server has
)

// absentError is the error where a process is not there. It is an [ErrGone].
type absentError struct {
	system, process, host string
	unreached             []error // servers that might have it
}

func (e *absentError) Error() string {
	where := ""
	if e.host != "" {
		where = " on " + e.host
	}
	if e.host == "" && e.unreached != nil {
		return fmt.Sprintf("process %q of %q is not found: %v", e.process, e.system, errors.Join(e.unreached...))
	}
	return fmt.Sprintf("process %q of %q%s is not there: it has ended, or its host is out of reach", e.process, e.system, where)
}

// Is makes it an ErrGone.
func (e *absentError) Is(target error) bool { return target == admin.ErrGone }

func (c *Client) absent(m *member) error {
	if isClosed(c.done) {
		return admin.ErrGone
	}
	return &absentError{c.system, m.name, m.Host, c.unreached}
}

// ask sends a request with its arguments, a struct, to a process and stores the answer's result into result, unless that is nil. A lost connection
// is waited for as long as the context allows; without a deadline the wait is limited for all but calls.
func (c *Client) ask(ctx context.Context, m *member, method string, arguments, result any) error {
	if _, limited := ctx.Deadline(); !limited && method != "call" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, patience)
		defer cancel()
	}
	switch {
	case m.conn == nil:
		return c.absent(m)
	case m.protocol != Protocol:
		return fmt.Errorf("%s.%s (sinew %s) speaks version %s of the control plane, this tool version %s: use the same sinew on both sides",
			c.system, m.name, m.Version, m.protocol, Protocol)
	}
	data, err := request.Encode(arguments)
	if err != nil {
		return fmt.Errorf("ask the system: %w", err)
	}
	if len(data) > request.MaxBytes {
		return fmt.Errorf("ask the system: the request has %d bytes, at most %d are allowed", len(data), request.MaxBytes)
	}
	message := &nats.Msg{Subject: subject(c.system, m.name, method), Data: data, Header: nats.Header{
		protocolHeader: {Protocol}, clientHeader: {c.actorHeader(ctx)}, encodingHeader: {"gzip"}}}
	for {
		answer, err := c.exchange(ctx, m, message)
		switch {
		case err == nil && codeOf(answer) == request.Busy && c.pause(ctx) == nil: // it is asked again
		case err == nil:
			return c.decode(answer, result)
		case errors.Is(err, nats.ErrReconnectBufExceeded), errors.Is(err, nats.ErrConnectionReconnecting), errors.Is(err, nats.ErrDisconnected):
			if err := c.pause(ctx); err != nil {
				return fmt.Errorf("ask %s.%s: the connection is lost: %w", c.system, m.name, err)
			}
		case errors.Is(err, nats.ErrNoResponders):
			if c.justBack() && c.pause(ctx) == nil {
				continue
			}
			return c.absent(m)
		case errors.Is(err, nats.ErrConnectionClosed):
			return admin.ErrGone
		case errors.Is(err, context.DeadlineExceeded):
			return fmt.Errorf("process %q of %q does not answer: %w", m.name, c.system, err)
		default:
			return err
		}
	}
}

// justBack reports whether a connection was lost a moment ago: the processes may need as long as this client to be back.
func (c *Client) justBack() bool {
	back := c.back.Load()
	return back != nil && time.Since(*back) < grace
}

// pause waits a moment for a connection to come back.
func (c *Client) pause(ctx context.Context) error {
	select {
	case <-time.After(retry):
		return nil
	case <-c.done:
		return admin.ErrGone
	case <-ctx.Done():
		return ctx.Err()
	}
}

// exchange sends a message and waits for the answer as long as the process is there.
func (c *Client) exchange(ctx context.Context, m *member, message *nats.Msg) (*nats.Msg, error) {
	inbox, err := m.conn.SubscribeSync(m.conn.NewRespInbox())
	if err != nil {
		return nil, err
	}
	defer func() { _ = inbox.Unsubscribe() }()
	message.Reply = inbox.Subject
	if err := m.conn.PublishMsg(message); err != nil {
		return nil, err
	}
	for {
		step, cancel := context.WithTimeout(ctx, lookTime)
		answer, err := inbox.NextMsgWithContext(step)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return answer, err
		}
		if _, err := m.conn.Request(subject(c.system, m.name, "time"), nil, lookTime); errors.Is(err, nats.ErrNoResponders) || isClosed(c.done) {
			return nil, nats.ErrNoResponders
		}
	}
}

// codeOf returns the code of an answer that is an error, else 0.
func codeOf(answer *nats.Msg) request.Code {
	code, _ := strconv.Atoi(answer.Header.Get(micro.ErrorCodeHeader))
	return request.Code(code)
}

// decode reads an answer.
func (c *Client) decode(answer *nats.Msg, result any) error {
	if code := codeOf(answer); code != 0 {
		var r refusal
		if json.Unmarshal(answer.Data, &r) != nil || r.Error == "" {
			r.Error = answer.Header.Get(micro.ErrorHeader)
		}
		if code == request.Gone {
			return admin.ErrGone
		}
		return errors.New(r.Error)
	}
	if result == nil {
		return nil
	}
	data := answer.Data
	if answer.Header.Get(packedHeader) == "gzip" {
		var err error
		if data, err = unpack(data); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
	}
	if err := json.Unmarshal(data, result); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	return nil
}

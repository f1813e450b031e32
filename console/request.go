package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/console/files"
	"github.com/sinew-robotics/sinew/console/sessions"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
)

// The deadlines of requests.
const (
	askPatience   = 10 * time.Second
	callPatience  = 10 * time.Minute // of an operation
	startPatience = 3 * time.Minute
	planPatience  = 11 * time.Minute
)

// Reads of curves that are worked on at once: each takes some 10 MB until it is answered.
const (
	mostReads   = 4 // of all users
	readsOfUser = 2
)

// page is the sender of a request.
type page struct {
	*sessions.Session
	actor admin.Actor
}

// Actor implements [request.Sender].
func (p page) Actor() admin.Actor { return p.actor }

// Role implements [request.Sender].
func (p page) Role() request.Role { return p.Login.Role }

// call is a request of a page.
type call = request.Call[page]

var errTooMany = errors.New("too many requests: at most 500 a second are answered")

// accept takes a request from the NATS server. It never waits.
func (s *Server) accept(m *nats.Msg) {
	id, name := sessions.SplitSubject(m.Subject)
	from := s.sessions.Find(id)
	if from == nil || m.Reply != "" && !strings.HasPrefix(m.Reply, from.InboxPrefix()) {
		return // the answer would go to another page
	}
	if !from.AllowRequest() {
		s.answer(m.Reply, nil, errTooMany)
		return
	}
	c := &call{Sender: page{from, s.actor}, Method: name, Data: m.Data}
	c.Sender.actor.User = from.Login.User
	s.requests.Accept(c, from.Slots, func(result []byte, err error) {
		s.record(c, err)
		s.answer(m.Reply, result, err)
	})
}

// panicked logs a panic of a method.
func (s *Server) panicked(method string, cause any, stack []byte) {
	s.log.Error("console: request failed", "method", method, "cause", cause, "stack", string(stack))
}

// record logs what a request has changed and publishes it, or logs that the change was refused.
func (s *Server) record(c *call, err error) {
	change, ok := c.Change(err)
	if !ok {
		return
	}
	actor := c.Sender.actor
	attrs := []any{"user", actor.User, "role", c.Sender.Role().String(), "method", c.Method, "system", change.System, "what", change.Text}
	if err != nil {
		s.log.Warn("console: change rejected", append(attrs, "error", err.Error())...)
		return
	}
	s.log.Info("console: change", attrs...)
	s.publish(Event{System: change.System, Kind: EventChange, Level: Info, Text: changeText(c.Method, change.Text), User: actor.User,
		Action: c.Method, Ref: change.Ref, Actor: actor, Values: change.Values})
}

// reply is the payload of an answer, and refusal that of an error.
type reply struct {
	Result json.RawMessage `json:"result"`
}

type refusal struct {
	Error string `json:"error"`
	Code  string `json:"code,omitempty"` // what pages decide by, which never read the text
}

// codeChangedOnDisk is the code of a save that was rejected because the file has another version than the one that was edited.
const codeChangedOnDisk = "changed_on_disk"

// refusalOf returns the payload of an error.
func refusalOf(err error) refusal {
	if errors.Is(err, files.ErrChangedOnDisk) {
		return refusal{err.Error(), codeChangedOnDisk}
	}
	return refusal{Error: err.Error()}
}

// changeText describes a change for the log: "pid1.kp 80 → 10", "feed pid1.ref = 0.5".
func changeText(method, text string) string {
	if method == string(admin.EventSet) {
		return text
	}
	return strings.TrimSpace(method + " " + text)
}

// answer sends a result or an error to a page.
func (s *Server) answer(to string, result []byte, err error) {
	if to == "" {
		return
	}
	data, _ := json.Marshal(reply{result})
	if err == nil && len(data) > sessions.MaxMessage {
		err = fmt.Errorf("the answer has %d bytes; limit: %d bytes", len(data), sessions.MaxMessage)
	}
	if err != nil {
		data, _ = json.Marshal(refusalOf(err))
	}
	_ = s.broker.Publish(to, data) // a page that has gone waits for nothing
}

// handler answers a request of a page with arguments A.
type handler[A, R any] func(ctx context.Context, c *call, args A) (R, error)

// plain makes a handler of a function that needs only the arguments.
func plain[A, R any](run func(ctx context.Context, args A) (R, error)) handler[A, R] {
	return func(ctx context.Context, _ *call, args A) (R, error) { return run(ctx, args) }
}

// ofSystem makes a handler of a function that needs only the name of a system.
func ofSystem[R any](run func(ctx context.Context, system string) (R, error)) handler[request.Target, R] {
	return func(ctx context.Context, _ *call, a request.Target) (R, error) { return run(ctx, a.System) }
}

// edit makes a handler of a function that changes files.
func edit[A, R any](run func(ctx context.Context, r files.Caller, args A) (R, error)) handler[A, R] {
	return func(ctx context.Context, c *call, args A) (R, error) { return run(ctx, c, args) }
}

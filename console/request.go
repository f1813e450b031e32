package console

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
)

// The limits of a request.
const (
	maxRequest    = 1 << 20          // bytes
	askPatience   = 10 * time.Second // for a system's answer
	callPatience  = 10 * time.Minute // for an operation's
	startPatience = time.Minute
)

// method is something that a page may ask for.
type method struct {
	role    Role
	changes bool // it changes something: it is logged, and the other pages hear of it
	run     func(ctx context.Context, c *call) (any, error)
}

// call is a request on its way through a method.
type call struct {
	session *session
	name    string // of the method
	data    []byte
	did     string // what was changed, for the log
	on      string // the system that it was changed of
	quiet   bool   // nothing was changed after all
}

// look makes a method that changes nothing of a function of typed arguments.
func look[A any](role Role, run func(ctx context.Context, c *call, a A) (any, error)) method {
	return method{role: role, run: func(ctx context.Context, c *call) (any, error) {
		var a A
		if err := c.arguments(&a); err != nil {
			return nil, err
		}
		return run(ctx, c, a)
	}}
}

// alter makes a method that changes something.
func alter[A any](role Role, run func(ctx context.Context, c *call, a A) (any, error)) method {
	m := look(role, run)
	m.changes = true
	return m
}

// arguments reads the payload.
func (c *call) arguments(into any) error {
	if len(c.data) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(c.data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: the request is no JSON object as it should be: %w", c.name, err)
	}
	if d.More() {
		return fmt.Errorf("%s: there is something after the request's JSON object", c.name)
	}
	return nil
}

// changed notes what was changed, for the log and for the other pages.
func (c *call) changed(system, format string, args ...any) {
	c.on, c.did = system, fmt.Sprintf(format, args...)
}

var (
	errTooMany  = errors.New("too many requests: ask more slowly")
	errInside   = errors.New("this failed inside the console: its log tells more")
	errBusy     = fmt.Errorf("%d requests of this page are worked on already: ask again later", requestsOpen)
	errTooLarge = fmt.Errorf("the request has more than %d bytes", maxRequest)
)

// accept takes a request from the NATS server. It never waits.
func (s *Server) accept(m *nats.Msg) {
	id, name, _ := strings.Cut(strings.TrimPrefix(m.Subject, subjectRoot+"."), ".")
	from := s.sessions.find(id)
	if from == nil || m.Reply != "" && !strings.HasPrefix(m.Reply, from.inbox()) {
		return // an answer would go to somebody else
	}
	refuse := func(err error) { s.answer(m.Reply, nil, err) }
	if !from.pace.Allow() {
		refuse(errTooMany)
		return
	}
	if len(m.Data) > maxRequest {
		refuse(errTooLarge)
		return
	}
	method, ok := s.methods[name]
	if !ok {
		refuse(fmt.Errorf("no method %q%s", name, nearest.Hint(name, s.methodNames())))
		return
	}
	if from.login.role < method.role {
		refuse(fmt.Errorf("%s wants the role %v: %s has %v", name, method.role, from.login.user, from.login.role))
		return
	}
	select {
	case from.slots <- struct{}{}:
	default:
		refuse(errBusy)
		return
	}
	if !s.goes(func() {
		defer func() { <-from.slots }()
		s.execute(method, &call{session: from, name: name, data: m.Data}, m.Reply)
	}) {
		<-from.slots
	}
}

func (s *Server) methodNames() (names []string) {
	for name := range s.methods {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// execute runs a method and answers.
func (s *Server) execute(m method, c *call, reply string) {
	patience := askPatience
	switch c.name {
	case "call":
		patience = callPatience
	case "start", "restart":
		patience = startPatience
	}
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	result, err := s.attempt(admin.By(ctx, fmt.Sprintf("%s, process %d", c.session.login.user, os.Getpid())), m, c)
	if m.changes && !(c.quiet && err == nil) {
		s.record(c, err)
	}
	s.answer(reply, result, err)
}

// attempt runs a method. One that panics must not end the process, in which a system may run.
func (s *Server) attempt(ctx context.Context, m method, c *call) (result any, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			s.log.Error("console: a request failed", "method", c.name, "cause", cause, "stack", string(debug.Stack()))
			result, err = nil, fmt.Errorf("%s: %w", c.name, errInside)
		}
	}()
	return m.run(ctx, c)
}

// record logs a change, and that one was refused.
func (s *Server) record(c *call, err error) {
	attrs := []any{"user", c.session.login.user, "role", c.session.login.role.String(), "method", c.name, "system", c.on, "what", c.did}
	if err != nil {
		s.log.Warn("console: refused", append(attrs, "error", err.Error())...)
		return
	}
	s.log.Info("console: change", attrs...)
	s.publish(Event{System: c.on, Kind: "change", Level: "info", Text: strings.TrimSpace(c.name + " " + c.did), User: c.session.login.user})
}

// reply is the payload of an answer, and refusal that of an error.
type reply struct {
	Result any `json:"result"`
}

type refusal struct {
	Error string `json:"error"`
}

// answer sends a result or an error to a page.
func (s *Server) answer(to string, result any, err error) {
	if to == "" {
		return
	}
	data, encodeErr := encode(reply{Result: result})
	if err = errors.Join(err, encodeErr); err == nil && len(data) > brokerPayload {
		err = fmt.Errorf("the answer has %d bytes, at most %d are possible", len(data), brokerPayload)
	}
	if err != nil {
		data, _ = json.Marshal(refusal{err.Error()})
	}
	_ = s.broker.conn.Publish(to, data) // a page that has gone waits for nothing
}

package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/record"
)

// Running is a system that is executed, with its time and its events: what a process serves. Its Tap does not wait for threads.
type Running interface {
	System
	// Now returns the time of the system.
	Now() clock.Time
	// FollowEvents makes sink get what happens in the process and what somebody changes in it, with the name that [By] gives.
	FollowEvents(sink func(Event)) (end func(), err error)
}

// Identity says which process of which system a service is.
type Identity struct {
	System    string
	Process   string   // "": MainProcess
	Host      string   // "": what the machine calls itself
	File      string   // absolute path of the system file; "": it was not made from one
	Version   string   // of sinew
	Processes []string // all of the system that are sinew's, this one among them; nil: it is the only one
	Command   []string // that runs the system again, in the folder Dir; nil where there is none
	Dir       string

	Supervised bool // somebody looks after the process
}

// complete fills in what was left out.
func (id Identity) complete() (Identity, error) {
	if id.Process == "" {
		id.Process = MainProcess
	}
	if id.Host == "" {
		id.Host, _ = os.Hostname()
	}
	if id.Processes == nil {
		id.Processes = []string{id.Process}
	}
	return id, errors.Join(checkName("system", id.System), checkName("process", id.Process))
}

func (id Identity) metadata() map[string]string {
	return map[string]string{"system": id.System, "process": id.Process, "host": id.Host, "file": id.File, "version": id.Version,
		"pid": strconv.Itoa(os.Getpid()), "protocol": Protocol, "processes": strings.Join(id.Processes, ",")}
}

// Service is a process on the control plane: a micro service of NATS.
//
// Goroutines: one publishes, and each request has its own, at most [MaxRequests]. All end with Close.
type Service struct {
	id       Identity
	process  Running
	conn     *nats.Conn
	micro    micro.Service
	outbox   *outbox
	taps     tapBoard
	unfollow func()

	ctx    context.Context
	cancel context.CancelFunc
	slots  chan struct{}
	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup
}

// serve offers a process on a connection, which Close ends.
func serve(conn *nats.Conn, id Identity, process Running) (*Service, error) {
	s := &Service{id: id, process: process, conn: conn, slots: make(chan struct{}, MaxRequests), outbox: newOutbox(conn, id)}
	s.taps = tapBoard{service: s, taps: map[tapKey]*servedTap{}, leases: map[string]*lease{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	var err error
	s.micro, err = micro.AddService(conn, micro.Config{Name: ServiceName, Version: Protocol + ".0.0", Metadata: id.metadata(),
		Description: "one process of a sinew system", QueueGroupDisabled: true})
	if err != nil {
		s.cancel()
		return nil, fmt.Errorf("serve %s.%s: %w", id.System, id.Process, err)
	}
	endpoints := s.methods()
	maps.Copy(endpoints, s.fileMethods())
	for method, run := range endpoints {
		err = errors.Join(err, s.micro.AddEndpoint(method, micro.HandlerFunc(func(r micro.Request) { s.accept(method, run, r) }),
			micro.WithEndpointSubject(subject(id.System, id.Process, method))))
	}
	if err == nil {
		err = conn.FlushTimeout(dialTimeout) // from now on the server knows the endpoints
	}
	if err != nil {
		s.cancel()
		return nil, errors.Join(fmt.Errorf("serve %s.%s: %w", id.System, id.Process, err), s.micro.Stop())
	}
	s.work.Go(func() { s.outbox.run(s.ctx, s.taps.expire) })
	if s.unfollow, err = process.FollowEvents(s.outbox.event); err != nil {
		return nil, errors.Join(fmt.Errorf("serve %s.%s: %w", id.System, id.Process, err), s.Close())
	}
	s.outbox.event(Event{Time: process.Now(), Kind: "started"})
	return s, nil
}

// Log returns where lines go that clients are to see as logs. It never waits: lines for which there is no room are lost and counted.
func (s *Service) Log() *LogWriter { return &LogWriter{outbox: s.outbox} }

// Close ends the service and its connection.
func (s *Service) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	if s.unfollow != nil {
		s.unfollow()
	}
	s.cancel()
	s.work.Wait()
	s.taps.endAll()
	s.outbox.publishSamples()
	s.outbox.publishEvent(Event{Time: s.process.Now(), Kind: "stopped"})
	err := s.micro.Stop()
	_ = s.conn.FlushTimeout(dialTimeout)
	s.conn.Close()
	if errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrConnectionReconnecting) {
		return nil // it was lost before
	}
	return err
}

// accept begins to work on a request, or refuses it at once: the connection's reader never waits.
func (s *Service) accept(method string, run method, r micro.Request) {
	if v := r.Headers().Get(protocolHeader); v != "" && v != Protocol {
		s.refuse(r, codeVersion, fmt.Errorf("%s.%s speaks version %s of the control plane, the client version %s: use the same sinew on both sides",
			s.id.System, s.id.Process, Protocol, v))
		return
	}
	if len(r.Data()) > MaxRequestBytes {
		s.refuse(r, codeTooLarge, fmt.Errorf("the request has %d bytes, at most %d are allowed", len(r.Data()), MaxRequestBytes))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		s.refuse(r, codeGone, ErrGone)
		return
	}
	select {
	case s.slots <- struct{}{}:
		s.work.Go(func() {
			defer func() { <-s.slots }()
			s.answer(method, run, r)
		})
	default:
		s.refuse(r, codeBusy, fmt.Errorf("%s.%s works on %d requests already: ask again later", s.id.System, s.id.Process, MaxRequests))
	}
}

// method is what an endpoint does.
type method func(ctx context.Context, q request) (any, error)

func (s *Service) answer(name string, run method, r micro.Request) {
	var q request
	if len(r.Data()) > 0 {
		if err := json.Unmarshal(r.Data(), &q); err != nil {
			s.refuse(r, codeRefused, fmt.Errorf("%s: the request is no JSON object as it should be: %w", name, err))
			return
		}
	}
	result, err := run(By(s.ctx, r.Headers().Get(clientHeader)), q)
	var data []byte
	if err == nil {
		data, err = encode(result)
	}
	if err != nil {
		code := codeRefused
		if errors.Is(err, ErrGone) || s.ctx.Err() != nil {
			code, err = codeGone, ErrGone
		}
		s.refuse(r, code, err)
		return
	}
	header := nats.Header{}
	if len(data) > compressAbove && strings.Contains(r.Headers().Get(encodingHeader), "gzip") {
		data = pack(data)
		header.Set(packedHeader, "gzip")
	}
	if most := s.conn.MaxPayload(); int64(len(data)) > most {
		s.refuse(r, codeTooLarge, fmt.Errorf("the answer has %d bytes, the server allows %d: raise max_payload there", len(data), most))
		return
	}
	s.respond(r, header, data)
}

// respond sends an answer past the micro service, which takes answers only while its handler runs.
func (s *Service) respond(r micro.Request, header nats.Header, data []byte) {
	_ = s.conn.PublishMsg(&nats.Msg{Subject: r.Reply(), Header: header, Data: data}) // a client that cannot be told waits until its time is over
}

// refuse answers with an error. Headers hold one line only: the payload holds all.
func (s *Service) refuse(r micro.Request, code string, err error) {
	line, _, _ := strings.Cut(err.Error(), "\n")
	data, _ := json.Marshal(refusal{err.Error()})
	s.respond(r, nats.Header{micro.ErrorHeader: {line}, micro.ErrorCodeHeader: {code}}, data)
}

// methods are the endpoints.
func (s *Service) methods() map[string]method {
	p := s.process
	return map[string]method{
		"time":      func(context.Context, request) (any, error) { return moment{p.Now(), s.micro.Info().ID}, nil },
		"structure": func(ctx context.Context, _ request) (any, error) { return s.structure(ctx) },
		"read":      func(ctx context.Context, q request) (any, error) { return p.Read(ctx, q.Ref) },
		"feed":      func(ctx context.Context, q request) (any, error) { return feed(ctx, p, q) },
		"release":   func(ctx context.Context, q request) (any, error) { return nil, p.Release(ctx, q.Ref) },
		"param":     func(ctx context.Context, q request) (any, error) { return p.Param(ctx, q.Ref) },
		"set": func(ctx context.Context, q request) (any, error) {
			return nil, p.SetParams(ctx, q.Ref, Number(copyOf(q.Named)).(map[string]any))
		},
		"call": func(ctx context.Context, q request) (any, error) {
			return p.Call(ctx, q.Ref, Number(slices.Clone(q.Args)).([]any), Number(copyOf(q.Named)).(map[string]any))
		},
		"enable": func(ctx context.Context, q request) (any, error) {
			on, ok := q.Value.(bool)
			if !ok {
				return nil, fmt.Errorf("enable %s: wants the value true or false", q.Ref)
			}
			return nil, p.Enable(ctx, q.Ref, on)
		},
		"reset":      func(ctx context.Context, q request) (any, error) { return nil, p.Reset(ctx, q.Ref) },
		"statistics": func(ctx context.Context, _ request) (any, error) { return s.statistics(ctx) },
		"stop":       func(ctx context.Context, _ request) (any, error) { return nil, p.Stop(ctx) },
		"past":       func(context.Context, request) (any, error) { return s.past(), nil },
		"tap":        func(ctx context.Context, q request) (any, error) { return s.taps.tap(ctx, q) },
		"untap":      func(_ context.Context, q request) (any, error) { s.taps.untap(q); return nil, nil },
	}
}

// copyOf keeps the request as it came: its numbers are shown in an event.
func copyOf(m map[string]any) map[string]any {
	c := map[string]any{}
	for k, v := range m {
		c[k] = v
	}
	return c
}

// structure says of each thread and block which process it is in.
func (s *Service) structure(ctx context.Context) (*Structure, error) {
	st, err := s.process.Structure(ctx)
	if err != nil {
		return nil, err
	}
	st.System = s.id.System
	for i := range st.Processes { // this one
		p := &st.Processes[i]
		p.Name, p.Host, p.Version, p.Command, p.Dir, p.Supervised = s.id.Process, s.id.Host, s.id.Version, s.id.Command, s.id.Dir, s.id.Supervised
	}
	for i := range st.Threads {
		st.Threads[i].Process, st.Threads[i].Host = s.id.Process, s.id.Host
	}
	for i := range st.Blocks {
		st.Blocks[i].Process = s.id.Process
	}
	return st, nil
}

// statistics says of each thread which process it is in.
func (s *Service) statistics(ctx context.Context) (*record.RunStatistics, error) {
	st, err := s.process.Statistics(ctx)
	if err != nil {
		return nil, err
	}
	for i := range st.Threads {
		st.Threads[i].Process, st.Threads[i].Host = s.id.Process, s.id.Host
	}
	return st, nil
}

// feed feeds a port, for a time where the request names one.
func feed(ctx context.Context, p System, q request) (any, error) {
	if q.For == nil {
		return nil, p.Feed(ctx, q.Ref, Number(q.Value))
	}
	lasts := min(*q.For, 2*LongestFeed.Seconds()) // more is refused alike
	return p.FeedFor(ctx, q.Ref, Number(q.Value), time.Duration(lasts*float64(time.Second)))
}

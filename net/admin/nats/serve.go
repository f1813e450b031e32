package nats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
	"github.com/sinew-robotics/sinew/net/system"
)

// Identity names the process and the system of a service.
type Identity struct {
	System    string
	Process   string   // "": system.MainProcess
	Host      string   // "": what the machine calls itself
	File      string   // absolute path of the system file; "": it was not made from one
	Version   string   // of sinew
	Processes []string // all of the system that are sinew's, this one among them; nil: it is the only one
	Command   []string // that runs the system again, in the folder Dir; nil where there is none
	Dir       string

	Supervised bool // sinew up restarts the process
}

// complete fills in what was left out.
func (id Identity) complete() (Identity, error) {
	if id.Process == "" {
		id.Process = system.MainProcess
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
// Goroutines: one publishes, and each request has its own, as package request bounds them. All end with Close.
type Service struct {
	id       Identity
	process  admin.Running
	requests *request.Table[sender]
	slots    *request.Slots
	conn     *nats.Conn
	micro    micro.Service
	outbox   *outbox
	taps     tapBoard
	unfollow func()

	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup
}

// serve offers a process on a connection, which Close ends.
func serve(conn *nats.Conn, id Identity, process admin.Running) (*Service, error) {
	s := &Service{id: id, process: identified{process, id}, conn: conn, slots: request.NewSlots(), outbox: newOutbox(conn, id)}
	s.taps = tapBoard{service: s, taps: map[tapKey]*servedTap{}, leases: map[string]*lease{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.requests = request.NewTable(s.ctx, request.Options{Place: id.System + "." + id.Process, Patience: servePatience, Panicked: s.panicked}, s.methods()...)
	var err error
	s.micro, err = micro.AddService(conn, micro.Config{Name: ServiceName, Version: Protocol + ".0.0", Metadata: id.metadata(),
		Description: "one process of a sinew system", QueueGroupDisabled: true})
	if err != nil {
		s.cancel()
		return nil, fmt.Errorf("serve %s.%s: %w", id.System, id.Process, err)
	}
	for method := range s.requests.Roles() {
		err = errors.Join(err, s.micro.AddEndpoint(method, micro.HandlerFunc(func(r micro.Request) { s.accept(method, r) }),
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
	s.outbox.event(admin.Event{Time: process.Now(), Kind: admin.EventStarted})
	return s, nil
}

// Log returns the writer for lines that clients receive as logs. It never waits: lines for which there is no room are lost and counted.
func (s *Service) Log() *LogWriter { return &LogWriter{outbox: s.outbox} }

// Close ends the service and its connection.
func (s *Service) Close() error {
	if s.unfollow != nil {
		s.unfollow()
	}
	s.cancel()
	s.requests.Close()
	s.work.Wait()
	s.taps.endAll()
	s.outbox.publishSamples()
	s.outbox.publishEvent(admin.Event{Time: s.process.Now(), Kind: admin.EventStopped})
	err := s.micro.Stop()
	_ = s.conn.FlushTimeout(dialTimeout)
	s.conn.Close()
	if errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrConnectionReconnecting) {
		return nil // it was lost before
	}
	return err
}

// sender is the client that a request names. Which methods it may use the NATS server decides, by their subjects.
type sender struct{ actor admin.Actor }

// Actor implements [request.Sender].
func (s sender) Actor() admin.Actor { return s.actor }

// Role implements [request.Sender].
func (s sender) Role() request.Role { return request.Own }

// accept begins to work on a request, or refuses it at once: the connection's reader never waits.
func (s *Service) accept(method string, r micro.Request) {
	if v := r.Headers().Get(protocolHeader); v != "" && v != Protocol {
		s.refuse(r, request.Errorf(request.Version, "%s.%s speaks version %s of the control plane, the client version %s: use the same sinew on both sides",
			s.id.System, s.id.Process, Protocol, v))
		return
	}
	c := &request.Call[sender]{Sender: sender{parseActor(r.Headers().Get(clientHeader))}, Method: method, Data: r.Data()}
	s.requests.Accept(c, s.slots, func(data []byte, err error) { s.answer(r, data, err) })
}

// answer sends a result or an error, compressed where the result is large and the client can read that.
func (s *Service) answer(r micro.Request, data []byte, err error) {
	if err != nil {
		s.refuse(r, err)
		return
	}
	header := nats.Header{}
	if len(data) > compressAbove && strings.Contains(r.Headers().Get(encodingHeader), "gzip") {
		data = pack(data)
		header.Set(packedHeader, "gzip")
	}
	if most := s.conn.MaxPayload(); int64(len(data)) > most {
		s.refuse(r, request.Errorf(request.TooLarge, "the answer has %d bytes, the server allows %d: raise max_payload there", len(data), most))
		return
	}
	s.respond(r, header, data)
}

// panicked logs a panic of a method.
func (s *Service) panicked(method string, cause any, stack []byte) {
	fmt.Fprintf(s.Log(), "sinew: panic while answering %s: %v\n%s", method, cause, stack)
}

// respond sends an answer past the micro service, which takes answers only while its handler runs.
func (s *Service) respond(r micro.Request, header nats.Header, data []byte) {
	_ = s.conn.PublishMsg(&nats.Msg{Subject: r.Reply(), Header: header, Data: data}) // a client that cannot be reached waits until its time-out
}

// refuse answers with an error. Headers hold one line only: the payload holds all.
func (s *Service) refuse(r micro.Request, err error) {
	line, _, _ := strings.Cut(err.Error(), "\n")
	data, _ := json.Marshal(refusal{err.Error()})
	s.respond(r, nats.Header{micro.ErrorHeader: {line}, micro.ErrorCodeHeader: {strconv.Itoa(int(request.CodeOf(err)))}}, data)
}

// servePatience is how long a process works on a request, except on calls. Clients wait less: see [patience].
const servePatience = time.Minute

// history returns the newest events and log lines of the process, with its name.
func (s *Service) history() admin.History {
	p := s.outbox.log.History()
	for i := range p.Events {
		p.Events[i].Process = s.id.Process
	}
	bytes := 0
	for i := len(p.Lines) - 1; i >= 0; i-- {
		p.Lines[i].Process = s.id.Process
		if bytes += len(p.Lines[i].Text); bytes > maxHistoryBytes {
			p.Lines = p.Lines[i+1:]
			break
		}
	}
	return p
}

package console

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os/user"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
)

// Options say what a console shows and to whom.
type Options struct {
	// Systems are those that the console shows.
	Systems Systems
	// Registry holds the types of blocks that the net editor offers and system files may use; nil: none.
	Registry *block.Registry
	// Start runs a system again, and returns when it runs; of one that has a supervisor it first ends what there is. nil: the
	// console cannot start any.
	Start func(context.Context, Program) error
	// Listen is the address and port of the pages; "": a free port of 127.0.0.1.
	Listen string
	// Coach is the address of the port where programs show poses and drive simulators, on loopback; "": none.
	Coach string
	// Hosts are names of this machine that browsers may use. Numbers and localhost are always allowed; other names are
	// refused, because a stranger's page could make its own name lead here.
	Hosts []string
	// Users may sign in beside the one whose token is in [Server.URL], who may drive.
	Users []User
	// Log tells who has signed in and changed what; nil: slog's default.
	Log *slog.Logger
	// Version is sinew's, for people.
	Version string
}

// Server is a running console.
//
// It owns goroutines for HTTP, the NATS server, each request and each watch; all end with Close.
type Server struct {
	options   Options
	log       *slog.Logger
	token     string
	gate      *gate
	sessions  *sessions
	broker    *broker
	catalog   *catalog
	methods   map[string]method
	chronicle chronicle

	writing  sync.Mutex // of system files
	told     sync.Map   // which meshes are missing
	attended sync.Map   // which systems are being looked at
	logs     logs
	coach    *coach // nil: none

	listener net.Listener
	http     *http.Server
	ctx      context.Context
	cancel   context.CancelFunc
	work     sync.WaitGroup
	mu       sync.Mutex
	closed   bool
}

// Open starts a console. Its address is [Server.URL].
func Open(o Options) (*Server, error) {
	s := &Server{options: o, log: o.Log, token: rand.Text(), sessions: &sessions{all: map[string]*session{}}}
	if s.log == nil {
		s.log = slog.Default()
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if s.options.Registry == nil {
		s.options.Registry = block.NewRegistry()
	}
	var err error
	if s.gate, err = newGate(append([]User{{Name: whoAmI(), Token: s.token, Role: Drive}}, o.Users...)); err != nil {
		return nil, err
	}
	if s.listener, err = net.Listen("tcp", o.Listen); err != nil {
		return nil, fmt.Errorf("open the console: %w", err)
	}
	if s.broker, err = openBroker(s.sessions); err != nil {
		return nil, errors.Join(err, s.listener.Close())
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.catalog = newCatalog(o.Systems, s.listen)
	s.methods = s.allMethods()
	if _, err = s.broker.conn.Subscribe(subjectRoot+".*.>", s.accept); err == nil {
		err = s.broker.conn.Flush()
	}
	handler, handlerErr := s.handler()
	if err = errors.Join(err, handlerErr); err != nil {
		s.cancel()
		s.broker.close()
		return nil, errors.Join(fmt.Errorf("open the console: %w", err), s.listener.Close())
	}
	s.http = &http.Server{Handler: handler, ReadHeaderTimeout: headerPatience, IdleTimeout: idlePatience, MaxHeaderBytes: maxHeader,
		ConnContext: smallBuffers,
		ErrorLog:    slog.NewLogLogger(s.log.Handler(), slog.LevelDebug)}
	s.work.Go(func() { _ = s.http.Serve(s.listener) })
	s.work.Go(s.lookAfterSessions)
	s.work.Go(s.lookAfterSystems)
	if o.Coach != "" {
		if s.coach, err = s.openCoach(o.Coach); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// whoAmI is the name of the person who has started the console.
func whoAmI() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "operator"
}

// URL returns the address that signs a person in who may drive.
func (s *Server) URL() string {
	u := url.URL{Scheme: "http", Host: s.listener.Addr().String(), Path: "/", RawQuery: url.Values{"token": {s.token}}.Encode()}
	if host, port, err := net.SplitHostPort(u.Host); err == nil && net.ParseIP(host).IsUnspecified() {
		u.Host = net.JoinHostPort("127.0.0.1", port)
	}
	return u.String()
}

// CoachAddr returns the address of the coach's port; nil where there is none.
func (s *Server) CoachAddr() net.Addr {
	if s.coach == nil {
		return nil
	}
	return s.coach.listener.Addr()
}

// lookAfterSessions follows which pages are there and how well they read.
func (s *Server) lookAfterSessions() {
	ticker := time.NewTicker(sessionLookup)
	defer ticker.Stop()
	for {
		select {
		case now := <-ticker.C:
			s.sessions.look(s.broker.connections(), now)
		case <-s.ctx.Done():
			return
		}
	}
}

// Close ends all pages' connections and the console. The systems go on.
func (s *Server) Close() error {
	s.mu.Lock()
	already := s.closed
	s.closed = true
	s.mu.Unlock()
	if already {
		return nil
	}
	s.cancel()
	err := s.http.Close()
	if s.coach != nil {
		err = errors.Join(err, s.coach.listener.Close())
	}
	s.sessions.end()
	s.broker.close()
	s.work.Wait()
	s.logs.close()
	return errors.Join(err, s.catalog.close())
}

// goes runs work unless the console has ended.
func (s *Server) goes(work func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.work.Go(work)
	return true
}

package console

import (
	"cmp"
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

	"github.com/sinew-robotics/sinew/console/coach"
	"github.com/sinew-robotics/sinew/console/files"
	"github.com/sinew-robotics/sinew/console/history"
	"github.com/sinew-robotics/sinew/console/plans"
	"github.com/sinew-robotics/sinew/console/recordings"
	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/console/sessions"
	"github.com/sinew-robotics/sinew/console/systems"
	"github.com/sinew-robotics/sinew/console/turns"
	"github.com/sinew-robotics/sinew/console/watch"
	"github.com/sinew-robotics/sinew/internal/inuse"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/robot/description"
)

// Options configure [Open].
type Options struct {
	// Systems are those that the console shows.
	Systems systems.Source
	// Registry holds the types of blocks of the system files whose robots the console draws; nil: none.
	Registry *block.Registry
	// Checker answers what is asked of candidates for files of systems that do not run, and about the types of blocks; nil: such questions are refused.
	Checker admin.Checker
	// Start runs a system again, and returns when it runs; of one that has a supervisor it first ends what there is. nil: the
	// console cannot start any.
	Start func(context.Context, systems.Program) error
	// Stop ends a system that has a supervisor: the supervisor, all processes of all hosts, and programs in other languages,
	// whatever their restart policy. It fails if it cannot. nil: the console shows no such systems.
	Stop func(ctx context.Context, system string) error
	// Processes returns what the supervisor of a system reports of its processes, also of those that are not on the control plane, in a new
	// list; of one that does not run, with the problem. None where no supervisor runs on this host. nil: the console shows no such systems.
	Processes func(system string) []admin.Process
	// Listen is the address and port of the pages; "": a free port of 127.0.0.1.
	Listen string
	// Coach is the address of the port where programs show poses and drive simulators, on loopback; "": none.
	Coach string
	// Hosts are names of this machine that browsers may use. Numbers and localhost are always allowed; other names are
	// refused, because a stranger's page could make its own name lead here.
	Hosts []string
	// Users may sign in besides the user of the token in [Server.URL], whose role is [request.Own].
	Users []sessions.User
	// Scenes are robots without a system.
	Scenes []Scene
	// Record is the path of the log that runs of this process write, which pages may open; "": none.
	Record string
	// Logins is the beginning of the path of a file in a private folder where logins are kept; the port is added. "": they end with the console.
	Logins string
	// Resume takes the logins that the last console at this port has kept; otherwise they are forgotten.
	Resume bool
	// Log gets a line for each login and each change; nil: slog's default.
	Log *slog.Logger
	// Version is sinew's, for people.
	Version string

	bodyPatience time.Duration    // for a whole request; 0: the constant of this name
	now          func() time.Time // of sign-ins; nil: time.Now
}

// Scene is a robot that belongs to no system: among obstacles that motions are planned for, or with simplified collision geometry.
type Scene struct {
	Name  string             // not empty; pages show it
	Robot *description.Robot // as pages draw it
	World *robots.World
	// Simplified is what the collision geometry of Robot was before; World is then nil, and pages draw the robot before and after.
	Simplified *robots.Simplified
}

// Server is a running console.
//
// It owns goroutines for HTTP, the NATS server, each request and each watch; all end with Close.
type Server struct {
	options  Options
	log      *slog.Logger
	token    string
	actor    admin.Actor // of changes, with the user of a session
	logins   *sessions.Logins
	sessions *sessions.Registry
	refusals *sessions.Refusals
	broker   *sessions.Broker
	watches  *watch.Watches
	history  *history.Histories
	pool     *systems.Pool
	requests *request.Table[page]
	eventLog eventLog

	attended   sync.Map // which systems are being looked at
	opened     sync.Map // the *systems.System that was attended last, by name
	conditions *conditions
	robots     *robots.Robots
	plans      *plans.Plans
	files      *files.Files
	recordings *recordings.Recordings
	reads      *turns.Turns // of requests for curves
	shares     *turns.Turns // of pages that are shared
	coach      *coach.Coach // nil: none

	listener *sessions.Listener
	http     *http.Server
	ctx      context.Context
	cancel   context.CancelFunc
	work     sync.WaitGroup
	mu       sync.Mutex
	closed   bool
}

// Open starts a console. Its address is [Server.URL]. It fails if the address cannot be listened on, or if users or tokens are
// invalid.
func Open(o Options) (*Server, error) {
	s := &Server{options: o, log: o.Log, token: rand.Text(), actor: admin.NewActor(""), conditions: newConditions(),
		reads: turns.New(mostReads, readsOfUser), shares: turns.New(mostShares, sharesOfUser)}
	if s.log == nil {
		s.log = slog.Default()
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if s.options.now == nil {
		s.options.now = time.Now
	}
	if s.options.Registry == nil {
		s.options.Registry = block.NewRegistry()
	}
	var err error
	s.pool = systems.New(systems.Options{Source: o.Systems, Checker: o.Checker, Version: o.Version, Opened: s.listen})
	s.watches = watch.New(s.pool, s.send)
	s.history = history.New(s.pool)
	s.sessions = sessions.NewRegistry(func(page *sessions.Session) {
		s.watches.EndOf(page)
		s.plans.EndOf(page.ID)
	})
	s.refusals = sessions.NewRefusals(s.log)
	if s.logins, err = sessions.NewLogins(append([]sessions.User{{Name: whoAmI(), Token: s.token, Role: request.Own}}, o.Users...)); err != nil {
		return nil, err
	}
	s.robots = robots.New(robots.Options{Systems: s.pool, Registry: s.options.Registry, Log: s.log, Warn: func(system, text string) {
		s.publish(Event{System: system, Kind: EventLog, Level: Warn, Text: text})
	}})
	s.plans = plans.New(s.robots)
	for _, x := range o.Scenes {
		if x.Simplified != nil {
			err = s.robots.AddSimplified(x.Name, x.Robot, *x.Simplified)
		} else {
			err = s.robots.Add(x.Name, x.Robot, x.World)
		}
		if err != nil {
			return nil, err
		}
	}
	listener, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("open the console: %w", inuse.Explain(err, "tcp", o.Listen, "choose another port with --listen, or 0 for a free one"))
	}
	s.listener = sessions.NewListener(listener)
	if o.Logins != "" {
		_, port, _ := net.SplitHostPort(listener.Addr().String())
		warn := func(err error) { s.log.Warn("console: " + err.Error()) } // users sign in again
		if err := s.logins.Keep(o.Logins+"-"+port+".json", o.Resume, time.Now(), warn); err != nil {
			warn(err)
		}
	}
	if s.broker, err = sessions.OpenBroker(s.sessions); err != nil {
		return nil, errors.Join(err, s.listener.Close())
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.files = files.New(s.pool, o.Checker, s.options.Registry)
	s.recordings = recordings.New(s.files, o.Record)
	s.requests = request.NewTable(s.ctx, request.Options{Place: "the console", Patience: askPatience, Holders: s.logins.Holders, Panicked: s.panicked}, s.methods()...)
	if err = s.broker.Serve(s.accept); err != nil {
		s.cancel()
		s.broker.Close()
		return nil, errors.Join(fmt.Errorf("open the console: %w", err), s.listener.Close())
	}
	s.http = &http.Server{Handler: s.handler(), ReadHeaderTimeout: headerPatience, ReadTimeout: cmp.Or(o.bodyPatience, bodyPatience), IdleTimeout: idlePatience, MaxHeaderBytes: maxHeader,
		ConnContext: sessions.WithConn,
		ErrorLog:    slog.NewLogLogger(s.log.Handler(), slog.LevelDebug)}
	running := s.pool.Running() // before a page can open one
	s.work.Go(func() { _ = s.http.Serve(s.listener) })
	s.work.Go(s.lookAfterSessions)
	s.work.Go(func() { s.lookAfterSystems(running) })
	s.work.Go(s.followConditions)
	if o.Coach != "" {
		if s.coach, err = coach.Open(o.Coach, coach.Options{Systems: s.pool, Robots: s.robots, Log: s.log, Show: s.showPose, Driven: s.driven}); err != nil {
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

// URL returns the address that signs in the person who has started the console, with the role [request.Own].
func (s *Server) URL() string {
	u := url.URL{Scheme: "http", Host: s.listener.Addr().String(), Path: "/", RawQuery: url.Values{"token": {s.token}}.Encode()}
	if host, port, err := net.SplitHostPort(u.Host); err == nil && net.ParseIP(host).IsUnspecified() {
		u.Host = net.JoinHostPort("127.0.0.1", port)
	}
	return u.String()
}

// CoachAddr returns the address of the coach's port; nil if there is none.
func (s *Server) CoachAddr() net.Addr {
	if s.coach == nil {
		return nil
	}
	return s.coach.Addr()
}

// send publishes data to pages. Data that cannot be sent are lost.
func (s *Server) send(subject string, data []byte) { _ = s.broker.Publish(subject, data) }

// showPose sends a pose of the coach's port to the pages that can take it.
func (s *Server) showPose(pose []byte) {
	for _, page := range s.sessions.All() {
		if !page.Slow() {
			s.send(page.Subject("coach"), pose)
		}
	}
}

// poses returns what programs show of a robot through the coach's port.
func (s *Server) poses(_ context.Context, of coach.RobotName) (*coach.List, error) {
	return s.coach.Poses(of), nil
}

// discardPoses lets all pages follow a robot's system again.
func (s *Server) discardPoses(_ context.Context, c *call, of coach.RobotName) error {
	c.Changed(of.System, "%s", of.Robot)
	s.coach.Discard(of)
	return nil
}

// driven publishes that a program drives a robot.
func (s *Server) driven(system, robot string) {
	s.publish(Event{System: system, Kind: EventChange, Level: Info, Text: "torques " + robot, User: "coach"})
}

// sessionsPeriod is how often a console looks which pages are connected.
const sessionsPeriod = 100 * time.Millisecond

// lookAfterSessions follows which pages are there and how well they read, and logs how many strangers were refused.
func (s *Server) lookAfterSessions() {
	ticker := time.NewTicker(sessionsPeriod)
	defer ticker.Stop()
	for {
		select {
		case now := <-ticker.C:
			s.sessions.Update(s.broker, now)
			s.refusals.Update(now)
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
		err = errors.Join(err, s.coach.Close())
	}
	s.sessions.Close()
	s.logins.Forget()
	s.watches.Close()
	s.history.Close()
	s.broker.Close()
	s.requests.Close()
	s.work.Wait()
	s.recordings.Close()
	return errors.Join(err, s.pool.Close())
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

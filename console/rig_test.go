package console_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/console/sessions"
	"github.com/sinew-robotics/sinew/console/systems"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

func TestMain(m *testing.M) {
	if !attack() {
		testkit.Main(m)
	}
}

const aToken = "a token of a person"

// source counts, and does what tests want.
type source struct {
	In   block.In[float64]    `unit:"V"`
	Out  block.Out[float64]   `doc:"the count"`
	Wide block.Out[[]float64] // a NaN, an infinity and the count
	Gain block.Param[float64] `default:"1" min:"0" max:"10" unit:"V"`
	Add  block.Operation[float64, float64]
	Fail block.Operation[block.None, block.None]

	fails bool
}

var errWanted = errors.New("wanted")

func (s *source) Setup(u *block.Setup) error {
	u.Len(3, &s.Wide)
	s.Add.Handle(func(x float64) (float64, error) { return x + 1, nil })
	s.Fail.Handle(func(block.None) (block.None, error) { s.fails = true; return block.None{}, nil })
	return nil
}

func (s *source) Step(clock.Tick) error {
	if s.fails {
		s.fails = false
		return errWanted
	}
	v, _ := s.In.Read()
	s.Out.Write(s.Out.Value() + s.Gain.Value() + v)
	w := *s.Wide.Slot()
	w[0], w[1], w[2] = math.NaN(), math.Inf(1), s.Out.Value()
	s.Wide.Commit()
	return nil
}

// run executes a net of n sources in real time until the test ends.
func run(t testing.TB, period time.Duration, names ...string) *admin.Local {
	t.Helper()
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: period})
	for _, name := range names {
		d.Add(name, &source{}, diagram.Place{Thread: "main"})
	}
	return execute(t, d)
}

// execute executes a net in real time until the test ends.
func execute(t testing.TB, d *diagram.Diagram) *admin.Local {
	t.Helper()
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(net, thread.Options{})
	done := make(chan error, 1)
	go func() { done <- core.Run(context.Background(), nil) }()
	t.Cleanup(func() { core.Stop(); <-done })
	return admin.NewLocal(core.Front(), nil)
}

// journal collects what is logged.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// rig is a console with one system, "test".
type rig struct {
	*console.Server
	t       testing.TB
	systems *systems.InProcess
	journal *journal
	base    string
}

func open(t testing.TB, s admin.System, change ...func(*console.Options)) *rig {
	t.Helper()
	r := &rig{t: t, systems: &systems.InProcess{}, journal: &journal{}}
	r.systems.Add("test", s)
	o := console.Options{Systems: r.systems, Log: slog.New(slog.NewTextHandler(r.journal, nil)), Version: "test", Users: []sessions.User{
		{Name: "ann", Token: aToken + " ann", Role: request.View}, {Name: "bob", Token: aToken + " bob", Role: request.Tune}}}
	for _, f := range change {
		f(&o)
	}
	server, err := console.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	r.Server = server
	t.Cleanup(func() { server.Close() })
	r.base, _, _ = strings.Cut(server.URL(), "/?")
	return r
}

// browser is a person's browser.
type browser struct {
	*http.Client
	rig *rig
}

func (r *rig) browser() *browser {
	jar, _ := cookiejar.New(nil)
	transport := &http.Transport{DisableKeepAlives: true}
	return &browser{&http.Client{Jar: jar, Transport: transport, Timeout: testkit.Patience()}, r}
}

// enter signs in.
func (b *browser) enter(token string) int {
	return b.get("/?token=" + url.QueryEscape(token))
}

func (b *browser) get(path string, headers ...string) int {
	code, _ := b.fetch(path, headers...)
	return code
}

func (b *browser) fetch(path string, headers ...string) (int, string) {
	b.rig.t.Helper()
	q, err := http.NewRequest(http.MethodGet, b.rig.base+path, nil)
	if err != nil {
		b.rig.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			q.Host = headers[i+1]
		}
		q.Header.Set(headers[i], headers[i+1])
	}
	a, err := b.Do(q)
	if err != nil {
		b.rig.t.Fatal(err)
	}
	defer a.Body.Close()
	text, _ := io.ReadAll(a.Body)
	return a.StatusCode, string(text)
}

// page is a page that is open in a browser.
type page struct {
	*nats.Conn
	t       testing.TB
	id      string
	browser *browser
	User    string
	Role    string
}

// page opens a page, with the token of a user, or "" for that of the user of the URL.
func (r *rig) page(token string) *page {
	r.t.Helper()
	b := r.browser()
	if token == "" {
		u, _ := url.Parse(r.URL())
		token = u.Query().Get("token")
	}
	b.enter(token)
	p, err := b.page()
	if err != nil {
		r.t.Fatal(err)
	}
	return p
}

// sessionAnswer is the console's answer about a page's session.
type sessionAnswer struct {
	User, Role string
	NATS       struct{ Path, User, Pass string }
}

func (b *browser) page() (*page, error) {
	u, _ := url.Parse(b.rig.base)
	return b.pageThrough(u.Host)
}

// pageThrough opens a page whose connection goes to some address.
func (b *browser) pageThrough(address string) (*page, error) {
	_, text := b.fetch("/api/session")
	var session sessionAnswer
	if err := json.Unmarshal([]byte(text), &session); err != nil {
		return nil, fmt.Errorf("%q: %w", text, err)
	}
	u, _ := url.Parse(b.rig.base)
	header := http.Header{"Origin": {"http://" + address}}
	for _, c := range b.Jar.Cookies(u) {
		header.Add("Cookie", c.String())
	}
	conn, err := nats.Connect("ws://"+address, nats.ProxyPath(session.NATS.Path), nats.UserInfo(session.NATS.User, session.NATS.Pass),
		nats.WebSocketConnectionHeaders(header), nats.CustomInboxPrefix("_INBOX."+session.NATS.User), nats.NoReconnect(),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		return nil, err
	}
	p := &page{Conn: conn, t: b.rig.t, id: session.NATS.User, browser: b, User: session.User, Role: session.Role}
	b.rig.t.Cleanup(conn.Close)
	return p, nil
}

// ask asks for something.
func (p *page) ask(method string, args any) (any, error) {
	p.t.Helper()
	data, ok := args.([]byte)
	if !ok {
		data, _ = json.Marshal(args)
	}
	m, err := p.Request("c."+p.id+"."+method, data, testkit.Patience())
	if err != nil {
		p.t.Fatalf("%s: %v", method, err)
	}
	var answer struct {
		Result any
		Error  string
		Code   string
	}
	if err := json.Unmarshal(m.Data, &answer); err != nil {
		p.t.Fatalf("%s: %v in %s", method, err, m.Data)
	}
	if answer.Error != "" {
		return nil, &refused{answer.Error, answer.Code}
	}
	return answer.Result, nil
}

// want asks for something that must not fail.
func (p *page) want(method string, args any) any {
	p.t.Helper()
	v, err := p.ask(method, args)
	if err != nil {
		p.t.Fatalf("%s %v: %v", method, args, err)
	}
	return v
}

// refused is the error of a request, with its code.
type refused struct{ text, code string }

func (r *refused) Error() string { return r.text }

// refuseWith checks that a request fails with an error of a code.
func (p *page) refuseWith(code, method string, args any) {
	p.t.Helper()
	var r *refused
	if _, err := p.ask(method, args); !errors.As(err, &r) || r.code != code {
		p.t.Errorf("%s %v: %+v, wants the code %q", method, args, r, code)
	}
}

// refuse asks for something that must fail with an error that has these words.
func (p *page) refuse(method string, args any, words ...string) {
	p.t.Helper()
	v, err := p.ask(method, args)
	if err == nil {
		p.t.Errorf("%s %v = %v, wants an error", method, args, v)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			p.t.Errorf("%s %v: %v, wants %q in it", method, args, err, w)
		}
	}
}

type m = map[string]any

package console_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestWrongTokensAreRefused(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"))
	b := r.browser()
	for _, path := range []string{"/", "/api/session", "/nats", "/assets/x.js", "/robot/test/a.urdf", "/nothing"} {
		if code := b.get(path); code != http.StatusUnauthorized && code != http.StatusForbidden {
			t.Errorf("%s without a session: %d", path, code)
		}
	}
	if code, text := b.fetch("/"); code != http.StatusUnauthorized || !strings.Contains(text, `action="/login"`) {
		t.Errorf("no page to sign in: %d %s", code, text)
	}
	for _, token := range []string{"", "x", r.URL()[:20], strings.Repeat("A", 26)} {
		if code := b.enter(token); code != http.StatusForbidden {
			t.Errorf("token %q: %d", token, code)
		}
	}
}

func TestWrongTokensAreReported(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"))
	for range 40 {
		answer, err := r.browser().PostForm(r.base+"/login", url.Values{"token": {"<b>wrong"}})
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		want := "Wrong token."
		if answer.StatusCode == http.StatusTooManyRequests {
			want = "Too many wrong tokens. Try again in"
		}
		if !strings.Contains(string(text), want) || strings.Contains(string(text), "<b>") || !strings.Contains(string(text), `action="/login"`) {
			t.Fatalf("%d: %s", answer.StatusCode, text)
		}
		if answer.StatusCode == http.StatusTooManyRequests {
			return
		}
	}
	t.Error("guessing is not limited")
}

func TestFormSignsInAndOut(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"))
	b := r.browser()
	answer, err := b.PostForm(r.base+"/login", url.Values{"token": {aToken + " bob"}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	p, err := b.page()
	if err != nil || p.User != "bob" || p.Role != "tune" {
		t.Fatalf("%+v, %v", p, err)
	}
	u, _ := url.Parse(r.base)
	for _, c := range b.Jar.Cookies(u) {
		if strings.Contains(c.Value, aToken) {
			t.Errorf("the cookie holds the token")
		}
	}
	if answer, err = b.PostForm(r.base+"/logout", nil); err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if code := b.get("/api/session"); code != http.StatusUnauthorized {
		t.Errorf("after signing out: %d", code)
	}
}

// TestStrangersPageIsRefused plays a page of another site in the browser of a user who has signed in.
func TestStrangersPageIsRefused(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"))
	b := r.browser()
	b.enter(aToken + " ann")
	socket := []string{"Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}
	for name, headers := range map[string][]string{
		"origin":         {"Origin", "https://evil.example"},
		"null origin":    {"Origin", "null"},
		"port":           {"Origin", "http://127.0.0.1:1"},
		"fetch metadata": {"Sec-Fetch-Site", "cross-site"},
		"same site":      {"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "cors"},
		"rebound name":   {"Host", "evil.example"},
		"rebound origin": {"Host", "evil.example:80", "Origin", "http://evil.example:80"},
		"user in origin": {"Origin", strings.Replace(r.base, "http://", "http://x@", 1)},
	} {
		for _, path := range []string{"/api/session", "/nats", "/robot/test/x"} {
			if code := b.get(path, append(headers, socket...)...); code != http.StatusForbidden {
				t.Errorf("%s at %s: %d", name, path, code)
			}
		}
	}
	if code := b.get("/nats", socket...); code != http.StatusForbidden {
		t.Errorf("a WebSocket without origin: %d", code)
	}
	if code := b.get("/api/session", "Origin", r.base, "Sec-Fetch-Site", "same-origin"); code != http.StatusOK {
		t.Errorf("the own page: %d", code)
	}
	if code := b.get("/", "Host", "localhost:1"); code == http.StatusForbidden {
		t.Errorf("localhost: %d", code)
	}
}

// TestPagesAreApart checks that a page cannot read or write what is another's.
func TestPagesAreApart(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"))
	p, q := r.page(""), r.page(aToken+" ann")
	got := make(chan string, 16)
	for _, subject := range []string{"c.>", "c." + p.id + ".>", "_INBOX.>", "_INBOX." + p.id + ".>", ">", "$SYS.>"} {
		if _, err := q.Subscribe(subject, func(m *nats.Msg) { got <- m.Subject }); err != nil {
			t.Fatal(err)
		}
	}
	_ = q.Publish("c."+p.id+".event", []byte("{}"))
	_ = q.Publish("$SYS.REQ.SERVER.PING", nil)
	// An answer is never sent to another page's inbox.
	spy, err := p.SubscribeSync("_INBOX." + p.id + ".spied")
	if err != nil {
		t.Fatal(err)
	}
	events, err := p.SubscribeSync("c." + p.id + ".event")
	if err != nil {
		t.Fatal(err)
	}
	p.Flush()
	_ = q.PublishRequest("c."+q.id+".systems", spy.Subject, nil)
	_ = q.PublishRequest("c."+q.id+".systems", "c."+p.id+".event", nil)
	_ = q.PublishRequest("c."+p.id+".systems", "_INBOX."+q.id+".x", nil)
	q.Flush()
	q.want("systems", nil)
	p.want("systems", nil)
	time.Sleep(20 * time.Millisecond)
	if n, _, _ := spy.Pending(); n != 0 {
		t.Error("a page got the answer to another's request")
	}
	if n, _, _ := events.Pending(); n != 0 {
		t.Error("a page's event came from another page")
	}
	select {
	case s := <-got:
		t.Errorf("a page heard %s", s)
	default:
	}
}

func TestSessionsWantTheirPassword(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"))
	p := r.page("")
	u, _ := url.Parse(r.base)
	header := http.Header{"Origin": {r.base}}
	for _, c := range p.browser.Jar.Cookies(u) {
		header.Add("Cookie", c.String())
	}
	for _, login := range [][2]string{{p.id, "x"}, {"console", ""}, {"console", "x"}, {"unknown", "x"}, {"", ""}} {
		conn, err := nats.Connect("ws://"+u.Host, nats.ProxyPath("/nats"), nats.UserInfo(login[0], login[1]), nats.WebSocketConnectionHeaders(header))
		if err == nil {
			conn.Close()
			t.Errorf("%q came in", login)
		}
	}
}

func TestRolesAreKept(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"))
	ann, bob := r.page(aToken+" ann"), r.page(aToken+" bob")
	set := m{"system": "test", "ref": "a", "named": m{"gain": 2}}
	add := m{"system": "test", "ref": "a.add", "args": []any{1}}
	ann.want("structure", m{"system": "test"})
	ann.refuse("set", set, "tune", "ann", "view")
	ann.refuse("call", add, "drive")
	bob.want("set", set)
	bob.refuse("call", add, "drive", "bob")
	bob.refuse("stop", m{"system": "test"}, "drive")
}

func TestFloodIsRefused(t *testing.T) {
	p := open(t, run(t, time.Millisecond, "a")).page("")
	for range 5000 {
		_ = p.PublishRequest("c."+p.id+".systems", "_INBOX."+p.id+".flood", nil)
	}
	testkit.Await(t, "an end of the flood", func() bool {
		_, err := p.ask("systems", nil)
		return err == nil
	})
	p.refuse("systems", append(make([]byte, 1<<20), ' '), "bytes")
}

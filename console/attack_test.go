package console_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/console/sessions"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

// strangerDoes names, in the environment, what this binary does as a process of its own: an attack on the console at an address.
const strangerDoes = "CONSOLE_TEST_STRANGER"

// attack does what the environment asks for, and reports whether it asks for anything.
func attack() bool {
	kind, address, wanted := strings.Cut(os.Getenv(strangerDoes), " ")
	if wanted {
		result := map[string]func(string) attackResult{"bodies": slowBodies, "guesses": guesses}[kind](address)
		_ = json.NewEncoder(os.Stdout).Encode(result)
	}
	return wanted
}

// attackResult is what a stranger has seen.
type attackResult struct {
	Open  int         // connections that the console has not closed
	Codes map[int]int // of answers
	Waits bool        // every refusal states how long to wait
}

// stranger attacks in a process of its own. The result comes when it has ended.
func (r *rig) stranger(kind string) <-chan attackResult {
	r.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), strangerDoes+"="+kind+" "+strings.TrimPrefix(r.base, "http://"))
	cmd.Stderr = os.Stderr
	done := make(chan attackResult, 1)
	go func() {
		var result attackResult
		text, err := cmd.Output()
		if err == nil {
			err = json.Unmarshal(text, &result)
		}
		if err != nil {
			r.t.Errorf("the stranger: %v: %s", err, text)
		}
		done <- result
	}()
	return done
}

// slowBodies begins 3,000 forms to sign in and ends none.
func slowBodies(address string) (result attackResult) {
	var conns []net.Conn
	for range 3000 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			continue
		}
		fmt.Fprintf(conn, "POST /login HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4000\r\n\r\ntoken=", address)
		conns = append(conns, conn)
	}
	closed := func(conn net.Conn) bool {
		_ = conn.SetReadDeadline(time.Now().Add(time.Millisecond))
		_, err := conn.Read(make([]byte, 1))
		return !isTimeout(err)
	}
	for begin := time.Now(); len(conns) > sessions.StrangersAddress && time.Since(begin) < testkit.Patience(); {
		conns = slices.DeleteFunc(conns, closed)
	}
	result.Open = len(conns)
	return result
}

func isTimeout(err error) bool {
	e, ok := err.(net.Error)
	return ok && e.Timeout()
}

// guesses tries 3,000 wrong tokens as fast as it can.
func guesses(address string) attackResult {
	result := attackResult{Codes: map[int]int{}, Waits: true}
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 3000 / 8 {
				conn, err := net.Dial("tcp", address)
				if err != nil {
					continue
				}
				fmt.Fprintf(conn, "GET /?token=guessguessguess HTTP/1.1\r\nHost: %s\r\n\r\n", address)
				answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
				_ = conn.Close()
				if err != nil {
					continue
				}
				mu.Lock()
				result.Codes[answer.StatusCode]++
				result.Waits = result.Waits && (answer.StatusCode != http.StatusTooManyRequests || answer.Header.Get("Retry-After") != "")
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return result
}

// from makes a browser's connections come from an address of this machine.
func (b *browser) from(address string) *browser {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	b.Transport = &http.Transport{DisableKeepAlives: true, DialContext: d.DialContext}
	return b
}

// A stranger's connections above the limit are closed at once, not because their bodies are late.
func TestSlowStrangersAreClosedAndUsersComeIn(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"), func(o *console.Options) { console.SetBodyPatience(o, 3*testkit.Patience()) })
	ann := r.browser()
	if code := ann.enter(aToken + " ann"); code != http.StatusOK {
		t.Fatal(code)
	}
	done := r.stranger("bodies")
	for tries := 0; ; tries++ {
		if code := ann.get("/api/session"); code != http.StatusOK { // each on a connection of its own, from the stranger's address
			t.Fatalf("during the attack: %d", code)
		}
		select {
		case result := <-done:
			if result.Open > sessions.StrangersAddress {
				t.Errorf("%d connections of a stranger are open, wants %d at most", result.Open, sessions.StrangersAddress)
			}
			if p, err := ann.page(); err != nil {
				t.Error(err)
			} else {
				p.want("systems", nil)
			}
			t.Logf("%d requests of a user were answered during the attack; %d of 3,000 connections were left", tries, result.Open)
			return
		default:
		}
	}
}

// A stranger's connection that sends a body slowly is closed.
func TestBodiesBeforeLoginHaveADeadline(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"), func(o *console.Options) { console.SetBodyPatience(o, time.Second) })
	address := strings.TrimPrefix(r.base, "http://")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /login HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4000\r\n\r\n", address)
	began := time.Now()
	go func() {
		for range 400 { // a byte now and then
			if _, err := conn.Write([]byte("t")); err != nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	_ = conn.SetReadDeadline(began.Add(testkit.Patience()))
	if _, err := io.ReadAll(conn); isTimeout(err) {
		t.Errorf("the connection is open after %v", time.Since(began))
	}
}

// TestGuessesOfTokensAreLimited guesses as fast as it can while the clock of sign-ins stands still.
func TestGuessesOfTokensAreLimited(t *testing.T) {
	var turned atomic.Int64 // s
	began := time.Now()
	r := open(t, run(t, time.Millisecond, "a"), func(o *console.Options) {
		console.SetNow(o, func() time.Time { return began.Add(time.Duration(turned.Load()) * time.Second) })
	})
	done := r.stranger("guesses")
	testkit.Await(t, "the attack", func() bool { return strings.Contains(r.journal.String(), "wrong token") })
	if code := r.browser().from("127.0.0.2").enter(aToken + " ann"); code != http.StatusOK {
		t.Errorf("the right token from elsewhere: %d", code)
	}
	result := <-done
	looked, refused := result.Codes[http.StatusForbidden], result.Codes[http.StatusTooManyRequests]
	if looked != 10 || refused == 0 || len(result.Codes) != 2 || !result.Waits {
		t.Errorf("%d tokens were looked at, wants 10: %+v", looked, result)
	}
	again := r.browser()
	if code := again.enter(aToken + " ann"); code != http.StatusTooManyRequests {
		t.Errorf("the right token among guesses: %d", code)
	}
	lines := 0
	for line := range strings.Lines(r.journal.String()) {
		if strings.Contains(line, "rejected a request") { // and once a minute how many more
			lines++
		}
	}
	if lines != 1 {
		t.Errorf("%d lines in the log", lines)
	}
	turned.Add(1)
	if code := again.enter(aToken + " ann"); code != http.StatusOK {
		t.Errorf("the right token a second later: %d", code)
	}
	t.Logf("%v", result.Codes)
}

// A form that is cut off holds no token, so it does not count as a guess: otherwise cut connections lock sign-ins out.
func TestFormsThatAreCutOffAreNoGuesses(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"))
	address := strings.TrimPrefix(r.base, "http://")
	for range 12 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "POST /login HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4000\r\n\r\ntoken=gue", address)
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		_ = conn.Close()
		if err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode != http.StatusBadRequest {
			t.Errorf("a form that is cut off: %d", answer.StatusCode)
		}
	}
	if code := r.browser().enter(aToken + " ann"); code != http.StatusOK {
		t.Errorf("the right token after forms that were cut off: %d", code)
	}
}

func TestStrangePagesDoNotGrowTheLog(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"))
	b := r.browser()
	before := len(r.journal.String())
	for range 500 {
		b.get("/", "Host", "evil.example")
	}
	if grown := len(r.journal.String()) - before; grown > 500 {
		t.Errorf("the log has grown by %d bytes", grown)
	}
}

func TestAViewersSocketsDoNotLockDriversOut(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"))
	ann := r.browser()
	ann.enter(aToken + " ann")
	first, err := ann.page()
	if err != nil {
		t.Fatal(err)
	}
	_, text := ann.fetch("/api/session")
	var session sessionAnswer
	if err := json.Unmarshal([]byte(text), &session); err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(r.base)
	header := http.Header{"Origin": {r.base}}
	for _, c := range ann.Jar.Cookies(u) {
		header.Add("Cookie", c.String())
	}
	opened := 1
	for range 510 { // with the session of one page
		conn, err := nats.Connect("ws://"+u.Host, nats.ProxyPath("/nats"), nats.UserInfo(session.NATS.User, session.NATS.Pass),
			nats.WebSocketConnectionHeaders(header), nats.NoReconnect())
		if err == nil {
			defer conn.Close()
			opened++
		}
	}
	if opened != sessions.WebSocketsUser {
		t.Errorf("a viewer has opened %d sockets, wants %d", opened, sessions.WebSocketsUser)
	}
	if code, text := ann.fetch("/api/session"); code != http.StatusTooManyRequests || !strings.Contains(text, "ann has 16 pages open") {
		t.Errorf("%d %s", code, text)
	}
	r.page("").want("call", m{"system": "test", "ref": "a.add", "args": []any{1}})
	first.want("systems", nil)
	first.Close()
	testkit.Await(t, "room for another page", func() bool { return ann.get("/api/session") == http.StatusOK })
}

func TestSubscriptionsOfASocketAreBounded(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"))
	p := r.page("")
	failed := make(chan error, 1000)
	p.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { failed <- err })
	for i := range 400 {
		if _, err := p.Subscribe(fmt.Sprintf("c.%s.x%d", p.id, i), func(*nats.Msg) {}); err != nil {
			break
		}
	}
	_ = p.Flush()
	select {
	case err := <-failed:
		if !strings.Contains(err.Error(), "maximum subscriptions") {
			t.Error(err)
		}
	case <-time.After(testkit.Patience()):
		t.Error("400 subscriptions of a socket were taken")
	}
}

package sessions

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func visitor(l *Listener, address string) (*Conn, bool) {
	conn, _ := net.Pipe()
	c := &Conn{Conn: conn, listener: l, Address: addressOf(address + ":1"), since: time.Now()}
	return c, l.enter(c)
}

func isOpen(c *Conn) bool { return c.place != nil }

// Too many strangers close each other's connections, never those of users, for which the rest stays free.
func TestStrangersMakeRoomForEachOther(t *testing.T) {
	l := NewListener(nil)
	l.most = 100
	ann, ok := visitor(l, "10.0.0.1")
	if ann.SignedIn("ann"); !ok {
		t.Fatal("the first one does not come in")
	}
	for i := range 1000 {
		if _, ok := visitor(l, fmt.Sprintf("10.0.%d.%d", i/100, i%100)); !ok {
			t.Fatalf("stranger %d keeps others out", i)
		}
		if l.strangers.Len() > l.most/strangersShare {
			t.Fatalf("%d strangers", l.strangers.Len())
		}
	}
	bob, ok := visitor(l, "10.0.0.2")
	if bob.SignedIn("bob"); !ok || !isOpen(ann) || !isOpen(bob) {
		t.Error("users were closed")
	}
	for e := l.strangers.Front(); e != nil; e = l.strangers.Front() {
		_ = e.Value.(*Conn).Close()
	}
	if _ = errors.Join(ann.Close(), bob.Close(), ann.Close()); l.all != 0 || len(l.addresses) != 0 || len(l.users) != 0 {
		t.Errorf("left: %d, %v, %v", l.all, l.addresses, l.users)
	}
}

// A user's connection whose first request has not been read yet, on a busy machine, is not closed while its address has connections without a login.
func TestStrangersOfAnAddressGoBeforeConnectionsWithoutARequest(t *testing.T) {
	l := NewListener(nil)
	ann, _ := visitor(l, "10.0.0.1")
	ann.since = time.Now().Add(-time.Minute)
	for range StrangersAddress - 1 {
		c, _ := visitor(l, "10.0.0.1")
		c.NotSignedIn()
	}
	for range 2 * StrangersAddress {
		c, ok := visitor(l, "10.0.0.1")
		if !ok || !isOpen(ann) {
			t.Fatal("the user has no connection")
		}
		c.NotSignedIn()
	}
}

// Neither many connections nor many pages of one user take the place of another's.
func TestOneUserDoesNotTakeAllConnections(t *testing.T) {
	l := NewListener(nil)
	l.most = 200
	var pages []*Conn
	for range 3 * socketsUser {
		c, ok := visitor(l, "10.0.0.1")
		if !ok {
			t.Fatal("no room")
		}
		c.SignedIn("ann")
		if l.CheckRoom("ann") == nil && c.UpgradeToWebSocket() == nil {
			pages = append(pages, c)
		}
	}
	if len(pages) != WebSocketsUser || l.users["ann"].Len() != socketsUser {
		t.Errorf("%d pages, %d connections", len(pages), l.users["ann"].Len())
	}
	for _, c := range pages {
		if !isOpen(c) {
			t.Error("a page was closed")
		}
	}
	if c, ok := visitor(l, "10.0.0.1"); !ok || c.UpgradeToWebSocket() != nil {
		t.Error("no other user comes in")
	}
}

func TestAddressesOfOneNetworkCountAsOne(t *testing.T) {
	for _, pair := range [][2]string{{"[2001:db8::1]:1", "[2001:db8::ffff:2]:7"}, {"10.1.2.3:4", "[::ffff:10.1.2.3]:5"}, {"[fe80::1%eth0]:1", "[fe80::2]:1"}} {
		if a, b := addressOf(pair[0]), addressOf(pair[1]); a != b || !a.IsValid() {
			t.Errorf("%v: %v, %v", pair, a, b)
		}
	}
	if addressOf("10.1.2.3:4") == addressOf("10.1.2.4:4") {
		t.Error("two hosts count as one")
	}
}

func TestWrongTokensAreLimitedByAddressAndInTotal(t *testing.T) {
	var g attempts
	now := time.Unix(1e9, 0)
	mallory, other := addressOf("10.0.0.1:1"), addressOf("10.0.0.2:1")
	try := func(from netip.Prefix) bool {
		if g.check(from, now) != nil {
			return false
		}
		g.wrong(from, now)
		return true
	}
	looked := 0
	for range 3000 {
		if try(mallory) {
			looked++
		}
	}
	if looked != attemptBurst || g.check(other, now) != nil {
		t.Errorf("%d attempts, others: %v", looked, g.check(other, now))
	}
	var late TooManyAttempts
	if err := g.check(mallory, now); !errors.As(err, &late) || late.Wait != time.Second {
		t.Errorf("%v", err)
	}
	if now = now.Add(late.Wait); !try(mallory) || try(mallory) {
		t.Error("wants one more guess after the wait")
	}
	looked = 0
	for i := range 5000 { // each address attempts twice
		from := addressOf(fmt.Sprintf("10.1.%d.%d:1", i/2/250, i/2%250))
		if try(from) && i%2 == 1 {
			looked++
		}
	}
	if looked > attemptBurstAll {
		t.Errorf("%d attempts of addresses that have guessed before", looked)
	}
	if g.check(other, now) != nil {
		t.Error("a crowd keeps others out")
	}
	if len(g.addresses) > attemptAddresses {
		t.Errorf("%d addresses are remembered", len(g.addresses))
	}
}

// TestGuessesAtTheSameTimeAreLimited guesses on many connections while the clock stands still.
func TestGuessesAtTheSameTimeAreLimited(t *testing.T) {
	var users []User
	for i := range 1000 { // a comparison takes long
		users = append(users, User{Name: fmt.Sprint("user", i), Token: fmt.Sprint("a long token of user ", i)})
	}
	g, err := NewLogins(users)
	if err != nil {
		t.Fatal(err)
	}
	var looked atomic.Int64
	var guessing sync.WaitGroup
	for range 64 {
		guessing.Go(func() {
			for range 50 {
				if _, err := g.SignIn("a wrong token", addressOf("10.0.0.1:1"), time.Unix(1e9, 0)); err == nil {
					looked.Add(1)
				}
			}
		})
	}
	guessing.Wait()
	if n := looked.Load(); n != attemptBurst {
		t.Errorf("%d guesses were looked at, want %d", n, attemptBurst)
	}
}

func TestRefusedStrangersAreCountedInTheLog(t *testing.T) {
	var text bytes.Buffer
	r := NewRefusals(slog.New(slog.NewTextHandler(&text, nil)))
	now := time.Unix(1e9, 0)
	mallory := addressOf("10.0.0.1:1")
	for range 313 {
		r.Note(mallory, "wrong token", now)
		r.Update(now)
	}
	for i := range 5000 {
		r.Note(addressOf(fmt.Sprintf("10.1.%d.%d:1", i/250, i%250)), "wrong token", now)
	}
	if lines := strings.Count(text.String(), "\n"); lines != refusalAddresses+1 {
		t.Errorf("%d lines", lines)
	}
	text.Reset()
	r.Update(now.Add(refusalPause))
	if !strings.Contains(text.String(), "times=312 from=10.0.0.1 ") || strings.Count(text.String(), "\n") != 2 || !strings.Contains(text.String(), "other addresses") {
		t.Errorf("%s", text.String())
	}
	text.Reset()
	r.Update(now.Add(3 * refusalPause))
	if len(r.from) != 0 || text.Len() != 0 {
		t.Errorf("%d addresses are remembered: %s", len(r.from), text.String())
	}
}

package metrics

import (
	"context"
	"net"
	"net/http"
	"testing"

	"github.com/sinew-robotics/sinew/net/record"
)

// A stranger's connections neither keep a scraper out nor take the process's descriptors.
func TestIdleConnectionsDoNotKeepScrapersOut(t *testing.T) {
	const idle, spare = 3000, 3 * maxConnections // descriptors that this process keeps for itself
	m, err := Serve("127.0.0.1:0", func(context.Context) (*record.RunStatistics, error) { return &record.RunStatistics{System: "lab"}, nil })
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var conns []net.Conn
	defer func() {
		for _, c := range conns {
			_ = c.Close()
		}
	}()
	for range idle {
		c, err := net.Dial("tcp", m.address.String())
		if err != nil { // as many as there are descriptors
			for _, c := range conns[max(len(conns)-spare, 0):] {
				_ = c.Close()
			}
			break
		}
		conns = append(conns, c)
	}
	if families, text := scrape(t, m); families == nil {
		t.Errorf("a scrape beside %d idle connections: %s", len(conns), text)
	}
	m.listener.mu.Lock() // the scraper's connection was accepted after all others
	defer m.listener.mu.Unlock()
	if n := m.listener.open.Len(); n > maxConnections {
		t.Errorf("%d connections are open, want at most %d", n, maxConnections)
	}
	t.Logf("a scrape was answered beside %d idle connections", len(conns))
}

func TestConnectionsWithoutARequestMakeRoomFirst(t *testing.T) {
	l := &listener{}
	enter := func() (c, out *conn) {
		here, _ := net.Pipe()
		c = &conn{Conn: here, of: l}
		return c, l.enter(c)
	}
	scraping, _ := enter()
	l.note(scraping, http.StateActive)
	idle, _ := enter()
	for range maxConnections - 2 {
		enter()
	}
	if _, out := enter(); out != idle {
		t.Error("the oldest connection without a request is open")
	}
	for e := l.open.Front(); e != nil; e = e.Next() {
		l.note(e.Value.(*conn), http.StateActive)
	}
	if _, out := enter(); out != scraping || l.open.Len() != maxConnections {
		t.Errorf("where all have a request, the oldest one is open, and %d are", l.open.Len())
	}
	if err := scraping.Close(); err != nil || l.open.Len() != maxConnections {
		t.Errorf("a connection that has made room is closed again: %v, %d are open", err, l.open.Len())
	}
}

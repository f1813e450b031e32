package sessions

import (
	"strings"
	"testing"
)

func TestBrokerListensOnNoPort(t *testing.T) {
	b, err := OpenBroker(NewRegistry(func(*Session) {}))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if a := b.server.Addr(); a != nil {
		t.Errorf("it listens at %v", a)
	}
	if u := b.server.WebsocketURL(); !strings.HasSuffix(u, ":0") {
		t.Errorf("it has a WebSocket at %q", u)
	}
	if err := b.conn.Flush(); err != nil {
		t.Errorf("the console cannot connect: %v", err)
	}
}

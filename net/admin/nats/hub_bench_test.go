package nats_test

import (
	"context"
	"net"
	"testing"
	"time"

	gonats "github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// BenchmarkHub measures an echo between two processes' connections to a hub: a request and its answer.
func BenchmarkHub(b *testing.B) {
	testkit.UserFolder(b)
	hub, err := nats.OpenHub("bench")
	if err != nil {
		b.Fatal(err)
	}
	defer hub.Close()
	connect := func() *gonats.Conn {
		conn, token, err := nats.OnHost("bench").Dial(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		c, err := gonats.Connect("nats://127.0.0.1", gonats.SetCustomDialer(given{conn}), gonats.Token(token))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(c.Close)
		return c
	}
	server, client := connect(), connect()
	if _, err := server.Subscribe("echo", func(m *gonats.Msg) { _ = m.Respond(m.Data) }); err != nil {
		b.Fatal(err)
	}
	_ = server.Flush()
	payload := make([]byte, 200)
	b.Run("echo", func(b *testing.B) {
		for b.Loop() {
			if _, err := client.Request("echo", payload, dialPatience); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("stream", func(b *testing.B) {
		b.SetBytes(int64(len(payload)))
		for b.Loop() {
			if err := client.Publish("unused", payload); err != nil {
				b.Fatal(err)
			}
		}
		_ = client.Flush()
	})
}

const dialPatience = 5 * time.Second

// given is a connection for nats.go.
type given struct{ net.Conn }

// Dial implements gonats.CustomDialer.
func (g given) Dial(_, _ string) (net.Conn, error) { return g.Conn, nil }

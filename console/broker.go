package console

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// subjectRoot is the first token of all subjects: c.SESSION.METHOD.
const subjectRoot = "c"

// The limits of the NATS server.
const (
	brokerConns    = 512
	brokerSubs     = 1024     // of one connection
	brokerPayload  = 8 << 20  // bytes of a message; requests have limits of their own
	brokerPending  = 32 << 20 // bytes that wait for one page; then it is disconnected
	brokerPatience = 10 * time.Second
	brokerStart    = 5 * time.Second
)

// broker is the NATS server that pages speak to, through a WebSocket on loopback, and the console's own connection.
type broker struct {
	server   *server.Server
	conn     *nats.Conn
	sessions *sessions
	name     string // user and password of the console itself
	password string
}

func openBroker(s *sessions) (*broker, error) {
	b := &broker{sessions: s, name: "console", password: rand.Text()}
	var err error
	b.server, err = server.NewServer(&server.Options{
		ServerName: "sinew-console", DontListen: true, NoLog: true, NoSigs: true, NoSystemAccount: true, NoFastProducerStall: true,
		CustomClientAuthentication: b, MaxConn: brokerConns, MaxSubs: brokerSubs, MaxPayload: brokerPayload, MaxPending: brokerPending,
		WriteDeadline: brokerPatience,
		Websocket:     server.WebsocketOpts{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoTLS: true},
	})
	if err != nil {
		return nil, fmt.Errorf("start the console's NATS server: %w", err)
	}
	b.server.Start()
	if !b.server.ReadyForConnections(brokerStart) {
		b.close()
		return nil, fmt.Errorf("start the console's NATS server: it is not ready after %v", brokerStart)
	}
	b.conn, err = nats.Connect("", nats.InProcessServer(b.server), nats.UserInfo(b.name, b.password), nats.NoEcho(), nats.MaxReconnects(-1),
		nats.Name("console"))
	if err != nil {
		b.close()
		return nil, fmt.Errorf("connect to the console's NATS server: %w", err)
	}
	return b, nil
}

// Check implements server.Authentication: the console itself, and pages with their session and its password.
func (b *broker) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	if o.Username == b.name {
		if !same(o.Password, b.password) {
			return false
		}
		c.RegisterUser(&server.User{Username: b.name})
		return true
	}
	s := b.sessions.find(o.Username)
	if s == nil || !same(o.Password, s.password) {
		return false
	}
	own := s.subject(">")
	c.RegisterUser(&server.User{Username: s.id, Permissions: &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: []string{own}},
		Subscribe: &server.SubjectPermission{Allow: []string{own, s.inbox() + ">"}},
	}})
	return true
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// webSocket returns where the server's WebSocket is.
func (b *broker) webSocket() (*url.URL, error) {
	u, err := url.Parse(b.server.WebsocketURL())
	if err != nil {
		return nil, err
	}
	u.Scheme = "http"
	return u, nil
}

// connections returns what is connected, by session.
func (b *broker) connections() map[string]connection {
	list := map[string]connection{}
	z, err := b.server.Connz(&server.ConnzOptions{Username: true, Limit: brokerConns})
	if err != nil {
		return list
	}
	for _, c := range z.Conns {
		k := list[c.AuthorizedUser]
		k.count++
		k.pending += int64(c.Pending)
		list[c.AuthorizedUser] = k
	}
	return list
}

func (b *broker) close() {
	if b.conn != nil {
		b.conn.Close()
	}
	b.server.Shutdown()
	b.server.WaitForShutdown()
}

var errClosed = errors.New("the console has ended")

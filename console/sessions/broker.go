package sessions

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"net"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// subjectRoot is the first token of all subjects: c.SESSION.METHOD.
const subjectRoot = "c"

// The limits of the NATS server.
const (
	brokerConns    = 512
	brokerSubs     = 256      // of one connection
	MaxMessage     = 8 << 20  // bytes of a message; requests have limits of their own
	brokerPending  = 16 << 20 // bytes that wait for one page; then it is disconnected
	brokerPatience = 10 * time.Second
	brokerStart    = 5 * time.Second
)

// Broker is the NATS server that pages speak to through the console's WebSocket, and the console's own connection to it. It listens on
// no port.
type Broker struct {
	server   *server.Server
	conn     *nats.Conn
	sessions *Registry
	name     string // user and password of the console itself
	password string
}

// OpenBroker starts the NATS server for the pages of a registry. It fails if the server is not ready in time.
func OpenBroker(s *Registry) (*Broker, error) {
	b := &Broker{sessions: s, name: "console", password: rand.Text()}
	var err error
	b.server, err = server.NewServer(&server.Options{
		ServerName: "sinew-console", DontListen: true, NoLog: true, NoSigs: true, NoSystemAccount: true, NoFastProducerStall: true,
		CustomClientAuthentication: b, MaxConn: brokerConns, MaxSubs: brokerSubs, MaxPayload: MaxMessage, MaxPending: brokerPending,
		WriteDeadline: brokerPatience,
	})
	if err != nil {
		return nil, fmt.Errorf("start the console's NATS server: %w", err)
	}
	b.server.Start()
	if !b.server.ReadyForConnections(brokerStart) {
		b.Close()
		return nil, fmt.Errorf("start the console's NATS server: it is not ready after %v", brokerStart)
	}
	b.conn, err = nats.Connect("", nats.InProcessServer(b.server), nats.UserInfo(b.name, b.password), nats.NoEcho(), nats.MaxReconnects(-1),
		nats.Name("console"))
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("connect to the console's NATS server: %w", err)
	}
	return b, nil
}

// Check implements server.Authentication: it admits the console itself, and pages with their session's ID and password.
func (b *Broker) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	if o.Username == b.name {
		if !same(o.Password, b.password) {
			return false
		}
		c.RegisterUser(&server.User{Username: b.name})
		return true
	}
	s := b.sessions.Find(o.Username)
	if s == nil || !same(o.Password, s.Password) {
		return false
	}
	own := s.Subject(">")
	c.RegisterUser(&server.User{Username: s.ID, Permissions: &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: []string{own}},
		Subscribe: &server.SubjectPermission{Allow: []string{own, s.InboxPrefix() + ">"}},
	}})
	return true
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// connections returns the connections of each session.
func (b *Broker) connections() map[string]connection {
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

// Serve lets handle take all messages that pages send. It is called on one goroutine of the connection and must not wait.
func (b *Broker) Serve(handle func(*nats.Msg)) error {
	if _, err := b.conn.Subscribe(subjectRoot+".*.>", handle); err != nil {
		return err
	}
	return b.conn.Flush()
}

// Publish sends data to a subject. Data for a page whose session has ended are dropped.
func (b *Broker) Publish(subject string, data []byte) error { return b.conn.Publish(subject, data) }

// Connect returns a new connection to the server: what goes through a page's WebSocket.
func (b *Broker) Connect() (net.Conn, error) { return b.server.InProcessConn() }

// Close ends the server and all connections to it.
func (b *Broker) Close() {
	if b.conn != nil {
		b.conn.Close()
	}
	b.server.Shutdown()
	b.server.WaitForShutdown()
}

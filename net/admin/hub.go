package admin

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// The limits of a hub.
const (
	hubClients  = 256             // connections
	hubPayload  = 1 << 20         // bytes of a message
	hubPending  = 8 << 20         // bytes that wait for one slow client; then it is disconnected
	hubPatience = 2 * time.Second // for a client that does not read
	hubStart    = 5 * time.Second
)

// Hub is a NATS server in this process that the processes and tools of one system on this host meet at. It is bound to
// loopback and wants the token that its address file tells.
type Hub struct {
	system string
	server *server.Server
	file   AddressFile
}

// ErrRuns is wrapped by the error of [OpenHub] for a system that has a hub already.
var ErrRuns = errors.New("it runs already")

// OpenHub starts the hub of a system and writes its address file. Where a hub was killed, the new one takes its port
// and token over, so that the others find it again.
func OpenHub(system string) (*Hub, error) {
	if err := checkName("system", system); err != nil {
		return nil, err
	}
	fail := func(err error) (*Hub, error) { return nil, fmt.Errorf("open the control plane of %q: %w", system, err) }
	if err := makeFolder(); err != nil {
		return fail(err)
	}
	former, err := readAddressFile(system)
	stale := !vanished(err)
	if alive(system) {
		return fail(fmt.Errorf("%w, in process %d", ErrRuns, former.PID))
	}
	h := &Hub{system: system, file: AddressFile{Token: rand.Text(), PID: os.Getpid()}}
	port := 0
	if former.Token != "" {
		h.file.Token, port = former.Token, former.port()
	}
	if err := h.listen(port); err != nil {
		return fail(err)
	}
	h.file.URL = "nats://" + h.server.Addr().String()
	if err := h.file.write(system, !stale); err != nil {
		h.server.Shutdown()
		h.server.WaitForShutdown()
		if errors.Is(err, fs.ErrExist) { // another one was quicker
			return fail(ErrRuns)
		}
		return fail(err)
	}
	return h, nil
}

// port returns the port of the URL, 0 where there is none.
func (f AddressFile) port() int {
	u, err := url.Parse(f.URL)
	if err != nil {
		return 0
	}
	port, _ := strconv.Atoi(u.Port())
	return port
}

// listen starts the server at a port, or at any where that one is taken.
func (h *Hub) listen(port int) error {
	probe, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	switch {
	case err == nil:
		_ = probe.Close()
	case alive(h.system): // another one has just taken it over
		return ErrRuns
	}
	if err != nil || port == 0 {
		port = server.RANDOM_PORT
	}
	h.server, err = server.NewServer(&server.Options{
		ServerName: "sinew-" + h.system, Host: "127.0.0.1", Port: port, Authorization: h.file.Token,
		NoLog: true, NoSigs: true, NoSystemAccount: true, NoFastProducerStall: true,
		MaxConn: hubClients, MaxPayload: hubPayload, MaxPending: hubPending, WriteDeadline: hubPatience,
	})
	if err != nil {
		return err
	}
	h.server.Start()
	if !h.server.ReadyForConnections(hubStart) {
		h.server.Shutdown()
		h.server.WaitForShutdown()
		if alive(h.system) {
			return ErrRuns
		}
		return fmt.Errorf("the server does not start within %v", hubStart)
	}
	return nil
}

// Address returns how this process reaches its own hub, without a socket.
func (h *Hub) Address() Address {
	return Address{Name: h.system + " in this process", Dial: func(context.Context) (net.Conn, string, error) {
		conn, err := h.server.InProcessConn()
		return conn, h.file.Token, err
	}}
}

// Close ends the hub and its connections, and removes the address file.
func (h *Hub) Close() error {
	var err error
	if f, e := readAddressFile(h.system); e == nil && f.PID == h.file.PID && f.URL == h.file.URL {
		err = os.Remove(addressPath(h.system))
	}
	h.server.Shutdown()
	h.server.WaitForShutdown()
	return err
}

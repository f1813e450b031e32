package nats

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/sinew-robotics/sinew/internal/private"
)

// The limits of a hub.
const (
	hubClients  = 256             // connections through its socket
	hubInside   = 8               // connections from its own process
	hubPayload  = 1 << 20         // bytes of a message
	hubPending  = 8 << 20         // bytes that wait for one slow client; then it is disconnected
	hubPatience = 2 * time.Second // for a client that does not read
	hubStart    = 5 * time.Second // to start, and for another that is starting or ending
	hubLook     = 5 * time.Millisecond
)

// Hub is a NATS server in this process that the processes and tools of one system on this host meet at. It listens on a socket
// in the user's private folder, accepts processes of this user only, and wants the token of its address file.
type Hub struct {
	system   string
	paths    hubPaths
	lock     *private.FileLock // held as long as the hub is open
	server   *server.Server
	listener net.Listener
	relays   sync.WaitGroup
	file     AddressFile
	close    func() error // at the first call only
}

// ErrRuns is wrapped by the error of [OpenHub] for a system that has a hub already.
var ErrRuns = errors.New("it runs already")

// OpenHub starts the hub of a system and writes its address file. The remains of a hub that was killed are removed; its
// token is not used again. It fails if the system has a hub already, or its private folder cannot be used.
func OpenHub(system string) (*Hub, error) {
	fail := func(err error) (*Hub, error) { return nil, fmt.Errorf("open the control plane of %q: %w", system, err) }
	paths, err := pathsOf(system)
	if err != nil {
		return fail(err)
	}
	h := &Hub{system: system, paths: paths, file: AddressFile{Socket: paths.socket, Token: rand.Text(), PID: os.Getpid()}}
	if h.lock, err = h.awaitLock(); err != nil {
		return fail(err)
	}
	if err := h.open(); err != nil {
		return fail(errors.Join(err, h.lock.Close()))
	}
	h.close = sync.OnceValue(h.shut)
	return h, nil
}

// awaitLock takes the lock of the system's hub. If another hub holds it and answers, the error is [ErrRuns].
func (h *Hub) awaitLock() (*private.FileLock, error) {
	for begin := time.Now(); ; time.Sleep(hubLook) {
		lock, err := private.Lock(h.paths.lock)
		if !errors.Is(err, private.ErrLocked) {
			return lock, err
		}
		former, _ := readAddressFile(h.system)
		if alive(h.system) {
			return nil, fmt.Errorf("%w, in process %d", ErrRuns, former.PID)
		}
		if time.Since(begin) > hubStart {
			return nil, fmt.Errorf("process %d holds %s and does not answer within %v: end it", former.PID, h.paths.lock, hubStart)
		}
	}
}

// open starts the server, the socket and writes the address file.
func (h *Hub) open() (err error) {
	h.server, err = server.NewServer(&server.Options{
		ServerName: "sinew-" + h.system, DontListen: true, Authorization: h.file.Token,
		NoLog: true, NoSigs: true, NoSystemAccount: true, NoFastProducerStall: true,
		MaxConn: hubClients + hubInside, MaxPayload: hubPayload, MaxPending: hubPending, WriteDeadline: hubPatience,
	})
	if err != nil {
		return err
	}
	h.server.Start()
	if !h.server.ReadyForConnections(hubStart) {
		h.end()
		return fmt.Errorf("the server does not start within %v", hubStart)
	}
	if err := os.Remove(h.paths.socket); err != nil && !vanished(err) { // a killed hub's
		h.end()
		return err
	}
	if h.listener, err = private.Listen(h.paths.socket); err != nil {
		h.end()
		return err
	}
	h.relays.Go(h.accept)
	if err := h.file.write(h.paths.address); err != nil {
		h.end()
		return err
	}
	return nil
}

// end closes the socket and ends the server and all connections.
func (h *Hub) end() {
	if h.listener != nil {
		_ = h.listener.Close()
	}
	h.server.Shutdown()
	h.server.WaitForShutdown()
	h.relays.Wait()
}

// Address returns how this process reaches its own hub, without a socket.
func (h *Hub) Address() Address {
	return Address{Name: h.system + " in this process", Dial: func(context.Context) (net.Conn, string, error) {
		conn, err := h.server.InProcessConn()
		return conn, h.file.Token, err
	}}
}

// Close ends the hub and its connections, and removes the address file.
func (h *Hub) Close() error { return h.close() }

func (h *Hub) shut() error {
	var err error
	if f, e := readAddressFile(h.system); e == nil && f.Token == h.file.Token {
		err = os.Remove(h.paths.address)
	}
	h.end()
	return errors.Join(err, h.lock.Close()) // the next hub may begin
}

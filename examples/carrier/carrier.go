package main

import (
	"fmt"
	"net"
	"path/filepath"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/link"
)

const (
	maxDatagram = 4096
	maxPath     = 100                       // bytes of an address
	maxMessage  = 1 + maxPath + maxDatagram // on the socket: length and text of the sender's address, then the datagram
	room        = 16                        // datagrams that wait for the socket
	patience    = 100 * time.Millisecond    // with a peer that does not read
)

// Carrier returns the carrier unix: Unix sockets for datagrams in a folder that all sides can reach, such as containers of one machine. An
// address is the absolute path of the socket.
func Carrier() link.Carrier {
	return link.Carrier{Name: "unix", Doc: "Unix sockets in a shared folder.", MaxDatagram: maxDatagram, Check: check, Open: open}
}

func check(address string) error {
	if !filepath.IsAbs(address) || len(address) > maxPath {
		return fmt.Errorf("wants the absolute path of a socket in at most %d bytes, as /run/lab/robot.sock", maxPath)
	}
	return nil
}

func open(address string) (link.Datagrams, error) {
	if err := check(address); err != nil {
		return nil, err
	}
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: address, Net: "unixgram"})
	if err != nil {
		return nil, err
	}
	s := &side{socket: socket, path: address, free: make(chan *message, room), due: make(chan *message, room), quit: make(chan struct{})}
	for range room {
		s.free <- new(message)
	}
	return s, nil
}

// message is a datagram that waits for the socket.
type message struct {
	to    link.Address
	bytes [maxMessage]byte
	n     int
}

// side is this host's socket.
type side struct {
	socket    *net.UnixConn
	path      string
	host      link.Host
	free, due chan *message
	quit      chan struct{}
	work      sync.WaitGroup
}

// Serve implements link.Datagrams.
func (s *side) Serve(h link.Host) {
	s.host = h
	s.work.Go(s.read)
	s.work.Go(s.write)
}

// Write implements link.Datagrams. The socket may make its caller wait, so a goroutine of its own writes.
func (s *side) Write(d []byte, to link.Address) bool {
	select {
	case next := <-s.free:
		next.to = to
		next.n = len(append(append(append(next.bytes[:0], byte(len(s.path))), s.path...), d...))
		s.due <- next // has room for all datagrams there are
		return true
	default:
		return false
	}
}

// write writes the datagrams that wait. One that the other side does not take is lost: it may not run yet.
func (s *side) write() {
	peers := map[link.Address]*net.UnixConn{}
	for {
		select {
		case <-s.quit:
			for _, peer := range peers {
				_ = peer.Close() // nothing is under way
			}
			return
		case next := <-s.due:
			to := next.to
			peer := peers[to]
			if peer == nil {
				if dialed, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: to.Name, Net: "unixgram"}); err == nil {
					peer, peers[to] = dialed, dialed
				}
			}
			if peer != nil {
				_ = peer.SetWriteDeadline(time.Now().Add(patience))
				if _, err := peer.Write(next.bytes[:next.n]); err != nil { // it has gone: perhaps another one comes
					_ = peer.Close()
					delete(peers, to)
				}
			}
			s.free <- next
			s.host.Ready(to)
		}
	}
}

// read passes the datagrams on that arrive.
func (s *side) read() {
	buffer := make([]byte, maxMessage)
	var from link.Address // of the last message: kept, so that its text is not made for each one
	for {
		n, err := s.socket.Read(buffer)
		if err != nil {
			return // the socket is closed
		}
		message := buffer[:n]
		if n == 0 || 1+int(message[0]) > n {
			s.host.Take(nil, link.Address{}) // counts as rejected
			continue
		}
		path, datagram := message[1:1+message[0]], message[1+message[0]:]
		if string(path) != from.Name {
			from.Name = string(path)
		}
		s.host.Take(datagram, from)
	}
}

// Resolve implements link.Datagrams.
func (s *side) Resolve(address string) (link.Address, error) {
	return link.Address{Name: address}, check(address)
}

// Addr implements link.Datagrams.
func (s *side) Addr() link.Address { return link.Address{Name: s.path} }

// Close implements link.Datagrams. It also removes the socket's file.
func (s *side) Close() error {
	close(s.quit)
	err := s.socket.Close()
	s.work.Wait()
	return err
}

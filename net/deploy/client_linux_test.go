package deploy

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A supervisor that cannot be reached for a while runs: on a busy machine sinew up took it for killed.
func TestBusySupervisorIsNotTakenForKilled(t *testing.T) {
	folder, err := os.MkdirTemp("", "busy") // the name of a socket has at most 107 characters, and that of t.TempDir is long
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	c := Client{Folder: folder}
	if _, err := c.Dial(); !errors.Is(err, ErrNoSupervisor) {
		t.Errorf("without a socket: %v, want %v", err, ErrNoSupervisor)
	}
	socket, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, socketName)
	if err := errors.Join(syscall.Bind(socket, &syscall.SockaddrUnix{Name: path}), syscall.Listen(socket, 0)); err != nil {
		t.Fatal(err)
	}
	var waiting []net.Conn // for a supervisor that accepts none
	for {
		conn, err := c.Dial()
		if err == nil {
			waiting = append(waiting, conn)
			continue
		}
		if errors.Is(err, ErrNoSupervisor) {
			t.Errorf("a supervisor with %d connections that wait to be accepted: %v", len(waiting), err)
		}
		break
	}
	for _, conn := range waiting {
		_ = conn.Close()
	}
	if err := syscall.Close(socket); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Dial(); !errors.Is(err, ErrNoSupervisor) {
		t.Errorf("a socket that nothing listens on: %v, want %v", err, ErrNoSupervisor)
	}
}

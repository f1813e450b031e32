package private

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// Listen opens a socket in a private folder; the path must not exist. It accepts connections of this user's processes only,
// and removes the socket at Close.
func Listen(path string) (net.Listener, error) {
	if err := Check(filepath.Dir(path)); err != nil {
		return nil, err
	}
	short, done, err := shorten(path)
	if err != nil {
		return nil, err
	}
	defer done()
	l, err := net.Listen("unix", short)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", path, errors.Unwrap(err))
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false) // the short path ends before
	return &listener{l, path}, os.Chmod(path, 0o600)
}

// listener accepts this user's processes.
type listener struct {
	net.Listener
	path string
}

// Accept returns the next connection of this user. Others are closed.
func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if checkPeer(conn) == nil {
			return conn, nil
		}
		_ = conn.Close()
	}
}

// Close ends the listener and removes its socket.
func (l *listener) Close() error {
	_ = os.Remove(l.path)
	return l.Listener.Close()
}

// Dial connects to a socket in a private folder. If another user runs the server it returns [ErrRefused] and has sent
// nothing.
func Dial(ctx context.Context, path string) (net.Conn, error) {
	if err := Check(filepath.Dir(path)); err != nil {
		return nil, err
	}
	short, done, err := shorten(path)
	if err != nil {
		return nil, err
	}
	defer done()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", short)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", path, errors.Unwrap(err))
	}
	if err := checkPeer(conn); err != nil {
		return nil, errors.Join(refuse(path, err.Error(), "end that process"), conn.Close())
	}
	return conn, nil
}

// checkPeer rejects the other end of a connection if another user runs it.
func checkPeer(conn net.Conn) error {
	raw, err := conn.(*net.UnixConn).SyscallConn()
	if err != nil {
		return err
	}
	uid, known := -1, false
	if e := raw.Control(func(fd uintptr) { uid, known, err = peerOf(fd) }); e != nil || err != nil {
		return errors.Join(e, err)
	}
	if known && uid != os.Getuid() {
		return fmt.Errorf("%s runs its other end", describe(uid))
	}
	return nil
}

package nats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/internal/private"
)

// Address is the way to a NATS server: a dialling function, or by a URL.
type Address struct {
	Name string // what messages call it; "": its URL
	// URL is the server's, or several separated by commas: nats://HOST:PORT or tls://HOST:PORT.
	URL string
	// Credentials is a file: one of NATS (a JWT with its seed), or one line USER:PASSWORD, or one line TOKEN.
	Credentials string
	// Authority is a file with certificates, PEM, that vouch for the server; "": those that the machine trusts.
	Authority string
	// Dial returns a connection to a server and its token. It takes the place of the URL, and is called again at each
	// reconnection. An error that is [fs.ErrNotExist] means that the server has ended for good.
	Dial func(ctx context.Context) (conn net.Conn, token string, err error)
}

// String returns the name, else the URL without passwords.
func (a Address) String() string {
	if a.Name != "" {
		return a.Name
	}
	var shown []string
	for part := range strings.SplitSeq(a.URL, ",") {
		u, err := url.Parse(strings.TrimSpace(part))
		if err != nil {
			return "the server"
		}
		shown = append(shown, u.Redacted())
	}
	return strings.Join(shown, ",")
}

// OnHost returns the address of the server of a system on this host. Dialing it reads the system's address file, and fails if
// the system does not run.
func OnHost(system string) Address {
	return Address{Name: system + " on this host", Dial: func(ctx context.Context) (net.Conn, string, error) {
		f, err := readAddressFile(system)
		if vanished(err) {
			return nil, "", &notRunning{system}
		}
		if err != nil {
			return nil, "", err
		}
		conn, err := private.Dial(ctx, f.Socket)
		if err != nil { // not wrapped: a hub that is starting has no socket for a moment, and that does not mean that it has ended
			err = fmt.Errorf("process %d, where it was, does not answer: %v", f.PID, err)
		}
		return conn, f.Token, err
	}}
}

// notRunning is the error where a system has no server on this host. It is an [fs.ErrNotExist].
type notRunning struct{ system string }

func (e *notRunning) Error() string {
	others, _ := List()
	return fmt.Sprintf("no system %q runs%s", e.system, nearest.Hint(e.system, others))
}

// Is makes it an fs.ErrNotExist.
func (e *notRunning) Is(target error) bool { return target == fs.ErrNotExist }

// AddressFile is the content of the file that names the socket of a system's server on this host.
type AddressFile struct {
	Socket string `json:"socket"` // path of a Unix socket
	Token  string `json:"token"`
	PID    int    `json:"pid"`
}

const addressSuffix = ".nats"

// hubPaths are the files of a system's hub, all in the user's private folder.
type hubPaths struct{ address, socket, lock string }

func pathsOf(system string) (p hubPaths, err error) {
	if err := checkName("system", system); err != nil {
		return p, err
	}
	folder, err := private.Folder()
	if err != nil {
		return p, err
	}
	base := filepath.Join(folder, system)
	return hubPaths{address: base + addressSuffix, socket: base + ".sock", lock: base + ".lock"}, nil
}

func readAddressFile(system string) (f AddressFile, err error) {
	paths, err := pathsOf(system)
	if err != nil {
		return f, err
	}
	text, err := private.Read(paths.address)
	if err != nil {
		return f, err
	}
	if f, err = parseAddressFile(text, paths.socket); err != nil {
		return f, fmt.Errorf("read %s: %w", paths.address, err)
	}
	return f, nil
}

// parseAddressFile reads the content of an address file. Its socket must be the system's own.
func parseAddressFile(text []byte, socket string) (f AddressFile, err error) {
	if err := json.Unmarshal(text, &f); err != nil {
		return AddressFile{}, err
	}
	switch {
	case f.Socket == "":
		err = errors.New("it names no socket; another version of sinew has written it: use the same on both sides")
	case f.Socket != socket:
		err = fmt.Errorf("it names the socket %q, and this system's is %s; remove the file", f.Socket, socket)
	case f.Token == "" || f.PID <= 0:
		err = errors.New("it names no token or no process; remove it, and start the system again")
	}
	if err != nil {
		return AddressFile{}, err
	}
	return f, nil
}

// write makes the file at once and whole.
func (f AddressFile) write(path string) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return private.Write(path, append(text, '\n'))
}

// Forget removes what the server of a system left behind when it was killed: address file, socket and lock.
func Forget(system string) error {
	paths, err := pathsOf(system)
	if err != nil {
		return err
	}
	lock, err := private.Lock(paths.lock)
	if errors.Is(err, private.ErrLocked) {
		return nil // another server starts
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	for _, path := range []string{paths.address, paths.socket} {
		if err := os.Remove(path); err != nil && !vanished(err) {
			return fmt.Errorf("remove where the tools of %q met: %w", system, err)
		}
	}
	return nil
}

// List returns the names of this user's systems that run on this host, sorted. It fails if the private folder cannot be used.
func List() ([]string, error) {
	folder, err := private.Folder()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), addressSuffix); ok && checkName("system", name) == nil && alive(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// alive reports whether a server listens at the socket in the address file of a system.
func alive(system string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	conn, _, err := OnHost(system).Dial(ctx)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetReadDeadline(time.Now().Add(dialTimeout))
	greeting := make([]byte, 5)
	n, _ := conn.Read(greeting)
	return string(greeting[:n]) == "INFO " || string(greeting[:n]) == hubFull[:n] && n > 0 // the server speaks first
}

// vanished reports whether an error means that there is no address file.
func vanished(err error) bool { return errors.Is(err, fs.ErrNotExist) }

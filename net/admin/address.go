package admin

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
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/internal/rt"
)

// Address says how a NATS server is reached: by a dialling function, or by a URL.
type Address struct {
	Name string // what messages call it; "": its URL
	// URL is the server's, or several separated by commas: nats://HOST:PORT or tls://HOST:PORT.
	URL string
	// Credentials is a file: one of NATS (a JWT with its seed), or one line USER:PASSWORD, or one line TOKEN.
	Credentials string
	// Authority is a file with certificates, PEM, that vouch for the server; "": those that the machine trusts.
	Authority string
	// Dial returns a connection to a server and its token. It takes the place of the URL, and is called again at each
	// reconnection. An error that is [fs.ErrNotExist] says that the server has ended for good.
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

// OnHost returns the address of the server of a system on this host, which its address file tells.
func OnHost(system string) Address {
	return Address{Name: system + " on this host", Dial: func(ctx context.Context) (net.Conn, string, error) {
		f, err := readAddressFile(system)
		if vanished(err) {
			return nil, "", &notRunning{system}
		}
		if err != nil {
			return nil, "", err
		}
		var d net.Dialer
		conn, err := d.DialContext(ctx, "tcp", strings.TrimPrefix(f.URL, "nats://"))
		if err != nil {
			err = fmt.Errorf("process %d, where it was, does not answer: %w", f.PID, err)
		}
		return conn, f.Token, err
	}}
}

// notRunning says that a system has no server on this host. It is an [fs.ErrNotExist].
type notRunning struct{ system string }

func (e *notRunning) Error() string {
	return fmt.Sprintf("no system %q runs%s", e.system, nearest.Hint(e.system, List()))
}

// Is makes it an fs.ErrNotExist.
func (e *notRunning) Is(target error) bool { return target == fs.ErrNotExist }

// AddressFile is the content of the file that says where a system's server on this host is.
type AddressFile struct {
	URL   string `json:"url"`
	Token string `json:"token"`
	PID   int    `json:"pid"`
}

// Folder returns where this user's address files are.
func Folder() string { return rt.UserFolder() }

const addressSuffix = ".nats"

func addressPath(system string) string { return filepath.Join(Folder(), system+addressSuffix) }

// makeFolder makes the folder of address files, and refuses one that others may enter.
func makeFolder() error {
	if err := os.MkdirAll(Folder(), 0o700); err != nil {
		return err
	}
	if info, err := os.Lstat(Folder()); err != nil || !info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s must be a folder that only you may enter: chmod 700 it, or remove it", Folder())
	}
	return nil
}

func readAddressFile(system string) (f AddressFile, err error) {
	text, err := os.ReadFile(addressPath(system))
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return f, fmt.Errorf("read %s: %w", addressPath(system), err)
	}
	return f, nil
}

// write makes the file at once and whole. Where fresh is set and the file exists already, the error is [fs.ErrExist].
func (f AddressFile) write(system string, fresh bool) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	part, err := os.CreateTemp(Folder(), "."+system+"-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	_, err = part.Write(append(text, '\n'))
	if err := errors.Join(err, part.Close()); err != nil {
		return err
	}
	if fresh {
		return os.Link(part.Name(), addressPath(system))
	}
	return os.Rename(part.Name(), addressPath(system))
}

// List returns the names of this user's systems that run on this host, sorted.
func List() []string {
	entries, err := os.ReadDir(Folder())
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), addressSuffix); ok && checkName("system", name) == nil && alive(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// alive reports whether a server listens where the address file of a system says.
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
	return string(greeting[:n]) == "INFO " // the server speaks first
}

// vanished reports whether an error says that there is no address file.
func vanished(err error) bool { return errors.Is(err, fs.ErrNotExist) }

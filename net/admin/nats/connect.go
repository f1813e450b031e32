package nats

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/internal/private"
)

const (
	dialTimeout   = 2 * time.Second
	dialPatience  = 50 * time.Second // for a dialling function, which may log in to a busy host and start a program there
	reconnectWait = 100 * time.Millisecond
	answersMost   = 1024            // to one request, such as a search, that wait to be read
	pingInterval  = 3 * time.Second // after two without an answer a connection is dead
)

// connect reaches a server. The connection is restored automatically, without a limit; gone is called, at least once, when
// the server has ended for good.
func connect(a Address, name string, gone func(), more ...nats.Option) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name(name), nats.Timeout(dialTimeout), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait),
		nats.ReconnectJitter(reconnectWait, reconnectWait), nats.IgnoreAuthErrorAbort(), nats.ReconnectBufSize(-1), nats.SyncQueueLen(answersMost),
		nats.PingInterval(pingInterval), nats.FlusherTimeout(dialTimeout), nats.MaxPingsOutstanding(2), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}
	url := a.URL
	var d *dialer
	if a.Dial != nil {
		url = "nats://127.0.0.1"
		d = &dialer{dial: a.Dial, gone: gone}
		options = append(options, nats.SetCustomDialer(d), nats.TokenHandler(d.lastToken), nats.IgnoreDiscoveredServers())
	}
	login, err := a.login()
	if err != nil {
		return nil, fmt.Errorf("connect to %v: %w", a, err)
	}
	options = append(append(options, login...), more...)
	conn, err := nats.Connect(url, options...)
	if err != nil {
		if d != nil && d.failure() != nil {
			err = d.failure() // the error of nats.go is less precise
		}
		if vanished(err) {
			return nil, err // it is precise enough
		}
		return nil, fmt.Errorf("connect to %v: %w", a, explain(err))
	}
	return conn, nil
}

// explain adds to an error of a connection what to do about it.
func explain(err error) error {
	switch text := err.Error(); {
	case errors.Is(err, nats.ErrAuthorization), strings.Contains(text, "Authorization Violation"):
		return fmt.Errorf("%w: the server refuses these credentials", err)
	case errors.Is(err, nats.ErrNoServers):
		return fmt.Errorf("%w: no server answers there", err)
	}
	return err
}

// login returns the options that the credentials and the authority make.
func (a Address) login() ([]nats.Option, error) {
	var options []nats.Option
	if a.Authority != "" {
		if _, err := os.ReadFile(a.Authority); err != nil {
			return nil, fmt.Errorf("read the certificate authority: %w", err)
		}
		options = append(options, nats.RootCAs(a.Authority))
	}
	if a.Credentials == "" {
		return options, nil
	}
	text, err := private.Secret(a.Credentials)
	if err != nil {
		return nil, fmt.Errorf("read the credentials: %w", err)
	}
	line := strings.TrimSpace(string(text))
	user, password, isUser := strings.Cut(line, ":")
	switch {
	case strings.Contains(line, "BEGIN NATS USER JWT"):
		return append(options, nats.UserCredentials(a.Credentials)), nil
	case line == "" || strings.ContainsAny(line, "\n\r"):
		return nil, fmt.Errorf("%s holds no credentials: wants a file of NATS, or one line USER:PASSWORD, or one line TOKEN", a.Credentials)
	case isUser:
		return append(options, nats.UserInfo(user, password)), nil
	}
	return append(options, nats.Token(line)), nil
}

// dialer connects with the function of an address.
type dialer struct {
	dial  func(ctx context.Context) (net.Conn, string, error)
	gone  func() // may be nil
	token atomic.Pointer[string]
	err   atomic.Pointer[error] // of the last attempt
}

// Dial implements nats.CustomDialer.
func (d *dialer) Dial(_, _ string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), dialPatience)
	defer cancel()
	conn, token, err := d.dial(ctx)
	d.err.Store(&err)
	if err != nil {
		if vanished(err) && d.gone != nil {
			d.gone()
		}
		return nil, err
	}
	d.token.Store(&token)
	return conn, nil
}

func (d *dialer) lastToken() string {
	if t := d.token.Load(); t != nil {
		return *t
	}
	return ""
}

func (d *dialer) failure() error {
	if e := d.err.Load(); e != nil {
		return *e
	}
	return nil
}

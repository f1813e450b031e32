package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// page is a client of a console like a page in a browser: signed in, with a connection to the console's NATS.
type page struct {
	conn    *nats.Conn
	subject string // of its requests
	frames  atomic.Int64
}

// openPage opens a page at the address that a console has printed.
func openPage(address string) (*page, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar, Timeout: 10 * time.Second}
	enter, err := browser.Get(address)
	if err != nil {
		return nil, fmt.Errorf("sign in: %w", err)
	}
	enter.Body.Close()
	answer, err := browser.Get("http://" + u.Host + "/api/session")
	if err != nil {
		return nil, fmt.Errorf("ask for the session: %w", err)
	}
	defer answer.Body.Close()
	var session struct {
		NATS struct{ Path, User, Pass string }
	}
	if err := json.NewDecoder(answer.Body).Decode(&session); err != nil {
		return nil, fmt.Errorf("read the session: %w", err)
	}
	header := http.Header{"Origin": {"http://" + u.Host}}
	for _, c := range jar.Cookies(u) {
		header.Add("Cookie", c.String())
	}
	p := &page{subject: "c." + session.NATS.User + "."}
	p.conn, err = nats.Connect("ws://"+u.Host, nats.ProxyPath(session.NATS.Path), nats.UserInfo(session.NATS.User, session.NATS.Pass),
		nats.WebSocketConnectionHeaders(header), nats.CustomInboxPrefix("_INBOX."+session.NATS.User))
	if err != nil {
		return nil, fmt.Errorf("connect to the console: %w", err)
	}
	_, err = p.conn.Subscribe(p.subject+"frame.*", func(*nats.Msg) { p.frames.Add(1) })
	return p, err
}

// ask sends a request to the console.
func (p *page) ask(method string, arguments any) (result struct{ ID string }, err error) {
	data, err := json.Marshal(arguments)
	if err != nil {
		return result, err
	}
	m, err := p.conn.Request(p.subject+method, data, 10*time.Second)
	if err != nil {
		return result, fmt.Errorf("%s: %w", method, err)
	}
	var answer struct {
		Result json.RawMessage
		Error  string
	}
	if err := json.Unmarshal(m.Data, &answer); err != nil {
		return result, fmt.Errorf("%s: %w", method, err)
	}
	if answer.Error != "" {
		return result, errors.New(answer.Error)
	}
	return result, json.Unmarshal(answer.Result, &result)
}

// watch receives frames of signals until end is called.
func (p *page) watch(system string, refs []string) (end func() error, err error) {
	type signal struct {
		Ref string `json:"ref"`
	}
	var signals []signal
	for _, ref := range refs {
		signals = append(signals, signal{ref})
	}
	w, err := p.ask("watch", map[string]any{"system": system, "signals": signals})
	return func() error {
		_, err := p.ask("unwatch", map[string]any{"id": w.ID})
		return err
	}, err
}

package console

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// The limits of HTTP.
const (
	headerPatience = 5 * time.Second
	idlePatience   = 2 * time.Minute
	maxHeader      = 16 << 10
	maxForm        = 4 << 10
	socketBuffer   = 256 << 10 // so that a page that does not read is noticed soon
)

//go:embed all:ui/dist
var built embed.FS

//go:embed placeholder.html
var placeholder []byte

//go:embed login.html
var loginPage []byte

// handler serves everything. Without a session there is only the page to sign in.
func (s *Server) handler() (http.Handler, error) {
	socket, err := s.broker.webSocket()
	if err != nil {
		return nil, err
	}
	inside := http.NewServeMux()
	inside.HandleFunc("GET /api/session", s.beginSession)
	inside.HandleFunc("POST /logout", s.signOut)
	inside.Handle("GET /nats", s.natsProxy(socket))
	inside.HandleFunc("GET /robot/{system}/{block}/robot.urdf", s.robotURDF)
	inside.HandleFunc("GET /robot/{system}/{block}/mesh/{number}/{file...}", s.robotMesh)
	inside.HandleFunc("GET /widget/{system}/{file}", s.widgetFile)
	inside.Handle("GET /", s.pages())
	return s.guard(inside), nil
}

// guard refuses strangers: other hosts' names, other origins, people who have not signed in.
func (s *Server) guard(inside http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		harden(w.Header())
		if err := s.checkSource(r); err != nil {
			s.log.Warn("console: refused a request", "from", r.RemoteAddr, "path", r.URL.Path, "error", err)
			http.Error(w, "sinew console: "+err.Error(), http.StatusForbidden)
			return
		}
		if r.Method == http.MethodPost && r.URL.Path == "/login" {
			r.Body = http.MaxBytesReader(w, r.Body, maxForm)
			s.signIn(w, r, r.PostFormValue("token"))
			return
		}
		if r.URL.Path == "/" && r.Method == http.MethodGet && r.URL.Query().Has("token") {
			s.signIn(w, r, r.URL.Query().Get("token"))
			return
		}
		if s.loginOf(r) == nil {
			s.showLogin(w, r, http.StatusUnauthorized)
			return
		}
		inside.ServeHTTP(w, r)
	})
}

// harden tells browsers what pages of the console may do: speak with this server, and be in no frame.
func harden(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "+
		"worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer") // the first address holds the token
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// checkSource refuses requests that another site's page makes, and those to names that are not this machine's.
func (s *Server) checkSource(r *http.Request) error {
	if !s.ownHost(r.Host) {
		return fmt.Errorf("%q is no name of this console: use its number, or name it with --host", r.Host)
	}
	if origin := r.Header.Values("Origin"); len(origin) > 1 || len(origin) == 1 && !sameOrigin(origin[0], r.Host) {
		return fmt.Errorf("a page of %q may not use this console", strings.Join(origin, ", "))
	}
	entering := r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" && !entering {
		return errors.New("a page of another site may not use this console")
	}
	if r.URL.Path == "/nats" && r.Header.Get("Origin") == "" {
		return errors.New("a WebSocket wants an Origin")
	}
	return nil
}

// ownHost reports whether a Host header names this machine by number, as localhost, or by a name that was allowed.
func (s *Server) ownHost(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return host == "localhost" || slices.ContainsFunc(s.options.Hosts, func(h string) bool { return strings.EqualFold(h, host) })
}

func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(u.Host, host) && u.User == nil
}

// cookieName tells consoles of one machine apart: browsers send cookies to all ports.
func (s *Server) cookieName() string {
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	return cookiePlain + port
}

func (s *Server) loginOf(r *http.Request) *login {
	c, err := r.Cookie(s.cookieName())
	if err != nil {
		return nil
	}
	return s.gate.known(c.Value)
}

// signIn gives a browser its cookie.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request, token string) {
	l, err := s.gate.enter(strings.TrimSpace(token))
	switch {
	case err != nil:
		s.showLogin(w, r, http.StatusTooManyRequests)
	case l == nil:
		s.log.Warn("console: wrong token", "from", r.RemoteAddr)
		s.showLogin(w, r, http.StatusForbidden)
	default:
		s.log.Info("console: signed in", "user", l.user, "role", l.role.String(), "from", r.RemoteAddr)
		http.SetCookie(w, &http.Cookie{Name: s.cookieName(), Value: l.id, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
			MaxAge: int(loginLife.Seconds())})
		http.Redirect(w, r, "/", http.StatusSeeOther)
	}
}

// signOut ends a login and its pages.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	l := s.loginOf(r)
	s.gate.leave(l.id)
	s.sessions.endOf(l)
	http.SetCookie(w, &http.Cookie{Name: s.cookieName(), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: -1})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *Server) showLogin(w http.ResponseWriter, r *http.Request, code int) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if strings.HasPrefix(r.URL.Path, "/api/") {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(code)
		fmt.Fprintln(w, "sign in first")
		return
	}
	w.WriteHeader(code)
	_, _ = w.Write(loginPage)
}

// sessionReply tells a page who looks at it and how it reaches the NATS server.
type sessionReply struct {
	User    string    `json:"user"`
	Role    Role      `json:"role"`
	NATS    natsEntry `json:"nats"`
	Version string    `json:"version"`
}

type natsEntry struct {
	Path     string `json:"path"`
	User     string `json:"user"`
	Password string `json:"pass"`
}

// beginSession makes a session for a page.
func (s *Server) beginSession(w http.ResponseWriter, r *http.Request) {
	l := s.loginOf(r)
	if l == nil {
		s.showLogin(w, r, http.StatusUnauthorized)
		return
	}
	page := s.sessions.begin(l)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(sessionReply{l.user, l.role, natsEntry{"/nats", page.id, page.password}, s.options.Version})
}

// natsProxy passes WebSockets on to the NATS server.
func (s *Server) natsProxy(to *url.URL) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(to)
			p.Out.URL.Path, p.Out.URL.RawPath = "/", ""
			p.Out.Header.Del("Cookie")
			p.Out.Header.Del("Origin") // it was checked
		},
		Transport: &http.Transport{DialContext: dialSmall, DisableKeepAlives: true, DisableCompression: true},
		ErrorLog:  slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
}

// dialSmall connects to the NATS server with small buffers, so that a page that does not read is noticed there soon.
func dialSmall(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Timeout: headerPatience}
	conn, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return conn, conn.(*net.TCPConn).SetReadBuffer(socketBuffer)
}

// smallBuffers does the same for a page's connection.
func smallBuffers(ctx context.Context, conn net.Conn) context.Context {
	if c, ok := conn.(*net.TCPConn); ok {
		_ = c.SetWriteBuffer(socketBuffer) // else it takes longer
	}
	return ctx
}

// pages serves the built pages, or tells how they are built.
func (s *Server) pages() http.Handler {
	dist, err := fs.Sub(built, "ui/dist")
	if err != nil {
		panic("console: ui/dist is not embedded")
	}
	files := http.FileServerFS(dist)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := fs.Stat(dist, "index.html"); err != nil {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(placeholder)
			return
		}
		if strings.HasPrefix(r.URL.Path, "/assets/") { // their names change with their content
			w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
		}
		files.ServeHTTP(w, r)
	})
}
